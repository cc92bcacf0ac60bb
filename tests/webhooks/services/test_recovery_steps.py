"""What one step of a recovery reads, counts and sends."""

from datetime import timedelta
from typing import Any

import pytest

from apps.common import clock
from apps.webhooks import wakeups
from apps.webhooks.models import Delivery, Endpoint, Event, RecoveryItem
from apps.webhooks.selectors import progress_of
from apps.webhooks.services import advance_recoveries as advance_recoveries_module
from apps.webhooks.services.advance_recoveries import advance
from apps.webhooks.services.endpoints import delete_endpoint, disable_endpoint
from apps.webhooks.services.recover import start_recovery, stop_recovery
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.support.plans import read_as_the_table_lies
from tests.webhooks.services.recoveries import running, sent_and_ended, since, status_of

pytestmark = pytest.mark.django_db


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


def test_a_step_sends_the_lowest_items_however_they_lie(endpoint: Endpoint, stopped_clock: object) -> None:
    recovery = running(endpoint, 4, allowance=2.5)
    events = list(recovery.items.order_by("pk").values_list("event_id", flat=True))
    recovery.items.all().delete()
    for number, event_id in reversed(list(enumerate(events))):
        RecoveryItem.objects.create(id=1 + number, recovery=recovery, event_id=event_id)
    read_as_the_table_lies()
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


def test_more_under_way_than_a_minutes_are_waited_for(endpoint: Endpoint) -> None:
    recovery = running(endpoint, 5, per_minute=2)
    waiting = recovery.items.order_by("pk")[:3].values_list("event_id", flat=True)
    Delivery.objects.filter(event_id__in=list(waiting)).update(status="RETRYING", next_attempt_at=clock.now())
    recovery.items.filter(event_id__in=list(waiting)).update(state="sent")
    assert advance(recovery.pk) == 0
    assert progress_of(recovery).waiting == 2


def test_no_more_than_a_batch_is_sent_in_one_step(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advance_recoveries_module, "BATCH", 2)
    recovery = running(endpoint, 5, per_minute=6_000)
    assert [advance(recovery.pk) for _ in range(3)] == [2, 2, 1]


@pytest.mark.parametrize("status", ["canary", "running"])
def test_what_has_no_result_yet_is_none(endpoint: Endpoint, status: str, stopped_clock: object) -> None:
    """Whatever became of the same event elsewhere."""
    recovery = running(endpoint, 2, status=status, allowance=1)
    assert advance(recovery.pk) == 1
    sent = recovery.items.get(state="sent")
    DeliveryFactory(
        event_id=sent.event_id,
        event=None,
        event_type="booking.confirmed",
        endpoint=EndpointFactory(account=endpoint.account),
        status="DELIVERED",
        next_attempt_at=None,
    )
    assert advance(recovery.pk) == 0
    assert (status_of(recovery), progress_of(recovery).sent) == ((status, None), 1)


@pytest.mark.parametrize(("listed_to", "status"), [(None, "finished"), ("evt_1", "running")])
def test_a_recovery_is_over_when_all_is_listed_and_has_its_result(
    endpoint: Endpoint, listed_to: str | None, status: str
) -> None:
    recovery = running(endpoint, 2, listed_to=listed_to)
    sent_and_ended(recovery, "DELIVERED", "DELIVERED")
    assert advance(recovery.pk) == 0
    assert status_of(recovery) == (status, None)


def test_results_are_read_of_this_recovery_alone(endpoint: Endpoint) -> None:
    stopped = running(endpoint, 1)
    sent_and_ended(stopped, "FAILED")
    stop_recovery(recovery=stopped)
    current = start_recovery(endpoint=endpoint, selection=since())
    sent_and_ended(current, "FAILED")
    advance(current.pk)
    assert (progress_of(current).not_accepted, progress_of(stopped).sent) == (1, 1)


def test_a_deleted_endpoint_halts_it(endpoint: Endpoint) -> None:
    recovery = running(endpoint, 2)
    delete_endpoint(endpoint=endpoint)
    assert advance(recovery.pk) == 0
    assert status_of(recovery) == ("halted", "endpoint_disabled")


def test_a_step_wakes_a_dispatcher_where_it_made_something_due(
    endpoint: Endpoint, django_capture_on_commit_callbacks: Any
) -> None:
    recovery = running(endpoint, 1)
    with django_capture_on_commit_callbacks() as woken:
        assert advance(recovery.pk) == 1
    assert woken == [wakeups.notify]
    with django_capture_on_commit_callbacks() as woken:
        assert advance(recovery.pk) == 0
    assert woken == []
