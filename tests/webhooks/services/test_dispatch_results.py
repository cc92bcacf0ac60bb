"""What a dispatcher does with results, and how a run of it begins and ends. Its clock stands still."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from queue import Empty
from typing import Any

import pytest
from django.db import OperationalError

from apps.common import redis
from apps.webhooks import wakeups
from apps.webhooks.deliveries import dispatch
from apps.webhooks.deliveries.claim import LEASE, Batch
from apps.webhooks.deliveries.dispatch import LOOK_SECONDS, Dispatcher
from apps.webhooks.deliveries.record import Recorded
from apps.webhooks.deliveries.send import AttemptResult, BatchDone
from tests.webhooks.services.batches import batches, job_of, result_of
from tests.webhooks.services.conftest import PLACES, Hands

pytestmark = pytest.mark.django_db


@dataclass
class Results:
    """The queue of results, which tells how it was waited for."""

    at_hand: list[AttemptResult | BatchDone]
    waited: list[float] = field(default_factory=list)

    def get(self, timeout: float) -> AttemptResult | BatchDone:
        self.waited.append(timeout)
        return self.get_nowait()

    def get_nowait(self) -> AttemptResult | BatchDone:
        if not self.at_hand:
            raise Empty
        return self.at_hand.pop(0)


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> list[list[AttemptResult | BatchDone]]:
    """What was recorded together."""
    calls: list[list[AttemptResult | BatchDone]] = []

    def record(results: list[AttemptResult | BatchDone]) -> Recorded:
        calls.append(list(results))
        return Recorded(len(results))

    monkeypatch.setattr(dispatch, "record", record)
    return calls


Answers = Callable[[list[AttemptResult | BatchDone]], Results]


@pytest.fixture
def answers(dispatcher: Dispatcher) -> Answers:
    def put(results: list[AttemptResult | BatchDone]) -> Results:
        queue = Results(results)
        dispatcher._results = queue  # type: ignore[assignment]
        return queue

    return put


def test_all_results_at_hand_are_recorded_together_and_the_first_is_waited_for(
    dispatcher: Dispatcher, answers: Answers, recorded: list[Any]
) -> None:
    [batch, other] = batches("acc_1", 2)
    dispatcher._shares.begin([batch, other])
    made, unsent = [result_of(batch), result_of(batch)], BatchDone(batch, [job_of(batch)])
    queue = answers([*made, unsent, BatchDone(other, [])])
    dispatcher._collect_and_record()
    assert (recorded, queue.waited) == ([[*made, unsent]], [LOOK_SECONDS])
    assert (len(dispatcher._shares), dispatcher._recorded, dispatcher._unrecorded) == (0, 3, [])


def test_with_nothing_under_way_no_result_is_waited_for(
    dispatcher: Dispatcher, answers: Answers, recorded: list[Any]
) -> None:
    queue = answers([])
    dispatcher._collect_and_record()
    assert (recorded, queue.waited) == ([], [])


def test_while_results_are_not_recorded_the_next_one_is_not_waited_for(
    dispatcher: Dispatcher, answers: Answers, recorded: list[Any]
) -> None:
    [batch] = batches("acc_1", 1)
    dispatcher._shares.begin([batch])
    dispatcher._unrecorded = [result_of(batch)]
    queue = answers([])
    dispatcher._collect_and_record()
    assert (len(recorded), queue.waited) == (1, [])


def test_results_are_kept_while_the_database_is_away_until_their_lease_is_over(
    dispatcher: Dispatcher,
    hands: Hands,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def away(results: object) -> Recorded:
        raise OperationalError

    monkeypatch.setattr(dispatch, "record", away)
    monkeypatch.setattr("apps.webhooks.deliveries.claim.monotonic", lambda: 100.0)
    lease = LEASE.total_seconds()
    ages = (lease - 0.001, lease, lease + 1)
    results = [result_of(batches("acc_1", 1, begun=100.0 - age)[0]) for age in ages]
    dispatcher._unrecorded, dispatcher._skipped = list(results), list(results)
    dispatcher._record()
    assert (dispatcher._unrecorded, dispatcher._skipped) == (results[:1], results[:1])
    assert hands.slept == [LOOK_SECONDS]
    assert "Results of webhooks could not be recorded yet" in caplog.text


def test_a_run_without_time_claims_nothing_and_wakes_another_whoever_spoke_for_it(
    dispatcher: Dispatcher, hands: Hands
) -> None:
    wakeups.suppress()
    hands.due = [batches("acc_1", 1)]
    assert dispatcher.run(seconds=0.0) == 0
    assert hands.claims == []
    assert redis.run(lambda client: client.llen("webhooks")) == 1


@pytest.mark.parametrize("stopping", [False, True])
def test_a_run_that_is_over_or_was_told_to_stop_wakes_nobody(
    dispatcher: Dispatcher, hands: Hands, stopping: bool
) -> None:
    assert dispatcher.run(stopping=lambda: stopping) == 0
    assert hands.looks() == ([] if stopping else ["live", "test"] * 2)
    assert redis.run(lambda client: client.llen("webhooks")) == 0


def test_a_run_lets_wake_ups_through_before_its_last_look(
    dispatcher: Dispatcher, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is committed after that wakes another; what was committed before is found."""
    monkeypatch.setattr(wakeups, "RUNNING_MS", 60_000)  # a busy machine may take longer than a second to look
    wakeups.suppress()
    seen: list[object] = []
    look = hands.claim

    def claim(**options: Any) -> list[Batch]:
        seen.append(redis.run(lambda client: client.get(wakeups.KEY)))
        return look(**options)

    monkeypatch.setattr(dispatch, "claim", claim)
    assert dispatcher.run() == 0
    assert seen == [b"running", b"running", None, None]  # live and test, twice


