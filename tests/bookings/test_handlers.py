"""What the products' handlers share, with a supplier that notes what it is asked."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pytest_django import Settings

from apps.bookings.handlers import (
    QuotedBookHandler,
    QuotedCancelHandler,
    polling_pause,
    total_to_pay,
    unless_undone,
)
from apps.bookings.models import Booking, Operation
from apps.bookings.trade_rules import Service
from apps.common import clock
from apps.common.errors import Conflict, OfferExpired
from apps.suppliers.errors import PriceChanged, Rejected


@dataclass(frozen=True)
class Offer:
    total_cents: int


@dataclass(frozen=True)
class Booked:
    total_cents: int
    currency: str = "EUR"


@dataclass(frozen=True)
class Cost:
    penalty_cents: int
    currency: str = "EUR"


class Agency:
    """Its offer costs `price_cents` now, and cancelling 30."""

    def __init__(self, price_cents: int = 100) -> None:
        self.price_cents = price_cents
        self.asked: list[tuple[Any, ...]] = []

    def quote_cancellation(self, reference: str) -> Cost:
        return Cost(30)

    def cancel(self, *arguments: Any) -> Cost:
        self.asked.append(("cancel", *arguments))
        return Cost(20)

    def find_cancellation(self, *arguments: Any) -> Cost | None:
        self.asked.append(("find", *arguments))
        return None


class Book(QuotedBookHandler[Agency, Offer]):
    """`begins`: the hours until the service begins."""

    offer_type = Offer

    def __init__(self, agency: Agency, *, begins: float = 1) -> None:
        self.agency = agency
        self.begins_at = clock.now() + timedelta(hours=begins)

    def service_of(self, booking: Booking, offer: Offer) -> Service:
        return Service(self.begins_at, self.begins_at, self.begins_at + timedelta(days=1))

    def supplier_of(self, booking: Booking, fault: str = "") -> Agency:
        return self.agency

    def price_now(self, operation: Operation, offer: Offer) -> Offer:
        return Offer(self.supplier(operation).price_cents)

    def call(self, operation: Operation, fault: str) -> Offer:
        return self.prepared_offer(operation)


class Cancel(QuotedCancelHandler[Agency, Cost]):
    """`begins`: the hours until the service begins."""

    quote_type = Cost

    def __init__(self, agency: Agency, *, begins: float = 1) -> None:
        self.agency, self.faults = agency, [""]
        self.begins_at = clock.now() + timedelta(hours=begins)

    def service(self, booking: Booking) -> Service:
        return Service(self.begins_at, self.begins_at, self.begins_at + timedelta(days=1))

    def supplier_of(self, booking: Booking, fault: str = "") -> Agency:
        self.faults.append(fault)
        return self.agency


def operation(**request: Any) -> Operation:
    booking = Booking(total_cents=90, currency="EUR", supplier_reference="S1", details={"room": 7})
    return Operation(
        booking=booking, client_ref="H-1", amount_cents=100, request={"offer": {"total_cents": 90}, **request}
    )


@pytest.mark.parametrize(("now", "allowed"), [(91, None), (91, 90), (101, 100)])
def test_a_dearer_price_is_refused(now: int, allowed: int | None) -> None:
    with pytest.raises(PriceChanged) as changed:
        Book(Agency(now)).prepare(operation(maxTotalCents=allowed))
    assert changed.value.current_cents == now


def test_what_has_begun_since_the_hold_is_not_booked() -> None:
    agency = Agency()
    with pytest.raises(OfferExpired):
        Book(agency, begins=-0.01).prepare(operation(maxTotalCents=200))
    assert agency.asked == []


def test_a_charge_in_another_currency_than_agreed_is_no_sum_to_go_by() -> None:
    assert total_to_pay(operation(), Booked(99, "JPY")) == 100


def test_a_cancellation_is_made_at_the_quote_that_was_kept() -> None:
    agency, begun = Agency(), operation()
    handler = Cancel(agency)
    prepared = handler.prepare(begun)
    quote = {"penalty_cents": 30, "currency": "EUR"}
    assert (prepared.price_cents, prepared.data) == (0, {"quote": quote, "penaltyCents": 30, "begun": False})
    begun.prepared = dict(prepared.data)
    assert handler.call(begun, "slow") == Cost(20)
    assert handler.faults[-1] == "slow"
    assert handler.find(begun) is None
    assert agency.asked == [("cancel", "H-1", "S1", Cost(30)), ("find", "H-1", "S1", Cost(30))]


@pytest.mark.parametrize(("allowed", "refused"), [(None, False), (30, False), (29, True)])
def test_a_penalty_above_what_the_partner_allows_is_refused(allowed: int | None, refused: bool) -> None:
    begun = operation(maxPenaltyCents=allowed)
    if not refused:
        assert Cancel(Agency()).prepare(begun).price_cents == 0
        return
    with pytest.raises(Conflict):
        Cancel(Agency()).prepare(begun)


def test_nothing_is_cancelled_at_a_cost_in_another_currency() -> None:
    agency = Agency()
    agency.quote_cancellation = lambda reference: Cost(30, "JPY")  # type: ignore[method-assign]
    with pytest.raises(Rejected, match="JPY, and EUR was paid"):
        Cancel(agency).prepare(operation(maxPenaltyCents=30))
    assert agency.asked == []


def test_what_has_begun_costs_the_partner_all_of_it_whatever_the_supplier_returns() -> None:
    agency, begun = Agency(), operation()
    handler = Cancel(agency, begins=-1)
    begun.prepared = dict(handler.prepare(begun).data)
    assert begun.prepared["penaltyCents"] == 90
    assert handler.call(begun, "") == Cost(20)  # at the supplier's own quote, not at ours
    assert agency.asked == [("cancel", "H-1", "S1", Cost(30))]
    outcome = handler.outcome(begun, Cost(20))
    assert (outcome.cancellation or {})["penaltyCents"] == 90
    assert outcome.refund_cents == 0
    with pytest.raises(Conflict) as refused:
        handler.prepare(operation(maxPenaltyCents=89))
    assert refused.value.extras["penaltyCents"] == 90


@pytest.mark.parametrize(
    ("found", "penalty", "booked"),
    [
        (None, 0, None),
        (None, 5, None),
        ("a stay", None, "a stay"),
        ("a stay", 0, None),
        ("a stay", 1, "a stay"),
        ("a stay", -1, "a stay"),
    ],
)
def test_what_was_cancelled_at_no_cost_was_never_booked(
    found: str | None, penalty: int | None, booked: str | None
) -> None:
    def penalty_of(what: str) -> int | None:
        assert what == "a stay"  # nothing is asked of nothing
        return penalty

    assert unless_undone(found, penalty_of) == booked


@pytest.mark.parametrize(
    ("hours", "minutes"),
    [(0, 60), (11.5, 30), (12, 60), (17.5, 30), (18.5, 60), (23.5, 30), (24, 2), (30, 2)],
)
def test_a_booking_on_hold_is_polled_at_its_guarantee_its_reminder_and_its_end(
    hours: float, minutes: int, settings: Settings
) -> None:
    """The guarantee ends after 12 hours, the hold after 24."""
    settings.SUPPLIER_NEWS_SECONDS = 3_600
    began = datetime(2026, 12, 1, tzinfo=UTC)
    until = {"price_guaranteed_until": began + timedelta(hours=12), "pay_by": began + timedelta(hours=24)}
    details = {name: instant.isoformat() for name, instant in until.items()}
    booking = Booking(product="flight", supplier_name="simulator", status="on_hold", details=details)
    assert polling_pause(booking, began + timedelta(hours=hours)) == timedelta(minutes=minutes)
    booking.status = "ticketed"
    assert polling_pause(booking, began) == timedelta(hours=1)
