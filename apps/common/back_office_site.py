"""The site of the back office: Django's, without what we do not use: the search of its select boxes, the way from a row to its
page on a public site, and the forms for signing in and for a password, for which people have the pages of their sign-in.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import admin
from django.core.exceptions import BadRequest
from django.db import DataError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import SimpleTemplateResponse

NOT_SERVED = {"autocomplete", "view_on_site"}

View = Callable[..., HttpResponseBase]


class BackOfficeSite(admin.AdminSite):
    def get_urls(self) -> list[Any]:
        return [each for each in super().get_urls() if getattr(each, "name", None) not in NOT_SERVED]

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        return super().admin_view(reject_unreadable(view), cacheable)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """No form: whoever is here has come through the sign-in (see config/urls.py), and through its second factor."""
        return redirect("admin:index")

    def password_change(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """That of the sign-in: it bounds the tries, tells the person by mail, and writes the trail."""
        return redirect("account_change_password")

    def password_change_done(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return redirect("account_change_password")


def reject_unreadable(view: View) -> View:
    """The view, rendered here already, with 400 for a value that PostgreSQL cannot read, such as a NUL."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            answer = view(request, *args, **kwargs)
            return answer.render() if isinstance(answer, SimpleTemplateResponse) else answer
        except DataError as error:
            raise BadRequest(str(error)) from error

    return guarded
