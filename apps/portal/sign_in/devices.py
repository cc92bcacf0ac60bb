"""Known browsers: a signed cookie, which outlives the session, says who signed in from a browser before.

The cookie grants no access. It gives the browser limits of its own, so that neither a flood of sign-ins nor guesses at a password
from elsewhere block it.
"""

import secrets
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest, HttpResponseBase
from django.utils.crypto import salted_hmac

SALT = "portal.device"
LASTS = timedelta(days=180)
MOST_PEOPLE = 5


@dataclass(frozen=True, slots=True)
class Device:
    id: str
    people: tuple[str, ...]
    """The digests (`email_digest`) of those who signed in here, the last one first."""

    def knows(self, email: str) -> bool:
        return email_digest(email) in self.people


def email_digest(email: str) -> str:
    """Stands for an e-mail address in keys and cookies. The address cannot be read from it."""
    return salted_hmac(SALT, email.strip().lower(), algorithm="sha256").hexdigest()[:24]


def device_of(request: HttpRequest) -> Device | None:
    """The known browser that sent the request; None without a cookie that we signed."""
    try:
        told = _signer().unsign_object(request.COOKIES.get(settings.DEVICE_COOKIE_NAME, ""), max_age=LASTS)
        return Device(told["id"], tuple(told["people"]))
    except (BadSignature, KeyError, TypeError, ValueError):
        return None


def device_known_to(request: HttpRequest, email: str) -> Device | None:
    device = device_of(request)
    return device if device is not None and device.knows(email) else None


def remember_device(request: HttpRequest, email: str) -> None:
    """The visitor has proved to be the user of `email`: `set_device_cookie` makes the browser known to them."""
    request.device_email = email  # type: ignore[attr-defined]


def set_device_cookie(request: HttpRequest, response: HttpResponseBase) -> None:
    email = getattr(request, "device_email", None)
    if email is None:
        return
    device, newest = device_of(request) or Device(secrets.token_urlsafe(12), ()), email_digest(email)
    people = [newest, *(each for each in device.people if each != newest)][:MOST_PEOPLE]
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        _signer().sign_object({"id": device.id, "people": people}),
        max_age=LASTS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _signer() -> TimestampSigner:
    return TimestampSigner(salt=SALT)
