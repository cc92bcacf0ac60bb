"""A recovery goes on at its pace, and halts at a receiver that does not accept."""

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
from apps.webhooks.services.recover import (
    Selection,
    list_more,
    resume_recovery,
    start_recovery,
    stop_recovery,
)
from apps.webhooks.services.resend import MOST_ATTEMPTS
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.support.locks import locked
from tests.support.receiver import Receiver, Reply
from tests.support.threads import all_at_once
from tests.webhooks.conftest import Deliver
from tests.webhooks.recoveries import recovery_of, running, sent_and_ended, since, status_of

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
    assert tally.failures == {ITSELF: "RuntimeError: as if"}


def test_disabled_endpoint_halts_it(endpoint: Endpoint, deliver: Deliver) -> None:
    recovery = recovery_of(endpoint, failed=2)
    disable_endpoint(endpoint=endpoint)
    assert step(deliver) == 0
    assert status_of(recovery) == ("halted", "endpoint_disabled")
    enable_endpoint(endpoint=endpoint)
    recovery.endpoint.refresh_from_db()
    resume_recovery(recovery=recovery)
    assert step(deliver) == 1


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


def test_so_many_a_minute_are_saved_up_and_no_more_than_a_minutes(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seconds, saved in ((-5, 0.5), (0, 0.5), (10, 100.5), (59, 590.5), (60, 600), (3_600, 600)):
        paced_at = clock.now() - timedelta(seconds=seconds)
        now = paced_at + timedelta(seconds=seconds)
        recovery = running(
            EndpointFactory(url=endpoint.url), 1, per_minute=600, allowance=0.5, paced_at=paced_at
        )
        with monkeypatch.context() as frozen:
            frozen.setattr(clock, "_database_now", lambda now=now: now)
            sent = advance(recovery.pk)
        recovery.refresh_from_db()
        assert sent == int(saved >= 1)
        assert (recovery.allowance, recovery.paced_at) == (pytest.approx(saved - sent), now)


def test_results_are_read_of_this_recovery_alone(endpoint: Endpoint) -> None:
    stopped = running(endpoint, 1)
    sent_and_ended(stopped, "FAILED")
    stop_recovery(recovery=stopped)
    current = start_recovery(endpoint=endpoint, selection=since())
    sent_and_ended(current, "FAILED")
    advance(current.pk)
    assert (progress_of(current).not_accepted, progress_of(stopped).sent) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_parallel_steps_send_once(endpoint: Endpoint) -> None:
    recovery = recovery_of(endpoint, failed=5)
    assert sorted(all_at_once([lambda: advance(recovery.pk)] * 4))[-1] == 1
    assert progress_of(recovery).sent == 1


@pytest.mark.django_db(transaction=True)
def test_recovery_in_other_hands_is_passed_over_at_once(
    endpoint: Endpoint, caplog: pytest.LogCaptureFixture
) -> None:
    taken, free = recovery_of(endpoint, failed=3), recovery_of(EndpointFactory(url=endpoint.url), failed=3)
    Recovery.objects.filter(pk=taken.pk).update(listed_to="")  # there is more to list
    with locked(Recovery.objects.filter(pk=taken.pk)):
        assert (list_more(taken.pk), advance(taken.pk)) == (0, 0)
        assert advance_recoveries() == 1
    assert (progress_of(taken).sent, progress_of(free).sent) == (0, 1)
    assert "could not be advanced" not in caplog.text
