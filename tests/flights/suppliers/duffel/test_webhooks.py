"""Duffel's webhooks: signed or refused, hints by whatever names the order, and an order that never came to be."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.recover import recover_due
from apps.bookings.flow.supplier_hints import follow_hints
from apps.bookings.models import Booking, Operation
from apps.common import clock
from apps.flights.suppliers.duffel.vendor import verify
from apps.suppliers.models import SupplierEvent
from apps.suppliers.vendors import Forged, Hint
from tests.flights.desk import BALANCE_CENTS, Desk, funds, refusal, told
from tests.flights.suppliers.duffel.stub import SECRET, DuffelStub, signature

ADDRESS = "/suppliers/duffel/webhooks"
EVENT = b'{"id": "wev_1", "type": "order.created", "data": {"object": {"id": "ord_1", "offer_id": "off_1"}}}'


@pytest.fixture
def secret(settings: Settings) -> None:
    credentials = settings.SUPPLIER_CREDENTIALS
    settings.SUPPLIER_CREDENTIALS = {
        **credentials,
        "duffel": {**credentials["duffel"], "webhook_secret": SECRET},
    }


def hint_of(event: dict[str, Any]) -> Hint | None:
    body = json.dumps(event).encode()
    return verify({"X-Duffel-Signature": signature(body)}, body)


# --- Signatures -----------------------------------------------------------------------------------------------------
def test_the_documented_signature_is_known(settings: Settings, secret: None) -> None:
    signed = "t=1616202842,v1=" + signature(EVENT, at=1616202842).partition("v1=")[2]
    assert verify({"X-Duffel-Signature": signed}, EVENT) == Hint(
        "wev_1", "order.created", supplier_reference="ord_1", offer_id="off_1"
    )


FORGERIES: dict[str, Callable[[], str]] = {
    "none": lambda: "",
    "no parts": lambda: "nonsense",
    "no digest": lambda: "t=1616202842",
    "no time": lambda: "v1=" + signature(EVENT).partition("v1=")[2],
    "another time": lambda: "t=1," + signature(EVENT, at=2).partition(",")[2],
    "another secret": lambda: signature(EVENT, secret="guessed"),
    "another body": lambda: signature(EVENT + b" "),
    "no ASCII": lambda: signature(EVENT) + "é",
    "cut short": lambda: signature(EVENT)[:-1],
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_whatever_is_not_signed_by_them_is_forged(secret: None, forgery: str) -> None:
    with pytest.raises(Forged):
        verify({"X-Duffel-Signature": FORGERIES[forgery]()}, EVENT)


def test_without_a_secret_nothing_is_believed(settings: Settings) -> None:
    credentials = settings.SUPPLIER_CREDENTIALS  # of the stub, where its fixture outlasts a neighbouring test
    settings.SUPPLIER_CREDENTIALS = {**credentials, "duffel": {**credentials["duffel"], "webhook_secret": ""}}
    with pytest.raises(Forged):
        verify({"X-Duffel-Signature": signature(EVENT, secret="")}, EVENT)


# --- Hints ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("type", "object", "names"),
    [
        (
            "order.created",
            {"id": "ord_1", "offer_id": "off_1", "metadata": {"reference": "F-2"}},
            ("ord_1", "F-2", "off_1"),
        ),
        ("order.creation_failed", {"order_id": "ord_1", "offer_id": "off_1"}, ("ord_1", "", "off_1")),
        ("order.updated", {"id": "ord_1", "metadata": None}, ("ord_1", "", "")),
        ("order_cancellation.confirmed", {"id": "ore_1", "order_id": "ord_1"}, ("ord_1", "", "")),
        ("payment.created", {"id": "pay_1", "order_id": "ord_1", "amount": "1.00"}, ("ord_1", "", "")),
        ("order.airline_initiated_change_detected", {"id": "aic_1", "order_id": "ord_1"}, ("ord_1", "", "")),
        ("order.airline_initiated_change_detected", {"id": "ord_1"}, ("ord_1", "", "")),
        ("air.payment.failed", {"id": "pay_1", "order_id": "ord_1"}, ("ord_1", "", "")),
        ("air.airline_credit.created", {"id": "acd_1", "order_id": "ord_1"}, ("ord_1", "", "", "acd_1")),
        ("air.airline_credit.created", {"id": "acd_1"}, ("", "", "", "acd_1")),
    ],
)
def test_an_event_names_its_order(
    secret: None, type: str, object: dict[str, Any], names: tuple[str, ...]
) -> None:
    hint = hint_of({"id": "wev_1", "type": type, "data": {"object": object}})
    assert hint == Hint("wev_1", type, *names)


@pytest.mark.parametrize(
    "event",
    [
        {"id": "wev_1", "type": "ping.triggered", "data": {}},
        {"id": "wev_1", "type": "stays.booking_created", "data": {"object": {"id": "bok_1"}}},
        {"id": "wev_1", "type": "stays.booking_created", "data": {"object": {"order_id": "ord_1"}}},
        {"id": "wev_1", "type": "of_tomorrow", "data": {}},
        {"id": "wev_1", "type": "air.airline_credit.spent", "data": {"object": {"id": "acd_1"}}},
    ],
    ids=str,
)
def test_an_event_that_names_no_order_concerns_nobody(secret: None, event: dict[str, Any]) -> None:
    assert hint_of(event) is None


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"type": 7}', b'{"type": "order.created"}'], ids=str)
def test_a_signed_body_that_is_no_event_is_unreadable(secret: None, body: bytes) -> None:
    with pytest.raises(ValueError):
        verify({"X-Duffel-Signature": signature(body)}, body)


# --- Through the door -----------------------------------------------------------------------------------------------
def deliver(headers: dict[str, str], body: bytes) -> int:
    reply = Client().post(ADDRESS, body, content_type="application/json", headers=headers)
    return reply.status_code


def test_an_airlines_cancellation_is_news(seller: Desk, at_duffel: DuffelStub) -> None:
    order = seller.ordered()
    at_duffel.cancel_by_airline(order["supplier"]["reference"])
    headers, body = at_duffel.webhook("order.updated", {"id": order["supplier"]["reference"]})
    assert (poll_suppliers(), deliver(headers, body), follow_hints(), poll_suppliers()) == (0, 200, 1, 1)
    assert seller.read(order["id"])["status"] == "cancelled"


def test_an_airlines_change_is_news_and_the_leg_can_be_changed_on(
    seller: Desk, at_duffel: DuffelStub
) -> None:
    order = seller.ordered()
    reference, (leg,) = order["supplier"]["reference"], order["slices"]
    at_duffel.move_by_airline(reference, departs="20:10", arrives="23:55")
    assert refusal(seller.ask_options(order)) == (409, "conflict")
    headers, body = at_duffel.webhook(
        "order.airline_initiated_change_detected", {"id": "aic_1", "order_id": reference}
    )
    assert (deliver(headers, body), follow_hints(), poll_suppliers()) == (200, 1, 0)
    (moved,) = seller.read(order["id"])["slices"]
    assert moved["sliceId"] == leg["sliceId"]
    assert (moved["departureAt"][10:16], moved["arrivalAt"][10:16]) == ("T20:10", "T23:55")
    assert moved["segments"][0]["flightNumber"] == "ZZ999"
    assert len(seller.options_of(order)) == 4


def an_accepted_order(seller: Desk, stub: DuffelStub, *, fails: bool = False) -> Operation:
    """Duffel took it on (202); the partner was told 503."""
    stub.order_status, stub.creation_fails = 202, fails
    assert refusal(seller.order(seller.offer())) == (503, "upstream_unavailable")
    stub.order_status = 201
    return Operation.objects.select_related("booking").get()


def offer_of(operation: Operation) -> str:
    return str(operation.request["offer"]["supplier_data"]["offer_id"])


def test_an_accepted_order_is_found_as_soon_as_they_say_so(seller: Desk, at_duffel: DuffelStub) -> None:
    operation = an_accepted_order(seller, at_duffel)
    assert recover_due() == 0
    (order,) = at_duffel.orders.values()
    headers, body = at_duffel.webhook("order.created", {"id": order["id"], "offer_id": offer_of(operation)})
    assert (deliver(headers, body), follow_hints(), recover_due()) == (200, 1, 1)
    assert Booking.objects.get().status == "ticketed"
    assert at_duffel.booked() == {operation.client_ref: 1}


def test_an_order_that_failed_at_the_airline_is_given_up_at_once(
    seller: Desk, at_duffel: DuffelStub, partner: Any
) -> None:
    operation = an_accepted_order(seller, at_duffel, fails=True)
    held = operation.amount_cents
    assert funds(partner, "live") == (BALANCE_CENTS - held, held)
    failed = {"order_id": "ord_gone", "offer_id": offer_of(operation)}
    headers, body = at_duffel.webhook("order.creation_failed", failed)
    assert (deliver(headers, body), follow_hints()) == (200, 1)
    operation.refresh_from_db()
    assert (operation.state, operation.failure) == ("failed", "CreationFailed")
    assert (Booking.objects.get().status, funds(partner, "live")) == ("failed", (BALANCE_CENTS, 0))
    released = {"reason": "The airline did not make the order.", "releasedCents": held}
    assert told() == [("booking.rejected", released)]


def test_an_order_that_waits_for_its_tickets_is_not_given_up_for_the_word_that_it_failed(
    seller: Desk, at_duffel: DuffelStub, caplog: pytest.LogCaptureFixture
) -> None:
    operation = an_accepted_order(seller, at_duffel)
    (order,) = at_duffel.orders.values()
    order["awaits_details"] = True
    headers, body = at_duffel.webhook(
        "order.creation_failed", {"order_id": "ord_x", "offer_id": offer_of(operation)}
    )
    assert (deliver(headers, body), follow_hints()) == (200, 1)
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []
    operation.refresh_from_db()
    assert (operation.state, operation.lease_until <= clock.now()) == ("uncertain", True)
    at_duffel.complete_orders()
    Operation.objects.update(next_attempt_at=clock.now())
    assert (recover_due(), Booking.objects.get().status) == (1, "ticketed")


def test_the_word_of_an_order_whose_call_is_under_way_is_heard_once_that_has_ended(
    seller: Desk, at_duffel: DuffelStub, move_clock: Any
) -> None:
    operation = an_accepted_order(seller, at_duffel, fails=True)
    soon = clock.now() + timedelta(seconds=45)
    Operation.objects.update(state="calling", lease_until=soon)
    headers, body = at_duffel.webhook(
        "order.creation_failed", {"order_id": "ord_x", "offer_id": offer_of(operation)}
    )
    assert (deliver(headers, body), follow_hints()) == (200, 1)
    assert (Operation.objects.get().state, SupplierEvent.objects.get().handled_at) == ("calling", None)
    move_clock(minutes=1)
    Operation.objects.update(state="uncertain", lease_until=clock.now())
    assert follow_hints() == 1
    operation.refresh_from_db()
    assert (operation.state, operation.failure) == ("failed", "CreationFailed")
