"""The writer: one thread of each web process that makes the entries of its calls and moves them to Redis.

It starts with the process's first call and ends with the process, when it moves what is left. A process of `multiprocessing` runs
that module's finalizers but not `atexit`; in every other process `atexit` runs these finalizers.
"""

import logging
import multiprocessing.util
import os
import threading
import time
import uuid
from collections import deque

import orjson
from django.conf import settings

from apps.common.errors import GatewayError
from apps.common.redis import RedisUnavailable
from apps.gateway.answer import Answer
from apps.gateway.call import Call
from apps.gateway.request_log import stream
from apps.gateway.request_log.buffer import Buffer
from apps.gateway.request_log.draft import Draft, draft_of
from apps.gateway.request_log.entry import serialised
from apps.gateway.request_log.stream import Item, Kind

logger = logging.getLogger(__name__)

CALLS_OF_AN_ITEM = 100
ITEMS_OF_A_TRIP = 20
MAX_WAITING_BYTES = 16 * 1024 * 1024
"""The entries that wait while Redis is away or full: some minutes of a busy process."""
RETRY_SECONDS = 1.0
STOP_SECONDS = 3.0
"""How long an ending process tries to move what it has. The web server allows it longer."""


class Writer:
    """Buffer → items → Redis. `flush` is one round, and the thread makes one every REQUEST_LOG_FLUSH_SECONDS."""

    def __init__(self, buffer: Buffer) -> None:
        self._buffer = buffer
        self._waiting: deque[tuple[Item, int]] = deque()
        self._waiting_bytes = 0
        self._retry_at = 0.0
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
        """Moves all entries to Redis. Returns whether nothing is left. Never raises."""
        with self._flushing:
            try:
                self._make_items()
                return self._send()
            except RedisUnavailable:
                self._retry_at = time.monotonic() + RETRY_SECONDS
            except Exception:  # one entry must not end the log
                logger.exception("The request log could not be written")
            return False

    def stop(self) -> None:
        """Moves what is left as the process ends, and logs how many calls could not be moved."""
        self.is_moving = False
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(STOP_SECONDS)
        give_up = time.monotonic() + STOP_SECONDS
        self._retry_at = 0.0
        while not self.flush() and time.monotonic() < give_up:
            time.sleep(0.05)
            self._retry_at = 0.0
        left = len(self._buffer) + sum(calls for _, calls in self._waiting)
        if left:
            logger.error("%s calls are not in the request log: Redis did not take them", left)

    @property
    def stopped(self) -> bool:
        return self._stopping.is_set()

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
            self.flush()

    def _make_items(self) -> None:
        while drafts := self._buffer.take(CALLS_OF_AN_ITEM):
            entries = [entry for draft in drafts if (entry := self._entry_of(draft))]
            payload = b"[" + b",".join(entries) + b"]"
            if self._waiting_bytes + len(payload) > MAX_WAITING_BYTES:
                self._buffer.count_dropped(len(entries))
            elif entries:
                self._waiting.append((Item(Kind.CALLS, payload), len(entries)))
                self._waiting_bytes += len(payload)
            time.sleep(0)  # the threads that answer calls go first

    def _entry_of(self, draft: Draft) -> bytes:
        """The entry as JSON. Empty where it has none, so that one call costs no other."""
        try:
            return serialised(draft)
        except Exception:
            logger.exception("Call %s could not be logged", draft.request_id)
            self._buffer.count_dropped(1)
            return b""

    def _send(self) -> bool:
        if time.monotonic() < self._retry_at:
            return False
        self._tell_of_losses()
        while self._waiting:
            items = [item for item, _ in list(self._waiting)[:ITEMS_OF_A_TRIP]]
            taken = stream.push(items)
            for _ in range(taken):
                item, _ = self._waiting.popleft()
                self._waiting_bytes -= len(item.payload)
            if taken < len(items):  # full until a worker has read
                self._retry_at = time.monotonic() + RETRY_SECONDS
                return False
        return True

    def _tell_of_losses(self) -> None:
        """Puts at most one item about losses in front. Its id makes it count once, however often it is sent."""
        if self._waiting and self._waiting[0][0].kind is Kind.LOST:
            return
        if dropped := self._buffer.take_dropped():
            logger.warning("%s calls are not in the request log: there was no room for them", dropped)
            payload = orjson.dumps({"id": uuid.uuid4(), "calls": dropped})
            self._waiting.appendleft((Item(Kind.LOST, payload), 0))
            self._waiting_bytes += len(payload)


buffer = Buffer()
writer = Writer(buffer)


def log_call(call: Call, answer: Answer, error: GatewayError | None, *, replayed: bool) -> None:
    """Logs the call. Never raises. It waits for Redis only after the writer was stopped, when no thread would move the entry."""
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
