"""A session expires when it is unused for SESSION_COOKIE_AGE seconds, and SESSION_HOURS after the sign-in at the latest.

The expiry is in the session's row; the time of the sign-in is in the session. A page view extends the expiry, at most once a
minute. It updates the row's expiry alone, because another request may be writing the session's data.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.backends.db import SessionStore as DatabaseSessionStore
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from django.utils.cache import add_never_cache_headers

from apps.common import clock

BEGAN = "portal_began"
EXTEND_EVERY = timedelta(minutes=1)
PERSONAL = ("/portal", "/account", "/admin")
"""Below these paths no cache may keep an answer, neither the browser's nor a proxy's."""


class SessionStore(DatabaseSessionStore):
    """Django's store, which also remembers the expiry of the row it read.

    The class name must stay: it is part of the salt with which sessions are signed.
    """

    expires_at: datetime | None = None

    def _validate_session_key(self, key: str | None) -> bool:
        """Ours have letters and digits alone. A cookie can hold any other character, also the NUL that PostgreSQL cannot read."""
        is_long_enough = bool(super()._validate_session_key(key))  # type: ignore[misc]  # the stubs lack it
        return is_long_enough and str(key).isalnum()

    def load(self) -> dict[str, Any]:
        """As Django's: without a row that has not expired, the key is forgotten."""
        sessions = self.get_model_class().objects
        row = sessions.filter(session_key=self.session_key, expire_date__gt=timezone.now()).first()
        if row is None:
            self._session_key = self.expires_at = None
            return {}
        self.expires_at = row.expire_date
        return self.decode(row.session_data)

    def extend(self) -> None:
        """Extend the expiry, unless that was done within the last minute."""
        end = timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE)
        if self.expires_at is not None and end - self.expires_at >= EXTEND_EVERY:
            self.get_model_class().objects.filter(pk=self.session_key).update(expire_date=end)


@receiver(user_logged_in)
def store_sign_in_time(request: HttpRequest, **kwargs: Any) -> None:
    request.session[BEGAN] = _now()


class SessionExpiry:
    """Middleware: after the sessions' middleware, before the one that reads who is signed in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        personal = request.path_info.startswith(PERSONAL)
        if personal:
            end_or_extend(request)
        response = self.get_response(request)
        if personal:
            add_never_cache_headers(response)
        return response


def end_or_extend(request: HttpRequest) -> None:
    session: Any = request.session
    if SESSION_KEY not in session:
        return
    began = session.setdefault(BEGAN, _now())  # a session without the time of its sign-in begins now
    if _now() - began >= settings.SESSION_HOURS * 3_600:
        session.flush()
    elif "HX-Request" not in request.headers:  # not when a page reloads itself, because it may be unattended
        session.extend()


def _now() -> int:
    return int(clock.now().timestamp())
