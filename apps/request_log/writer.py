"""The writer: one thread of each web process that writes the records of its calls to PostgreSQL.

It starts with the process's first call, and writes the remaining records when the process ends. A process that is killed loses
the records since the last round: half a second of calls.
"""

import json
import logging
import multiprocessing.util
import os
import threading
import time
import uuid
from collections import deque
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import DatabaseError, DataError, IntegrityError, InterfaceError, connection, transaction

from apps.common import clock
from apps.common.metrics import Reading, Readings, register_readings
from apps.gateway.requests import PartnerRequest
from apps.gateway.responses import Answer
from apps.request_log.models import LoggedCall, LostCalls
from apps.request_log.records import record_of
from apps.request_log.selectors import lost_calls

logger = logging.getLogger(__name__)

BATCH = 200
MAX_WAITING = 10_000
"""Records of 1 to 10 KB: some minutes of a busy process while PostgreSQL is away."""
MAX_OWNERLESS = 10
"""Calls without a recognised key between two rounds. A flood of them must not displace the calls of partners."""
RETRY_SECONDS = 1.0
STOP_SECONDS = 3.0
"""How long an ending process tries to write. The web server allows it longer."""

INVALID = (DataError, IntegrityError)
"""Failures that a record itself causes, so that it never can be written. After any other failure the next round tries again."""

COLUMNS = [field.attname for field in LoggedCall._meta.concrete_fields if not field.primary_key]
# Writes the records that are new, and counts them, in one statement: its web process writes some for every call. The counts are
# written in one order, so that two processes cannot deadlock.
WRITE = f"""
WITH record AS (
    INSERT INTO request_log_loggedcall ({", ".join(COLUMNS)})
    SELECT {", ".join(COLUMNS)} FROM json_populate_recordset(NULL::request_log_loggedcall, %s)
        ON CONFLICT (request_id) DO NOTHING
    RETURNING account_id, environment, created_at, key_id, coalesce(secret_id, 0) AS secret_id, status
)
INSERT INTO request_log_callhour AS known
       (account_id, environment, hour, key_id, secret_id, calls, errors, first_call_at, last_call_at)
SELECT account_id, environment, date_trunc('hour', created_at, 'UTC'), key_id, secret_id,
       count(*), count(*) FILTER (WHERE status >= 400), min(created_at), max(created_at)
  FROM record WHERE account_id IS NOT NULL GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (account_id, environment, hour, key_id, secret_id) DO UPDATE
   SET calls = known.calls + EXCLUDED.calls, errors = known.errors + EXCLUDED.errors,
       first_call_at = LEAST(known.first_call_at, EXCLUDED.first_call_at),
       last_call_at = GREATEST(known.last_call_at, EXCLUDED.last_call_at)"""  # noqa: S608 - the names of our own columns


