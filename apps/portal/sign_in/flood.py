"""A flood of sign-ins is slowed overall, in front of django-allauth's own limits per user and per address.

Many addresses, each below its own limit, could still guess at many accounts; and every guess costs a password hash.
"""

import time
from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponseBase

from apps.portal.errors import too_many_requests

WINDOW_SECONDS = 60

View = Callable[..., HttpResponseBase]


def slowed(view: View) -> View:
    """`view`, whose forms are taken SIGN_IN_PER_MINUTE times a minute from all the world together."""

    @wraps(view)
    def admit(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if request.method == "POST" and not count_attempt():
            return too_many_requests(request)
        return view(request, *args, **kwargs)

    return admit


def count_attempt() -> bool:
    """Count one attempt; False once the minute is full."""
    key = f"sign-in:{int(time.time()) // WINDOW_SECONDS}"
    cache.add(key, 0, 2 * WINDOW_SECONDS)
    try:
        used: int = cache.incr(key)
    except ValueError:  # Redis came or went between the two
        return True
    most: int = settings.SIGN_IN_PER_MINUTE
    return used <= most
