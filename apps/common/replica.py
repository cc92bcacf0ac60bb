"""Reads of the portal's lists and files from a standby of PostgreSQL, where there is one (DATABASE_REPLICA_URL).

Whoever may live with facts that are a moment old reads within `read`. Everything else asks the primary: /v1, money, sign-in and
rights, whatever is inside a transaction, and every write. The primary also answers where the replica is away, has been promoted,
or is further behind than DATABASE_REPLICA_MAX_LAG_SECONDS.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.conf import settings
from django.db import (
    DEFAULT_DB_ALIAS,
    DatabaseError,
    InterfaceError,
    OperationalError,
    connection,
    connections,
)
from django.db.models import Model
from psycopg.errors import QueryCanceled

from apps.common import clock

logger = logging.getLogger(__name__)

ALIAS = "replica"
SERVED = frozenset({"bookings", "gateway", "webhooks"})
"""The apps whose tables the lists read. Not the ledger, and not accounts and keys, by which rights are judged."""
CHECK_SECONDS = 1.0
REST_SECONDS = 10.0
"""How long a process leaves a replica alone that did not answer: asking one takes up to two seconds."""

Result = TypeVar("Result")
_reading: ContextVar[bool] = ContextVar("replica_reading", default=False)
_fresh: ContextVar[bool] = ContextVar("replica_fresh", default=False)

# Whether it is behind is decided by the log's place, because a primary at rest writes nothing for minutes. How far is told by the
# time of the last commit that was replayed, which the primary wrote, and is compared with the primary's time.
PLACE = "SELECT pg_current_wal_lsn()::text"
REPLAYED = """
SELECT pg_is_in_recovery(), CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() >= %s::pg_lsn END,
       pg_last_xact_replay_timestamp()
"""


class ReplicaRouter:
    """Django's router. Named in the settings only where there is a replica."""

    def db_for_read(self, model: type[Model], **hints: Any) -> str:
        served = _reading.get() and model._meta.app_label in SERVED and not connection.in_atomic_block
        return ALIAS if served else DEFAULT_DB_ALIAS

    def db_for_write(self, model: type[Model], **hints: Any) -> str:
        return DEFAULT_DB_ALIAS

    def allow_relation(self, one: Model, other: Model, **hints: Any) -> bool:
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool | None:
        return False if db == ALIAS else None


class _Judgement:
    """What this process knows of the replica. Safe for threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._serves = False
        self._until = 0.0

    def serves(self) -> bool:
        """Looked at once in `CHECK_SECONDS`, by one thread; the others go by what it found the last time."""
        with self._lock:
            if time.monotonic() < self._until:
                return self._serves
            self._until = time.monotonic() + REST_SECONDS  # for the others, while this thread looks
        behind = lag_seconds()
        serves = behind is not None and behind <= settings.DATABASE_REPLICA_MAX_LAG_SECONDS
        self._note(serves, REST_SECONDS if behind is None else CHECK_SECONDS)
        return serves

    def failed(self) -> None:
        self._note(False, REST_SECONDS)

    def forget(self) -> None:
        self._note(False, 0.0)

    def _note(self, serves: bool, seconds: float) -> None:
        with self._lock:
            if self._serves != serves:
                logger.warning("Lists are read from the %s", "replica" if serves else "primary")
            self._serves, self._until = serves, time.monotonic() + seconds


_judgement = _Judgement()


def configured() -> bool:
    return ALIAS in connections.settings


def read(work: Callable[[], Result]) -> Result:
    """What `work` returns, its lists read from the replica where that serves. `work` may be done twice, so it must only read."""
    if not configured() or _fresh.get() or not _judgement.serves():
        return work()
    token = _reading.set(True)
    try:
        return work()
    except (OperationalError, InterfaceError) as error:
        if isinstance(error.__cause__, QueryCanceled):  # too slow: that would be no faster over there
            raise
        logger.warning("The replica failed, the primary is asked: %s", error)
        _judgement.failed()
        connections[ALIAS].close()
    finally:
        _reading.reset(token)
    return work()


@contextmanager
def fresh(needed: bool = True) -> Iterator[None]:
    """Within it `read` asks the primary: whoever has just changed something sees it."""
    token = _fresh.set(needed or _fresh.get())
    try:
        yield
    finally:
        _fresh.reset(token)


def reader() -> Callable[[Callable[[], Result]], Result]:
    """`read`, as it would behave here and now, for rows that are read after the view has returned."""
    needed = _fresh.get()

    def read_later(work: Callable[[], Result]) -> Result:
        with fresh(needed):
            return read(work)

    return read_later


def surely_has(instant: datetime) -> bool:
    """Whether one that serves has all that was committed before `instant`, however far behind it may be."""
    behind = settings.DATABASE_REPLICA_MAX_LAG_SECONDS + 2 * CHECK_SECONDS
    return clock.now() - instant > timedelta(seconds=behind)


def lag_seconds() -> float | None:
    """How far the replica is behind: 0 where it has replayed all that was written. None where it is none or does not answer."""
    with connection.cursor() as cursor:
        cursor.execute(PLACE)
        [place] = cursor.fetchone()
    standby = connections[ALIAS]
    try:
        standby.close_if_unusable_or_obsolete()
        with standby.cursor() as cursor:
            cursor.execute(REPLAYED, [place])
            is_replica, has_all, committed_at = cursor.fetchone()
    except DatabaseError:
        standby.close()
        return None
    if not is_replica:
        return None
    if has_all:
        return 0.0
    return None if committed_at is None else max(0.0, (clock.now() - committed_at).total_seconds())


def health() -> dict[str, object]:
    """The replica's part of /health/full. `degraded` costs nothing but the primary's time: it answers instead."""
    behind = lag_seconds()
    served = behind is not None and behind <= settings.DATABASE_REPLICA_MAX_LAG_SECONDS
    return {
        "status": "ok" if served else "degraded",
        "lagSeconds": None if behind is None else round(behind, 1),
    }


def forget() -> None:
    """Look at the replica anew with the next read."""
    _judgement.forget()
