from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction

from apps.common import clock
from apps.common.errors import Conflict, NotFound
from apps.webhooks.deliveries.claim import claim
from apps.webhooks.models import Attempt, Delivery, DeliveryStatus, Endpoint, Event
from apps.webhooks.services.endpoints import delete_endpoint, disable_endpoint
from apps.webhooks.services.resend import MOST_ATTEMPTS, make_due, replay, resend
from tests.factories.accounts import SandboxFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory, EventFactory
from tests.support.locks import is_taken, locked
from tests.support.receiver import Receiver, Reply
from tests.webhooks.conftest import Deliver

pytestmark = pytest.mark.django_db

FINISHED = ["DELIVERED", "FAILED", "EXHAUSTED"]


def finished(endpoint: Endpoint, status: str, **fields: Any) -> Delivery:
    return DeliveryFactory(
        endpoint=endpoint,
        status=status,
        attempt_count=1,
        next_attempt_at=None,
        completed_at=clock.now(),
        **fields,
    )


@pytest.mark.parametrize("status", FINISHED)
def test_successful_resend_ends_delivered(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver, status: str
) -> None:
    delivery = finished(endpoint, status)
    asked = resend(delivery=delivery)
    assert (asked.status, asked.status_before_resend) == (DeliveryStatus.PENDING, status)
    assert deliver() == 1
    delivery.refresh_from_db()
    assert (delivery.status, delivery.status_before_resend) == (DeliveryStatus.DELIVERED, None)
    assert (delivery.attempt_count, delivery.next_attempt_at) == (2, None)
    assert receiver.requests[0].body.decode() == delivery.event.payload
    attempt = Attempt.objects.get()
    assert (attempt.number, attempt.manual, attempt.counted, attempt.status_code) == (2, True, False, 200)


@pytest.mark.parametrize("status", FINISHED)
@pytest.mark.parametrize("answer", [500, 410])
def test_failed_resend_goes_back_to_where_it_came_from_and_never_counts(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver, status: str, answer: int
) -> None:
    receiver.answer = Reply(status=answer)
    Endpoint.objects.update(consecutive_failures=9)
    delivery = finished(endpoint, status)
    completed_at = delivery.completed_at
    for _ in range(3):
        resend(delivery=delivery)
        assert deliver() == 1
        delivery.refresh_from_db()
        assert (delivery.status, delivery.next_attempt_at) == (status, None)
    assert (delivery.completed_at, delivery.attempt_count) == (completed_at, 4)
    endpoint.refresh_from_db()
    assert (endpoint.status, endpoint.consecutive_failures) == ("enabled", 9)


@pytest.mark.parametrize("status", ["PENDING", "RETRYING"])
def test_unfinished_delivery_is_not_resent(endpoint: Endpoint, status: str) -> None:
    with pytest.raises(Conflict):
        resend(delivery=DeliveryFactory(endpoint=endpoint, status=status))


def test_second_resend_waits_for_the_first(endpoint: Endpoint) -> None:
    delivery = finished(endpoint, "EXHAUSTED")
    resend(delivery=delivery)
    with pytest.raises(Conflict):
        resend(delivery=delivery)


def test_a_delivery_is_not_sent_without_end(endpoint: Endpoint, deliver: Deliver) -> None:
    """Its attempts are all shown, and a number beyond its column would stop the recording of everybody's results."""
    delivery = finished(endpoint, "DELIVERED")
    Delivery.objects.update(attempt_count=MOST_ATTEMPTS - 1)
    resend(delivery=delivery)
    assert deliver() == 1
    with pytest.raises(Conflict, match="sent 500 times"):
        resend(delivery=delivery)
    delivery.refresh_from_db()
    assert (delivery.status, delivery.attempt_count) == ("DELIVERED", MOST_ATTEMPTS)


def test_nothing_is_resent_to_a_disabled_endpoint(endpoint: Endpoint) -> None:
    delivery = finished(endpoint, "EXHAUSTED")
    disable_endpoint(endpoint=endpoint)
    with pytest.raises(Conflict):
        resend(delivery=delivery)


def test_nothing_is_resent_to_a_deleted_endpoint(endpoint: Endpoint) -> None:
    delivery = finished(endpoint, "EXHAUSTED")
    delete_endpoint(endpoint=endpoint)
    with pytest.raises(Conflict):
        resend(delivery=delivery)


@pytest.mark.parametrize("status", FINISHED)
@pytest.mark.parametrize("in_flight", [False, True])
def test_delivery_stays_what_it_was_when_its_endpoint_is_deleted_during_a_resend(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver, status: str, in_flight: bool
) -> None:
    delivery = finished(endpoint, status)
    completed_at = delivery.completed_at
    resend(delivery=delivery)
    if in_flight:
        claim(batches=1)
    delete_endpoint(endpoint=endpoint)
    assert deliver() == 0
    delivery.refresh_from_db()
    assert (delivery.status, delivery.completed_at) == (status, completed_at)
    assert (delivery.status_before_resend, delivery.next_attempt_at) == (None, None)
    assert (delivery.lease_token, delivery.attempt_count, receiver.requests) == (None, 1, [])


