"""Whoever has just changed something reads from the primary for a while, so that the next list shows it."""

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from apps.common import replica

COOKIE = "changed"
MARGIN_SECONDS = 2


def has_just_changed(request: HttpRequest) -> bool:
    return COOKIE in request.COOKIES


def remember_change(request: HttpRequest, response: HttpResponseBase) -> None:
    """For the answer to a POST. The cookie says nothing, and who makes one up reads from the primary."""
    if replica.configured():
        seconds = int(settings.DATABASE_REPLICA_MAX_LAG_SECONDS) + MARGIN_SECONDS
        response.set_cookie(
            COOKIE, "1", max_age=seconds, secure=request.is_secure(), httponly=True, samesite="Lax"
        )
