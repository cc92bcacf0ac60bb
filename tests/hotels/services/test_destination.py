"""A hotel search at a place of GET /v1/places."""

from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.hotels.models import HotelSearch
from apps.hotels.suppliers.base import StaySearch
from apps.places.services import HotelPlace, hotel_place_id, place_id
from apps.suppliers.results import Found
from tests.gateway.searches import quota_of
from tests.hotels.front_desk import FrontDesk, faults, in_days
from tests.hotels.suppliers.scripted import ScriptedHotels
from tests.places.some_places import load_hotels, load_some
from tests.support.api import Reply

LISBON, PARIS_TEXAS = place_id("city", "2267057"), place_id("city", "4717560")
AIRPORT, TOWER = place_id("airport", "LIS"), place_id("landmark", "eiffeltower")


@pytest.fixture(autouse=True)
def places(db: None) -> None:
    load_some()


@pytest.mark.parametrize(
    ("place", "means"),
    [
        (LISBON, ("Lisbon", "PT", None, None)),
        (PARIS_TEXAS, (None, None, None, (Decimal("33.66094"), Decimal("-95.55551"), 10))),
        (AIRPORT, (None, None, None, (Decimal("38.7813"), Decimal("-9.13592"), 15))),
        (TOWER, (None, None, None, (Decimal("48.8584"), Decimal("2.2945"), 5))),
        (hotel_place_id("test", "simulator", "htl_2267057_01"), (None, None, ("htl_2267057_01",), None)),
    ],
)
def test_a_place_is_what_suppliers_know_already(
    desk: FrontDesk,
    supplier: ScriptedHotels,
    monkeypatch: pytest.MonkeyPatch,
    place: str,
    means: tuple[object, ...],
) -> None:
    load_hotels("test")
    searches: list[StaySearch] = []
    monkeypatch.setattr(supplier, "search", lambda request: searches.append(request) or Found())
    assert desk.search({"destination": {"placeId": place}}).status == 201
    (asked,) = searches
    area = asked.area and (asked.area.latitude, asked.area.longitude, asked.area.radius_km)
    assert (asked.city, asked.country, asked.hotel_ids, area) == means


def test_hotels_around_an_airport_are_sorted_by_their_distance(desk: FrontDesk) -> None:
    found = desk.search({"destination": {"placeId": AIRPORT}, "sort": "distance"})
    assert found.status == 201
    assert {hotel["address"]["countryCode"] for hotel in found.body["hotels"]} == {"PT"}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"destination": {"placeId": "plc_unknown"}}, "destination.placeId"),
        ({"destination": {"placeId": "../"}}, "destination.placeId"),
        ({"destination": {"placeId": ""}}, "destination.placeId"),
        ({"destination": {"placeId": 5}}, "destination.placeId"),
        ({"destination": {"placeId": LISBON, "city": "Lisbon"}}, "destination.placeId"),
        ({"destination": {"placeId": LISBON, "countryCode": "PT"}}, "destination.placeId"),
        ({"destination": {"placeId": LISBON}, "location": {"latitude": 1, "longitude": 1}}, "location"),
        ({"destination": {"placeId": LISBON}, "hotelIds": ["h1"]}, "hotelIds"),
        ({"destination": {"placeId": LISBON}, "sort": "distance"}, "sort"),
        ({"destination": {"city": "Lisbon"}, "sort": "distance"}, "sort"),
    ],
)
def test_a_place_that_cannot_be_meant_is_rejected(
    desk: FrontDesk, body: dict[str, object], field: str
) -> None:
    assert faults(desk.search(body)) == [field]
    assert not HotelSearch.objects.exists()


def test_a_hotel_of_the_other_environment_is_unknown(desk: FrontDesk) -> None:
    load_hotels("live", HotelPlace("lp1", "Aurora Palace", "Lisbon", "PT", 38.71, -9.13), supplier="liteapi")
    reply = desk.search({"destination": {"placeId": hotel_place_id("live", "liteapi", "lp1")}})
    assert faults(reply) == ["destination.placeId"]


def test_a_search_by_name_reads_no_places(desk: FrontDesk) -> None:
    with CaptureQueriesContext(connection) as queries:
        desk.search({"destination": {"city": "Lisbon"}})
    assert not any("places_place" in query["sql"] for query in queries.captured_queries)


def cheapest(desk: FrontDesk, place: str, **more: str) -> Reply:
    days = {"from": in_days(30), "to": in_days(31)}
    return desk.api.post("/v1/hotels/min-rates", {"destination": {"placeId": place, **more}, **days})


@pytest.mark.parametrize(("place", "hotels"), [(LISBON, 20), (AIRPORT, 50)])
def test_the_cheapest_dates_of_a_place(desk: FrontDesk, place: str, hotels: int) -> None:
    rates = cheapest(desk, place).body["data"]
    found = {rate["hotelId"] for rate in rates}
    assert 0 < len(found) <= hotels
    assert len(rates) == 2 * len(found)


def test_the_cheapest_dates_of_a_hotel_by_its_place(desk: FrontDesk) -> None:
    load_hotels("test")
    rates = cheapest(desk, hotel_place_id("test", "simulator", "htl_2267057_01")).body["data"]
    assert {rate["hotelId"] for rate in rates} == {"htl_2267057_01"}


def test_an_unknown_place_or_one_named_twice_costs_nothing(desk: FrontDesk) -> None:
    unknown, twice = cheapest(desk, place_id("city", "1")), cheapest(desk, LISBON, city="Lisbon")
    assert (faults(unknown), faults(twice)) == (["destination.placeId"], ["destination.placeId"])
    assert quota_of(unknown) == quota_of(twice) == (5000, 5000, "false")
