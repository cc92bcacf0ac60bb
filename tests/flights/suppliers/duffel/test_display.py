"""What of a Duffel offer is only shown: told as it is, or nothing where it is missing or odd."""

from copy import deepcopy
from typing import Any

import pytest

from apps.common import clock
from apps.flights.suppliers.base import Baggage, FlightOffer, Passengers
from apps.flights.suppliers.duffel import mapping
from apps.flights.suppliers.duffel.adapter import DuffelFlights
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.flights.suppliers.requests import DEPARTURE, a_search, an_order

pytestmark = pytest.mark.django_db

FAMILY = Passengers(adults=2, children=1, infants=1)


def test_an_offer_tells_what_travellers_must_see(stub: DuffelStub, duffel: DuffelFlights) -> None:
    offers = duffel.search(a_search(passengers=FAMILY, return_date=DEPARTURE))
    flex = next(offer for offer in offers if offer.conditions.refundable)
    first = flex.slices[0].segments[0]
    assert (flex.fare_brand, flex.co2_kg) == ("Flex", 755)  # 94.4 each, there and back
    assert flex.baggage == (Baggage("adult", 1, 2), Baggage("child", 1, 2), Baggage("infant", 0, 0))
    assert flex.base_cents is not None
    assert flex.tax_cents == (flex.total_cents * 18 + 50) // 100
    assert flex.base_cents + flex.tax_cents == flex.total_cents
    assert (first.operating_carrier, first.operating_carrier_name) == ("ZZ", "Duffel Airways")
    assert (first.aircraft, first.origin_terminal, first.destination_terminal) == ("Airbus A320", "1", None)
    segments = [one for offer in offers for leg in offer.slices for one in leg.segments]
    assert {(one.operating_carrier, one.operating_carrier_name) for one in segments} == {
        ("", "Stub Regional"),
        ("ZZ", "Duffel Airways"),
    }
    assert {one.aircraft for one in segments} == {"Airbus A320", None}


def test_an_order_tells_the_same(stub: DuffelStub, duffel: DuffelFlights) -> None:
    offer = next(offer for offer in duffel.search(a_search()) if offer.conditions.refundable)
    order = duffel.book(an_order(offer))
    assert (order.fare_brand, order.baggage) == (offer.fare_brand, offer.baggage)
    assert [leg.segments for leg in order.slices] == [leg.segments for leg in offer.slices]


@pytest.fixture
def told(stub: DuffelStub, duffel: DuffelFlights) -> dict[str, Any]:
    """A whole offer, as it is answered."""
    duffel.search(a_search())
    return dict(stub._offer_now(next(iter(stub.offers.values()))))


def read(told: dict[str, Any], **changes: Any) -> FlightOffer:
    return mapping.offer({**told, **changes}, "economy")


def test_a_flight_whose_airline_has_no_code_is_not_sold_and_stands_in_an_order(
    stub: DuffelStub, duffel: DuffelFlights, told: dict[str, Any]
) -> None:
    def without_code(data: Any) -> Any:
        odd = deepcopy(data)
        for leg in odd["slices"]:
            for flight in leg["segments"]:
                flight["marketing_carrier"] = {**flight["marketing_carrier"], "iata_code": None}
                flight["operating_carrier"] = None
        return odd

    with pytest.raises(ValueError, match="without a code"):
        read(without_code(told))
    booked = duffel.book(an_order(duffel.search(a_search())[0]))
    data = without_code(stub._order_now(stub.orders[booked.supplier_reference]))
    order = mapping.order(data, now=clock.now())
    assert {one.carrier for leg in order.slices for one in leg.segments} == {"YY"}


def without_number(data: Any, **number: Any) -> Any:
    """The same with no number for any flight, or with `number`, which is none."""
    odd = deepcopy(data)
    for leg in odd["slices"]:
        for flight in leg["segments"]:
            del flight["marketing_carrier_flight_number"]
            flight.update(number)
    return odd


