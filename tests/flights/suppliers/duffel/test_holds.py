"""Orders on hold at Duffel: what is paid and what is not, each refusal of a payment, and payments whose end comes later."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.recover import recover_due
from apps.bookings.flow.supplier_hints import follow_hints
from apps.bookings.models import Booking, Operation
from apps.flights.suppliers.base import LAPSED, PAID, PAYMENT_PENDING, UNPAID, FlightOrder
from apps.flights.suppliers.duffel.adapter import DuffelFlights
from apps.flights.suppliers.duffel.mapping import hold_terms, payment_of
from apps.suppliers.errors import Expired, NotPossible, OutcomeUnknown, PriceChanged, Rejected, Unavailable
from apps.suppliers.models import SupplierAlert
from tests.flights.desk import BALANCE_CENTS, Desk, funds, refusal, told
from tests.flights.suppliers.duffel import paths
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.flights.suppliers.duffel.test_webhooks import deliver
from tests.flights.suppliers.duffel.travel import an_order_by, flexible
from tests.flights.suppliers.duffel.wire import refusal_of, stamp
from tests.support.supplier_stub import refusal as refused

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
AHEAD, PAST = stamp(NOW + timedelta(hours=1)), stamp(NOW - timedelta(hours=1))
TICKET = {"type": "electronic_ticket", "unique_identifier": "1"}


# --- Reading ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("status", "documents", "state"),
    [
        # The table of the guide.
        ({"awaiting_payment": True, "paid_at": None, "payment_required_by": AHEAD}, [], UNPAID),
        ({"awaiting_payment": False, "paid_at": PAST, "payment_required_by": AHEAD}, [], PAID),
        ({"awaiting_payment": False, "paid_at": PAST, "payment_required_by": PAST}, [], PAID),
        ({"awaiting_payment": False, "paid_at": None, "payment_required_by": AHEAD}, [], PAYMENT_PENDING),
        ({"awaiting_payment": False, "paid_at": None, "payment_required_by": PAST}, [], LAPSED),
        ({"awaiting_payment": False, "paid_at": None, "payment_required_by": None}, [], PAYMENT_PENDING),
        # Recorded in 2021, without paid_at.
        ({"awaiting_payment": False, "payment_required_by": PAST}, [], LAPSED),
        ({"awaiting_payment": False, "payment_required_by": None}, [], PAID),
        ({"awaiting_payment": False, "payment_required_by": PAST}, [TICKET], PAID),
        ({"awaiting_payment": True, "payment_required_by": PAST}, [], UNPAID),
        # What no document has.
        ({"awaiting_payment": None, "paid_at": None, "payment_required_by": "soon"}, [], PAYMENT_PENDING),
        ("paid", [], PAID),
        (None, [], PAID),
    ],
)
def test_paid_is_what_has_a_time_of_payment(status: Any, documents: list[Any], state: str) -> None:
    assert payment_of({"payment_status": status, "documents": documents}, NOW) == state


@pytest.mark.parametrize(
    ("terms", "holds"),
    [
        ({"requires_instant_payment": False, "payment_required_by": AHEAD}, True),
        ({"requires_instant_payment": True, "payment_required_by": AHEAD}, False),
        ({"requires_instant_payment": False, "payment_required_by": None}, False),
        ({"requires_instant_payment": False, "payment_required_by": "soon"}, False),
        ({"requires_instant_payment": None, "payment_required_by": AHEAD}, False),
        ({}, False),
        (None, False),
    ],
)
def test_an_offer_can_be_held_where_it_says_until_when(terms: Any, holds: bool) -> None:
    pay_by, guaranteed = hold_terms({"payment_requirements": terms})
    assert (pay_by is not None, guaranteed) == (holds, None)


def test_what_can_be_held_is_ordered_without_payment(stub: DuffelStub, duffel: DuffelFlights) -> None:
    offer = flexible(duffel, origin="JFK", destination="EWR")
    assert offer.pay_by is not None
    assert offer.price_guaranteed_until == offer.pay_by - timedelta(days=1)
    request = replace(an_order_by(offer), hold=True)
    order = duffel.book(request)
    (heard,) = stub.heard_by("POST", paths.ORDERS)
    assert (heard.json["data"]["type"], "payments" in heard.json["data"]) == ("hold", False)
    assert (order.payment, order.pay_by, order.issued) == (UNPAID, offer.pay_by, False)
    assert duffel.find_order(request.client_ref, offer) == order
    assert duffel.quote_cancellation(order.supplier_reference).refund_cents == 0
    assert flexible(duffel).pay_by is None


# --- Payments --------------------------------------------------------------------------------------------------------
@pytest.fixture
def held(stub: DuffelStub, duffel: DuffelFlights) -> str:
    """Their reference of an order on hold."""
    stub.holds = True
    return duffel.book(replace(an_order_by(flexible(duffel)), hold=True)).supplier_reference


def pay(duffel: DuffelFlights, held: str) -> FlightOrder:
    return duffel.pay("F-7KQ2M9XD-P1", held, duffel.prepare_payment(held))


@pytest.mark.parametrize(
    ("code", "error", "alerts"),
    [
        ("past_payment_required_by_date", Expired, []),
        ("schedule_changed", NotPossible, []),
        ("already_cancelled", NotPossible, []),
        ("price_changed", PriceChanged, []),
        ("payment_amount_does_not_match_order_amount", PriceChanged, []),
        ("insufficient_balance", Unavailable, ["wallet_empty"]),
        ("payment_declined", Rejected, ["wallet_empty"]),
        ("order_type_not_eligible_for_payment", Rejected, ["request_refused"]),
        ("payment_currency_does_not_match_order_currency", Rejected, ["request_refused"]),
        ("ineligible_airline_credit", Rejected, ["request_refused"]),
        ("invalid_order_create_type", Rejected, ["request_refused"]),
        ("services_not_allowed_for_order_type", Rejected, ["request_refused"]),
        ("validation_required", Rejected, []),
        ("unavailable_feature", Unavailable, ["credentials_refused"]),
        ("rate_limit_exceeded", Unavailable, []),
        # What may be about a payment of ours is looked up.
        ("already_paid", OutcomeUnknown, []),
        ("modified_externally", OutcomeUnknown, []),
        ("invalid_order", OutcomeUnknown, []),
        ("airline_unknown", OutcomeUnknown, []),
        ("service_unavailable", OutcomeUnknown, []),
        ("of_tomorrow", OutcomeUnknown, []),
    ],
)
def test_what_a_refusal_means_of_a_payment(
    stub: DuffelStub, duffel: DuffelFlights, held: str, code: str, error: type[Exception], alerts: list[str]
) -> None:
    stub.trouble("POST", paths.PAYMENTS, refused(*refusal_of(code)))
    with pytest.raises(error) as raised:
        pay(duffel, held)
    assert type(raised.value) is error
    assert list(SupplierAlert.objects.values_list("kind", flat=True)) == alerts
    assert duffel.find_payment("F-7KQ2M9XD-P1", held, duffel.prepare_payment(held)) is None


@pytest.mark.parametrize(
    ("reason", "error", "alerts"),
    [
        ("insufficient_balance", Unavailable, ["wallet_empty"]),
        ("payment_declined", Rejected, ["wallet_empty"]),
        ("ineligible_airline_credit", Rejected, ["request_refused"]),
        ("of_tomorrow", Rejected, []),
    ],
)
def test_a_payment_that_failed_took_nothing(
    stub: DuffelStub, duffel: DuffelFlights, held: str, reason: str, error: type[Exception], alerts: list[str]
) -> None:
    stub.payment_ends, stub.failure_reason = "failed", reason
    with pytest.raises(error):
        pay(duffel, held)
    assert list(SupplierAlert.objects.values_list("kind", flat=True)) == alerts
    stub.payment_ends = "succeeded"
    assert pay(duffel, held).payment == PAID
    assert len(stub.paid(held)) == 1


def test_a_payment_under_way_is_neither_made_again_nor_given_up(
    stub: DuffelStub, duffel: DuffelFlights, held: str
) -> None:
    payment = duffel.prepare_payment(held)
    stub.payment_ends = "pending"
    with pytest.raises(OutcomeUnknown):
        duffel.pay("F-7KQ2M9XD-P1", held, payment)
    with pytest.raises(Unavailable):
        duffel.find_payment("F-7KQ2M9XD-P1", held, payment)
    with pytest.raises(NotPossible):
        duffel.prepare_payment(held)
    stub.orders[held]["payment_status"]["awaiting_payment"] = True  # the order is behind its payment
    with pytest.raises(Unavailable):
        duffel.find_payment("F-7KQ2M9XD-P1", held, payment)
    stub.end_payments("succeeded")
    found = duffel.find_payment("F-7KQ2M9XD-P1", held, payment)
    assert found is not None
    assert (found.payment, len(found.ticket_numbers)) == (PAID, 1)


def test_what_was_paid_before_is_not_paid_again(stub: DuffelStub, duffel: DuffelFlights, held: str) -> None:
    payment = duffel.prepare_payment(held)
    assert pay(duffel, held) == pay(duffel, held)  # the second finds it paid
    assert duffel.pay("F-7KQ2M9XD-P2", held, payment).payment == PAID  # and this one learns of it
    assert (len(stub.payments), len(stub.heard_by("POST", paths.PAYMENTS))) == (1, 2)


# --- A partner's payments --------------------------------------------------------------------------------------------
@pytest.fixture
def holding(at_duffel: DuffelStub) -> DuffelStub:
    """Where everything can be held."""
    at_duffel.holds = True
    return at_duffel


def reference_of(order: dict[str, Any]) -> str:
    return str(order["supplier"]["reference"])


def test_a_held_order_is_paid_with_the_very_sum_and_ticketed(
    seller: Desk, holding: DuffelStub, partner: Any
) -> None:
    order = seller.held(seller.holdable(guaranteed=False))
    assert (order["pnr"] is not None, funds(partner, "live")) == (True, (BALANCE_CENTS, 0))
    paid = seller.pay(order)
    assert (paid.status, paid.body["status"], len(paid.body["ticketNumbers"])) == (200, "ticketed", 1)
    (heard,) = holding.heard_by("POST", paths.PAYMENTS)
    total = holding.orders[reference_of(order)]["total_amount"]
    payment = {"type": "balance", "amount": total, "currency": "EUR"}
    assert heard.json == {"data": {"order_id": reference_of(order), "payment": payment}}
    assert heard.headers["x-client-correlation-id"] == Operation.objects.get(kind="pay").client_ref
    assert funds(partner, "live") == (BALANCE_CENTS - order["totalCents"], 0)


def test_a_price_that_drifted_is_asked_before_it_is_paid(
    seller: Desk, holding: DuffelStub, partner: Any
) -> None:
    order = seller.held(seller.holdable(guaranteed=False))
    holding.drift(reference_of(order), 110)
    reply = seller.pay(order)
    assert (refusal(reply), holding.payments) == ((409, "price_changed"), [])
    now = reply.error["currentTotalCents"]
    assert abs(now - order["totalCents"] * 1.1) <= 1
    assert seller.pay(order, maxTotalCents=now).body["totalCents"] == now
    assert funds(partner, "live") == (BALANCE_CENTS - now, 0)


def test_the_end_of_a_payment_under_way_comes_by_webhook(
    seller: Desk, holding: DuffelStub, partner: Any, move_clock: Callable[..., None]
) -> None:
    order = seller.held(seller.holdable(guaranteed=False))
    holding.payment_ends = "pending"
    assert refusal(seller.pay(order)) == (503, "upstream_unavailable")
    move_clock(minutes=5)
    recover_due()
    assert seller.read(order["id"])["status"] == "pending"
    holding.end_payments("succeeded")
    headers, body = holding.webhook("air.payment.succeeded", {"id": "pay_1", "order_id": reference_of(order)})
    assert (deliver(headers, body), follow_hints(), recover_due()) == (200, 1, 1)
    assert seller.read(order["id"])["status"] == "ticketed"
    assert funds(partner, "live") == (BALANCE_CENTS - order["totalCents"], 0)


@pytest.mark.parametrize(("origin", "answered"), [("LTN", 200), ("SEN", 503)])
def test_a_payment_that_is_answered_without_its_details_is_read(
    seller: Desk,
    holding: DuffelStub,
    partner: Any,
    origin: str,
    answered: int,
    move_clock: Callable[..., None],
) -> None:
    order = seller.held(seller.holdable(guaranteed=False, origin=origin, destination="STN"))
    assert seller.pay(order).status == answered
    move_clock(minutes=5)
    recover_due()
    assert (seller.read(order["id"])["status"], len(holding.payments)) == ("ticketed", 1)


def test_a_lapse_is_believed_once_duffel_shows_it(
    seller: Desk, holding: DuffelStub, partner: Any, move_clock: Callable[..., None]
) -> None:
    order = seller.held(seller.holdable(guaranteed=False))
    move_clock(hours=67)
    poll_suppliers()
    assert [name for name, _ in told()] == ["booking.hold_expiring"]
    move_clock(hours=5, minutes=1)
    assert poll_suppliers() == 0  # it still awaits payment there
    assert (refusal(seller.pay(order)), seller.read(order["id"])["status"]) == (
        (410, "offer_expired"),
        "on_hold",
    )
    holding.seconds_ahead = 73 * 3_600
    move_clock(minutes=3)
    assert poll_suppliers() == 1
    assert sorted(name for name, _ in told()) == [
        "booking.cancelled",
        "booking.hold_expired",
        "booking.hold_expiring",
    ]
    assert (seller.read(order["id"])["status"], funds(partner, "live")) == ("cancelled", (BALANCE_CENTS, 0))


def test_an_airlines_end_of_a_hold_is_news_and_costs_nothing(
    seller: Desk, holding: DuffelStub, partner: Any, move_clock: Callable[..., None]
) -> None:
    order = seller.held(seller.holdable(guaranteed=False))
    holding.cancel_by_airline(reference_of(order))
    assert refusal(seller.pay(order)) == (409, "conflict")
    assert poll_suppliers() == 1
    assert told() == [("booking.cancelled", {"refunded": False, "refundCents": 0})]
    assert funds(partner, "live") == (BALANCE_CENTS, 0)


def test_an_order_on_hold_is_cancelled_there_too(seller: Desk, holding: DuffelStub, partner: Any) -> None:
    order = seller.held(seller.holdable(guaranteed=False))
    holding.refund_known = False
    reply = seller.cancel(order["id"])
    assert (reply.status, reply.body["cancellation"]["penaltyCents"]) == (200, 0)
    assert holding.orders[reference_of(order)]["cancelled_at"] is not None


def test_an_offer_that_has_to_be_paid_at_once_by_now_is_refused(
    seller: Desk, holding: DuffelStub, partner: Any
) -> None:
    offer = seller.holdable(guaranteed=False)
    holding.holds = False
    reply = seller.order(offer, hold=True)
    assert (reply.status, [one["field"] for one in reply.error["details"]]) == (400, ["hold"])
    assert (Booking.objects.get().status, holding.orders) == ("failed", {})
