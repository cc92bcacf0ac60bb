"""The pause after the day's quota is used up: until the next UTC day nobody is asked, for each call would be refused.

Kept in Redis for all processes, and by each for itself while Redis is away. A new key is a new quota.
"""

import hashlib
from contextlib import suppress
from datetime import UTC, datetime, time, timedelta

from apps.common import clock
from apps.common.redis import RedisUnavailable, run
from apps.suppliers.errors import Unavailable


class DailyQuota:
    """The quota of one API key."""

    def __init__(self, key: str) -> None:
        self.name = f"hotelbeds:quota-used-up:{hashlib.sha256(key.encode()).hexdigest()[:12]}"
        self._until: datetime | None = None

    def refuse_if_used_up(self) -> None:
        """Raises Unavailable until the day is over."""
        until = self._paused_until()
        if until is not None and clock.now() < until:
            raise Unavailable("the day's quota is used up")

    def used_up(self) -> None:
        """The supplier said so: pause until its next day."""
        now = clock.now()
        until = datetime.combine(now.astimezone(UTC).date() + timedelta(days=1), time(), UTC)
        self._until = until
        lasting = max(1, int((until - now).total_seconds()))
        with suppress(RedisUnavailable):
            run(lambda client: client.set(self.name, until.isoformat(), ex=lasting))

    def _paused_until(self) -> datetime | None:
        try:
            written = run(lambda client: client.get(self.name))
        except RedisUnavailable:
            return self._until
        return datetime.fromisoformat(written.decode()) if isinstance(written, bytes) else None
