"""The error pages, in our layout and without a query: whatever failed may be what a query would need.

Django's handlers for 400, 403 and 404 find the templates by themselves. /v1 never comes here: the gateway answers it.
"""

import sys

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.csrf import requires_csrf_token

from apps.gateway.middleware import is_passing

RETRY_AFTER_SECONDS = 60


def too_many_requests(request: HttpRequest) -> HttpResponse:
    response = render(request, "429.html", status=429)
    response["Retry-After"] = str(RETRY_AFTER_SECONDS)
    return response


@requires_csrf_token
def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form sent from a page that is too old, or from another site."""
    return render(request, "403_form.html", status=403)


def server_error(request: HttpRequest) -> HttpResponse:
    """503 while the database is away or too busy, as the gateway says it; else 500."""
    error = sys.exc_info()[1]
    if error is not None and is_passing_failure(error):
        return HttpResponse(render_to_string("503.html"), status=503, headers={"Retry-After": "5"})
    return HttpResponse(render_to_string("500.html"), status=500)


def is_passing_failure(error: BaseException) -> bool:
    from django.db import DatabaseError, InterfaceError

    return isinstance(error, DatabaseError | InterfaceError) and is_passing(error)
