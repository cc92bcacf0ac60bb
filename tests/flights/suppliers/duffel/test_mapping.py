"""What of an offer is only shown, and local times without offset, instants, durations."""

from copy import deepcopy
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apps.common import clock
from apps.flights.suppliers.base import (
    Amenities,
    Baggage,
    FlightOffer,
    Passengers,
    SeatElement,
    SliceConditions,
)
from apps.flights.suppliers.duffel import mapping, services
from apps.flights.suppliers.duffel.adapter import DuffelFlights
from apps.flights.suppliers.duffel.mapping import instant, local_time, minutes
from apps.suppliers.values import from_json, to_json
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
    assert first.operator == ("ZZ", "Duffel Airways")
    assert (first.aircraft, first.origin_terminal, first.destination_terminal) == ("Airbus A320", "1", None)
    segments = [one for offer in offers for leg in offer.slices for one in leg.segments]
    assert {one.operator for one in segments} == {
        ("", "Stub Regional"),
        ("ZZ", "Duffel Airways"),
    }
    assert {one.aircraft for one in segments} == {"Airbus A320", None}


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


@pytest.mark.parametrize(
    "change",
    [
        {"base_currency": "USD"},
        {"tax_currency": None},
        {"tax_amount": None},
        {"tax_amount": "0.00"},
        {"base_amount": "-1.00"},
    ],
    ids=str,
)
def test_a_split_that_is_not_the_total_is_not_told(told: dict[str, Any], change: dict[str, Any]) -> None:
    assert read(told).base_cents is not None
    offer = read(told, **change)
    assert (offer.base_cents, offer.tax_cents) == (None, None)


@pytest.mark.parametrize(
    ("brands", "shown"),
    [
        (["Basic", "Basic"], "Basic"),
        (["Light", "Flex"], "Light / Flex"),
        (["Light", None], None),
        ([" "], None),
    ],
)
def test_the_brand_is_that_of_all_legs(brands: list[Any], shown: str | None) -> None:
    assert mapping.fare_brand([{"fare_brand_name": brand} for brand in brands]) == shown


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
        ([[HAND], []], 0, 0),
        ([[HAND, {**TWO, "quantity": 0}]], 1, 0),
        ([None], None, None),
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


@pytest.mark.parametrize(
    ("airport", "offset"),
    [
        ({"iata_code": "LIS", "time_zone": "Europe/Lisbon"}, 1),
        ({"iata_code": "BER"}, 2),
        ({"iata_code": "BER", "time_zone": "../etc"}, 2),
        ({"iata_code": "BER", "time_zone": "Europe"}, 2),
        ({"iata_code": "ZZZ", "time_zone": "Asia/Tokyo"}, 9),
        ({}, 0),
    ],
    ids=str,
)
def test_a_local_time_gets_the_offset_of_its_airport(airport: dict[str, Any], offset: int) -> None:
    at = local_time("2027-07-03T09:15:00", airport)
    assert (at.isoformat()[:19], at.utcoffset()) == ("2027-07-03T09:15:00", timedelta(hours=offset))
    assert from_json(datetime, to_json(at)).isoformat() == at.isoformat()


@pytest.mark.parametrize("offset", ["+01:00:30", "+23:59:59.5"])
def test_an_offset_that_is_not_kept_in_storage_is_refused(offset: str) -> None:
    with pytest.raises(ValueError, match="part of a minute"):
        local_time(f"2027-07-03T09:15:00{offset}", {"iata_code": "LIS"})


@pytest.mark.parametrize(
    "text",
    [
        "2027-02-03T14:22:00Z",
        "2027-02-03T14:22:00.000000Z",
        "2027-02-03T14:22:00",
        "2027-02-03T16:22:30+02:00:30",
    ],
)
def test_an_instant_is_in_utc(text: str) -> None:
    found = instant(text)
    assert (found, found and found.tzinfo) == (datetime(2027, 2, 3, 14, 22, tzinfo=UTC), UTC)


