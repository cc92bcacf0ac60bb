"""What every flight supplier keeps to, whoever it is."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import time, timedelta
from itertools import pairwise, product

import pytest

from apps.flights.suppliers.base import (
    PAID,
    PRICE,
    SORTS,
    UNPAID,
    AddServices,
    ChangeOption,
    ChosenService,
    DepartureWindow,
    FlightOffer,
    FlightOrder,
    FlightSearch,
    FlightSupplier,
    OrderRequest,
    SearchSlice,
    order_of,
    price_of,
)
from apps.suppliers import cities
from apps.suppliers.errors import Expired, Missing, NotPossible, PriceChanged, ServiceGone
from tests.flights.suppliers.contract import CASES, Case
from tests.flights.suppliers.requests import DEPARTURE, a_change, a_search, an_order, new_ref

pytestmark = pytest.mark.django_db

LATER = DEPARTURE + timedelta(days=5)


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> Iterator[Case]:
    with CASES[request.param]() as case:
        yield case


@pytest.fixture
def supplier(case: Case) -> FlightSupplier:
    return case.supplier


@pytest.fixture
def offer(supplier: FlightSupplier) -> FlightOffer:
    """The cheapest offer that is refundable and changeable."""
    offers = supplier.search(a_search())
    return next(o for o in offers if o.conditions.refundable and o.conditions.changeable)


@pytest.fixture
def order(supplier: FlightSupplier, offer: FlightOffer) -> FlightOrder:
    return supplier.book(an_order(offer))


def _fixed_offer(supplier: FlightSupplier) -> FlightOffer:
    """The cheapest offer that can be neither refunded nor changed."""
    offers = supplier.search(a_search())
    return next(o for o in offers if not o.conditions.refundable and not o.conditions.changeable)


def change(supplier: FlightSupplier, order: FlightOrder, option: ChangeOption) -> FlightOrder:
    """Both steps of a change."""
    reference = order.supplier_reference
    return supplier.change(new_ref(), reference, supplier.prepare_change(reference, option))


def test_search_offers_priced_itineraries_cheapest_first(supplier: FlightSupplier) -> None:
    offers = supplier.search(a_search())
    totals = [offer.total_cents for offer in offers]
    assert totals == sorted(totals)
    assert totals[0] > 0
    assert {offer.currency for offer in offers} == {"EUR"}
    for offer in offers:
        (leg,) = offer.slices
        assert (leg.origin, leg.destination) == ("LIS", "BER")
        assert leg.departure_at.date() == DEPARTURE
        assert leg.arrival_at - leg.departure_at == timedelta(minutes=leg.duration_minutes)
        assert (leg.segments[0].origin, leg.segments[-1].destination) == ("LIS", "BER")


def test_search_with_a_return_date_offers_two_slices(supplier: FlightSupplier) -> None:
    offers = supplier.search(a_search(return_date=LATER))
    routes = {tuple((leg.origin, leg.destination) for leg in offer.slices) for offer in offers}
    assert routes == {(("LIS", "BER"), ("BER", "LIS"))}
    assert {offer.slices[1].departure_at.date() for offer in offers} == {LATER}


def test_search_of_several_cities_offers_a_slice_for_each_in_their_order(supplier: FlightSupplier) -> None:
    days = [DEPARTURE + timedelta(days=n) for n in (0, 3, 8)]
    route = [("LIS", "BER"), ("BER", "VIE"), ("FCO", "LIS")]
    slices = tuple(SearchSlice(*way, day) for way, day in zip(route, days, strict=True))
    offers = supplier.search(FlightSearch(slices, "EUR"))
    assert offers
    for offer in offers:
        assert [(leg.origin, leg.destination) for leg in offer.slices] == route
        assert [leg.departure_at.date() for leg in offer.slices] == days
        assert all(leg.arrival_at < after.departure_at for leg, after in pairwise(offer.slices))


def test_search_takes_the_code_of_a_city_for_any_of_its_airports(supplier: FlightSupplier) -> None:
    offers = supplier.search(a_search(origin="PAR", destination="LON"))
    ends = {(leg.origin, leg.destination) for offer in offers for leg in offer.slices}
    paris, london = ({one.code for one in cities.airports_at(city)} for city in ("PAR", "LON"))
    assert ends <= set(product(paris, london))
    assert ends


@pytest.mark.parametrize(
    ("earliest", "latest"), [("00:00", "11:59"), ("06:00", "09:15"), ("12:15", "17:00"), ("00:00", "00:01")]
)
def test_search_keeps_to_the_window_of_each_slice(
    supplier: FlightSupplier, earliest: str, latest: str
) -> None:
    window = DepartureWindow(time.fromisoformat(earliest), time.fromisoformat(latest))
    every, found = (
        supplier.search(replace(a_search(limit=100), slices=(SearchSlice("LIS", "BER", DEPARTURE, one),)))
        for one in (None, window)
    )
    within = [offer for offer in every if earliest <= f"{offer.slices[0].departure_at:%H:%M}" <= latest]
    flights = [{offer.slices[0].segments for offer in offers} for offers in (within, found)]
    assert flights[0] <= flights[1]
    assert all(earliest <= f"{flight[0].departure_at:%H:%M}" <= latest for flight in flights[1])


@pytest.mark.parametrize("sort", SORTS)
def test_search_keeps_the_best_by_its_sort(supplier: FlightSupplier, sort: str) -> None:
    every, found = (supplier.search(a_search(sort=sort, limit=limit)) for limit in (20, 3))
    ranks = [[order_of(sort)(offer) for offer in offers] for offers in (every, found)]
    assert [ranked == sorted(ranked) for ranked in ranks] == [True, True]
    assert ranks[1][0] == ranks[0][0]
    if sort != PRICE:
        assert ranks[1] == ranks[0][:3]


def test_search_takes_only_the_airlines_that_it_names(supplier: FlightSupplier) -> None:
    everybody = {offer.carrier for offer in supplier.search(a_search())}
    one = min(everybody)
    only = supplier.search(a_search(airlines=(one,)))
    others = supplier.search(a_search(airlines_left_out=(one,)))
    assert {segment.carrier for offer in only for leg in offer.slices for segment in leg.segments} == {one}
    assert one not in {
        segment.carrier for offer in others for leg in offer.slices for segment in leg.segments
    }
    unfiltered = supplier.search(a_search()).withheld  # some suppliers filter by themselves, and send fewer
    for found in (only, others):
        assert found.withheld.documents_required <= unfiltered.documents_required
        assert replace(found.withheld, documents_required=unfiltered.documents_required) == unfiltered
    assert supplier.search(a_search(airlines=("A0",))) == []


def test_search_honours_limit_and_connections(supplier: FlightSupplier) -> None:
    assert len(supplier.search(a_search(limit=3))) == 3
    direct = supplier.search(a_search(max_connections=0))
    assert {len(offer.slices[0].segments) for offer in direct} == {1}


def test_repricing_an_unchanged_offer_gives_the_same_price(
    supplier: FlightSupplier, offer: FlightOffer
) -> None:
    assert supplier.reprice(offer) == offer


def test_repricing_tells_a_raised_price(case: Case, offer: FlightOffer) -> None:
    case.raise_prices()
    assert case.supplier.reprice(offer).total_cents > offer.total_cents


def test_repricing_a_sold_out_offer_says_expired(case: Case, offer: FlightOffer) -> None:
    case.sell_out()
    with pytest.raises(Expired):
        case.supplier.reprice(offer)


def test_booking_at_a_raised_price_books_nothing_and_tells_it(case: Case, offer: FlightOffer) -> None:
    case.raise_prices()
    request = an_order(offer)
    with pytest.raises(PriceChanged) as raised:
        case.supplier.book(request)
    assert raised.value.current_cents == case.supplier.reprice(offer).total_cents
    assert case.supplier.find_order(request.client_ref, offer) is None


def test_booking_a_sold_out_offer_says_expired(case: Case, offer: FlightOffer) -> None:
    case.sell_out()
    with pytest.raises(Expired):
        case.supplier.book(an_order(offer))


def test_a_booking_is_found_by_our_reference_and_read_by_theirs(
    supplier: FlightSupplier, offer: FlightOffer
) -> None:
    request = an_order(offer)
    order = supplier.book(request)
    assert (order.total_cents, order.currency) == (offer.total_cents, offer.currency)
    assert order.conditions == offer.conditions
    assert order.cancelled is False
    assert [replace(leg, supplier_id="") for leg in order.slices] == list(offer.slices)
    assert len(order.ticket_numbers) == len(request.passengers)
    assert supplier.find_order(request.client_ref, offer) == order
    assert supplier.read_order(order.supplier_reference) == order


def test_every_slice_of_an_order_has_an_id_of_its_own(supplier: FlightSupplier) -> None:
    order = supplier.book(an_order(supplier.search(a_search(return_date=LATER))[0]))
    assert len({leg.supplier_id for leg in order.slices} - {""}) == 2


def test_an_unsent_reference_finds_nothing(
    supplier: FlightSupplier, order: FlightOrder, offer: FlightOffer
) -> None:
    reference = order.supplier_reference
    option = supplier.prepare_change(reference, supplier.change_options(a_change(order, LATER))[0])
    quote = supplier.quote_cancellation(reference)
    assert supplier.find_order(new_ref(), offer) is None
    assert supplier.find_change(new_ref(), reference, option) is None
    assert supplier.find_cancellation(new_ref(), reference, quote) is None


def test_an_unknown_order_is_missing(supplier: FlightSupplier) -> None:
    for call in (supplier.read_order, supplier.quote_cancellation):
        with pytest.raises(Missing):
            call("nobody-knows-it")


def test_change_options_cost_more_and_less(supplier: FlightSupplier, order: FlightOrder) -> None:
    options = supplier.change_options(a_change(order, LATER))
    differences = [option.difference_cents for option in options]
    assert min(differences) < 0 < max(differences)
    for option in options:
        fee_left_out = order.total_cents + option.difference_cents - option.new_total_cents
        assert fee_left_out in (0, option.penalty_cents)
        assert option.currency == order.currency
        assert option.slice.departure_at.date() == LATER


@pytest.mark.parametrize("position", [0, -1], ids=["cheapest", "dearest"])
def test_a_change_replaces_the_slice_and_moves_the_total(
    supplier: FlightSupplier, order: FlightOrder, position: int
) -> None:
    quoted = supplier.change_options(a_change(order, LATER))[position]
    client_ref = new_ref()
    option = supplier.prepare_change(order.supplier_reference, quoted)
    assert replace(option, supplier_data=quoted.supplier_data) == quoted
    changed = supplier.change(client_ref, order.supplier_reference, option)
    (leg,) = changed.slices
    assert changed.total_cents == option.new_total_cents
    assert leg.supplier_id not in {"", order.slices[0].supplier_id}
    assert replace(leg, supplier_id="") == option.slice
    assert supplier.find_change(client_ref, order.supplier_reference, option) == changed
    assert supplier.read_order(order.supplier_reference) == changed


def test_a_confirmed_option_is_stale(supplier: FlightSupplier, order: FlightOrder) -> None:
    option = supplier.change_options(a_change(order, LATER))[0]
    changed = change(supplier, order, option)
    with pytest.raises(Expired):
        change(supplier, order, option)
    assert supplier.read_order(order.supplier_reference) == changed


def test_an_unchangeable_order_has_no_options(supplier: FlightSupplier) -> None:
    order = supplier.book(an_order(_fixed_offer(supplier)))
    with pytest.raises(NotPossible):
        supplier.change_options(a_change(order, LATER))


def test_a_slice_that_is_not_on_the_order_is_missing(supplier: FlightSupplier, order: FlightOrder) -> None:
    with pytest.raises(Missing):
        supplier.change_options(replace(a_change(order, LATER), remove_slice="another"))


def test_cancelling_costs_what_was_quoted(supplier: FlightSupplier, order: FlightOrder) -> None:
    quote = supplier.quote_cancellation(order.supplier_reference)
    assert 0 < quote.penalty_cents < order.total_cents
    assert quote.penalty_cents == order.conditions.penalty_cents
    assert quote.penalty_cents + quote.refund_cents == order.total_cents
    client_ref = new_ref()
    assert supplier.cancel(client_ref, order.supplier_reference, quote) == quote
    assert supplier.find_cancellation(client_ref, order.supplier_reference, quote) == quote
    ended = supplier.read_order(order.supplier_reference)
    assert ended.conditions.changeable in (False, order.conditions.changeable)
    still = replace(order, cancelled=True, cancellation=ended.cancellation, conditions=ended.conditions)
    assert ended == still
    assert ended.cancellation is not None
    told = replace(ended.cancellation, supplier_data=quote.supplier_data, expires_at=quote.expires_at)
    assert told == quote


def test_a_nonrefundable_order_is_cancelled_at_full_penalty(supplier: FlightSupplier) -> None:
    order = supplier.book(an_order(_fixed_offer(supplier)))
    quote = supplier.quote_cancellation(order.supplier_reference)
    assert (quote.penalty_cents, quote.refund_cents) == (order.total_cents, 0)
    assert supplier.cancel(new_ref(), order.supplier_reference, quote) == quote


def test_cancelling_after_a_change_counts_the_new_total(supplier: FlightSupplier, order: FlightOrder) -> None:
    option = supplier.change_options(a_change(order, LATER))[-1]
    changed = change(supplier, order, option)
    quote = supplier.quote_cancellation(order.supplier_reference)
    assert quote.penalty_cents + quote.refund_cents == changed.total_cents
    assert quote.penalty_cents == changed.conditions.penalty_cents


def test_a_quote_from_before_a_change_is_stale(supplier: FlightSupplier, order: FlightOrder) -> None:
    quote = supplier.quote_cancellation(order.supplier_reference)
    option = supplier.change_options(a_change(order, LATER))[-1]
    change(supplier, order, option)
    with pytest.raises(Expired):
        supplier.cancel(new_ref(), order.supplier_reference, quote)


def test_a_cancelled_order_can_be_neither_changed_nor_cancelled(
    supplier: FlightSupplier, order: FlightOrder
) -> None:
    option = supplier.change_options(a_change(order, LATER))[0]
    quote = supplier.quote_cancellation(order.supplier_reference)
    supplier.cancel(
        new_ref(), order.supplier_reference, supplier.quote_cancellation(order.supplier_reference)
    )
    for refused in (
        lambda: supplier.change_options(a_change(order, LATER)),
        lambda: change(supplier, order, option),
        lambda: supplier.quote_cancellation(order.supplier_reference),
        lambda: supplier.cancel(new_ref(), order.supplier_reference, quote),
    ):
        with pytest.raises(NotPossible):
            refused()


def a_hold(supplier: FlightSupplier) -> OrderRequest:
    """Of an offer that can be held."""
    route = {} if supplier.name == "simulator" else {"origin": "JFK", "destination": "EWR"}
    offer = next(offer for offer in supplier.search(a_search(**route)) if offer.pay_by)
    return replace(an_order(offer), hold=True)


def test_an_order_on_hold_is_paid_once(supplier: FlightSupplier) -> None:
    request = a_hold(supplier)
    order = supplier.book(request)
    reference = order.supplier_reference
    assert (order.payment, order.pay_by, order.issued, order.ticket_numbers) == (
        UNPAID,
        request.offer.pay_by,
        False,
        (),
    )
    assert supplier.find_order(request.client_ref, request.offer) == supplier.read_order(reference) == order
    payment = supplier.prepare_payment(reference)
    assert (payment.total_cents, payment.currency, payment.is_paid) == (order.total_cents, "EUR", False)
    assert supplier.find_payment(new_ref(), reference, payment) is None
    first = new_ref()
    paid = supplier.pay(first, reference, payment)
    assert (paid.payment, paid.issued, len(paid.ticket_numbers)) == (PAID, True, 1)
    assert supplier.prepare_payment(reference).is_paid
    assert supplier.pay(new_ref(), reference, payment) == paid
    assert supplier.find_payment(first, reference, payment) == supplier.read_order(reference) == paid


def test_an_order_on_hold_is_cancelled_for_nothing(supplier: FlightSupplier) -> None:
    reference = supplier.book(a_hold(supplier)).supplier_reference
    quote = supplier.quote_cancellation(reference)
    assert quote.refund_cents == 0
    assert supplier.cancel(new_ref(), reference, quote).refund_cents == 0
    with pytest.raises(NotPossible):
        supplier.prepare_payment(reference)


def test_an_order_has_the_bags_and_seats_that_it_was_sent_with(supplier: FlightSupplier) -> None:
    offer = supplier.search(a_search())[0]
    bag = next(one for one in supplier.services(offer) if one.kind == "checked_bag")
    seats = (
        service
        for one in supplier.seat_maps(offer)
        for cabin in one.cabins
        for row in cabin.rows
        for section in row
        for element in section
        for service in element.services
    )
    chosen = (ChosenService("bag", bag, 1, 0), ChosenService("seat", next(seats), 1, 0))
    current, now = supplier.reprice_services(offer, chosen)
    order = supplier.book(replace(an_order(current), services=now))
    assert order.total_cents == current.total_cents + price_of(now)
    assert [(one.kind, one.segments, one.designator) for one in order.services] == [
        ("checked_bag", bag.segments, None),
        ("seat", now[1].service.segments, now[1].service.designator),
    ]
    assert supplier.read_order(order.supplier_reference).services == order.services


def test_bags_are_added_once_and_found_by_what_the_order_had(supplier: FlightSupplier) -> None:
    request = an_order(supplier.search(a_search())[0])
    order = supplier.book(request)
    asked = AddServices(order.supplier_reference, request.passengers, order.slices, client_ref=new_ref())
    bag = supplier.order_services(asked)[0]
    now, before = supplier.prepare_services(replace(asked, services=(ChosenService("bag", bag, 1, 0),)))
    asked = replace(asked, services=now, before=before)
    assert supplier.find_services(asked) is None
    after = supplier.add_services(asked)
    assert after.total_cents == order.total_cents + price_of(now)
    assert [one.kind for one in after.services] == [bag.kind]
    assert supplier.find_services(asked) == after
    with pytest.raises(ServiceGone):
        supplier.prepare_services(asked)
