"""How a key and its secrets are used."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.accounts.actors import actor_of
from apps.common import clock
from apps.keys.models import ApiKey, KeySecret
from apps.portal.key_forms import access_label
from apps.request_log.selectors import LastCall, calls_by_secret

QUIET_AFTER = timedelta(minutes=30)
"""A secret without a call for this long counts as unused."""
EXPIRES_SOON = timedelta(days=7)
SHOW_ENDED_FOR = timedelta(days=1)
COUNT_WITHOUT_ROTATION = timedelta(hours=24)
"""How far back calls are counted for a key that was never rotated."""


@dataclass(frozen=True, slots=True)
class KeyRow:
    """`now` is the time of the environment; calls and errors are those of the last 24 hours."""

    key: ApiKey
    now: datetime
    last_call: LastCall | None = None
    calls: int = 0
    errors: int = 0

    @property
    def created_by(self) -> str:
        return actor_of(self.key.created_by).label

    @property
    def access(self) -> str:
        return access_label(self.key.scopes)

    @property
    def expires_soon(self) -> bool:
        ends_at = self.key.expires_at
        return ends_at is not None and self.now < ends_at <= self.now + EXPIRES_SOON

    @property
    def current(self) -> KeySecret:
        """The newest secret, which has no end."""
        secrets: list[KeySecret] = self.key.working_secrets  # type: ignore[attr-defined]
        return secrets[0]

    @property
    def ends_at(self) -> datetime | None:
        """When the last of the old secrets ends; None unless the key is rotating."""
        ends = [secret.expires_at for secret in self.key.working_secrets if secret.expires_at]  # type: ignore[attr-defined]
        return max(ends, default=None)

    @property
    def state(self) -> str:
        if self.key.revoked_at is not None:
            return "revoked"
        if self.key.expires_at is not None and self.key.expires_at <= self.now:
            return "expired"
        return "rotating" if self.ends_at is not None else "active"


@dataclass(frozen=True, slots=True)
class SecretUsage:
    """One secret of a key, and its calls since the last rotation, or in the last 24 hours."""

    secret: KeySecret
    calls: int
    last_call_at: datetime | None
    now: datetime

    @property
    def state(self) -> str:
        """`current`, `ending` or `ended`."""
        ends_at = self.secret.expires_at
        if ends_at is None:
            return "current"
        return "ending" if ends_at > self.now else "ended"


@dataclass(frozen=True, slots=True)
class KeyUsage:
    """The calls of all secrets of a key. `old` are the secrets that a rotation gave an end, newest first."""

    current: SecretUsage
    old: list[SecretUsage]
    since: datetime
    now: datetime

    @property
    def secrets(self) -> list[SecretUsage]:
        return [self.current, *self.old]

    @property
    def ending(self) -> list[SecretUsage]:
        return [secret for secret in self.old if secret.state == "ending"]

    @property
    def is_rotating(self) -> bool:
        return bool(self.ending)

    @property
    def last_call_at(self) -> datetime | None:
        return max((each.last_call_at for each in self.secrets if each.last_call_at), default=None)

    @property
    def silent_for(self) -> timedelta:
        """How long no working old secret got a call, counted from the rotation at the earliest."""
        heard = [each.last_call_at for each in self.ending if each.last_call_at]
        return self.now - max([self.since, *heard])

    @property
    def has_moved(self) -> bool:
        """Whether the calls show that the old secrets are no longer used."""
        return self.current.calls > 0 and self.silent_for >= QUIET_AFTER


def usage_of(key: ApiKey) -> KeyUsage:
    """Three queries."""
    now = clock.now()
    secrets = list(key.secrets.order_by("-created_at", "-id"))
    since = secrets[0].created_at if len(secrets) > 1 else now - COUNT_WITHOUT_ROTATION
    traffic = calls_by_secret(key, since=since, secrets=secrets)
    current, *old = [SecretUsage(each.secret, each.calls, each.last_call_at, now) for each in traffic]
    return KeyUsage(current, [each for each in old if is_recent(each, now)], since, now)


def is_recent(secret: SecretUsage, now: datetime) -> bool:
    ends_at = secret.secret.expires_at
    return ends_at is not None and ends_at > now - SHOW_ENDED_FOR
