"""What every transfer supplier keeps to, whoever it is."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from apps.suppliers.errors import Expired, Missing, NotPossible, PriceChanged
from apps.transfers.suppliers.base import Passengers, TransferOffer, TransferOrder, TransferSupplier
from tests.transfers.suppliers.contract import CASES, Case
from tests.transfers.suppliers.requests import a_search, an_order, new_ref

pytestmark = pytest.mark.django_db


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> Iterator[Case]:
    with CASES[request.param]() as case:
        yield case


@pytest.fixture
def supplier(case: Case) -> TransferSupplier:
    return case.supplier


@pytest.fixture
def offer(supplier: TransferSupplier) -> TransferOffer:
    """One whose cancellation costs a part of the price at any time before the day."""
    return next(
        offer
        for offer in supplier.search(a_search())
        if offer.cancellation_policy[0].starts_at is None
        and offer.cancellation_policy[0].amount_cents < offer.total_cents
    )


@pytest.fixture
def order(supplier: TransferSupplier, offer: TransferOffer) -> TransferOrder:
    return supplier.book(an_order(offer))


def test_search_offers_vehicles_for_the_party_cheapest_first(supplier: TransferSupplier) -> None:
    offers = supplier.search(a_search(passengers=Passengers(3, 2, 1)))
    totals = [offer.total_cents for offer in offers]
    assert totals == sorted(totals)
    assert totals[0] > 0
    assert {offer.currency for offer in offers} == {"EUR"}
    assert min(offer.vehicle.max_passengers or 99 for offer in offers) >= 6


def test_search_honours_limit_and_vehicle_class(supplier: TransferSupplier) -> None:
    assert len(supplier.search(a_search(limit=2))) == 2
    found = supplier.search(a_search(vehicle_class="minivan"))
    assert [offer.vehicle.category for offer in found] == ["minivan"]


def test_policies_rise_to_the_whole_price_at_most(supplier: TransferSupplier) -> None:
    offers = supplier.search(a_search())
    assert offers
    for offer in offers:
        amounts = [step.amount_cents for step in offer.cancellation_policy]
        starts = [step.starts_at for step in offer.cancellation_policy if step.starts_at]
        assert amounts == sorted(amounts)
        assert amounts[-1] == offer.total_cents
        assert starts == sorted(starts)


def test_repricing_an_unchanged_offer_gives_the_same_offer(supplier, offer):
    current = supplier.reprice(a_search(), offer)
    assert replace(current, supplier_data=offer.supplier_data) == offer  # a key of theirs may be a new one


@pytest.mark.parametrize("percent", [90, 110])
def test_repricing_tells_the_price_now(case: Case, offer: TransferOffer, percent: int) -> None:
    case.move_prices(percent)
    now = case.supplier.reprice(a_search(), offer)
    assert now.vehicle == offer.vehicle
    assert abs(now.total_cents - offer.total_cents * percent // 100) <= 1


def test_repricing_a_sold_out_offer_says_expired(case: Case, offer: TransferOffer) -> None:
    case.sell_out()
    with pytest.raises(Expired):
        case.supplier.reprice(a_search(), offer)


def test_booking_at_a_raised_price_books_nothing_and_tells_it(case: Case, offer: TransferOffer) -> None:
    case.move_prices(110)
    request = an_order(offer)
    with pytest.raises(PriceChanged) as raised:
        case.supplier.book(request)
    assert raised.value.current_cents == case.supplier.reprice(a_search(), offer).total_cents
    assert case.supplier.find_order(request.client_ref, request) is None


def test_a_booking_is_found_by_our_reference_and_read_by_theirs(supplier, offer):
    request = an_order(offer)
    order = supplier.book(request)
    assert (order.total_cents, order.currency) == (offer.total_cents, offer.currency)
    assert order.cancellation_policy == offer.cancellation_policy
    assert order.cancellation is None
    assert order.pickup.instructions
    assert supplier.find_order(request.client_ref, request) == order
    assert supplier.read_order(order.supplier_reference) == order


def test_an_unsent_reference_finds_nothing(supplier, offer, order):
    assert supplier.find_order(new_ref(), an_order(offer)) is None
    assert supplier.find_cancellation(new_ref(), order.supplier_reference) is None


def test_an_unknown_order_is_missing(supplier: TransferSupplier) -> None:
    for call in (supplier.read_order, supplier.quote_cancellation):
        with pytest.raises(Missing):
            call("nobody-knows-it")


def test_cancelling_costs_what_was_quoted(supplier: TransferSupplier, order: TransferOrder) -> None:
    quote = supplier.quote_cancellation(order.supplier_reference)
    assert quote.penalty_cents == order.cancellation_policy[0].amount_cents
    assert quote.penalty_cents + quote.refund_cents == order.total_cents
    client_ref = new_ref()
    assert supplier.cancel(client_ref, order.supplier_reference, quote) == quote
    found = supplier.find_cancellation(client_ref, order.supplier_reference)
    ended = supplier.read_order(order.supplier_reference).cancellation
    assert found is not None
    assert ended is not None
    assert (found.penalty_cents, ended.penalty_cents) == (quote.penalty_cents, quote.penalty_cents)
    assert (found.currency, ended.currency) == (quote.currency, quote.currency)


def test_cancelling_never_costs_more_than_quoted(supplier: TransferSupplier, order: TransferOrder) -> None:
    quote = supplier.quote_cancellation(order.supplier_reference)
    cheaper = replace(quote, penalty_cents=quote.penalty_cents - 1, refund_cents=quote.refund_cents + 1)
    with pytest.raises(NotPossible):
        supplier.cancel(new_ref(), order.supplier_reference, cheaper)
    assert supplier.read_order(order.supplier_reference) == order


def test_a_cancelled_order_cannot_be_cancelled_again(supplier, order):
    quote = supplier.quote_cancellation(order.supplier_reference)
    supplier.cancel(new_ref(), order.supplier_reference, quote)
    for refused in (
        lambda: supplier.quote_cancellation(order.supplier_reference),
        lambda: supplier.cancel(new_ref(), order.supplier_reference, quote),
    ):
        with pytest.raises(NotPossible):
            refused()
