"""The error pages, in our layout and without a query, because the database may be what failed; the header for crawlers; and the
refusal of input that PostgreSQL cannot read.

Django's handlers for 400, 403 and 404 find the templates by themselves. /v1 never comes here: the gateway answers it."""

import sys
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import quote

from django.core.exceptions import BadRequest, ValidationError
from django.db import DatabaseError, InterfaceError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.middleware.csrf import REASON_NO_CSRF_COOKIE
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import resolve
from django.views.decorators.csrf import requires_csrf_token

from apps.gateway.exceptions import is_passing
from apps.portal.sign_in.unsent import page_of_form

RETRY_AFTER_SECONDS = 60
PAGES = ("/portal", "/account", "/docs")


def too_many_requests(request: HttpRequest) -> HttpResponse:
    """django-allauth's limits lead here, as `handler429` of the urls."""
    response = render(request, "429.html", status=429)
    response["Retry-After"] = str(RETRY_AFTER_SECONDS)
    return response


def other_slash(request: HttpRequest, path: str) -> HttpResponse:
    """Redirect to the page whose address differs by the slash at its end. The last of all routes; /v1 has nothing like it."""
    other = "/" + (path.removesuffix("/") if path.endswith("/") else f"{path}/")
    if request.method not in ("GET", "HEAD") or resolve(other).func is other_slash:
        raise Http404
    query = request.META["QUERY_STRING"]
    return redirect(f"{quote(other)}{'?' if query else ''}{query}")


class PageForWrongMethod:
    """Middleware: shows a page for 405. The usual cause is a GET of a button's address after logging in again."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if isinstance(response, HttpResponseNotAllowed) and request.path_info.startswith(PAGES):
            page = render(request, "405.html", status=405)
            page["Allow"] = response["Allow"]
            return page
        return response


def unavailable(_request: HttpRequest) -> HttpResponse:
    return HttpResponse(render_to_string("503.html"), status=503, headers={"Retry-After": "5"})


@requires_csrf_token
def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form without the token that goes with the browser's cookie: the page is older than the last log-in, the browser keeps
    no cookies, or the form is of another site.
    """
    shown = {"lacks_cookies": reason == REASON_NO_CSRF_COOKIE, "page": page_of_form(request)}
    return render(request, "403_form.html", shown, status=403)


def server_error(request: HttpRequest) -> HttpResponse:
    """503 while the database is down or too busy, as the gateway answers it; else 500."""
    error = sys.exc_info()[1]
    if isinstance(error, DatabaseError | InterfaceError) and is_passing(error):
        return unavailable(request)
    return HttpResponse(render_to_string("500.html"), status=500)


FOUND = ("/docs", "/static/", "/llms", "/robots.txt", "/sitemap.xml", "/.well-known/")


class KeepOutOfSearch:
    """Middleware for pages: the portal, the sign-in and the back office are not for search engines."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if not request.path_info.startswith(FOUND):
            response["X-Robots-Tag"] = "noindex, nofollow"
        return response


def refuse_unreadable(request: HttpRequest, *more: str) -> None:
    """Raises BadRequest for a NUL character in the address or in `more`: PostgreSQL cannot store one."""
    asked = [value for _, values in request.GET.lists() for value in values]
    if any("\x00" in text for text in (request.path_info, *asked, *more)):
        raise BadRequest("The request contains what no text may.")


def refuse_unreadable_keys(key: Any, chosen: Iterable[str]) -> None:
    """Raises BadRequest if one of `chosen` cannot be a value of `key`, a model's primary key: a word for a number."""
    try:
        for value in chosen:
            key.to_python(value)
    except ValidationError:
        raise BadRequest("The request names what no row can be called.") from None
