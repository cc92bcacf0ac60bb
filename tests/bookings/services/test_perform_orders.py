"""Every end that a supplier call can have, before the booking and in it: the answer, the states, the money."""

from datetime import timedelta

import pytest
from django.conf import settings

from apps.bookings.models import Booking
from apps.common import clock
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers import errors as supplier_errors
from tests.bookings.books import events, funds, hold_of, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.scripted_flights import ScriptedFlights

pytestmark = pytest.mark.usefixtures("still_clock")

CERTAIN = [
    (supplier_errors.Expired(), 410, "offer_expired", "Expired"),
    (supplier_errors.Rejected(), 502, "upstream_error", "Rejected"),
    (supplier_errors.InvalidField("notes", "is too long"), 400, "invalid_request", "InvalidField"),
    (supplier_errors.Unavailable(), 503, "upstream_unavailable", "Unavailable"),
    (supplier_errors.Missing(), 410, "offer_expired", "Missing"),
    (supplier_errors.NotPossible("closed"), 409, "conflict", "NotPossible"),
]


UNCLEAR = [supplier_errors.OutcomeUnknown("reset"), RuntimeError("the adapter has a bug")]


def test_an_order_is_held_for_called_once_and_captured(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    offer = shop.offer()
    reply = shop.order(offer, externalReference="PO-1")
    total = offer["totalCents"]
    assert (reply.status, reply.body["status"], reply.body["totalCents"]) == (201, "ticketed", total)
    operation = latest()
    hold = hold_of(operation)
    assert (operation.state, operation.failure, operation.next_attempt_at) == ("confirmed", "", None)
    assert (operation.booking.id, operation.booking.external_reference) == (reply.body["id"], "PO-1")
    assert (hold.status, hold.amount_cents, hold.captured_cents) == ("captured", total, total)
    assert funds(onboarded) == (BALANCE_CENTS - total, 0)
    assert (supplier.calls("reprice"), supplier.calls("book"), supplier.open_transactions) == (1, 1, [])
    assert events() == ["booking.confirmed"]
    assert violations(supplier.report()) == []


@pytest.mark.parametrize("method", ["reprice", "book"])
@pytest.mark.parametrize(("error", "status", "type", "failure"), CERTAIN)
def test_a_certain_refusal_frees_the_funds_before_the_answer(
    shop: FlightShop,
    supplier: ScriptedFlights,
    onboarded: Onboarded,
    method: str,
    error: Exception,
    status: int,
    type: str,
    failure: str,
) -> None:
    offer = shop.offer()
    supplier.spoil(method, error)
    reply = shop.order(offer)
    assert (reply.status, reply.error_type) == (status, type)
    operation = latest()
    assert (operation.state, operation.failure, operation.next_attempt_at) == ("failed", failure, None)
    assert (operation.booking.status, hold_of(operation).status) == ("failed", "released")
    assert funds(onboarded) == (BALANCE_CENTS, 0)
    assert events() == ["booking.rejected"] * (status == 503)  # who reads 503 cannot know
    assert violations(supplier.report()) == []


@pytest.mark.parametrize("method", ["reprice", "book"])
def test_a_price_that_rose_is_answered_with_both_prices_and_books_nothing(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, method: str
) -> None:
    offer = shop.offer()
    supplier.meanwhile(method, lambda: supplier.ask(110))
    reply = shop.order(offer)
    assert (reply.status, reply.error_type) == (409, "price_changed")
    assert reply.error["previousTotalCents"] == offer["totalCents"]
    assert reply.error["currentTotalCents"] > offer["totalCents"]
    assert reply.error["currency"] == "EUR"
    assert funds(onboarded) == (BALANCE_CENTS, 0)
    assert supplier.report()["writes"] == []
    assert violations(supplier.report()) == []


@pytest.mark.parametrize("error", UNCLEAR)
@pytest.mark.parametrize("accepted", [True, False])
def test_an_unclear_end_keeps_the_funds_and_is_looked_up_soon(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, error: Exception, accepted: bool
) -> None:
    offer = shop.offer()
    supplier.spoil("book", error, accepted=accepted)
    reply = shop.order(offer)
    assert (reply.status, reply.error_type) == (503, "upstream_unavailable")
    operation = latest()
    assert (operation.state, operation.booking.status) == ("uncertain", "pending")
    assert hold_of(operation).status == "open"
    assert funds(onboarded) == (BALANCE_CENTS - offer["totalCents"], offer["totalCents"])
    assert operation.lease_until <= clock.now()
    wait = operation.next_attempt_at - clock.now()
    assert timedelta(seconds=settings.LOOKUP_BACKOFF_SECONDS[0] - 2) < wait <= timedelta(seconds=10)


def test_an_adapter_that_breaks_before_the_call_costs_nothing_in_the_end(
    shop: FlightShop, supplier: ScriptedFlights
) -> None:
    supplier.spoil("reprice", RuntimeError("the adapter has a bug"))
    reply = shop.order(shop.offer())
    assert (reply.status, reply.error_type) == (500, "internal_error")
    assert (latest().state, supplier.calls("book")) == ("held", 0)


def test_a_dearer_price_within_max_total_is_held_and_captured_exactly(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    offer = shop.offer()
    supplier.ask(110)
    reply = shop.order(offer, maxTotalCents=2 * offer["totalCents"])
    total = reply.body["totalCents"]
    assert reply.status == 201
    assert offer["totalCents"] < total < 2 * offer["totalCents"]
    operation = latest()
    hold = hold_of(operation)
    assert (operation.amount_cents, hold.amount_cents, hold.captured_cents) == (total, total, total)
    assert funds(onboarded) == (BALANCE_CENTS - total, 0)
    assert violations(supplier.report()) == []


def test_a_dearer_price_that_is_not_covered_is_402_and_frees_what_was_held(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    offer = shop.offer()
    supplier.ask(200 * BALANCE_CENTS // offer["totalCents"])
    reply = shop.order(offer, maxTotalCents=100 * BALANCE_CENTS)
    assert (reply.status, reply.error_type) == (402, "insufficient_funds")
    price_of_now = shop.api.get(f"/v1/flights/offers/{offer['offerId']}").body["totalCents"]
    assert (reply.error["availableCents"], reply.error["requiredCents"]) == (BALANCE_CENTS, price_of_now)
    assert (latest().state, latest().failure) == ("failed", "InsufficientFunds")
    assert funds(onboarded) == (BALANCE_CENTS, 0)
    assert supplier.calls("book") == 0


def test_a_max_total_below_the_quote_asks_nobody(shop: FlightShop, supplier: ScriptedFlights) -> None:
    offer = shop.offer()
    reply = shop.order(offer, maxTotalCents=offer["totalCents"] - 1)
    assert (reply.status, reply.error_type) == (409, "price_changed")
    assert reply.error["previousTotalCents"] == reply.error["currentTotalCents"] == offer["totalCents"]
    assert (supplier.calls("reprice"), Booking.objects.count()) == (0, 0)


def test_a_cheaper_price_is_passed_on_and_the_rest_released(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    offer = shop.offer()
    supplier.ask(80)
    total = shop.order(offer).body["totalCents"]
    assert total < offer["totalCents"]
    hold = hold_of(latest())
    assert (hold.status, hold.amount_cents, hold.captured_cents) == ("captured", offer["totalCents"], total)
    assert funds(onboarded) == (BALANCE_CENTS - total, 0)
    assert violations(supplier.report()) == []


def test_insufficient_funds_come_before_any_supplier_call(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    offer = max(shop.search(passengers={"adults": 9}, cabin="first"), key=lambda o: o["totalCents"])
    assert offer["totalCents"] > BALANCE_CENTS
    adults = [{"firstName": "A", "lastName": "B", "dateOfBirth": "1990-01-01", "type": "adult"}] * 9
    reply = shop.order(offer, passengers=adults)
    assert (reply.status, reply.error_type) == (402, "insufficient_funds")
    assert reply.error["availableCents"] == BALANCE_CENTS
    assert reply.error["requiredCents"] == offer["totalCents"]
    assert (supplier.calls("reprice"), supplier.calls("book"), Booking.objects.count()) == (0, 0, 0)
    assert funds(onboarded) == (BALANCE_CENTS, 0)
