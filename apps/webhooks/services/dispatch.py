"""The dispatcher: claims lanes, has threads send them, records what came of it, until nothing is due.

One thread, the one that calls `run`, speaks to the database; the sender threads speak HTTP and hand their
results over. It never waits for a whole batch: whatever ends makes room for the next, so an endpoint that
hangs delays nobody else.
"""

import logging
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection

from apps.common import clock
from apps.webhooks import wakeups
from apps.webhooks.selectors import next_due_at
from apps.webhooks.sender.client import Sender, sender
from apps.webhooks.services.claim import LEASE, Lane, claim
from apps.webhooks.services.lane import Ended, Made, send_lane
from apps.webhooks.services.record import record

logger = logging.getLogger(__name__)

# Between two looks for new work while sends are under way.
LOOK_SECONDS = 0.1
# A lane older than this waits for a slow receiver: it costs a thread, but no longer a place.
STUCK_SECONDS = 1.0
# So many places' worth of threads may be stuck before healthy endpoints have to wait.
THREADS_PER_PLACE = 8
# Then a run claims nothing more: with the last send it ends within the 35 s a worker has to stop.
RUN_SECONDS = 20.0

Result = Made | Ended


class Dispatcher:
    """One run of deliveries.

    `places` is how many lanes are sent at once, those that wait for slow receivers aside.
    """

    def __init__(self, *, places: int | None = None, using: Sender | None = None) -> None:
        self._places = places or settings.WEBHOOK_SENDER_THREADS
        self._sender = using or sender()
        self._results: SimpleQueue[Result] = SimpleQueue()
        self._unrecorded: list[Result] = []
        self._lanes: dict[uuid.UUID, Lane] = {}
        self._after = ""
        self._recorded = 0
        self._next_look = self._next_hold = 0.0

    def run(
        self,
        *,
        seconds: float = RUN_SECONDS,
        linger: float = 0.0,
        stopping: Callable[[], bool] = lambda: False,
    ) -> int:
        """Deliver what is due, claiming for at most `seconds`; how many attempts were recorded.

        `linger`: stay for what becomes due in so many seconds, so that a retry leaves on its second and not
        with the next sweep. `stopping` is asked ten times a second; once it says True nothing more is
        claimed.
        """
        now = time.monotonic()
        with ThreadPoolExecutor(self._places * THREADS_PER_PLACE, thread_name_prefix="webhook") as threads:
            try:
                done = self._deliver(threads, now + seconds, now + linger, stopping)
            finally:
                self._drain()
        self._sender.close_idle()
        if not done and not stopping():
            wakeups.let_go()
            wakeups.ring()  # out of time, not out of work
        return self._recorded

    def _deliver(
        self, threads: ThreadPoolExecutor, ends_at: float, linger_until: float, stopping: Callable[[], bool]
    ) -> bool:
        """Until nothing is due (True), or time is over."""
        while time.monotonic() < ends_at and not stopping():
            self._start_lanes(threads)
            if not self._lanes and not self._unrecorded:
                wakeups.let_go()
                if not self._start_lanes(threads, at_once=True) and not _wait_for_due(linger_until):
                    return True
            self._collect_and_record()
        return False

    def _drain(self) -> None:
        while self._lanes or self._unrecorded:
            self._collect_and_record()

    def _start_lanes(self, threads: ThreadPoolExecutor, *, at_once: bool = False) -> int:
        """Fill the free places with claimed lanes; how many were found."""
        free = self._free_places()
        if free <= 0 or self._unrecorded or (time.monotonic() < self._next_look and not at_once):
            return 0
        self._hold_wakeups()
        lanes = self._claim(free)
        for lane in lanes:
            threads.submit(
                send_lane,
                lane,
                sender=self._sender,
                seconds=settings.WEBHOOK_TIMEOUT_SECONDS,
                report=self._results.put,
            )
            self._lanes[lane.token] = lane
        self._next_look = 0.0 if lanes else time.monotonic() + LOOK_SECONDS
        return len(lanes)

    def _claim(self, free: int) -> list[Lane]:
        """Lanes of the endpoints after the one served last; at the end of the round, on from its beginning."""
        try:
            lanes = claim(lanes=free, after=self._after)
            if len(lanes) < free and self._after:
                lanes += claim(lanes=free - len(lanes))
        except DatabaseError:
            self._after_database_error("No webhooks could be claimed")
            return []
        self._after = lanes[-1].endpoint_id if len(lanes) >= free else ""
        return lanes

    def _free_places(self) -> int:
        """Places not taken by a young lane, as far as there are threads."""
        young = sum(lane.age < STUCK_SECONDS for lane in self._lanes.values())
        threads_left = self._places * THREADS_PER_PLACE - len(self._lanes)
        return min(self._places - young, threads_left)

    def _hold_wakeups(self) -> None:
        """While something is under way this run looks for itself; with every place taken, others shall be
        woken.
        """
        if self._lanes and time.monotonic() >= self._next_hold:
            wakeups.hold()
            self._next_hold = time.monotonic() + wakeups.RUNNING_MS / 3000

    def _collect_and_record(self) -> None:
        """Record all results at hand, waiting a moment for a first one."""
        try:
            if self._lanes and not self._unrecorded:
                self._take(self._results.get(timeout=LOOK_SECONDS))
            while True:
                self._take(self._results.get_nowait())
        except Empty:
            pass
        if self._unrecorded:
            self._record()

    def _take(self, result: Result) -> None:
        if isinstance(result, Made) or result.unsent:
            self._unrecorded.append(result)
        if isinstance(result, Ended):
            del self._lanes[result.lane.token]
            self._next_look = 0.0

    def _record(self) -> None:
        try:
            self._recorded += record(self._unrecorded)
        except DatabaseError:
            self._after_database_error("Results of webhooks could not be recorded yet")
            # What its lease no longer protects may be sent again by another: not ours to record.
            self._unrecorded = [r for r in self._unrecorded if r.lane.age < LEASE.total_seconds()]
        else:
            self._unrecorded = []

    def _after_database_error(self, what: str) -> None:
        logger.warning(what, exc_info=True)
        connection.close_if_unusable_or_obsolete()
        time.sleep(LOOK_SECONDS)


def _wait_for_due(until: float) -> bool:
    """Wait a moment if something becomes due before `until` (monotonic seconds); whether it is worth looking
    again.
    """
    left = until - time.monotonic()
    due_at = next_due_at() if left > 0 else None
    if due_at is None or (due_at - clock.now()).total_seconds() > left:
        return False
    time.sleep(min(max((due_at - clock.now()).total_seconds(), 0.01), LOOK_SECONDS))
    return True