def test_a_run_closes_what_idled_too_long_and_names_its_threads(
    dispatcher: Dispatcher, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[object] = []
    names: list[str] = []

    def pool_of(threads: int, **options: str) -> Any:
        names.extend([str(threads), *options.values()])
        return ThreadPoolExecutor(threads)

    monkeypatch.setattr(dispatch, "ThreadPoolExecutor", pool_of)
    monkeypatch.setattr(dispatcher._sender, "close_idle", lambda **options: closed.append(options))
    dispatcher.run()
    assert (closed, names) == ([{}], [str(8 * PLACES), "webhook"])


def test_what_is_found_by_the_last_look_is_not_the_end(dispatcher: Dispatcher, hands: Hands) -> None:
    first, second = batches("acc_1", 2)
    hands.due = [[], [], [first], [], [second]]
    dispatcher.run()
    assert hands.due == []


@pytest.fixture
def away_at_first(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Each batch is one attempt, and the database is away when the first three are to be recorded."""
    calls: list[int] = []

    def send(batch: Batch, *, report: Callable[[object], None], **_: object) -> None:
        report(result_of(batch))
        report(BatchDone(batch, []))

    def record(results: list[object]) -> Recorded:
        calls.append(len(results))
        if len(calls) <= 3:
            raise OperationalError
        return Recorded(len(results))

    monkeypatch.setattr(dispatch, "send_batch", send)
    monkeypatch.setattr(dispatch, "record", record)
    return calls


def test_a_run_goes_on_once_its_results_are_recorded(
    dispatcher: Dispatcher, hands: Hands, away_at_first: list[int]
) -> None:
    first, second = batches("acc_1", 2)
    hands.due = [[first], [], [second]]
    assert dispatcher.run() == 2
    assert (hands.due, away_at_first) == ([], [1] * 5)


def test_a_run_that_was_told_to_stop_ends_when_its_results_are_recorded(
    dispatcher: Dispatcher, hands: Hands, away_at_first: list[int]
) -> None:
    hands.due = [batches("acc_1", 1)]
    assert dispatcher.run(stopping=lambda: bool(away_at_first)) == 1