@pytest.mark.parametrize(
    ("duration", "whole"),
    [
        ("PT2H10M", 130),
        ("P1DT1H", 1_500),
        ("PT2H10M30S", 130),
        (None, 95),
        ("", 95),
        ("two hours", 95),
    ],
)
def test_a_duration_is_theirs_or_what_lies_between(duration: str | None, whole: int) -> None:
    start = datetime(2027, 2, 3, 9, 15, tzinfo=UTC)
    assert minutes(duration, start, start + timedelta(minutes=95)) == whole


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


# --- What travellers, agents and accountants see of a flight ------------------------------------------------------
def test_a_flight_tells_its_cabin_distance_number_and_comfort(
    stub: DuffelStub, duffel: DuffelFlights
) -> None:
    offers = duffel.search(a_search(cabin="business", limit=20))
    flex = next(offer for offer in offers if offer.conditions.refundable)
    assert flex.conditions_url == "https://zz.example/conditions-of-carriage"
    assert flex.slices[0].conditions == SliceConditions(True, True, None)
    flights = [one for offer in offers for leg in offer.slices for one in leg.segments]
    assert {one.cabin for one in flights} == {"business"}
    assert {one.amenities for one in flights} == {Amenities("paid", False, "30", "standard")}
    distances = {one.distance_km for one in flights if (one.origin, one.destination) == ("LIS", "BER")}
    assert distances == {2304}
    numbers = {(one.operating_carrier, one.own_number, one.flight_number) for one in flights}
    assert ("ZZ", "ZZ412", "ZZ412") in numbers
    assert ("", "0417", "ZZ417") in numbers
    (stopping,) = {one for one in flights if one.flight_number == "ZZ412"}
    (stop,) = stopping.stops
    assert (stop.airport, stop.duration_minutes) == ("LYS", 45)
    assert stop.arrival_at is not None
    assert stop.arrival_at - stopping.departure_at == timedelta(minutes=80)
    assert stop.departure_at == stop.arrival_at + timedelta(minutes=45)
    assert all(one.stops == () for one in flights if one is not stopping and one != stopping)


def flying(told: dict[str, Any], **changes: Any) -> Any:
    """The only flight of the offer with these fields."""
    (leg,) = told["slices"]
    (flight,) = leg["segments"]
    return read(told, slices=[{**leg, "segments": [{**flight, **changes}]}]).slices[0].segments[0]


def seats(*cabins: Any) -> list[Any]:
    return [{"passenger_id": f"pas_{place}", "cabin_class": cabin} for place, cabin in enumerate(cabins)]


@pytest.mark.parametrize(
    ("passengers", "cabin"),
    [
        (seats("business", "premium_economy", "first"), "premium_economy"),
        (seats("first", "economy"), "economy"),
        (seats(None, "business", "sleeper"), "business"),
        (seats("sleeper"), None),
        ([], None),
        (None, None),
        ("all", None),
        ([None, "economy", {}], None),
    ],
    ids=str,
)
def test_the_cabin_of_a_flight_is_the_lowest_of_all_passengers(
    told: dict[str, Any], passengers: Any, cabin: str | None
) -> None:
    assert flying(told, passengers=passengers).cabin == cabin


@pytest.mark.parametrize(
    ("amenities", "found"),
    [
        (None, None),
        ({}, None),
        ({"wifi": {"available": False, "cost": "n/a"}}, Amenities("none")),
        ({"wifi": {"available": True, "cost": "free"}}, Amenities("free")),
        ({"wifi": {"available": True, "cost": "free or paid"}}, Amenities("free_or_paid")),
        ({"wifi": {"available": True, "cost": "n/a"}}, Amenities("available")),
        ({"wifi": {"available": "true", "cost": 7}, "power": {"available": True}}, Amenities(power=True)),
        (
            {"wifi": "free", "power": None, "seat": {"legroom": "more", "pitch": 31}},
            Amenities(legroom="more"),
        ),
        ("none", None),
    ],
    ids=str,
)
def test_what_a_cabin_has_is_told_as_far_as_it_is_known(
    told: dict[str, Any], amenities: Any, found: Amenities | None
) -> None:
    (seat,) = seats("economy")
    for cabin in ({"amenities": amenities}, {"amenities": amenities, "name": None}):
        assert flying(told, passengers=[{**seat, "cabin": cabin}]).amenities == found
    assert flying(told, passengers=[{**seat, "cabin": "economy"}]).amenities is None


