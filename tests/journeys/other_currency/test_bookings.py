"""Search, book, cancel, of every product, while the rates move.

The rate of the search decides to the end. What the supplier holds, converted at it, is what the partner paid.
"""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking
from apps.common import clock
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import OutcomeUnknown
from apps.suppliers.models import ExchangeRate
from apps.suppliers.rates import forget_rates
from apps.suppliers.simulation import Market
from tests.flights.desk import BALANCE_CENTS
from tests.journeys.other_currency.journey import (
    MOVED_TO,
    SEARCHED_AT,
    Flight,
    at_supplier,
    available,
    booked,
    kept_rate,
    store_rate,
    the_rate_of_the_search,
)
from tests.support.api import Api

pytestmark = pytest.mark.django_db


def test_without_a_rate_there_is_no_offer(journey: Any, caplog: pytest.LogCaptureFixture) -> None:
    assert journey.offers() == []
    assert [record.args for record in caplog.records if "no rate" in record.msg] == [("USD", "EUR", "USD")]


def test_the_opposite_rate_sells_nothing(journey: Any) -> None:
    ExchangeRate.objects.create(base="EUR", quote="USD", rate=Decimal("1.15"), as_of=clock.today())
    forget_rates()
    assert journey.offers() == []


def test_a_booking_keeps_the_rate_of_its_search(
    journey: Any, suppliers: dict[str, Any], partner: Onboarded
) -> None:
    booking = booked(journey)
    assert booking.exchange == the_rate_of_the_search()
    held = at_supplier(booking, suppliers)
    assert held.currency == "USD"
    assert kept_rate(booking).cents(held.total_cents) == booking.total_cents
    assert available(partner) == BALANCE_CENTS - booking.total_cents


def test_a_cancellation_counts_at_the_rate_of_the_booking(
    journey: Any, suppliers: dict[str, Any], partner: Onboarded
) -> None:
    booking = booked(journey)
    quote = suppliers[journey.product].quote_cancellation(booking.supplier_reference)
    reply = journey.cancel(booking)
    assert reply.status == 200, reply.body
    cancellation = reply.body["cancellation"]
    assert cancellation["penaltyCents"] == kept_rate(booking).cents(quote.penalty_cents)
    assert cancellation["penaltyCents"] + cancellation["refundCents"] == booking.total_cents
    assert cancellation["currency"] == "EUR"
    assert available(partner) == BALANCE_CENTS - cancellation["penaltyCents"]


def test_what_the_supplier_calls_off_comes_back_whole(
    journey: Any, suppliers: dict[str, Any], partner: Onboarded, move_clock: Callable[..., None]
) -> None:
    booking = booked(journey)
    settle_owed()
    suppliers[journey.product].call_off(booking.supplier_reference)
    move_clock(hours=1, seconds=1)
    assert poll_suppliers() == 1
    booking.refresh_from_db()
    assert (booking.status, booking.cancellation["refundCents"]) == ("cancelled", booking.total_cents)
    assert available(partner) == BALANCE_CENTS


def test_a_dearer_price_is_told_at_the_rate_of_the_search(
    journey: Any, suppliers: dict[str, Any], partner: Onboarded
) -> None:
    store_rate(SEARCHED_AT)
    handle, total = journey.offers()[0]
    store_rate(MOVED_TO)
    suppliers[journey.product].market = Market(percent=120)
    reply = journey.book(handle)
    assert (reply.status, reply.error_type) == (409, "price_changed")
    assert (reply.error["previousTotalCents"], reply.error["currency"]) == (total, "EUR")
    now = reply.error["currentTotalCents"]
    assert available(partner) == BALANCE_CENTS
    store_rate(SEARCHED_AT)
    assert now == journey.offers()[0][1] > total
    store_rate(MOVED_TO)

    reply = journey.book(handle, maxTotalCents=now)
    assert (reply.status, reply.body["totalCents"]) == (201, now), reply.body
    assert available(partner) == BALANCE_CENTS - now


def test_a_lost_answer_is_found_at_the_rate_of_the_search(
    journey: Any,
    suppliers: dict[str, Any],
    partner: Onboarded,
    move_clock: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    simulator = suppliers[journey.product]
    book = simulator.book

    def lose(request: Any) -> None:
        book(request)
        raise OutcomeUnknown

    store_rate(SEARCHED_AT)
    handle, total = journey.offers()[0]
    store_rate(MOVED_TO)
    monkeypatch.setattr(simulator, "book", lose)
    assert journey.book(handle).status == 503
    move_clock(minutes=3)
    assert recover_due() == 1
    booking = Booking.objects.get()
    assert (booking.status != "pending", booking.total_cents) == (True, total)
    assert available(partner) == BALANCE_CENTS - total


def test_a_booking_of_a_supplier_in_the_accounts_currency_shows_no_rate(partner: Onboarded) -> None:
    reply = Flight(Api(partner.test_secret)).book(Flight(Api(partner.test_secret)).offers()[0][0])
    assert (reply.status, "exchange" in reply.body) == (201, False)
