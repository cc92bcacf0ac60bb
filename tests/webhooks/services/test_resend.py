"""Sending on request: once more, before its time, several at once."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from apps.common import clock
from apps.common.errors import Conflict, NotFound
from apps.webhooks.deliveries.claim import claim
from apps.webhooks.models import Attempt, Delivery, Endpoint, Event
from apps.webhooks.services.endpoints import delete_endpoint, disable_endpoint
from apps.webhooks.services.resend import (
    MOST_AT_ONCE,
    MOST_ATTEMPTS,
    Sent,
    replay,
    resend,
    send_now,
    send_several,
)
from tests.factories.webhooks import DeliveryFactory, EndpointFactory, EventFactory
from tests.support.locks import is_taken
from tests.support.receiver import Receiver, Reply
from tests.support.threads import all_at_once
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


@pytest.mark.django_db(transaction=True)
def test_an_event_is_not_forgotten_while_it_is_sent_to_another_endpoint() -> None:
    """A delivery whose event went meanwhile would be noticed by the commit alone."""
    endpoint = EndpointFactory()
    event = EventFactory(account=endpoint.account)
    with transaction.atomic():
        replay(event=event, endpoint=endpoint)
        assert is_taken(Event.objects.filter(pk=event.pk))


def waiting(endpoint: Endpoint, **fields: Any) -> Delivery:
    """One that failed once, and waits for its second try."""
    due = clock.now() + timedelta(hours=2)
    return DeliveryFactory(
        endpoint=endpoint, **{"status": "RETRYING", "attempt_count": 1, "next_attempt_at": due, **fields}
    )


def ended(endpoint: Endpoint, status: str = "EXHAUSTED", **fields: Any) -> Delivery:
    return waiting(endpoint, status=status, next_attempt_at=None, completed_at=clock.now(), **fields)


def test_the_next_try_is_made_now_and_counts_as_that_try(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver
) -> None:
    delivery, other = waiting(endpoint), waiting(endpoint)
    assert deliver() == 0
    receiver.answer = Reply(status=500)
    before = clock.now()
    send_now(delivery=delivery)
    assert deliver() == 1
    delivery.refresh_from_db()
    other.refresh_from_db()
    attempt = Attempt.objects.get()
    assert (attempt.counted, attempt.manual, attempt.number) == (True, False, 2)
    assert (delivery.status, delivery.attempt_count) == ("RETRYING", 2)
    assert delivery.next_attempt_at is not None
    assert timedelta(minutes=5) <= delivery.next_attempt_at - before < timedelta(minutes=6)
    assert (other.attempt_count, other.status) == (1, "RETRYING")


def test_each_refusal_says_in_our_words_what_to_do(endpoint: Endpoint) -> None:
    disabled, deleted, sent = EndpointFactory(), EndpointFactory(), EndpointFactory()
    refused = [
        ended(endpoint),
        waiting(disabled),
        waiting(deleted),
        waiting(sent, next_attempt_at=clock.now()),
    ]
    disable_endpoint(endpoint=disabled)
    Endpoint.objects.filter(pk=deleted.pk).update(
        status="disabled", disabled_at=clock.now(), deleted_at=clock.now(), secret_encrypted=""
    )
    assert len(claim(batches=9)) == 1
    messages = []
    for delivery in refused:
        with pytest.raises(Conflict) as refusal:
            send_now(delivery=delivery)
        assert refusal.value.own_texts == {refusal.value.message}
        messages.append(refusal.value.message)
    assert messages == [
        "This delivery is finished; resend it instead.",
        "This endpoint is disabled; enable it first.",
        "This endpoint was deleted.",
        "This delivery is being sent right now.",
    ]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_worker_that_claims_at_the_same_time_sends_it_once(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver
) -> None:
    """Each of twenty rounds: two people and two workers. Whoever comes first, there is one request and one attempt more."""
    for _ in range(20):
        delivery = waiting(endpoint, next_attempt_at=clock.now() + timedelta(milliseconds=2))
        before = len(receiver.requests)

        def click(delivery: Delivery = delivery) -> str:
            try:
                send_now(delivery=delivery)
            except Conflict as refusal:
                return refusal.message
            return ""

        said = all_at_once([click, click, lambda: str(deliver()), lambda: str(deliver())])
        deliver()
        delivery.refresh_from_db()
        assert (delivery.status, delivery.attempt_count, len(receiver.requests) - before) == (
            "DELIVERED",
            2,
            1,
        )
        assert {*said[:2]} <= {
            "",
            "This delivery is being sent right now.",
            "This delivery is finished; resend it instead.",
        }
    assert Attempt.objects.count() == 20


def test_several_are_sent_each_as_its_state_asks(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver
) -> None:
    sibling = EndpointFactory(account=endpoint.account, url=receiver.url)
    disabled = EndpointFactory(account=endpoint.account)
    done, late = ended(endpoint), waiting(sibling)
    worn = ended(endpoint, "FAILED", attempt_count=MOST_ATTEMPTS)
    due, off = waiting(endpoint, next_attempt_at=clock.now()), ended(disabled)
    left, foreign = ended(endpoint), ended(EndpointFactory())
    elsewhere = ended(EndpointFactory(account=endpoint.account, environment="live"))
    disable_endpoint(endpoint=disabled)
    asked = [each.pk for each in (done, late, worn, due, off, foreign, elsewhere)]

    sent = send_several(endpoint.account_id, "test", [*asked, done.pk, "whd_unknown"])

    assert sent == Sent(due=2, under_way=1, disabled=1, too_often=1, unknown=3)
    assert deliver() == 3
    states = dict(Delivery.objects.values_list("pk", "status"))
    assert [states[each.pk] for each in (done, late, due)] == ["DELIVERED"] * 3
    assert [states[each.pk] for each in (worn, off, left, foreign, elsewhere)] == [
        "FAILED",
        *["EXHAUSTED"] * 4,
    ]
    manual = dict(Attempt.objects.values_list("delivery_id", "manual"))
    assert (manual[done.pk], manual[late.pk]) == (True, False)


def test_too_many_are_refused_and_none_is_sent(endpoint: Endpoint) -> None:
    delivery = ended(endpoint)
    ids = [delivery.pk, *(f"whd_{number}" for number in range(MOST_AT_ONCE))]
    with pytest.raises(Conflict, match="At most 100") as refusal:
        send_several(endpoint.account_id, "test", ids)
    assert refusal.value.own_texts == {refusal.value.message}
    delivery.refresh_from_db()
    assert delivery.status == "EXHAUSTED"
    assert send_several(endpoint.account_id, "test", ids[:-1]).due == 1
