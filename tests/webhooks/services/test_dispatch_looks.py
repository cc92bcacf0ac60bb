"""When a dispatcher looks for work, and for whom. Its clock stands still."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import OperationalError
from pytest_django import Settings

from apps.common import clock
from apps.webhooks import sender as client
from apps.webhooks import wakeups
from apps.webhooks.deliveries import dispatch
from apps.webhooks.deliveries.claim import Batch, ClaimFilter
from apps.webhooks.deliveries.dispatch import LOOK_SECONDS, Dispatcher
from apps.webhooks.deliveries.send import BatchDone, send_batch
from apps.webhooks.sender import Sender
from tests.factories.webhooks import DeliveryFactory
from tests.webhooks.services.batches import batches, result_of
from tests.webhooks.services.conftest import PLACES, Hands

pytestmark = pytest.mark.django_db


def start(dispatcher: Dispatcher, hands: Hands, **options: bool) -> int:
    return dispatcher._start_batches(hands, **options)  # type: ignore[arg-type]


@pytest.fixture
def suppressed(monkeypatch: pytest.MonkeyPatch) -> Callable[[], bool]:
    """Whether wake-ups were suppressed since the last call."""
    told: list[bool] = []
    monkeypatch.setattr(wakeups, "suppress", lambda: told.append(True))

    def since_the_last_call() -> bool:
        found = bool(told)
        told.clear()
        return found

    return since_the_last_call


def test_an_account_has_three_quarters_of_the_places_unless_told_otherwise(settings: Settings) -> None:
    settings.WEBHOOK_SENDER_THREADS = 16

    def shares(**options: int) -> tuple[int, int]:
        made = Dispatcher(**options)._shares
        return made.free("live"), made.room("acc_1")

    assert shares() == (16, 12)
    assert shares(places=9) == (9, 7)
    assert shares(places=1) == (1, 1)
    settings.WEBHOOK_ACCOUNT_THREADS = 5
    assert shares() == (16, 5)
    assert shares(of_account=2) == (16, 2)


def test_an_account_with_a_batch_that_is_stuck_has_a_third_of_what_is_left_to_it(settings: Settings) -> None:
    settings.WEBHOOK_SENDER_THREADS = 16
    shares = Dispatcher()._shares
    shares.begin(batches("acc_1", 1, begun=0.0))
    assert shares.room("acc_1") == 3


def test_it_sends_with_what_it_was_given_or_with_the_senders_of_the_process() -> None:
    own = Sender()
    assert Dispatcher(using=own)._sender is own
    assert Dispatcher()._sender is client.sender()


def test_it_looks_live_first_and_again_after_a_moment_or_where_a_batch_ended(
    dispatcher: Dispatcher, hands: Hands
) -> None:
    [batch] = batches("acc_1", 1)
    hands.due = [[], [batch]]
    assert start(dispatcher, hands) == 1
    assert hands.looks() == ["live", "test"]
    hands.now += LOOK_SECONDS * 0.99
    assert (start(dispatcher, hands), hands.looks()) == (0, [])
    assert (start(dispatcher, hands, at_once=True), hands.looks()) == (0, ["live", "test"])
    hands.now += LOOK_SECONDS
    assert (start(dispatcher, hands), hands.looks()) == (0, ["live", "test"])
    dispatcher._take(BatchDone(batch, []))
    assert (start(dispatcher, hands), hands.looks()) == (0, ["test"])


def test_what_was_claimed_is_given_to_a_thread(
    dispatcher: Dispatcher, hands: Hands, settings: Settings
) -> None:
    settings.WEBHOOK_TIMEOUT_SECONDS = 7.5
    found = batches("acc_1", 2)
    hands.due = [found]
    assert start(dispatcher, hands) == 2
    assert [batch for _, batch, _ in hands.sent] == found
    for work, _, options in hands.sent:
        assert (work, options["sender"], options["seconds"]) == (
            send_batch,
            dispatcher._sender,
            7.5,
        )
        options["report"]("a result")
    assert [dispatcher._results.get_nowait() for _ in found] == ["a result"] * 2


def test_it_goes_on_behind_the_endpoint_that_was_served_last_and_round(
    dispatcher: Dispatcher, hands: Hands
) -> None:
    first, second = batches("acc_1", PLACES), batches("acc_2", 2)
    hands.due = [first]
    start(dispatcher, hands)
    assert hands.claims == [("live", "", PLACES)]  # every place is taken: nothing is left for test
    for batch in first[:3]:
        dispatcher._take(BatchDone(batch, []))
    hands.claims.clear()
    hands.due = [second]
    hands.now += LOOK_SECONDS
    start(dispatcher, hands)
    assert hands.claims == [("live", "we_3", 3), ("live", "", 1), ("test", "", 1)]
    hands.claims.clear()
    hands.now += LOOK_SECONDS
    start(dispatcher, hands)
    assert hands.claims == [("live", "", 1), ("test", "", 1)]


def test_with_every_place_taken_it_neither_looks_nor_keeps_others_from_being_woken(
    dispatcher: Dispatcher, hands: Hands, suppressed: Callable[[], bool]
) -> None:
    hands.due = [batches("acc_1", PLACES)]
    assert start(dispatcher, hands) == PLACES
    hands.looks()
    hands.now += LOOK_SECONDS
    assert (start(dispatcher, hands, at_once=True), hands.looks(), suppressed()) == (0, [], False)


def test_before_results_are_recorded_nothing_more_is_claimed(dispatcher: Dispatcher, hands: Hands) -> None:
    dispatcher._unrecorded = [result_of(batches("acc_1", 1)[0])]
    assert (start(dispatcher, hands), hands.looks()) == (0, [])


def test_while_a_batch_is_under_way_each_look_speaks_for_a_wake_up(
    dispatcher: Dispatcher, hands: Hands, suppressed: Callable[[], bool]
) -> None:
    """Which holds for a second, and is renewed after a third of it."""
    hands.now, hands.due = 0.0, [batches("acc_1", 1)]
    start(dispatcher, hands)
    assert not suppressed()  # it had nothing under way when it looked
    start(dispatcher, hands)
    assert not suppressed()  # it did not look
    for now, renewed in ((0.0, True), (0.1, False), (0.33327, False), (1 / 3, True), (0.6, False)):
        hands.now = now
        start(dispatcher, hands, at_once=True)
        assert suppressed() is renewed, now


def test_endpoints_that_waited_for_their_turn_are_looked_for_at_once(
    dispatcher: Dispatcher, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatcher._shares, "note_turns", lambda claimed: claimed == [])
    start(dispatcher, hands)
    hands.looks()
    start(dispatcher, hands)
    assert hands.looks() == ["live", "test"]


def test_what_was_claimed_before_the_database_went_away_is_sent(
    dispatcher: Dispatcher,
    hands: Hands,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    [batch] = batches("acc_1", 1)

    def claim_once(*, batches: int, after: str, only: ClaimFilter) -> list[Batch]:
        if only.environments == ["test"]:
            raise OperationalError
        return [batch]

    closed: list[bool] = []
    broken = SimpleNamespace(close_if_unusable_or_obsolete=lambda: closed.append(True))
    monkeypatch.setattr(dispatch, "claim", claim_once)
    monkeypatch.setattr(dispatch, "connection", broken)
    assert start(dispatcher, hands) == 1
    assert closed == [True]
    assert [sent for _, sent, _ in hands.sent] == [batch]
    assert hands.slept == [LOOK_SECONDS]
    assert "No webhooks could be claimed" in caplog.text
    assert isinstance(dispatcher.failure, OperationalError)


def test_a_claim_that_succeeds_takes_the_failure_of_the_one_before_back(
    dispatcher: Dispatcher, hands: Hands
) -> None:
    dispatcher.failure = OperationalError()
    start(dispatcher, hands)
    assert dispatcher.failure is None


@pytest.mark.parametrize(
    ("left", "due_in", "again", "slept"),
    [
        (5.0, None, False, []),
        (5.0, 5.001, False, []),
        (5.0, 5.0, True, [LOOK_SECONDS]),
        (5.0, 0.05, True, [0.05]),
        (0.5, 0.05, True, [0.05]),
        (5.0, -3.0, True, [0.01]),
        (0.0, -3.0, False, []),
        (-1.0, -3.0, False, []),
    ],
)
def test_it_waits_a_moment_for_what_becomes_due_in_time(
    hands: Hands,
    monkeypatch: pytest.MonkeyPatch,
    left: float,
    due_in: float | None,
    again: bool,
    slept: list[float],
) -> None:
    now = clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: now)
    due_at = None if due_in is None else now + timedelta(seconds=due_in)
    monkeypatch.setattr(dispatch, "next_due_at", lambda: due_at)
    assert dispatch._wait_for_due(hands.now + left) is again
    assert hands.slept == [pytest.approx(each) for each in slept]


def test_it_does_not_wait_for_what_other_dispatchers_will_send(hands: Hands) -> None:
    """As many batches of the endpoint are under way elsewhere as may be: to look for the next one again and again finds none."""
    now = clock.now()
    endpoint = DeliveryFactory(next_attempt_at=now).endpoint
    for _ in range(2):
        lease = {"lease_token": uuid.uuid4(), "lease_until": now + timedelta(seconds=30)}
        DeliveryFactory(endpoint=endpoint, next_attempt_at=now, **lease)
    assert dispatch._wait_for_due(hands.now + 5.0) is False
    assert hands.slept == []


def test_without_time_to_linger_nobody_asks_what_is_due_next(
    hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked() -> None:
        raise AssertionError

    monkeypatch.setattr(dispatch, "next_due_at", asked)
    assert dispatch._wait_for_due(hands.now) is False
