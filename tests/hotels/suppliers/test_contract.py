"""What every hotel supplier keeps to, whoever it is."""

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal

import pytest

from apps.hotels.suppliers.base import Area, Guest, HotelSupplier, NameCorrection, Rate, Room, Stay
from apps.suppliers.errors import Expired, Missing, NotPossible, PriceChanged
from apps.suppliers.results import Withheld
from apps.suppliers.values import replaced
from tests.hotels.suppliers.contract import CASES, Case
from tests.hotels.suppliers.requests import ADA, a_rate, a_search, a_stay, new_ref, rates

pytestmark = pytest.mark.django_db

LISBON = Area(Decimal("38.72509"), Decimal("-9.1498"), Decimal("1"))


def same_offer(rate: Rate, other: Rate) -> bool:
    """To the partner. What the adapter needs for booking it may differ."""
    return replaced(rate, supplier_data={}) == replaced(other, supplier_data={})


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> Iterator[Case]:
    with CASES[request.param]() as case:
        yield case


@pytest.fixture
def supplier(case: Case) -> HotelSupplier:
    return case.supplier


@pytest.fixture
def rate(supplier: HotelSupplier) -> Rate:
    return a_rate(supplier)


@pytest.fixture
def stay(supplier: HotelSupplier, rate: Rate) -> Stay:
    return supplier.book(a_stay(rate))


def test_search_finds_hotels_with_refundable_and_nonrefundable_rates(supplier: HotelSupplier) -> None:
    offers = supplier.search(a_search())
    assert len(offers) >= 2
    assert {(offer.hotel.city, offer.hotel.country) for offer in offers} == {("Lisbon", "PT")}
    assert {rate.refundable for rate in rates(offers)} == {True, False}
    assert {rate.currency for rate in rates(offers)} == {"EUR"}
    assert all(offer.rates for offer in offers)
    assert len({offer.hotel.hotel_id for offer in offers}) == len(offers)


def test_search_honours_limit_and_filters(supplier: HotelSupplier) -> None:
    everything = supplier.search(a_search())
    most = sorted(rate.total_cents for rate in rates(everything))[3]
    assert supplier.search(a_search(limit=2)) == everything[:2]
    assert {rate.refundable for rate in rates(supplier.search(a_search(refundable_only=True)))} == {True}
    assert max(r.total_cents for r in rates(supplier.search(a_search(max_total_cents=most)))) == most


def test_search_by_id_and_by_place_finds_those_hotels(supplier: HotelSupplier) -> None:
    ids = tuple(offer.hotel.hotel_id for offer in supplier.search(a_search(limit=2)))
    by_id = supplier.search(a_search(city=None, country=None, hotel_ids=ids))
    assert tuple(offer.hotel.hotel_id for offer in by_id) == ids
    nearby = supplier.search(a_search(city=None, country=None, area=LISBON))
    assert len(nearby) >= 2
    assert {offer.hotel.country for offer in nearby} == {"PT"}
    assert all(abs(offer.hotel.latitude - LISBON.latitude) < Decimal("0.01") for offer in nearby)


def test_the_least_price_of_each_day_is_that_of_a_search(supplier: HotelSupplier) -> None:
    ids = tuple(offer.hotel.hotel_id for offer in supplier.search(a_search(limit=2)))
    asked = a_search(city=None, country=None, hotel_ids=ids)
    days = timedelta(days=2)
    found = supplier.least_rates(asked, asked.check_in + days)
    last = a_search(hotel_ids=ids, check_in=asked.check_in + days, check_out=asked.check_out + days)
    for stay in (asked, last):
        searched = {
            offer.hotel.hotel_id: min(rate.total_cents for rate in offer.rates)
            for offer in supplier.search(stay)
        }
        of_the_day = {rate.hotel_id: rate.total_cents for rate in found if rate.check_in == stay.check_in}
        assert of_the_day == searched
    assert len(found) == 6
    assert found.withheld == Withheld()
    assert {rate.currency for rate in found} == {"EUR"}


def test_checking_an_unchanged_rate_gives_the_same_rate(supplier: HotelSupplier, rate: Rate) -> None:
    assert same_offer(supplier.check_rate(rate), rate)


def test_a_checked_rate_is_booked_and_found_as_one_that_was_not(supplier: HotelSupplier, rate: Rate) -> None:
    request = a_stay(supplier.check_rate(rate))
    stay = supplier.book(request)
    assert stay.total_cents == rate.total_cents
    assert supplier.find_booking(request.client_ref, request.rate) == stay


def test_a_sold_out_rate_is_expired(case: Case, rate: Rate) -> None:
    case.sell_out()
    assert case.supplier.search(a_search()) == []
    with pytest.raises(Expired):
        case.supplier.check_rate(rate)
    with pytest.raises(Expired):
        case.supplier.book(a_stay(rate))


