"""In which time zone a member reads times: the chosen one, else the browser's, which its script tells in a cookie, else UTC."""

from datetime import UTC, tzinfo

from django.http import HttpRequest

from apps.accounts.models import User
from apps.common.zones import zone_called

COOKIE = "browser_zone"
"""Written by static/js/portal.js. Without scripts there is none."""


def zone_of(request: HttpRequest, user: User) -> tzinfo:
    return zone_called(user.time_zone) or browser_zone(request) or UTC


def browser_zone(request: HttpRequest) -> tzinfo | None:
    return zone_called(request.COOKIES.get(COOKIE, ""))


def choose_zone(user: User, name: str) -> None:
    """Keep the choice of this member; an empty name stands for the browser's zone."""
    User.objects.filter(pk=user.pk).update(time_zone=name)
    user.time_zone = name