def test_replay_sends_an_event_to_an_endpoint_that_never_got_it(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver
) -> None:
    """Whatever the endpoint subscribes to: it was chosen."""
    event = EventFactory(account=endpoint.account, type="payment.refunded")
    delivery = replay(event=event, endpoint=endpoint)
    assert (delivery.status, delivery.event_type) == ("PENDING", "payment.refunded")
    assert deliver() == 1
    delivery.refresh_from_db()
    assert (delivery.status, delivery.attempt_count, delivery.next_attempt_at) == ("DELIVERED", 1, None)
    assert receiver.requests[0].headers["webhook-id"] == event.pk


def test_replay_that_fails_ends_failed_and_never_counts(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver
) -> None:
    receiver.answer = Reply(status=500)
    delivery = replay(event=EventFactory(account=endpoint.account), endpoint=endpoint)
    deliver()
    delivery.refresh_from_db()
    endpoint.refresh_from_db()
    assert (delivery.status, endpoint.consecutive_failures) == ("FAILED", 0)
    assert delivery.completed_at is not None


def test_replay_of_an_event_the_endpoint_has_is_a_resend(endpoint: Endpoint, deliver: Deliver) -> None:
    delivery = finished(endpoint, "DELIVERED")
    assert replay(event=delivery.event, endpoint=endpoint).pk == delivery.pk
    assert deliver() == 1
    with pytest.raises(Conflict):
        replay(event=DeliveryFactory(endpoint=endpoint).event, endpoint=endpoint)


def test_nothing_is_replayed_across_accounts_or_environments_or_to_a_disabled_endpoint(
    endpoint: Endpoint,
) -> None:
    for foreign in (EventFactory(), EventFactory(account=endpoint.account, environment="live")):
        with pytest.raises(NotFound) as unknown:
            replay(event=foreign, endpoint=endpoint)
        assert unknown.value.own_texts == {"There is no such event."}
    disable_endpoint(endpoint=endpoint)
    with pytest.raises(Conflict):
        replay(event=EventFactory(account=endpoint.account), endpoint=endpoint)
    assert Delivery.objects.count() == 0


def test_a_replay_leaves_alone_what_another_endpoint_got_of_the_event(endpoint: Endpoint) -> None:
    sibling = finished(EndpointFactory(account=endpoint.account), "DELIVERED")
    made = replay(event=sibling.event, endpoint=endpoint)
    sibling.refresh_from_db()
    assert (made.endpoint, made.status) == (endpoint, "PENDING")
    assert (sibling.status, sibling.next_attempt_at) == ("DELIVERED", None)


def refusal_of(delivery: Delivery) -> Conflict:
    with pytest.raises(Conflict) as refused:
        resend(delivery=delivery)
    assert refused.value.own_texts == {refused.value.message}, "or the log would hide it"
    return refused.value


def test_each_refusal_says_in_our_words_what_to_do() -> None:
    unfinished = DeliveryFactory()
    worn = finished(EndpointFactory(), "FAILED")
    Delivery.objects.filter(pk=worn.pk).update(attempt_count=MOST_ATTEMPTS)
    disabled, deleted = (finished(EndpointFactory(), "FAILED") for _ in range(2))
    disable_endpoint(endpoint=disabled.endpoint)
    delete_endpoint(endpoint=deleted.endpoint)
    refusals = [refusal_of(each).message for each in (unfinished, worn, disabled, deleted)]
    assert refusals == [
        "This delivery is not finished; it will be tried without being asked.",
        "This delivery was sent 500 times; send another test instead.",
        "This endpoint is disabled; enable it first.",
        "This endpoint was deleted.",
    ]


def test_a_dispatcher_is_woken_once_it_is_committed(django_capture_on_commit_callbacks: Any) -> None:
    endpoint = EndpointFactory()
    delivery = finished(endpoint, "FAILED")
    with django_capture_on_commit_callbacks() as of_resend:
        resend(delivery=delivery)
    with django_capture_on_commit_callbacks() as of_replay:
        replay(event=EventFactory(account=endpoint.account), endpoint=endpoint)
    assert (len(of_resend), len(of_replay)) == (1, 1)


def test_only_the_delivery_that_was_asked_for_is_due() -> None:
    endpoint = EndpointFactory()
    asked, other = finished(endpoint, "FAILED"), finished(endpoint, "FAILED")
    due = resend(delivery=asked)
    other.refresh_from_db()
    assert (other.status, other.next_attempt_at) == ("FAILED", None)
    stored = Delivery.objects.get(pk=asked.pk)
    assert due.next_attempt_at == stored.next_attempt_at is not None
    assert (due.status, stored.status) == ("PENDING", "PENDING")