@pytest.mark.parametrize("number", [{}, {"marketing_carrier_flight_number": None}], ids=["missing", "null"])
def test_a_flight_without_a_number_is_not_sold_and_stands_in_an_order(
    stub: DuffelStub, duffel: DuffelFlights, told: dict[str, Any], number: dict[str, Any]
) -> None:
    with pytest.raises(ValueError, match="without a number"):
        read(without_number(told, **number))
    booked = duffel.book(an_order(duffel.search(a_search())[0]))
    data = without_number(stub._order_now(stub.orders[booked.supplier_reference]), **number)
    order = mapping.order(data, now=clock.now())
    assert {one.flight_number for leg in order.slices for one in leg.segments} == {"ZZ"}


@pytest.mark.parametrize(
    "change",
    [
        {"base_currency": "USD"},
        {"tax_currency": None},
        {"tax_amount": None},
        {"tax_amount": "0.00"},
        {"base_amount": "much"},
        {"base_amount": "-1.00"},
    ],
    ids=str,
)
def test_a_split_that_is_not_the_total_is_not_told(told: dict[str, Any], change: dict[str, Any]) -> None:
    assert read(told).base_cents is not None
    offer = read(told, **change)
    assert (offer.base_cents, offer.tax_cents) == (None, None)


@pytest.mark.parametrize(
    ("kilograms", "shown"),
    [
        ("460", 460),
        ("94.5", 95),
        (12, 12),
        (None, None),
        ("", None),
        ("NaN", None),
        ("-3", None),
        ("1E+40", None),
        ([], None),
    ],
)
def test_emissions_are_whole_kilograms(kilograms: Any, shown: int | None) -> None:
    assert mapping.whole_kilograms(kilograms) == shown


@pytest.mark.parametrize(
    ("brands", "shown"),
    [
        (["Basic"], "Basic"),
        (["Basic", "Basic"], "Basic"),
        (["Light", "Flex"], "Light / Flex"),
        (["Light", None], None),
        ([" "], None),
        ([7], None),
    ],
)
def test_the_brand_is_that_of_all_legs(brands: list[Any], shown: str | None) -> None:
    assert mapping.fare_brand([{"fare_brand_name": brand} for brand in brands]) == shown


@pytest.mark.parametrize(
    ("carrier", "shown"),
    [
        ({"iata_code": "ZZ", "name": "Stub"}, ("ZZ", "Stub")),
        ({"iata_code": None, "name": "Stub"}, ("", "Stub")),
        ({"iata_code": "ZZ"}, ("ZZ", "ZZ")),
        ({}, (None, None)),
        (None, (None, None)),
        ("ZZ", (None, None)),
    ],
)
def test_who_flies_is_told_by_code_and_name(carrier: Any, shown: tuple[str | None, str | None]) -> None:
    assert mapping.operator(carrier) == shown


def flights(*baggages: Any) -> list[dict[str, Any]]:
    """A leg whose flights allow one passenger this."""
    return [{"segments": [{"passengers": [{"passenger_id": "pas_1", "baggages": one}]} for one in baggages]}]


HAND, TWO = {"type": "carry_on", "quantity": 1}, {"type": "checked", "quantity": 2}


@pytest.mark.parametrize(
    ("baggages", "cabin", "checked"),
    [
        ([[HAND, TWO]], 1, 2),
        ([[HAND, TWO], [HAND]], 1, 0),
        ([[HAND, TWO], [HAND, {**TWO, "quantity": 1}]], 1, 1),
        ([[TWO]], 0, 2),
        ([[HAND], []], None, None),
        ([None], None, None),
        (["two bags"], None, None),
        ([[HAND, {"type": "checked"}]], 1, None),
        ([[HAND, {"type": "checked", "quantity": "2"}]], 1, None),
        ([[HAND, {"type": "checked", "quantity": 10**30}]], 1, None),
        ([[HAND, {"type": "checked", "quantity": True}]], 1, None),
    ],
    ids=str,
)
def test_the_least_that_any_flight_allows_is_told(
    baggages: list[Any], cabin: int | None, checked: int | None
) -> None:
    assert mapping.baggage(flights(*baggages), {"pas_1": "adult"}) == (Baggage("adult", cabin, checked),)


def test_a_flight_that_names_nobody_tells_nothing() -> None:
    nothing = (Baggage("adult", None, None),)
    for passengers in (None, [], "all", [{"passenger_id": 7}], [None]):
        slices = [{"segments": [{"passengers": passengers}]}]
        assert mapping.baggage(slices, {"pas_1": "adult"}) == nothing