class Writer:
    """Keeps records in memory until its thread has written them. Any thread may `add`."""

    def __init__(self, *, max_waiting: int = MAX_WAITING, max_ownerless: int = MAX_OWNERLESS) -> None:
        self._records: deque[LoggedCall] = deque()
        self._batch: list[LoggedCall] = []
        """Taken from `_records`, and not written yet."""
        self._max_waiting, self._max_ownerless = max_waiting, max_ownerless
        self._ownerless = 0
        self._dropped = 0
        self._counting = threading.Lock()
        self._loss: LostCalls | None = None
        self._is_away, self._retry_at = False, 0.0
        self._flushing = threading.Lock()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    def admits(self, *, owned: bool) -> bool:
        """Whether one more record may wait; if not, an owned one counts as dropped. Asked before the record is made."""
        if not owned:
            self._ownerless += 1
            return self._ownerless <= self._max_ownerless
        if len(self._records) >= self._max_waiting:
            self.count_dropped(1)
            return False
        return True

    def add(self, record: LoggedCall) -> None:
        self._records.append(record)

    def count_dropped(self, calls: int) -> None:
        with self._counting:
            self._dropped += calls

    @property
    def waiting(self) -> tuple[int, float]:
        """How many records wait, and since how many seconds the oldest."""
        try:
            oldest = (self._batch or self._records)[0].created_at
        except IndexError:  # nothing waits, or the last was written this instant
            return 0, 0.0
        seconds = (clock.now() - oldest).total_seconds()
        return len(self._batch) + len(self._records), max(0.0, seconds)

    @property
    def stopped(self) -> bool:
        return self._stopping.is_set()

    def start(self) -> None:
        """Starts the thread if it does not run. Never raises."""
        if self._thread is not None or not settings.REQUEST_LOG_FLUSH_SECONDS:
            return
        with self._starting:
            if self._thread is None and not self.stopped:
                thread = threading.Thread(target=self._run, name="request-log", daemon=True)
                try:
                    thread.start()
                except RuntimeError:  # the machine has no thread left: a later call tries again
                    logger.exception("No thread for the request log: its calls wait")
                    return
                self._thread = thread
                # A process of `multiprocessing` runs that module's finalizers but not `atexit`; in any other `atexit` runs these.
                multiprocessing.util.Finalize(None, self.stop, exitpriority=100)

    def flush(self) -> bool:
        """Writes all records. Returns whether none is left. Never raises."""
        with self._flushing:
            if time.monotonic() < self._retry_at:
                return False
            try:
                self._write_all()
            except (DatabaseError, InterfaceError) as error:
                if not self._is_away:
                    logger.warning("The request log waits: %s", type(error).__name__)
                self._is_away, self._retry_at = True, time.monotonic() + RETRY_SECONDS
                return False
            except Exception:  # must not end the thread
                logger.exception("The request log could not be written")
                return False
            self._is_away = False
            return True

    def stop(self) -> None:
        """Writes the remaining records as the process ends, and logs how many could not be written."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(STOP_SECONDS)
        give_up = time.monotonic() + STOP_SECONDS
        self._retry_at = 0.0
        while not self.flush() and time.monotonic() < give_up:
            time.sleep(0.05)
            self._retry_at = 0.0
        if left := self.waiting[0]:
            logger.error("%s calls are not in the request log: PostgreSQL did not take them", left)

    def _run(self) -> None:
        while not self._stopping.wait(settings.REQUEST_LOG_FLUSH_SECONDS):
            connection.close_if_unusable_or_obsolete()
            self.flush()
        connection.close()

    def _write_all(self) -> None:
        self._ownerless = 0
        self._write_loss()
        while self._batch or self._records:
            while self._records and len(self._batch) < BATCH:
                self._batch.append(self._records.popleft())
            self.count_dropped(write(self._batch))
            self._batch = []
        self._write_loss()

    def _write_loss(self) -> None:
        """A loss keeps its id until it is written, so that it counts once however often that is tried."""
        if self._loss is None:
            with self._counting:
                dropped, self._dropped = self._dropped, 0
            if not dropped:
                return
            logger.warning("%s calls are not in the request log", dropped)
            self._loss = LostCalls(id=uuid.uuid4(), calls=dropped, noticed_at=clock.now())
        LostCalls.objects.bulk_create([self._loss], ignore_conflicts=True)
        self._loss = None


def write(records: Sequence[LoggedCall]) -> int:
    """Commits the records with their counts, each once, however often it is tried. Returns how many the table rejected, which are
    logged. Raises DatabaseError.
    """
    rows = [{column: getattr(record, column) for column in COLUMNS} for record in records]
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(WRITE, [json.dumps(rows, default=str)])
    except INVALID:
        if len(records) > 1:
            return sum(write([record]) for record in records)
        logger.exception("A call could not be logged: %s", records[0].request_id)
        return 1
    return 0


writer = Writer()


def log_call(*, request: PartnerRequest, response: Answer, **kwargs: object) -> None:
    """Receiver of `call_ended`. Never raises. Waits for PostgreSQL only once the writer was stopped and no thread would write."""
    if not settings.REQUEST_LOG:
        return
    owner = request.known_partner or getattr(request.error, "owner", None)
    if writer.admits(owned=owner is not None):
        try:
            writer.add(record_of(request, response, owner))
        except Exception:
            logger.exception("Call %s could not be logged", request.request_id)
            writer.count_dropped(1)
    writer.start()
    if writer.stopped:
        writer.flush()


def _forget_calls_of_parent() -> None:
    """After a fork: the parent writes its own calls, its thread is not here, and its locks may be held for ever."""
    global writer
    writer = Writer()


os.register_at_fork(after_in_child=_forget_calls_of_parent)


# --- Its part of /health/full and /metrics ----------------------------------------------------------------------------

LATE_SECONDS = 60.0
METRICS = {
    "request_log_waiting_seconds": "How long the oldest record of the request log has waited in the process that answers.",
    "request_log_lost_calls": "Records of the request log that were dropped in the last 24 hours.",
}


def health() -> dict[str, Any]:
    """`degraded` while records wait for a minute or longer, and for an hour after a loss."""
    waiting, seconds = writer.waiting
    now = clock.now()
    lost_lately = LostCalls.objects.filter(noticed_at__gte=now - timedelta(hours=1)).exists()
    return {
        "status": "degraded" if lost_lately or seconds >= LATE_SECONDS else "ok",
        "waitingCalls": waiting,
        "waitingSeconds": round(seconds, 1),
        "lostLastDay": lost_calls(since=now - timedelta(hours=24)),
    }


def register_metrics() -> None:
    register_readings(Readings(METRICS, _readings))


def _readings() -> Iterator[Reading]:
    state = health()
    yield Reading("request_log_waiting_seconds", state["waitingSeconds"])
    yield Reading("request_log_lost_calls", state["lostLastDay"])
