"""The writer: one thread of each web process that makes the entries of its calls and writes them to PostgreSQL.

It starts with the process's first call and ends with the process, when it writes what is left. A process that is killed loses
what it has taken down since the last round: half a second of calls. A process of `multiprocessing` runs that module's finalizers
but not `atexit`; in every other process `atexit` runs these finalizers.
"""

import logging
import multiprocessing.util
import os
import threading
import time
import uuid
from collections import deque

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

from apps.common import clock
from apps.common.errors import GatewayError
from apps.gateway.answer import Answer
from apps.gateway.call import Call
from apps.gateway.request_log import rows
from apps.gateway.request_log.buffer import Buffer
from apps.gateway.request_log.draft import Draft, draft_of
from apps.gateway.request_log.entry import serialised
from apps.gateway.request_log.models import LostCalls

logger = logging.getLogger(__name__)

CALLS_OF_A_BATCH = 200
MAX_WAITING_BYTES = 16 * 1024 * 1024
"""The entries that wait while PostgreSQL is away: some minutes of a busy process."""
RETRY_SECONDS = 1.0
STOP_SECONDS = 3.0
"""How long an ending process tries to write what it has. The web server allows it longer."""


class Writer:
    """Buffer → entries → PostgreSQL. `flush` is one round, and the thread makes one every REQUEST_LOG_FLUSH_SECONDS."""

    def __init__(self, buffer: Buffer) -> None:
        self._buffer = buffer
        self._waiting: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._waiting_since = 0.0
        self._loss: tuple[uuid.UUID, int] | None = None
        self._is_away, self._retry_at = False, 0.0
        self._flushing = threading.Lock()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()
        self._start_at = 0.0
        self.is_moving = False
        """Whether the thread runs and will make another round."""

    def start(self) -> None:
        """Starts the thread if it does not run. Never raises."""
        if self._thread is not None or not settings.REQUEST_LOG_FLUSH_SECONDS:
            return
        with self._starting:
            if self._thread is None and not self._stopping.is_set() and time.monotonic() >= self._start_at:
                self._thread = self._started()
                self.is_moving = self._thread is not None

    def flush(self) -> bool:
        """Writes all entries. Returns whether nothing is left. Never raises."""
        with self._flushing:
            try:
                self._make_entries()
                return self._write()
            except (DatabaseError, InterfaceError) as error:
                if not self._is_away:
                    logger.warning("The request log waits: %s", type(error).__name__)
                self._is_away, self._retry_at = True, time.monotonic() + RETRY_SECONDS
            except Exception:  # one entry must not end the log
                logger.exception("The request log could not be written")
            return False

    def stop(self) -> None:
        """Writes what is left as the process ends, and logs how many calls could not be written."""
        self.is_moving = False
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(STOP_SECONDS)
        give_up = time.monotonic() + STOP_SECONDS
        self._retry_at = 0.0
        while not self.flush() and time.monotonic() < give_up:
            time.sleep(0.05)
            self._retry_at = 0.0
        if left := len(self._buffer) + len(self._waiting):
            logger.error("%s calls are not in the request log: PostgreSQL did not take them", left)

    @property
    def stopped(self) -> bool:
        return self._stopping.is_set()

    @property
    def waiting(self) -> tuple[int, float]:
        """How many bytes wait to be written, and how many seconds the oldest has waited."""
        seconds = time.monotonic() - self._waiting_since if self._waiting else 0.0
        return self._waiting_bytes, seconds

    def _started(self) -> threading.Thread | None:
        """The started thread. None where the machine cannot start one now; a later call tries again."""
        thread = threading.Thread(target=self._run, name="request-log", daemon=True)
        try:
            thread.start()
        except RuntimeError:
            logger.exception("No thread for the request log: its calls wait")
            self._start_at = time.monotonic() + RETRY_SECONDS
            return None
        multiprocessing.util.Finalize(None, self.stop, exitpriority=100)
        return thread

    def _run(self) -> None:
        while not self._stopping.wait(settings.REQUEST_LOG_FLUSH_SECONDS):
            connection.close_if_unusable_or_obsolete()
            self.flush()
        connection.close()

    def _make_entries(self) -> None:
        while drafts := self._buffer.take(CALLS_OF_A_BATCH):
            for draft in drafts:
                self._keep(draft)
            time.sleep(0)  # the threads that answer calls go first

    def _keep(self, draft: Draft) -> None:
        """Has the draft's entry wait, where it has one and there is room: one call costs no other."""
        try:
            entry = serialised(draft)
        except Exception:
            logger.exception("Call %s could not be logged", draft.request_id)
            self._buffer.count_dropped(1)
            return
        if self._waiting_bytes + len(entry) > MAX_WAITING_BYTES:
            self._buffer.count_dropped(1)
            return
        if not self._waiting:
            self._waiting_since = time.monotonic()
        self._waiting.append(entry)
        self._waiting_bytes += len(entry)

    def _write(self) -> bool:
        if time.monotonic() < self._retry_at:
            return False
        self._note_losses()
        while self._waiting:
            entries = [self._waiting[i] for i in range(min(len(self._waiting), CALLS_OF_A_BATCH))]
            self._buffer.count_dropped(rows.write(entries))
            for entry in entries:
                self._waiting.popleft()
                self._waiting_bytes -= len(entry)
        self._note_losses()
        self._is_away = False
        return True

    def _note_losses(self) -> None:
        """A loss keeps its id until it is written, so that it counts once however often that is tried."""
        if self._loss is None and (dropped := self._buffer.take_dropped()):
            logger.warning("%s calls are not in the request log", dropped)
            self._loss = uuid.uuid4(), dropped
        if self._loss is not None:
            id_, calls = self._loss
            lost = LostCalls(id=id_, calls=calls, noticed_at=clock.now())
            LostCalls.objects.bulk_create([lost], ignore_conflicts=True)
            self._loss = None


buffer = Buffer()
writer = Writer(buffer)


def log_call(call: Call, answer: Answer, error: GatewayError | None, *, replayed: bool) -> None:
    """Logs the call. Never raises. It waits for PostgreSQL only after the writer was stopped, when no thread would write."""
    owner = call.partner_found or getattr(error, "owner", None)
    if buffer.admits(owned=owner is not None):
        try:
            buffer.append(draft_of(call, answer, error, owner, replayed=replayed))
        except Exception:
            logger.exception("Call %s could not be logged", call.request_id)
            buffer.count_dropped(1)
    if not writer.is_moving:
        writer.start()
        if writer.stopped:
            writer.flush()


def _forget_the_parents_calls() -> None:
    """After a fork: the parent writes its own calls, its thread is not here, and its locks may be held for ever."""
    global buffer, writer
    buffer = Buffer()
    writer = Writer(buffer)


os.register_at_fork(after_in_child=_forget_the_parents_calls)