def test_booking_at_a_raised_price_books_nothing_and_tells_it(case: Case, rate: Rate) -> None:
    case.raise_prices()
    request = a_stay(rate)
    with pytest.raises(PriceChanged) as raised:
        case.supplier.book(request)
    assert raised.value.current_cents == case.supplier.check_rate(rate).total_cents
    assert case.supplier.find_booking(request.client_ref, rate) is None


def test_a_booking_is_found_by_our_reference_and_read_by_theirs(supplier: HotelSupplier, rate: Rate) -> None:
    request = a_stay(rate)
    stay = supplier.book(request)
    assert (stay.total_cents, stay.currency) == (rate.total_cents, rate.currency)
    assert stay.cancellation_policy == rate.cancellation_policy
    assert (stay.cancelled, stay.penalty_cents, stay.refund_cents) == (False, None, None)
    assert supplier.find_booking(request.client_ref, rate) == stay
    assert supplier.read_booking(stay.supplier_reference) == stay


def test_rooms_and_children_are_booked_as_searched(supplier: HotelSupplier) -> None:
    rooms = (Room(2, (4,)), Room(1))
    rate = a_rate(supplier, rooms=rooms)
    assert rate.total_cents > a_rate(supplier).total_cents
    assert same_offer(supplier.check_rate(rate), rate)
    guests = (ADA, Guest("Charles", "Babbage", "adult"), Guest("Mary", "Somerville", "adult"))
    assert supplier.book(a_stay(rate, guests=guests)).total_cents == rate.total_cents


def test_an_unsent_reference_finds_nothing(supplier: HotelSupplier, stay: Stay, rate: Rate) -> None:
    assert supplier.find_booking(new_ref(), rate) is None
    assert supplier.find_cancellation(new_ref(), stay.supplier_reference) is None


def test_an_unknown_booking_is_missing(supplier: HotelSupplier) -> None:
    for call in (supplier.read_booking, supplier.quote_cancellation):
        with pytest.raises(Missing):
            call("nobody-knows-it")


def test_cancelling_costs_what_was_quoted(supplier: HotelSupplier, stay: Stay) -> None:
    quote = supplier.quote_cancellation(stay.supplier_reference)
    assert quote.penalty_cents + quote.refund_cents == stay.total_cents
    client_ref = new_ref()
    assert supplier.cancel(client_ref, stay.supplier_reference, quote) == quote
    assert supplier.find_cancellation(client_ref, stay.supplier_reference) == quote
    assert supplier.read_booking(stay.supplier_reference) == replaced(
        stay, cancelled=True, penalty_cents=quote.penalty_cents, refund_cents=quote.refund_cents
    )


def test_a_nonrefundable_booking_is_cancelled_at_full_penalty(supplier: HotelSupplier) -> None:
    stay = supplier.book(a_stay(a_rate(supplier, refundable=False)))
    quote = supplier.quote_cancellation(stay.supplier_reference)
    assert (quote.penalty_cents, quote.refund_cents) == (stay.total_cents, 0)
    assert supplier.cancel(new_ref(), stay.supplier_reference, quote) == quote


def test_cancelling_above_the_quoted_cost_is_refused(supplier: HotelSupplier) -> None:
    stay = supplier.book(a_stay(a_rate(supplier, refundable=False)))
    quote = supplier.quote_cancellation(stay.supplier_reference)
    with pytest.raises(NotPossible):
        supplier.cancel(new_ref(), stay.supplier_reference, replaced(quote, penalty_cents=0))
    assert supplier.read_booking(stay.supplier_reference) == stay


def test_a_cancelled_booking_cannot_be_cancelled_again(supplier: HotelSupplier, stay: Stay) -> None:
    quote = supplier.quote_cancellation(stay.supplier_reference)
    supplier.cancel(new_ref(), stay.supplier_reference, quote)
    with pytest.raises(NotPossible):
        supplier.quote_cancellation(stay.supplier_reference)
    with pytest.raises(NotPossible):
        supplier.cancel(new_ref(), stay.supplier_reference, quote)


def test_a_name_is_not_corrected_before_it_was_asked_for(supplier: HotelSupplier, stay: Stay) -> None:
    other = NameCorrection("Ada", "Byron", ADA.first_name, ADA.last_name, "ada@example.com", "+351210000000")
    reference = new_ref()
    assert not supplier.is_corrected(reference, stay.supplier_reference, other)
    supplier.ask_correction(reference, stay.supplier_reference, other)
    assert not supplier.is_corrected(new_ref(), stay.supplier_reference, other)
    assert supplier.read_booking(stay.supplier_reference) == stay


def test_a_name_in_an_unknown_booking_is_missing(supplier: HotelSupplier) -> None:
    other = NameCorrection("Ada", "Byron", ADA.first_name, ADA.last_name, "ada@example.com", "+351210000000")
    with pytest.raises(Missing):
        supplier.ask_correction(new_ref(), "no-such-booking", other)
