"""Recoveries step by step, against a real receiver."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection

from apps.common import clock
from apps.webhooks.models import Attempt, Delivery, Endpoint, Event, Recovery, RecoveryItem
from apps.webhooks.selection import Selection
from apps.webhooks.selectors import Progress, progress_of
from apps.webhooks.services import advance_recoveries as advance_recoveries_module
from apps.webhooks.services.advance_recoveries import advance, advance_recoveries
from apps.webhooks.services.endpoints import disable_endpoint, enable_endpoint
from apps.webhooks.services.prune import prune
from apps.webhooks.services.recover import list_more, resume_recovery, start_recovery
from apps.webhooks.services.resend import MOST_ATTEMPTS
from tests.factories.webhooks import DeliveryFactory, EndpointFactory, EventFactory
from tests.support.locks import locked
from tests.support.receiver import Receiver, Reply
from tests.support.threads import all_at_once
from tests.webhooks.conftest import Deliver
from tests.webhooks.lock_order import has_locked_first

pytestmark = pytest.mark.django_db


def recovery_of(endpoint: Endpoint, failed: int, missed: int = 0, per_minute: int = 60) -> Recovery:
    now = clock.now()
    Endpoint.objects.filter(pk=endpoint.pk).update(created_at=now - timedelta(days=2))
    endpoint.refresh_from_db()
    DeliveryFactory.create_batch(
        failed, endpoint=endpoint, status="FAILED", next_attempt_at=None, completed_at=now
    )
    EventFactory.create_batch(missed, account=endpoint.account)
    return start_recovery(
        endpoint=endpoint,
        selection=Selection(since=now - timedelta(days=1), include_missed=True),
        per_minute=per_minute,
    )


def status_of(recovery: Recovery) -> tuple[str, str | None]:
    recovery.refresh_from_db()
    return recovery.status, recovery.halt_reason


def step(deliver: Deliver) -> int:
    """One step of the sweep, and what it made due delivered."""
    sent = advance_recoveries()
    deliver()
    return sent


def test_canary_goes_alone_then_the_others_at_the_pace_until_all_are_there(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver, move_clock: Callable[..., None]
) -> None:
    recovery = recovery_of(endpoint, failed=20, missed=10)
    assert step(deliver) == 1
    assert status_of(recovery) == ("canary", None)
    assert step(deliver) == 1  # the canary was accepted
    assert status_of(recovery) == ("running", None)
    move_clock(seconds=5)
    assert 5 <= step(deliver) <= 6
    move_clock(seconds=30)
    assert 22 <= step(deliver) <= 23
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
    oldest = Event.objects.order_by("pk")[0]
    assert [request.headers["webhook-id"] for request in receiver.requests] == [oldest.pk]


def test_canary_that_is_not_accepted_halts_and_costs_nothing(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver
) -> None:
    receiver.answer = Reply(status=500)
    recovery = recovery_of(endpoint, failed=2, missed=2)
    step(deliver)
    assert step(deliver) == 0
    assert status_of(recovery) == ("halted", "canary_failed")
    assert progress_of(recovery) == Progress(waiting=3, sent=0, delivered=0, not_accepted=1, skipped=0)
    endpoint.refresh_from_db()
    assert (endpoint.status, endpoint.consecutive_failures) == ("enabled", 0)
    assert set(Delivery.objects.values_list("status", flat=True)) == {"FAILED"}


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
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver, move_clock: Callable[..., None]
) -> None:
    receiver.script = [Reply()]
    receiver.answer = Reply(status=503)
    recovery = recovery_of(endpoint, failed=40)
    for _ in range(5):
        step(deliver)
        move_clock(seconds=5)
    assert status_of(recovery) == ("halted", "failures_in_a_row")
    progress = progress_of(recovery)
    assert (progress.delivered, progress.waiting) == (1, 40 - len(receiver.requests))
    assert 10 <= progress.not_accepted <= 14


def test_one_that_breaks_stops_none_of_those_behind_it(
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


@pytest.mark.django_db(transaction=True)
def test_endpoint_in_use_keeps_no_recovery_from_being_listed(endpoint: Endpoint) -> None:
    """Of the recovery and its endpoint the first alone is locked, and not against what refers to it."""
    recovery = recovery_of(endpoint, failed=3)
    Recovery.objects.update(listed_to="")
    recovery.items.all().delete()
    recoveries = Recovery.objects.filter(pk=recovery.pk)
    with locked(Endpoint.objects.filter(pk=endpoint.pk)), locked(recoveries, "KEY SHARE"):
        assert list_more(recovery.pk) == 3
    with locked(recoveries, "KEY SHARE"):
        assert advance(recovery.pk) == 1


@pytest.mark.django_db(transaction=True)
def test_deliveries_are_locked_in_the_order_of_their_ids_however_the_table_lies(endpoint: Endpoint) -> None:
    second, first = (
        DeliveryFactory(
            id=id_, endpoint=endpoint, status="FAILED", next_attempt_at=None, completed_at=clock.now()
        )
        for id_ in ("whd_2", "whd_1")
    )
    recovery = recovery_of(endpoint, failed=0, per_minute=6_000)
    Recovery.objects.update(status="running", allowance=10)
    assert has_locked_first(lambda: advance(recovery.pk), first, second)


def test_recoveries_are_served_in_the_order_in_which_they_were_started() -> None:
    late, early = (recovery_of(EndpointFactory(), failed=1) for _ in range(2))
    Recovery.objects.filter(pk=early.pk).update(created_at=clock.now() - timedelta(hours=1))
    assert as_they_lie() == [late.pk, early.pk]
    assert advance_recoveries() == 2
    assert as_they_lie() == [early.pk, late.pk]  # a row that is written again comes last


def as_they_lie() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM webhooks_recovery ORDER BY ctid")
        return [id_ for (id_,) in cursor.fetchall()]


def running(endpoint: Endpoint, items: int, **fields: object) -> Recovery:
    """A recovery whose first delivery was accepted a while ago."""
    recovery = recovery_of(endpoint, failed=items)
    Recovery.objects.filter(pk=recovery.pk).update(**{"status": "running", "allowance": 100, **fields})
    recovery.refresh_from_db()
    return recovery


def sent_and_ended(recovery: Recovery, *statuses: str) -> None:
    """These are the results of its first deliveries."""
    for item, status in zip(recovery.items.order_by("pk"), statuses, strict=False):
        recovery.items.filter(pk=item.pk).update(state="sent")
        Delivery.objects.filter(event_id=item.event_id).update(status=status)


@pytest.mark.parametrize(
    ("before", "results", "after", "status"),
    [
        (8, ["FAILED"], 9, "running"),
        (9, ["FAILED"], 10, "halted"),
        (8, ["EXHAUSTED"] * 2, 10, "halted"),
        (9, ["DELIVERED"], 0, "running"),
        (9, ["DELIVERED", "FAILED"], 0, "running"),
        (9, [], 9, "running"),
    ],
)
def test_failures_in_a_row_are_counted_until_one_is_accepted(
    endpoint: Endpoint, before: int, results: list[str], after: int, status: str
) -> None:
    recovery = running(endpoint, 4, failures_in_a_row=before)
    sent_and_ended(recovery, *results)
    advance(recovery.pk)
    recovery.refresh_from_db()
    assert (recovery.failures_in_a_row, recovery.status) == (after, status)


def test_nothing_more_is_sent_by_the_step_that_halts(endpoint: Endpoint) -> None:
    recovery = running(endpoint, 3)
    disable_endpoint(endpoint=endpoint)
    assert advance(recovery.pk) == 0
    assert status_of(recovery) == ("halted", "endpoint_disabled")
    assert progress_of(recovery).waiting == 3


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


def test_what_is_under_way_counts_against_the_minute(endpoint: Endpoint) -> None:
    recovery = running(endpoint, 6, per_minute=5)
    assert advance(recovery.pk) == 5
    assert advance(recovery.pk) == 0


def test_a_step_sends_the_lowest_items_however_they_lie(endpoint: Endpoint) -> None:
    recovery = running(endpoint, 4, allowance=2.5)
    events = list(recovery.items.order_by("pk").values_list("event_id", flat=True))
    recovery.items.all().delete()
    for number, event_id in reversed(list(enumerate(events))):
        RecoveryItem.objects.create(id=1 + number, recovery=recovery, event_id=event_id)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_indexscan = off; SET LOCAL enable_bitmapscan = off")
    assert advance(recovery.pk) == 2
    sent = recovery.items.filter(state="sent").order_by("pk").values_list("event_id", flat=True)
    assert list(sent) == events[:2]


def test_what_another_endpoint_got_of_an_event_is_left_alone(endpoint: Endpoint) -> None:
    recovery = running(endpoint, 2)
    sibling = EndpointFactory(account=endpoint.account)
    ended = {"status": "FAILED", "next_attempt_at": None, "completed_at": clock.now()}
    for event in Event.objects.all():
        DeliveryFactory(event=event, endpoint=sibling, **ended)
    assert advance(recovery.pk) == 2
    assert set(Delivery.objects.filter(endpoint=sibling).values_list("status", flat=True)) == {"FAILED"}
    assert set(Delivery.objects.filter(endpoint=endpoint).values_list("status", flat=True)) == {"PENDING"}


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
    with django_assert_max_num_queries(22):  # type: ignore[operator]
        assert advance(recovery.pk) == 248


def test_recovery_is_forgotten_with_the_history(endpoint: Endpoint, move_clock: Callable[..., None]) -> None:
    recovery_of(endpoint, failed=3)
    move_clock(days=31)
    gone = prune()
    assert (gone["deliveries"], gone["events"], gone["recoveries"]) == (3, 3, 1)
    assert Recovery.objects.count() == 0
