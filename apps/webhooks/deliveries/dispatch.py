"""The dispatcher: claims batches, has threads send them and records the results, until nothing is due.

The thread that calls `run` speaks to the database; the sender threads speak HTTP and report their results to it. Each batch that
ends makes way for another at once, so an endpoint that hangs delays no other.

`Shares` bounds the places and threads of each account, so that no partner waits for another partner's receivers. A batch that is
older than a second waits for a slow receiver: it is stuck. It keeps its thread but gives its place back.

Places: an account may have three quarters of them, both environments together. Once one of its batches was stuck it may have a
quarter, and fewer the more of its batches are stuck, but always one. The last quarter of the places is for accounts that have
none yet, one each.

Threads: an account may have a quarter of them, and the last quarter is for accounts without stuck batches.

Live comes before test: the last eighth of places and threads is for live deliveries alone.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue
from uuid import UUID

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection

from apps.common import clock
from apps.common.environments import Environment
from apps.webhooks import wakeups
from apps.webhooks.deliveries.claim import LEASE, Batch, ClaimFilter, claim
from apps.webhooks.deliveries.record import record
from apps.webhooks.deliveries.send import AttemptResult, BatchDone, send_batch
from apps.webhooks.selectors import next_due_at
from apps.webhooks.sender import Sender, sender

STUCK_SECONDS = 1.0
"""A batch that is older is stuck: it costs a thread, but no longer a place."""

THREADS_PER_PLACE = 8
"""Threads for each place: so many batches may be stuck before healthy endpoints have to wait."""

NONE: Counter[str] = Counter()


class Shares:
    """The batches of one dispatcher that are under way.

    `places` is how many batches are sent at once, not counting stuck ones; `of_account` is how many of them one account may have.
    """

    def __init__(self, places: int, of_account: int) -> None:
        self._places = places
        self._of_account = of_account
        self._batches: dict[UUID, Batch] = {}
        self._slow: set[str] = set()
        self._had_their_turn: dict[str, set[str]] = {}

    def __len__(self) -> int:
        return len(self._batches)

    @property
    def threads(self) -> int:
        return self._places * THREADS_PER_PLACE

    def begin(self, batches: Iterable[Batch]) -> None:
        self._batches |= {batch.token: batch for batch in batches}

    def end(self, batch: Batch) -> None:
        del self._batches[batch.token]

    def free(self, environment: str) -> int:
        """How many batches of this environment may begin now. Each needs a thread, and a place until it is stuck."""
        reserved = 0 if environment == Environment.LIVE else self._places // 8
        young = sum(batch.age < STUCK_SECONDS for batch in self._batches.values())
        threads_left = self.threads - reserved * THREADS_PER_PLACE - len(self._batches)
        return min(self._places - reserved - young, threads_left)

    def capacity(self, account_id: str, taken: Counter[str] = NONE) -> int:
        """How many more batches of this account may begin now. `taken`: batches by account that are about to begin."""
        ages = [batch.age for batch in self._batches.values() if batch.share_of == account_id]
        stuck = sum(age >= STUCK_SECONDS for age in ages)
        threads_left = self.threads - len(self._batches) - taken.total()
        if stuck:
            self._slow.add(account_id)
            if threads_left <= self.threads // 4:
                return 0
        most = max(1, (self._of_account - stuck) // 3) if account_id in self._slow else self._of_account
        has = len(ages) + taken[account_id]
        common = self.free(Environment.LIVE) - taken.total() - self._places // 4
        places = min(most - (has - stuck), max(common, 0 if has else 1))
        return max(0, min(places, self.threads // 4 - has))

    def claim_filter(self, environment: str) -> ClaimFilter:
        """For the next claim. Where an account cannot have all its endpoints served, those that had their turn wait."""
        had = [endpoint_id for ids in self._had_their_turn.values() for endpoint_id in ids]
        return ClaimFilter(
            environments=[environment], capacity=self.capacity, full=self._full(), passed_over=had
        )

    def note_turns(self, claimed: Iterable[Batch]) -> bool:
        """Note whose turn it was, after a claim whose batches have begun.

        Returns whether all endpoints of an account had their turn, so that it is worth claiming again.
        """
        counts = Counter(batch.share_of for batch in claimed)
        over = [
            account_id
            for account_id in self._had_their_turn
            if not counts[account_id] and self.capacity(account_id)
        ]
        for account_id in over:
            del self._had_their_turn[account_id]
        for account_id in self._full():
            self._had_their_turn.setdefault(account_id, set())
        for batch in self._batches.values():
            if batch.share_of in self._had_their_turn:
                self._had_their_turn[batch.share_of].add(batch.endpoint_id)
        return bool(over)

    def _full(self) -> list[str]:
        accounts = {batch.share_of for batch in self._batches.values()}
        return [account_id for account_id in accounts if not self.capacity(account_id)]


logger = logging.getLogger(__name__)
LOOK_SECONDS = 0.1
"""Between two looks for new work while sends are under way."""

RUN_SECONDS = 20.0
"""Then a run claims nothing more, so that it ends, last send included, within the 35 s that a worker has to stop."""

ENVIRONMENTS = (Environment.LIVE, Environment.TEST)
"""In the order in which they are served: a partner's customers come before a partner's tests."""

Result = AttemptResult | BatchDone


class Dispatcher:
    """One run of deliveries.

    `places` is how many batches are sent at once, not counting those that wait for slow receivers; `of_account` is how many of
    them one account may have. `failure` is why the latest claim, or the latest record of results, did not succeed.
    """

    def __init__(
        self, *, places: int | None = None, of_account: int | None = None, using: Sender | None = None
    ) -> None:
        places = places or settings.WEBHOOK_SENDER_THREADS
        usual = max(1, places - places // 4)
        self._shares = Shares(places, of_account or settings.WEBHOOK_ACCOUNT_THREADS or usual)
        self._sender = using or sender()
        self._results: SimpleQueue[Result] = SimpleQueue()
        self._unrecorded: list[Result] = []
        self._skipped: list[Result] = []
        self._after = dict.fromkeys(ENVIRONMENTS, "")
        self._recorded = 0
        self.failure: DatabaseError | None = None
        self._next_look: dict[str, float] = dict.fromkeys(ENVIRONMENTS, 0.0)
        self._next_suppression = 0.0

    def run(
        self,
        *,
        seconds: float = RUN_SECONDS,
        linger: float = 0.0,
        stopping: Callable[[], bool] = lambda: False,
    ) -> int:
        """Deliver what is due, claiming for at most `seconds`. Returns how many attempts were recorded.

        `linger`: wait for what becomes due within so many seconds, so that a retry is sent on its second and not with the next
        sweep. `stopping` is called ten times a second; once it returns True nothing more is claimed.
        """
        now = time.monotonic()
        with ThreadPoolExecutor(self._shares.threads, thread_name_prefix="webhook") as threads:
            try:
                done = self._deliver(threads, now + seconds, now + linger, stopping)
            finally:
                self._drain()
        self._sender.close_idle()
        if not done and not stopping():
            wakeups.allow()
            wakeups.notify()  # out of time, not out of work
        return self._recorded

    def _deliver(
        self, threads: ThreadPoolExecutor, ends_at: float, linger_until: float, stopping: Callable[[], bool]
    ) -> bool:
        """Deliver until nothing is due (returns True) or the time is over (returns False)."""
        while time.monotonic() < ends_at and not stopping():
            self._start_batches(threads)
            if not len(self._shares) and not self._unrecorded and not self._skipped:
                wakeups.allow()
                if not self._start_batches(threads, at_once=True) and not _wait_for_due(linger_until):
                    return True
            self._collect_and_record()
        return False

    def _drain(self) -> None:
        while len(self._shares) or self._unrecorded or self._skipped:
            self._collect_and_record()

    def _start_batches(self, threads: ThreadPoolExecutor, *, at_once: bool = False) -> int:
        """Fill the free places with claimed batches, live before test. Returns how many were found."""
        if self._shares.free(Environment.LIVE) <= 0 or self._unrecorded:
            return 0
        now = time.monotonic()
        environments = [name for name in ENVIRONMENTS if at_once or now >= self._next_look[name]]
        if not environments:
            return 0
        self._suppress_wakeups()
        batches = self._claim(environments)
        for batch in batches:
            threads.submit(
                send_batch,
                batch,
                sender=self._sender,
                seconds=settings.WEBHOOK_TIMEOUT_SECONDS,
                report=self._results.put,
            )
        if self._shares.note_turns(batches):
            self._next_look = dict.fromkeys(ENVIRONMENTS, 0.0)
        return len(batches)

    def _claim(self, environments: Sequence[Environment]) -> list[Batch]:
        """The claimed batches, also where the database goes away in the middle. All of them are noted as begun."""
        claimed: list[Batch] = []
        try:
            for environment in environments:
                self._claim_of(environment, claimed)
            self.failure = None
        except DatabaseError as error:
            self._after_database_error("No webhooks could be claimed", error)
        return claimed

    def _claim_of(self, environment: Environment, claimed: list[Batch]) -> None:
        """Claim from the endpoint after the one served last; at the end of the list, again from its beginning."""
        for start in dict.fromkeys((self._after[environment], "")):
            free = self._shares.free(environment)
            if free <= 0:
                return
            batches = claim(batches=free, after=start, only=self._shares.claim_filter(environment))
            self._shares.begin(batches)
            claimed += batches
            self._after[environment] = batches[-1].endpoint_id if len(batches) >= free else ""
        # If places are left nothing else is due: look again when a batch ends or LOOK_SECONDS have passed.
        self._next_look[environment] = time.monotonic() + LOOK_SECONDS

    def _suppress_wakeups(self) -> None:
        """While batches are under way this run looks for new work itself. With every place taken it does not, and others must
        be notified.
        """
        if len(self._shares) and time.monotonic() >= self._next_suppression:
            wakeups.suppress()
            self._next_suppression = time.monotonic() + wakeups.RUNNING_MS / 3000

    def _collect_and_record(self) -> None:
        """Record all results at hand; wait LOOK_SECONDS for the first one.

        Those whose endpoint another transaction has locked wait for the next call, while other deliveries are claimed.
        """
        try:
            if (len(self._shares) or self._skipped) and not self._unrecorded:
                self._take(self._results.get(timeout=LOOK_SECONDS))
            while True:
                self._take(self._results.get_nowait())
        except Empty:
            pass
        if self._unrecorded or self._skipped:
            self._record()

    def _take(self, result: Result) -> None:
        if isinstance(result, AttemptResult) or result.unsent:
            self._unrecorded.append(result)
        if isinstance(result, BatchDone):
            self._shares.end(result.batch)
            self._next_look[result.batch.environment] = 0.0

    def _record(self) -> None:
        try:
            recorded = record([*self._skipped, *self._unrecorded])
        except DatabaseError as error:
            self._after_database_error("Results of webhooks could not be recorded yet", error)
            self._unrecorded = _under_lease(self._unrecorded)
        else:
            self._recorded += recorded.attempts
            self._unrecorded, self._skipped = [], list(recorded.skipped)
        self._skipped = _under_lease(self._skipped)

    def _after_database_error(self, what: str, error: DatabaseError) -> None:
        self.failure = error
        logger.warning(what, exc_info=True)
        connection.close_if_unusable_or_obsolete()
        time.sleep(LOOK_SECONDS)


def _under_lease(results: Sequence[Result]) -> list[Result]:
    """After its lease a delivery may have been sent again by another process: its result is not ours to record."""
    return [result for result in results if result.batch.age < LEASE.total_seconds()]


def _wait_for_due(until: float) -> bool:
    """Wait a moment if something becomes due before `until` (monotonic seconds). Returns whether to look again."""
    left = until - time.monotonic()
    due_at = next_due_at() if left > 0 else None
    if due_at is None or (due_at - clock.now()).total_seconds() > left:
        return False
    time.sleep(min(max((due_at - clock.now()).total_seconds(), 0.01), LOOK_SECONDS))
    return True
