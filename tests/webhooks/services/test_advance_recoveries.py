"""Recoveries step by step, against a real receiver."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from apps.common import clock
from apps.gateway.periodic import ITSELF, Tally
from apps.webhooks.models import Attempt, Delivery, Endpoint, Event, Recovery
from apps.webhooks.selectors import Progress, progress_of
from apps.webhooks.services import advance_recoveries as advance_recoveries_module
from apps.webhooks.services.advance_recoveries import advance, advance_recoveries
from apps.webhooks.services.endpoints import disable_endpoint, enable_endpoint
from apps.webhooks.services.prune import prune
from apps.webhooks.services.recover import Selection, resume_recovery, start_recovery
from apps.webhooks.services.resend import MOST_ATTEMPTS
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.support.receiver import Receiver, Reply
from tests.webhooks.conftest import Deliver
from tests.webhooks.services.recoveries import recovery_of, status_of

pytestmark = pytest.mark.django_db


def step(deliver: Deliver) -> int:
    """One step of the sweep, and what it made due delivered."""
    sent = advance_recoveries()
    deliver()
    return sent


def test_canary_goes_alone_then_the_others_at_the_pace_until_all_are_there(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver, stopped_clock: Callable[..., None]
) -> None:
    recovery = recovery_of(endpoint, failed=20, missed=10)
    assert step(deliver) == 1
    assert status_of(recovery) == ("canary", None)
    assert step(deliver) == 1  # the canary was accepted
    assert status_of(recovery) == ("running", None)
    stopped_clock(seconds=5)
    assert step(deliver) == 5
    stopped_clock(seconds=30)
    assert step(deliver) == 23
    assert step(deliver) == 0
    assert status_of(recovery) == ("finished", None)
    assert progress_of(recovery) == Progress(waiting=0, sent=0, delivered=30, not_accepted=0, skipped=0)
    assert len({request.headers["webhook-id"] for request in receiver.requests}) == 30
    assert set(Delivery.objects.values_list("status", flat=True)) == {"DELIVERED"}
    assert set(Attempt.objects.values_list("counted", "manual")) == {(False, True)}


def test_what_was_sent_too_often_is_skipped(endpoint: Endpoint, deliver: Deliver) -> None:
    recovery = recovery_of(endpoint, failed=1)
    Delivery.objects.update(attempt_count=MOST_ATTEMPTS)
    assert step(deliver) == 0
    assert status_of(recovery) == ("finished", None)
    assert progress_of(recovery) == Progress(waiting=0, sent=0, delivered=0, not_accepted=0, skipped=1)


def test_oldest_event_is_sent_first(endpoint: Endpoint, receiver: Receiver, deliver: Deliver) -> None:
    recovery_of(endpoint, failed=3)
    step(deliver)
    oldest = Event.objects.order_by("arrival")[0]
    assert [request.headers["webhook-id"] for request in receiver.requests] == [oldest.pk]


def test_canary_that_is_not_accepted_halts_and_costs_nothing(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver
) -> None:
    receiver.answer = Reply(status=500)
    recovery = recovery_of(endpoint, failed=2, missed=2)
    step(deliver)
    assert step(deliver) == 0
    assert status_of(recovery) == ("halted", "canary_failed")
    assert recovery.finished_at is not None
    assert progress_of(recovery) == Progress(waiting=3, sent=0, delivered=0, not_accepted=1, skipped=0)
    endpoint.refresh_from_db()
    assert (endpoint.status, endpoint.consecutive_failures) == ("enabled", 0)
    assert set(Delivery.objects.values_list("status", flat=True)) == {"FAILED"}


def waiting_recovery(endpoint: Endpoint, count: int) -> Recovery:
    """Of deliveries that were refused once and wait for their second attempt."""
    later = clock.now() + timedelta(hours=2)
    before = clock.now() - timedelta(hours=3)
    DeliveryFactory.create_batch(
        count,
        endpoint=endpoint,
        status="RETRYING",
        attempt_count=4,
        created_at=before,
        next_attempt_at=later,
    )
    yesterday = Selection(since=clock.now() - timedelta(days=1), statuses=("RETRYING",))
    return start_recovery(endpoint=endpoint, selection=yesterday, per_minute=60)


def test_what_waits_is_due_now_the_canary_first(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver, stopped_clock: Callable[..., None]
) -> None:
    recovery = waiting_recovery(endpoint, 3)
    assert [step(deliver), step(deliver)] == [1, 1]
    stopped_clock(seconds=5)
    assert [step(deliver), step(deliver)] == [1, 0]
    assert status_of(recovery) == ("finished", None)
    assert progress_of(recovery) == Progress(waiting=0, sent=0, delivered=3, not_accepted=0, skipped=0)
    assert set(Delivery.objects.values_list("status", "attempt_count")) == {("DELIVERED", 5)}
    assert set(Attempt.objects.values_list("counted", "manual")) == {(True, False)}


def test_what_waits_and_is_refused_again_halts_it_and_waits_for_the_attempt_after(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver
) -> None:
    receiver.answer = Reply(status=500)
    recovery = waiting_recovery(endpoint, 3)
    assert [step(deliver), step(deliver)] == [1, 0]
    assert status_of(recovery) == ("halted", "canary_failed")
    assert progress_of(recovery) == Progress(waiting=2, sent=0, delivered=0, not_accepted=1, skipped=0)
    [tried] = Delivery.objects.filter(attempt_count=5)
    assert (tried.status, tried.next_attempt_at > clock.now() + timedelta(hours=3)) == ("RETRYING", True)
    receiver.answer = Reply()
    resume_recovery(recovery=recovery)
    step(deliver)
    assert Delivery.objects.get(pk=tried.pk).status == "DELIVERED"


def test_resumed_recovery_begins_with_what_was_not_accepted(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver
) -> None:
    receiver.script = [Reply(status=500)]
    recovery = recovery_of(endpoint, failed=1)
    step(deliver)
    step(deliver)
    resume_recovery(recovery=recovery)
    step(deliver)
    step(deliver)
    assert status_of(recovery) == ("finished", None)
    assert progress_of(recovery).delivered == 1


def test_ten_failures_in_a_row_halt_it(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver, stopped_clock: Callable[..., None]
) -> None:
    receiver.script = [Reply()]
    receiver.answer = Reply(status=503)
    recovery = recovery_of(endpoint, failed=40)
    sent = []
    for _ in range(5):
        sent.append(step(deliver))
        stopped_clock(seconds=5)
    assert status_of(recovery) == ("halted", "failures_in_a_row")
    assert (sent, len(receiver.requests)) == ([1, 1, 5, 5, 0], 12)
    assert progress_of(recovery) == Progress(waiting=28, sent=0, delivered=1, not_accepted=11, skipped=0)


def test_one_that_breaks_stops_none_of_those_behind_it_and_is_told(
    endpoint: Endpoint, deliver: Deliver, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = recovery_of(endpoint, failed=1)
    behind = recovery_of(EndpointFactory(url=endpoint.url, account=endpoint.account), failed=1)

    def break_first(recovery: Recovery) -> None:
        if recovery.pk == broken.pk:
            raise RuntimeError("as if")

    monkeypatch.setattr(advance_recoveries_module, "_read_results", break_first)
    assert step(deliver) == 1
    assert [progress_of(each).sent for each in (broken, behind)] == [0, 1]
    tally = Tally()
    advance_recoveries(tally=tally)
    assert tally.outcome.failures == {ITSELF: "RuntimeError: as if"}


def test_disabled_endpoint_halts_it(endpoint: Endpoint, deliver: Deliver) -> None:
    recovery = recovery_of(endpoint, failed=2)
    disable_endpoint(endpoint=endpoint)
    assert step(deliver) == 0
    assert status_of(recovery) == ("halted", "endpoint_disabled")
    enable_endpoint(endpoint=endpoint)
    recovery.endpoint.refresh_from_db()
    resume_recovery(recovery=recovery)
    assert step(deliver) == 1


def test_missed_event_not_accepted_can_be_recovered_again(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver
) -> None:
    receiver.answer = Reply(status=500)
    recovery_of(endpoint, failed=0, missed=1)
    step(deliver)
    delivery = Delivery.objects.get()
    assert (delivery.status, delivery.next_attempt_at) == ("FAILED", None)
    assert delivery.completed_at is not None


def test_what_was_delivered_or_is_tried_or_was_forgotten_meanwhile_is_skipped(
    endpoint: Endpoint, deliver: Deliver, receiver: Receiver, move_clock: Callable[..., None]
) -> None:
    recovery = recovery_of(endpoint, failed=4, missed=1)
    step(deliver)
    first, second, third = Delivery.objects.filter(status="FAILED").order_by("event_id")
    Delivery.objects.filter(pk=first.pk).update(status="DELIVERED")
    Delivery.objects.filter(pk=second.pk).update(
        status="RETRYING", next_attempt_at=clock.now() + timedelta(hours=1)
    )
    Event.objects.filter(deliveries=None).delete()
    for _ in range(3):
        step(deliver)
        move_clock(seconds=10)
    assert status_of(recovery) == ("finished", None)
    assert progress_of(recovery) == Progress(waiting=0, sent=0, delivered=2, not_accepted=0, skipped=3)
    assert receiver.requests[-1].headers["webhook-id"] == third.event_id


def test_dispatcher_that_lags_is_not_buried(
    endpoint: Endpoint, deliver: Deliver, move_clock: Callable[..., None]
) -> None:
    recovery = recovery_of(endpoint, failed=50, per_minute=10)
    step(deliver)
    for _ in range(10):
        advance_recoveries()
        move_clock(minutes=1)
    assert progress_of(recovery).sent == 10


def test_step_costs_the_same_statements_however_many_are_sent(
    endpoint: Endpoint,
    deliver: Deliver,
    move_clock: Callable[..., None],
    django_assert_max_num_queries: object,
) -> None:
    recovery = recovery_of(endpoint, failed=200, missed=50, per_minute=6_000)
    step(deliver)
    step(deliver)
    move_clock(seconds=5)
    with django_assert_max_num_queries(23):  # type: ignore[operator]
        assert advance(recovery.pk) == 248


def test_recovery_is_forgotten_with_the_history(endpoint: Endpoint, move_clock: Callable[..., None]) -> None:
    recovery_of(endpoint, failed=3)
    move_clock(days=31)
    gone = prune()
    assert (gone["deliveries"], gone["events"], gone["recoveries"]) == (3, 3, 1)
    assert Recovery.objects.count() == 0
