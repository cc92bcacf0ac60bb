"""A flood of sign-ins is slowed overall, in front of django-allauth's own limits per user and per address.

Many addresses, each below its own limit, could still guess at many accounts; and every guess costs a password hash. What a
single address sends too much of is not counted overall: alone it can lock nobody else out.
"""

import time
from collections.abc import Callable
from functools import wraps

from allauth.core.internal.ratelimit import get_ip
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponseBase

from apps.portal.errors import too_many_requests

WINDOW_SECONDS = 60
PER_ADDRESS = 60
"""Forms a minute: thirty people behind one address, with a password and a code each."""

View = Callable[..., HttpResponseBase]


def slowed(view: View) -> View:
    """`view`, whose forms are taken SIGN_IN_PER_MINUTE times a minute from all the world together."""

    @wraps(view)
    def admit(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if request.method == "POST" and not is_calm(request):
            return too_many_requests(request)
        return view(request, *args, **kwargs)

    return admit


def is_calm(request: HttpRequest) -> bool:
    """Count one attempt of the address, and if it is calm one of all the world's; False once either's minute is full."""
    address = f"sign-in-from:{get_ip(request)}"
    return count_attempt(address, PER_ADDRESS) and count_attempt("sign-in", settings.SIGN_IN_PER_MINUTE)


def count_attempt(of: str, most: int) -> bool:
    """Count one attempt; False once the minute is full."""
    key = f"{of}:{int(time.time()) // WINDOW_SECONDS}"
    cache.add(key, 0, 2 * WINDOW_SECONDS)
    try:
        used: int = cache.incr(key)
    except ValueError:  # Redis came or went between the two
        return True
    return used <= most
