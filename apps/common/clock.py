"""The one source of time: PostgreSQL's clock, carried between looks at it by the monotonic clock.

Every stored deadline (offer, lease, secret, retry) is set and compared with `now()`. Because it is the database's time, a
host whose wall clock jumps decides nothing differently from its neighbours; because it is carried, asking costs nothing.
"""

import math
import re
import threading
import time as monotonic_time
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache, lru_cache
from typing import Protocol

from django.db import DatabaseError, connection

RFC3339 = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})",
    re.IGNORECASE,
)
RESYNC_SECONDS = 30.0
AT_ONCE_SECONDS = 0.05
NEVER = -math.inf
LOOKS = 3
"""How often the clock is asked, until an answer comes at once. A slow answer carries an old time, because this process or the
machine stood still. With it this thread would be late until the next reading, and take a lease that is over for a running one.
"""


NOT_MOVED = timedelta(0)


class HasClock(Protocol):
    """A partner whose time can be moved (sandbox); zero for everybody else."""

    @property
    def clock_offset(self) -> timedelta: ...


@dataclass(frozen=True, slots=True)
class Place:
    """Whose work this thread does: an environment of an account, and how far its clock is ahead."""

    account_id: str
    environment: str
    clock_offset: timedelta = NOT_MOVED


_here: ContextVar[Place | None] = ContextVar("whose_work", default=None)


class _Carried(threading.local):
    """How far the database's time, in seconds since 1970, was ahead of the monotonic clock when this thread last read it, and the
    monotonic instant until which that is believed. Two numbers, because a booking asks for the time two dozen times.
    """

    ahead: float = 0.0
    until: float = NEVER


_carried = _Carried()


def now(partner: HasClock | None = None) -> datetime:
    """The current time, UTC, for `partner` where there is one."""
    instant = _database_now()
    return instant + partner.clock_offset if partner is not None else instant


def here() -> Place | None:
    """The account and environment that this thread works for; None if it works for none."""
    return _here.get()


def enter(place: Place | None) -> None:
    """From now on this thread works for `place`."""
    _here.set(place)


def now_here() -> datetime:
    """The time of the account that this thread works for. The simulated suppliers live in it."""
    return now(_here.get())


def today(partner: HasClock | None = None) -> date:
    return now(partner).date()


def day_after(day: date) -> datetime:
    """The instant at which `day` is over in every time zone."""
    return datetime.combine(day + timedelta(days=2), time(), UTC)


def rfc3339(instant: datetime) -> str:
    """`2026-11-20T14:03:22.120Z`: the one form of a timestamp on the wire (contract §1)."""
    return _written(instant.astimezone(UTC))


def read_rfc3339(text: str) -> datetime:
    """The instant that a partner wrote, with its own offset. Raises ValueError for anything but RFC 3339 with an offset."""
    if not RFC3339.fullmatch(text):
        raise ValueError("no RFC 3339 date-time")
    return datetime.fromisoformat(text.upper())


@lru_cache(maxsize=1024)
def _written(utc: datetime) -> str:
    """Remembered, because the offers of a search expire together."""
    return utc.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def _database_now() -> datetime:
    instant = monotonic_time.monotonic()
    if instant > _carried.until:
        _synchronise()
        instant = monotonic_time.monotonic()
    return datetime.fromtimestamp(instant + _carried.ahead, UTC)


def _synchronise() -> None:
    """Read the database's clock; while it cannot be reached, carry the last reading (or this host's time) further."""
    try:
        with connection.cursor() as cursor:
            for _ in range(LOOKS):
                asked_at = monotonic_time.monotonic()
                cursor.execute("SELECT clock_timestamp()")
                row = cursor.fetchone()
                read_at = monotonic_time.monotonic()
                if read_at - asked_at <= AT_ONCE_SECONDS:
                    break
        _carry(row[0].astimezone(UTC), read_at)
    except DatabaseError:
        _carry_on()


def _carry_on() -> None:
    instant = monotonic_time.monotonic()
    if _carried.until == NEVER:
        _carry(datetime.now(UTC), instant)
    _carried.until = instant + RESYNC_SECONDS


def _carry(base: datetime, read_at: float) -> None:
    _carried.ahead, _carried.until = base.timestamp() - read_at, read_at + RESYNC_SECONDS


def steady_now() -> datetime:
    """The time as it continues from the process's first look at PostgreSQL's clock, UTC.

    For what must not stop or jump when a clock is set: the turns of beat, and the end of the messages that it sends.
    """
    began, at = _first_look()
    return began + timedelta(seconds=monotonic_time.monotonic() - at)


@cache
def _first_look() -> tuple[datetime, float]:
    """Leaves no connection open that was not there: the first process of a worker has no other use for one."""
    is_open = connection.connection is not None
    found = now(), monotonic_time.monotonic()
    if not is_open:
        connection.close()
    return found
