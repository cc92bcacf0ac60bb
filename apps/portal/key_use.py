"""How the pages of API keys see a key: its state, and during a rotation whose traffic has moved."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.common import clock
from apps.gateway.request_log.selectors import calls_by_secret
from apps.keys.models import ApiKey, KeySecret
from apps.portal.key_history import name_of

SILENCE_ENOUGH = timedelta(minutes=30)
"""After which a secret without a call may be taken for one that nobody uses."""
ENDED_STAYS = timedelta(days=1)
"""How long a secret that has ended is still shown."""
WITHOUT_ROTATION = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Row:
    """A key in the list."""

    key: ApiKey
    last_call_at: datetime | None

    @property
    def made_by(self) -> str:
        return name_of(self.key.created_by)

    @property
    def current(self) -> KeySecret:
        """The newest: no rotation has given it an end."""
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
        return "rotating" if self.ends_at is not None else "active"


@dataclass(frozen=True, slots=True)
class Secret:
    """One secret of a key and the calls made with it since the last rotation, or in the last day."""

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
class Use:
    """Whose traffic has moved. `old` are the secrets that a rotation gave an end, newest first."""

    current: Secret
    old: list[Secret]
    since: datetime
    now: datetime

    @property
    def secrets(self) -> list[Secret]:
        return [self.current, *self.old]

    @property
    def ending(self) -> list[Secret]:
        return [secret for secret in self.old if secret.state == "ending"]

    @property
    def is_rotating(self) -> bool:
        return bool(self.ending)

    @property
    def last_call_at(self) -> datetime | None:
        return max((each.last_call_at for each in self.secrets if each.last_call_at), default=None)

    @property
    def silent_for(self) -> timedelta:
        """How long no old secret that still works was used; at most since the rotation."""
        heard = [each.last_call_at for each in self.ending if each.last_call_at]
        return self.now - max([self.since, *heard])

    @property
    def has_moved(self) -> bool:
        """Whether nobody needs the old secrets any more, as far as calls can tell."""
        return self.current.calls > 0 and self.silent_for >= SILENCE_ENOUGH


def use_of(key: ApiKey) -> Use:
    """Four queries."""
    now = clock.now()
    made = list(key.secrets.order_by("-created_at", "-id").values_list("created_at", flat=True)[:2])
    since = made[0] if len(made) > 1 else now - WITHOUT_ROTATION
    traffic = calls_by_secret(key, since=since)
    current, *old = [Secret(each.secret, each.calls, each.last_call_at, now) for each in traffic]
    return Use(current, [each for each in old if is_recent(each, now)], since, now)


def is_recent(secret: Secret, now: datetime) -> bool:
    ends_at = secret.secret.expires_at
    return ends_at is not None and ends_at > now - ENDED_STAYS
