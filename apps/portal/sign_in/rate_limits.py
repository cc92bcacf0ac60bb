"""How many sign-in forms are accepted in a minute. A flood of forms must not lock out other people.

Each form costs a password hash. So there is a limit for each address, for each network, and for all networks together. The last
one has two parts: the first forms of a network in a minute, and all further forms. A few networks with many forms use up the
second part only. A known browser (`devices`) has a limit of its own. Without Redis each process counts for itself.
"""

import hashlib
from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponseBase

from apps.common import clock
from apps.portal.errors import too_many_requests, unavailable
from apps.portal.sign_in.devices import device_of, set_device_cookie
from apps.portal.sign_in.networks import origin_of
from apps.portal.sign_in.password_reset import BrokerUnavailable
from apps.portal.sign_in.too_many_attempts import TooManyAttempts

WINDOW_SECONDS = 60
PER_ADDRESS = 60
"""Forms a minute. Enough for thirty people behind one address, with a password and a code each."""
PER_NETWORK = 120
PER_PERSON = 20
"""From known browsers of one person: a password and a code, and some mistyped ones."""
QUIET_FORMS = 10
"""Forms of a network in a minute that are counted in the first part."""
BUSY_SHARE = 2
"""The second part is SIGN_IN_PER_MINUTE divided by this."""
SAFE = {"GET", "HEAD", "OPTIONS", "TRACE"}

View = Callable[..., HttpResponseBase]


def rate_limited(view: View) -> View:
    """Apply the limits to the forms of `view`, and answer a refused form with a page: 429, or 503 without a broker."""

    @wraps(view)
    def admit(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        try:
            if request.method not in SAFE and not within_limits(request):
                raise TooManyAttempts(WINDOW_SECONDS)
            response = view(request, *args, **kwargs)
        except TooManyAttempts as refusal:
            return too_many_requests(request, refusal)
        except BrokerUnavailable:
            return unavailable(request)
        set_device_cookie(request, response)
        return response

    return admit


def within_limits(request: HttpRequest) -> bool:
    """Count one form. False when its limit for this minute is used up."""
    device = device_of(request)
    if device is not None and device.people:
        return count(f"person:{device.people[0]}") <= PER_PERSON
    origin = origin_of(request)
    if count(f"address:{origin.address}") > PER_ADDRESS:
        return False
    of_network = count(f"network:{origin.network}")
    if of_network > PER_NETWORK:
        return False
    if of_network <= QUIET_FORMS:
        return count("calm") <= int(settings.SIGN_IN_PER_MINUTE)
    return count("busy") <= int(settings.SIGN_IN_PER_MINUTE) // BUSY_SHARE


def count(what: str) -> int:
    """How often `what` was counted in this minute, this time included."""
    key = f"sign-in:{hashlib.sha256(what.encode(errors='replace')).hexdigest()[:32]}:{minute()}"
    cache.add(key, 0, 2 * WINDOW_SECONDS)
    try:
        used: int = cache.incr(key)
    except ValueError:  # Redis came or went between the two
        return 1
    return used


def minute() -> int:
    return int(clock.now().timestamp()) // WINDOW_SECONDS
