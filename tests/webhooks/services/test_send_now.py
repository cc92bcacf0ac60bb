from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection

from apps.common import clock
from apps.common.errors import Conflict, NotFound
from apps.webhooks.deliveries.claim import LEASE, claim
from apps.webhooks.models import Attempt, Delivery, Endpoint
from apps.webhooks.services.endpoints import delete_endpoint, disable_endpoint
from apps.webhooks.services.resend import MOST_AT_ONCE, MOST_ATTEMPTS, Sent, send_now, send_several
from tests.factories.accounts import AccountFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.support.locks import locked, until_somebody_waits
from tests.support.receiver import Receiver, Reply
from tests.support.threads import all_at_once
from tests.webhooks.conftest import Deliver
from tests.webhooks.lock_order import has_locked_first

pytestmark = pytest.mark.django_db


def waiting(endpoint: Endpoint, **fields: Any) -> Delivery:
    """One that failed once, and waits for its second try."""
    due = clock.now() + timedelta(hours=2)
    return DeliveryFactory(
        endpoint=endpoint, **{"status": "RETRYING", "attempt_count": 1, "next_attempt_at": due, **fields}
    )


def finished(endpoint: Endpoint, status: str = "EXHAUSTED", **fields: Any) -> Delivery:
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


def test_a_double_click_sends_once(endpoint: Endpoint, receiver: Receiver, deliver: Deliver) -> None:
    delivery = waiting(endpoint)
    due = send_now(delivery=delivery).next_attempt_at
    assert send_now(delivery=delivery).next_attempt_at == due
    assert deliver() == 1
    assert deliver() == 0
    assert len(receiver.requests) == 1


def test_each_refusal_says_in_our_words_what_to_do(endpoint: Endpoint) -> None:
    disabled, deleted, sent = EndpointFactory(), EndpointFactory(), EndpointFactory()
    refused = [
        finished(endpoint),
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
        "This delivery is finished; send it again instead.",
        "This endpoint is disabled; enable it first.",
        "This endpoint was deleted.",
        "This delivery is being sent right now.",
    ]


def test_it_is_being_sent_to_the_end_of_its_lease(stopped_clock: Callable[..., None]) -> None:
    """By then whoever was sending it has died, and the next claim takes it."""
    delivery = DeliveryFactory()
    assert len(claim(batches=1)) == 1
    stopped_clock(seconds=LEASE.total_seconds() - 1e-6)
    with pytest.raises(Conflict, match="being sent right now"):
        send_now(delivery=delivery)
    assert send_several(delivery.account_id, "test", [delivery.pk]) == Sent(under_way=1)
    stopped_clock(microseconds=1)
    assert send_now(delivery=delivery).next_attempt_at == delivery.next_attempt_at


def test_a_dispatcher_is_woken_once_it_is_committed(django_capture_on_commit_callbacks: Any) -> None:
    delivery = waiting(EndpointFactory())
    with django_capture_on_commit_callbacks() as woken:
        send_now(delivery=delivery)
    assert len(woken) == 1


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
            "This delivery is finished; send it again instead.",
        }
    assert Attempt.objects.count() == 20


@pytest.mark.django_db(transaction=True)
def test_it_waits_for_whoever_has_the_endpoint_and_then_decides(endpoint: Endpoint) -> None:
    delivery = waiting(endpoint)

    def click() -> str:
        try:
            send_now(delivery=delivery)
        except Conflict as refusal:
            return refusal.message
        finally:
            connection.close()
        return ""

    with ThreadPoolExecutor(1) as pool:
        with locked(Endpoint.objects.all(), "NO KEY UPDATE"):
            clicked = pool.submit(click)
            until_somebody_waits()
            Delivery.objects.update(status="DELIVERED", next_attempt_at=None, completed_at=clock.now())
        assert clicked.result() == "This delivery is finished; send it again instead."
    assert Delivery.objects.get().status == "DELIVERED"


@pytest.mark.django_db(transaction=True)
def test_it_decides_once_nobody_is_writing_the_delivery(endpoint: Endpoint) -> None:
    delivery = finished(endpoint)
    with locked(Delivery.objects.all(), "NO KEY UPDATE"), connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
        try:
            with pytest.raises(OperationalError, match="lock timeout"):
                send_now(delivery=delivery)
        finally:
            cursor.execute("SET lock_timeout = 0")


@pytest.mark.django_db(transaction=True)
def test_it_does_not_wait_for_who_only_refers_to_the_delivery(endpoint: Endpoint) -> None:
    """As whoever writes an attempt of it does."""
    delivery = waiting(endpoint)
    with locked(Delivery.objects.all(), "KEY SHARE"), connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '200ms'")
        try:
            due = send_now(delivery=delivery).next_attempt_at
        finally:
            cursor.execute("SET lock_timeout = 0")
    assert due is not None
    assert due <= clock.now()


# --- Several --------------------------------------------------------------------------------------------------------


