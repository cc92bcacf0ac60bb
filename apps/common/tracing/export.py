"""From finished spans to a collector. What is configured is read from the variables that every OpenTelemetry SDK knows.

The thread that sends starts with the first span that ends in a process, so never before a fork. A full queue drops what comes; a
collector that is away or hangs costs what it was to get. Both are counted. The end of a process waits END_SECONDS at most.
"""

import logging
import multiprocessing.util
import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.util import find_spec

from celery.signals import worker_process_shutdown

from apps.common.metrics.counting import Counter
from apps.common.tracing import spans, statements
from apps.common.tracing.spans import Span

logger = logging.getLogger(__name__)

Send = Callable[[Sequence[Span]], bool]
"""Sends spans; whether the collector took them."""

END_SECONDS = 2.0
NEEDED = "opentelemetry.exporter.otlp.proto.http"
NOT_INSTALLED = (
    "Traces are configured (OTEL_EXPORTER_OTLP_ENDPOINT), but OpenTelemetry is not installed: none are recorded. "
    "Install requirements/tracing.lock."
)
SPANS = Counter(
    "trace_spans", "Spans, by what became of them: sent, refused by the collector, or dropped.", ("outcome",)
)
SENT, REFUSED, DROPPED = "sent", "refused", "dropped"


def is_installed() -> bool:
    try:
        return find_spec(NEEDED) is not None
    except ModuleNotFoundError:
        return False


def begin() -> None:
    """Record spans from now on. Called once, as the process starts; its children go on with it."""
    if not is_installed():
        logger.error(NOT_INSTALLED)
        return
    from apps.common.tracing import sdk

    logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)  # of each batch; `Queue` tells of a change
    queue = Queue(sdk.sender, **sdk.queue_settings())
    # Runs at the end of a web process, where `atexit` does not, and of every other process.
    multiprocessing.util.Finalize(None, queue.close, exitpriority=10)
    # Such a process skips what others do at their end.
    worker_process_shutdown.connect(lambda **_: queue.close(), weak=False)
    spans.decide, spans.finished = sdk.decision(), queue.take
    statements.watch()
    spans.is_on = True


class Queue:
    """Spans that wait to be sent. Taking one never waits."""

    def __init__(self, open_sender: Callable[[], Send], *, most: int, batch: int, seconds: float) -> None:
        self._open_sender, self._most, self._batch, self._seconds = open_sender, most, batch, seconds
        self._takes = True
        self._forget()
        os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        """A child of a fork has no thread. What waited is its parent's to send."""
        self._waiting: deque[Span] = deque()
        self._wake, self._emptied = threading.Event(), threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._under_way = 0

    def take(self, span: Span) -> None:
        if len(self._waiting) >= self._most or not self._takes:
            SPANS.add(DROPPED)
            return
        self._waiting.append(span)
        if self._thread is None:
            self._start()
        if len(self._waiting) >= self._batch and not self._wake.is_set():
            self._wake.set()

    def flush(self) -> None:
        """Wait until all is sent or lost, and with that for the collector: for tests and measurements."""
        while self._thread is not None and (self._waiting or self._under_way):
            self._emptied.clear()
            self._wake.set()
            self._emptied.wait()

    def close(self, seconds: float = END_SECONDS) -> None:
        """Send what waits, for so many seconds, and take nothing more. What is left is dropped."""
        self._takes = False
        self._wake.set()
        if self._thread is not None:
            self._thread.join(seconds)
        if left := len(self._waiting) + self._under_way:
            SPANS.add(DROPPED, count=left)

    def _start(self) -> None:
        with self._starting:
            if self._thread is None:
                thread = threading.Thread(target=self._run, name="traces", daemon=True)
                with suppress(RuntimeError):  # the machine has no more threads: the next span tries again
                    thread.start()
                    self._thread = thread

    def _run(self) -> None:
        send = self._open_sender()
        went_well = True
        while self._takes or self._waiting:
            if self._takes:
                self._wake.wait(self._seconds)
                self._wake.clear()
            while self._waiting:
                went_well = self._send_batch(send, went_well)
            self._emptied.set()

    def _send_batch(self, send: Send, went_well: bool) -> bool:
        """Whether the collector took it. What it does not take is not sent again, and only the first of such batches is told."""
        self._under_way = min(len(self._waiting), self._batch)
        batch = [self._waiting.popleft() for _ in range(self._under_way)]
        try:
            taken = send(batch)
        except Exception as error:
            logger.warning("spans could not be written: %s", type(error).__name__)
            taken = False
        self._under_way = 0
        SPANS.add(SENT if taken else REFUSED, count=len(batch))
        if taken != went_well:
            logger.warning(
                "the collector of traces %s",
                "takes spans again" if taken else "takes no spans: they are lost",
            )
        return taken