def test_what_is_tried_anyway_is_not_made_due_again() -> None:
    done, waiting = finished(EndpointFactory(), "FAILED"), DeliveryFactory(status="RETRYING")
    now = clock.now()
    assert make_due([done.pk, waiting.pk], now) == 1
    waiting.refresh_from_db()
    assert (waiting.status, waiting.status_before_resend) == ("RETRYING", None)
    assert waiting.next_attempt_at != now


def test_a_replayed_event_is_a_delivery_of_this_instant(monkeypatch: pytest.MonkeyPatch) -> None:
    now = clock.now()
    endpoint = EndpointFactory(environment="live")
    event = EventFactory(account=endpoint.account, environment="live")
    monkeypatch.setattr(clock, "_database_now", lambda: now)
    made = Delivery.objects.get(pk=replay(event=event, endpoint=endpoint).pk)
    assert (made.event, made.endpoint, made.account_id, made.environment) == (
        event,
        endpoint,
        endpoint.account_id,
        "live",
    )
    assert (made.created_at, made.completed_at, made.next_attempt_at) == (now, now, now)
    assert (made.status, made.status_before_resend) == ("PENDING", "FAILED")


def test_where_the_clock_was_moved_a_replay_is_of_the_time_there_and_sent_in_real_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, endpoint, ahead = clock.now(), EndpointFactory(), timedelta(days=3)
    monkeypatch.setattr(clock, "_database_now", lambda: now)
    SandboxFactory(account=endpoint.account, clock_offset=ahead)
    event = EventFactory(account=endpoint.account)
    made = Delivery.objects.get(pk=replay(event=event, endpoint=endpoint).pk)
    assert (made.created_at, made.completed_at, made.next_attempt_at) == (now + ahead, now + ahead, now)


@pytest.mark.django_db(transaction=True)
def test_a_resend_waits_for_nobody_who_writes_what_refers_to_it() -> None:
    """Attempts refer to the delivery, and deliveries to the endpoint; whoever changes the endpoint is waited for."""
    delivery = finished(EndpointFactory(), "FAILED")
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
    endpoints, deliveries = (
        Endpoint.objects.filter(pk=delivery.endpoint_id),
        Delivery.objects.filter(pk=delivery.pk),
    )
    for taken in (endpoints, deliveries):
        with locked(taken, "NO KEY UPDATE"), pytest.raises(OperationalError):
            resend(delivery=delivery)
    with locked(endpoints, "KEY SHARE"), locked(deliveries, "KEY SHARE"):
        assert resend(delivery=delivery).status == "PENDING"


@pytest.mark.django_db(transaction=True)
def test_whether_it_is_finished_is_asked_once_nobody_is_writing_it() -> None:
    unfinished = DeliveryFactory()
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
    with locked(Delivery.objects.all(), "NO KEY UPDATE"), pytest.raises(OperationalError):
        resend(delivery=unfinished)


def test_what_was_forgotten_meanwhile_is_not_found(endpoint: Endpoint) -> None:
    """The history is kept for 30 days; the page with the button may be older by a moment."""
    kept = finished(endpoint, "EXHAUSTED")
    Delivery.objects.all().delete()
    with pytest.raises(NotFound) as no_delivery:
        resend(delivery=kept)
    event = EventFactory(account=endpoint.account)
    seen = Event.objects.get(pk=event.pk)
    event.delete()
    with pytest.raises(NotFound) as no_event:
        replay(event=seen, endpoint=endpoint)
    assert not Delivery.objects.exists()
    assert [refused.value.own_texts for refused in (no_delivery, no_event)] == [
        {"There is no such delivery."},
        {"There is no such event."},
    ]


@pytest.mark.django_db(transaction=True)
def test_an_event_is_not_forgotten_while_it_is_sent_to_another_endpoint() -> None:
    """A delivery whose event went meanwhile would be noticed by the commit alone."""
    endpoint = EndpointFactory()
    event = EventFactory(account=endpoint.account)
    with transaction.atomic():
        replay(event=event, endpoint=endpoint)
        assert is_taken(Event.objects.filter(pk=event.pk))


@pytest.mark.django_db(transaction=True)
def test_an_event_is_sent_again_while_a_delivery_of_it_is_made_for_another_endpoint() -> None:
    """Whoever writes a row that refers to the event holds it for that: the two need not wait for each other."""
    endpoint = EndpointFactory()
    event = EventFactory(account=endpoint.account)
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
    with locked(Event.objects.filter(pk=event.pk), "KEY SHARE"):
        assert replay(event=event, endpoint=endpoint).event_id == event.pk