def test_several_are_sent_each_as_its_state_asks(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver
) -> None:
    sibling = EndpointFactory(account=endpoint.account, url=receiver.url)
    disabled = EndpointFactory(account=endpoint.account)
    done, late = finished(endpoint), waiting(sibling)
    worn = finished(endpoint, "FAILED", attempt_count=MOST_ATTEMPTS)
    due, off = waiting(endpoint, next_attempt_at=clock.now()), finished(disabled)
    left, foreign = finished(endpoint), finished(EndpointFactory())
    elsewhere = finished(EndpointFactory(account=endpoint.account, environment="live"))
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


@pytest.mark.usefixtures("clock_stands_still")
def test_a_dispatcher_is_woken_for_several_where_any_is_due(django_capture_on_commit_callbacks: Any) -> None:
    """A second click finds none, not even in the instant of the first."""
    endpoint = EndpointFactory()
    asked = [finished(endpoint).pk, waiting(endpoint, attempt_count=MOST_ATTEMPTS).pk]
    for woken, sent in ((1, Sent(due=2)), (0, Sent(under_way=2))):
        with django_capture_on_commit_callbacks() as callbacks:
            assert send_several(endpoint.account_id, "test", asked) == sent
        assert len(callbacks) == woken


def test_asking_twice_sends_once(endpoint: Endpoint, receiver: Receiver, deliver: Deliver) -> None:
    asked = [finished(endpoint).pk, waiting(endpoint).pk]
    first = send_several(endpoint.account_id, "test", asked)
    second = send_several(endpoint.account_id, "test", asked)
    assert (first, second) == (Sent(due=2), Sent(under_way=2))
    assert deliver() == 2
    assert len(receiver.requests) == 2


@pytest.mark.django_db(transaction=True)
def test_endpoints_and_deliveries_are_locked_in_the_order_of_their_ids_however_the_tables_lie() -> None:
    account = AccountFactory()
    second, first = (EndpointFactory(id=id_, account=account) for id_ in ("we_2", "we_1"))
    asked = [finished(each, id=f"whd_{number}") for number, each in ((2, second), (1, first))]
    ids = [each.pk for each in asked]
    assert has_locked_first(lambda: send_several(first.account_id, "test", ids), first, second)
    assert has_locked_first(lambda: send_several(first.account_id, "test", ids), asked[1], asked[0])


@pytest.mark.django_db(transaction=True)
def test_several_wait_neither_for_other_endpoints_nor_for_who_refers_to_theirs(endpoint: Endpoint) -> None:
    """Nor for whoever writes an attempt of the deliveries, and so refers to them."""
    other, delivery = EndpointFactory(account=endpoint.account), finished(endpoint)
    rows = Endpoint.objects.all()
    with (
        locked(rows.filter(pk=other.pk), "NO KEY UPDATE"),
        locked(rows.filter(pk=endpoint.pk), "KEY SHARE"),
        locked(Delivery.objects.all(), "KEY SHARE"),
        connection.cursor() as cursor,
    ):
        cursor.execute("SET lock_timeout = '200ms'")
        try:
            assert send_several(endpoint.account_id, "test", [delivery.pk]) == Sent(due=1)
        finally:
            cursor.execute("SET lock_timeout = 0")


@pytest.mark.django_db(transaction=True)
def test_two_people_and_two_workers_send_each_once(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver
) -> None:
    sibling = EndpointFactory(account=endpoint.account, url=receiver.url)
    asked = [finished(each).pk for each in (endpoint, sibling) for _ in range(5)]

    def click() -> int:
        return send_several(endpoint.account_id, "test", asked[::-1]).due

    done = all_at_once([click, click, deliver, deliver])
    deliver()
    # Where a worker had sent one before the second click came, that click asked for one more.
    assert len(receiver.requests) == sum(done[:2]) == Attempt.objects.count()
    assert set(Delivery.objects.values_list("status", flat=True)) == {"DELIVERED"}


def test_too_many_are_refused_and_none_is_sent(endpoint: Endpoint) -> None:
    delivery = finished(endpoint)
    ids = [delivery.pk, *(f"whd_{number}" for number in range(MOST_AT_ONCE))]
    with pytest.raises(Conflict, match="At most 100") as refusal:
        send_several(endpoint.account_id, "test", ids)
    assert refusal.value.own_texts == {refusal.value.message}
    delivery.refresh_from_db()
    assert delivery.status == "EXHAUSTED"
    assert send_several(endpoint.account_id, "test", ids[:-1]).due == 1


def test_a_deleted_endpoint_gets_nothing(endpoint: Endpoint) -> None:
    delivery = finished(endpoint)
    delete_endpoint(endpoint=endpoint)
    assert send_several(endpoint.account_id, "test", [delivery.pk]) == Sent(disabled=1)


def test_what_was_forgotten_meanwhile_is_not_found(endpoint: Endpoint) -> None:
    delivery = waiting(endpoint)
    Delivery.objects.all().delete()
    with pytest.raises(NotFound):
        send_now(delivery=delivery)