STOP: dict[str, Any] = {"airport": {"iata_code": "LYS", "time_zone": "Europe/Paris"}}


@pytest.mark.parametrize(
    ("stops", "found"),
    [
        (None, []),
        ("none", []),
        ([None, {}, {"airport": None}, {"airport": {"iata_code": 7}}], []),
        ([STOP], [("LYS", None)]),
        ([{**STOP, "duration": "PT45M"}], [("LYS", None)]),
        (
            [{**STOP, "arriving_at": "2027-02-03T12:00:00", "departing_at": "2027-02-03T12:50:00"}, STOP],
            [("LYS", 50), ("LYS", None)],
        ),
        ([{**STOP, "arriving_at": "noon"}], []),
    ],
    ids=str,
)
def test_a_landing_that_cannot_be_read_is_left_out(
    told: dict[str, Any], stops: Any, found: list[Any]
) -> None:
    assert [(one.airport, one.duration_minutes) for one in flying(told, stops=stops).stops] == found


@pytest.mark.parametrize(
    ("distance", "kilometres"),
    [
        ("2312.5", 2313),
        ("0", 0),
        (7, 7),
        (None, None),
        ("far", None),
        ("-1", None),
        ("1E+9", None),
        ("NaN", None),
    ],
)
def test_a_distance_is_a_number_or_none(told: dict[str, Any], distance: Any, kilometres: int | None) -> None:
    assert flying(told, distance=distance).distance_km == kilometres


@pytest.mark.parametrize(
    "address",
    [
        "http://zz.example/terms",
        "javascript:alert(1)",
        "https://",
        "https://zz.example/a b",
        'https://zz.example/"onclick="',
        "https://user@zz.example/terms",
        f"https://zz.example/{'a' * 2_048}",
        "",
        None,
        7,
    ],
)
def test_an_address_that_is_no_https_page_is_not_shown(told: dict[str, Any], address: Any) -> None:
    owner = told["owner"]
    assert read(told, owner={**owner, "conditions_of_carriage_url": address}).conditions_url is None
    for good in ("https://zz.example", "https://zz.example:8443/t?a=1#2"):
        assert read(told, owner={**owner, "conditions_of_carriage_url": good}).conditions_url == good


@pytest.mark.parametrize(
    ("conditions", "found"),
    [
        (None, None),
        ({}, None),
        ({"advance_seat_selection": None, "priority_boarding": "yes"}, None),
        ({"advance_seat_selection": False}, SliceConditions(False, None, None)),
        ({"priority_boarding": True, "priority_check_in": False}, SliceConditions(None, True, False)),
    ],
    ids=str,
)
def test_a_slice_says_what_the_fare_includes_on_it(
    told: dict[str, Any], conditions: Any, found: SliceConditions | None
) -> None:
    (leg,) = told["slices"]
    assert read(told, slices=[{**leg, "conditions": conditions}]).slices[0].conditions == found


def test_a_section_of_a_row_may_be_an_empty_list() -> None:
    """As it was recorded: nothing is drawn there."""
    seat = {"type": "seat", "designator": "1A", "disclosures": [], "available_services": []}
    cabin = {"cabin_class": "economy", "rows": [{"sections": [[], {"elements": []}, {"elements": [seat]}]}]}
    (found,) = services.seat_maps([{"segment_id": "seg_1", "cabins": [cabin]}], {}, {"seg_1": (0, 0)}, "EUR")
    assert found.cabins[0].rows == (((), (), (SeatElement("seat", "1A"),)),)
