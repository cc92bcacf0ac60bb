"""Events are written with their facts; the catalogue is that of the specification."""

import threading
from datetime import datetime, timedelta
from typing import Any

import orjson
import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoCaptureOnCommitCallbacks

from apps.accounts import clocks
from apps.accounts.models import Account
from apps.common.clock import rfc3339
from apps.webhooks import wakeups
from apps.webhooks.events import (
    Fact,
    emit_many,
)
from apps.webhooks.models import Delivery, DeliveryStatus, Endpoint, Event
from tests.factories.accounts import AccountFactory, SandboxFactory
from tests.factories.webhooks import EndpointFactory, emit

CANCELLED = Fact("booking.cancelled", {"bookingReference": "H-7KQ2M9XD", "refunded": True})
REFUNDED = Fact("payment.refunded", {"bookingReference": "H-7KQ2M9XD", "guest": "Zoë"})


@pytest.fixture
def account(db: None) -> Account:
    return AccountFactory()


def endpoint_for(account: Account, *events: str, **fields: Any) -> Endpoint:
    return EndpointFactory(account=account, events=list(events), **fields)


def emit_to(account: Account, **fields: Any) -> str:
    values: dict[str, Any] = {
        "type": "booking.confirmed",
        "data": {"bookingType": "hotel"},
        "environment": "test",
    }
    return emit(account_id=account.id, **{**values, **fields})


def test_event_and_one_delivery_for_each_endpoint_that_wants_it(account: Account) -> None:
    wanting = [
        endpoint_for(account, "booking.confirmed"),
        endpoint_for(account, "esim.provisioned", "booking.confirmed"),
    ]
    endpoint_for(account, "booking.cancelled")
    endpoint_for(account, "booking.confirmed", environment="live")
    EndpointFactory(events=["booking.confirmed"])
    event_id = emit_to(account, booking_id="hbk_1", booking_reference="H-7KQ2M9XD", request_id="req")
    event = Event.objects.get()
    assert (event.id, event.type, event.account, event.environment) == (
        event_id,
        "booking.confirmed",
        account,
        "test",
    )
    assert (event.booking_id, event.booking_reference, event.request_id) == ("hbk_1", "H-7KQ2M9XD", "req")
    deliveries = Delivery.objects.all()
    assert {delivery.endpoint_id for delivery in deliveries} == {endpoint.id for endpoint in wanting}
    for delivery in deliveries:
        assert (delivery.event_id, delivery.account, delivery.environment) == (event_id, account, "test")
        assert (delivery.status, delivery.attempt_count) == (DeliveryStatus.PENDING, 0)
        assert delivery.next_attempt_at == delivery.created_at == event.created_at
        assert len(delivery.id) == 30
        assert delivery.id.startswith("whd_")


def test_payload_is_frozen_text(account: Account) -> None:
    event_id = emit_to(account, data={"bookingReference": "H-1", "guest": "Zoë"})
    event = Event.objects.get()
    assert orjson.loads(event.payload) == {
        "id": event_id,
        "type": "booking.confirmed",
        "createdAt": rfc3339(event.created_at),
        "environment": "test",
        "data": {"bookingReference": "H-1", "guest": "Zoë"},
    }


@pytest.mark.parametrize("gone", [{"status": "disabled"}, {"status": "disabled", "deleted_at": True}])
def test_disabled_and_deleted_endpoints_get_nothing(account: Account, gone: dict[str, Any]) -> None:
    endpoint = endpoint_for(account, "booking.confirmed")
    now = endpoint.created_at
    fields = {**gone, "disabled_at": now}
    if "deleted_at" in fields:
        fields |= {"deleted_at": now, "secret_encrypted": ""}
    Endpoint.objects.update(**fields)
    emit_to(account)
    assert Delivery.objects.count() == 0


def test_two_events_of_one_moment_are_one_statement(account: Account) -> None:
    first = endpoint_for(account, "booking.cancelled", "payment.refunded")
    second = endpoint_for(account, "payment.refunded")
    with (
        clocks.working_for(account.id, "test"),
        transaction.atomic(),
        CaptureQueriesContext(connection) as queries,
    ):
        ids = emit_many(account_id=account.id, environment="test", facts=[CANCELLED, REFUNDED])
    statements = [query["sql"] for query in queries if "SAVEPOINT" not in query["sql"]]
    assert len([sql for sql in statements if "clock_timestamp" not in sql]) == 1
    assert [Event.objects.get(pk=event_id).type for event_id in ids] == [
        "booking.cancelled",
        "payment.refunded",
    ]
    made = Delivery.objects.values_list("event_type", "endpoint_id")
    assert set(made) == {
        ("booking.cancelled", first.id),
        ("payment.refunded", first.id),
        ("payment.refunded", second.id),
    }


def test_wake_up_comes_with_the_commit_and_only_for_a_delivery(
    account: Account, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks() as callbacks:
        emit_to(account)
    assert callbacks == []
    endpoint_for(account, "booking.confirmed")
    with django_capture_on_commit_callbacks() as callbacks:
        emit_to(account)
    assert callbacks == [wakeups.notify]


@pytest.mark.django_db(transaction=True)
def test_event_outside_a_transaction_is_refused() -> None:
    account = AccountFactory()
    with pytest.raises(RuntimeError):
        emit_to(account)


@pytest.mark.django_db(transaction=True)
def test_rolled_back_fact_leaves_nothing() -> None:
    account = AccountFactory()
    endpoint_for(account, "booking.confirmed")

    class Undone(Exception):
        pass

    def undo() -> None:
        with transaction.atomic():
            emit_to(account)
            raise Undone

    for _ in range(20):
        with pytest.raises(Undone):
            undo()
    assert (Event.objects.count(), Delivery.objects.count()) == (0, 0)
    with transaction.atomic():
        emit_to(account)
    assert (Event.objects.count(), Delivery.objects.count()) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_fact_does_not_wait_for_a_dispatcher_that_claims_or_records() -> None:
    account = AccountFactory()
    endpoint = endpoint_for(account, "booking.confirmed")
    finished = threading.Event()

    def emit_meanwhile() -> None:
        with transaction.atomic():
            emit_to(account)
        finished.set()
        connection.close()

    with transaction.atomic():
        Endpoint.objects.select_for_update(no_key=True).get(pk=endpoint.pk)
        thread = threading.Thread(target=emit_meanwhile)
        thread.start()
        assert finished.wait(30)
    thread.join()


def test_where_the_clock_was_moved_an_event_is_of_the_time_there_and_due_in_real_time(
    account: Account, clock_stands_still: datetime
) -> None:
    now, there = clock_stands_still, clock_stands_still + timedelta(days=3)
    SandboxFactory(account=account, clock_offset=timedelta(days=3))
    endpoint_for(account, "booking.confirmed")
    emit_to(account)
    delivery = Delivery.objects.get()
    assert (delivery.event.created_at, delivery.created_at, delivery.next_attempt_at) == (there, there, now)
    assert orjson.loads(delivery.event.payload)["createdAt"] == rfc3339(there)
