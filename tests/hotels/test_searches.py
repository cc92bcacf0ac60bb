"""POST /v1/hotels/searches, and the record of it."""

from collections.abc import Callable

import pytest

from apps.hotels.suppliers import cities
from tests.hotels.front_desk import FrontDesk, in_days, rates
from tests.support.api import Api

LISBON_CENTRE = {"latitude": 38.72509, "longitude": -9.1498}


def test_an_empty_search_looks_in_featured_cities_thirty_days_ahead(desk: FrontDesk) -> None:
    reply = desk.search({})
    hotels = reply.body["hotels"]
    assert reply.status == 201
    assert (reply.body["status"], reply.body["checkIn"], reply.body["checkOut"]) == (
        "completed",
        in_days(30),
        in_days(31),
    )
    assert len(hotels) == 20
    assert {hotel["address"]["city"] for hotel in hotels} == {city.name for city in cities.featured()}
    assert {rate["refundable"] for rate in rates(hotels)} == {True, False}


def test_a_rate_says_what_it_costs_and_what_it_is(desk: FrontDesk) -> None:
    reply = desk.search()
    rate = reply.body["hotels"][0]["rates"][0]
    assert set(rate) == {
        "rateId",
        "roomName",
        "board",
        "refundable",
        "totalCents",
        "currency",
        "priceBasis",
        "suggestedRetailCents",
        "cancellationPolicy",
        "cancellationSteps",
        "payAtHotel",
        "expiresAt",
        "rooms",
        "taxes",
        "totalWithLocalChargesCents",
    }
    assert (rate["currency"], rate["priceBasis"]) == ("EUR", "net")
    assert rate["suggestedRetailCents"] == (rate["totalCents"] * 110 + 50) // 100
    assert rate["expiresAt"] == reply.body["expiresAt"]
    assert rate["payAtHotel"] == [{"description": "City tax", "amountCents": 800, "currency": "EUR"}]


def test_a_rate_says_what_its_room_is_and_what_of_its_price_is_tax(desk: FrontDesk) -> None:
    rate = desk.search().body["hotels"][0]["rates"][0]
    (room,) = rate["rooms"]
    assert room["name"] == rate["roomName"]
    assert room["beds"] == "1 double bed"
    assert room["maxOccupancy"] >= 2
    assert 10 <= room["sizeM2"] <= 60
    vat = (2 * rate["totalCents"] * 6 + 106) // 212  # 6 % in Portugal
    assert rate["taxes"] == [
        {"description": "VAT 6%", "amountCents": vat, "currency": "EUR", "included": True},
        {"description": "City tax", "amountCents": 800, "currency": "EUR", "included": False},
    ]
    assert rate["totalWithLocalChargesCents"] == rate["totalCents"] + 800


def test_a_charge_in_another_currency_is_not_added(desk: FrontDesk) -> None:
    prague = desk.hotels({"destination": {"city": "Prague", "countryCode": "CZ"}})
    rate = prague[0]["rates"][0]
    assert {charge["currency"] for charge in rate["payAtHotel"]} == {"CZK"}
    assert rate["totalWithLocalChargesCents"] is None
    without = desk.hotels({"destination": {"city": "London", "countryCode": "GB"}})[0]["rates"][0]
    assert without["payAtHotel"] == []
    assert without["totalWithLocalChargesCents"] == without["totalCents"]


def test_a_hotel_can_be_shown(desk: FrontDesk) -> None:
    hotels = desk.hotels()
    assert len(hotels) > 1
    for hotel in hotels:
        assert hotel["description"].endswith("All rooms are non-smoking.")
        assert hotel["name"] in hotel["description"]
        assert len(hotel["images"]) == (4 if hotel["stars"] == 5 else 3)
        assert hotel["images"][0]["caption"] == f"{hotel['name']} from the street"
        assert 6 <= hotel["reviewScore"] <= 10
        assert hotel["checkInFrom"] in {"13:00", "14:00", "15:00", "16:00"}
        assert hotel["checkOutUntil"] in {"10:00", "11:00", "12:00"}
    assert len({hotel["description"] for hotel in hotels}) == len(hotels)


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ({"destination": {"city": "Lisbon"}}, {("Lisbon", "PT")}),
        ({"destination": {"city": "lisboa", "countryCode": "PT"}}, {("Lisbon", "PT")}),
        ({"destination": {"city": "Birmingham", "countryCode": "US"}}, {("Birmingham", "US")}),
        ({"destination": {"countryCode": "MT"}}, {(city.name, "MT") for city in cities.largest("MT", 5)}),
        ({"hotelIds": ["htl_2267057_03", "htl_2988507_01"]}, {("Lisbon", "PT"), ("Paris", "FR")}),
    ],
)
def test_hotels_are_where_they_were_looked_for(
    desk: FrontDesk, body: dict[str, object], places: set[tuple[str, str]]
) -> None:
    hotels = desk.hotels(body)
    assert len(hotels) >= 2
    assert {(hotel["address"]["city"], hotel["address"]["countryCode"]) for hotel in hotels} == places


def test_a_circle_holds_only_what_is_near(desk: FrontDesk) -> None:
    hotels = desk.hotels({"location": {**LISBON_CENTRE, "radiusKm": 0.8}})
    assert len(hotels) >= 2
    for hotel in hotels:
        where = hotel["location"]["latitude"], hotel["location"]["longitude"]
        assert cities.distance_km(*LISBON_CENTRE.values(), *where) <= 0.8  # type: ignore[call-arg]


@pytest.mark.parametrize(
    "body",
    [
        {"destination": {"city": "Nowhere-upon-Avon"}},
        {"hotelIds": ["unknown"]},
        {"location": {"latitude": -48.88, "longitude": -123.39}},
        {"maxTotalCents": 1},
    ],
)
def test_a_search_that_finds_nothing_is_answered(desk: FrontDesk, body: dict[str, object]) -> None:
    assert desk.hotels(body) == []


def test_only_refundable_rates_up_to_a_price(desk: FrontDesk) -> None:
    totals = sorted(rate["totalCents"] for rate in rates(desk.hotels()) if rate["refundable"])
    found = desk.hotels(
        {"destination": {"city": "Lisbon"}, "refundableOnly": True, "maxTotalCents": totals[4]}
    )
    assert sorted(rate["totalCents"] for rate in rates(found)) == totals[:5]
    assert {rate["refundable"] for rate in rates(found)} == {True}


def test_the_limit_counts_hotels(desk: FrontDesk) -> None:
    everything = [hotel["hotelId"] for hotel in desk.hotels({"limit": 100})]
    assert len(everything) == 100
    assert [hotel["hotelId"] for hotel in desk.hotels({"limit": 2})] == everything[:2]


@pytest.mark.parametrize(
    ("body", "stay"),
    [
        ({"checkIn": 10}, (10, 11)),
        ({"checkOut": 10}, (9, 10)),
        ({"checkIn": 10, "checkOut": 40}, (10, 40)),
        ({"checkIn": -1}, (-1, 0)),
        ({"checkOut": 0}, (-1, 0)),
    ],
)
def test_one_date_alone_means_one_night(desk: FrontDesk, body: dict[str, int], stay: tuple[int, int]) -> None:
    found = desk.search({name: in_days(days) for name, days in body.items()}).body
    assert (found["checkIn"], found["checkOut"]) == (in_days(stay[0]), in_days(stay[1]))


def test_searches_are_billable_and_replays_identical_and_free(desk: FrontDesk) -> None:
    first = desk.search({}, key="search-once")
    again = desk.search({}, key="search-once")
    assert (first.status, again.status) == (201, 201)
    assert again.content == first.content
    assert (first.headers["X-Search-Billable"], again.headers["X-Search-Billable"]) == ("true", "false")
    assert again.headers["Idempotent-Replayed"] == "true"


def test_the_record_is_the_answer_again_for_a_day_and_asks_no_supplier(
    api: Api, desk: FrontDesk, move_clock: Callable[..., None], supplier_calls: list[str]
) -> None:
    search = desk.search()
    path = f"/v1/hotels/searches/{search.body['id']}"
    supplier_calls.clear()
    move_clock(hours=23, minutes=59)
    record = api.get(path)
    assert (record.status, record.content) == (200, search.content)
    assert "X-Search-Billable" not in record.headers
    assert supplier_calls == []
    move_clock(minutes=2)
    assert (api.get(path).status, api.get(path).error_type) == (404, "not_found")


def test_a_record_is_its_partners_alone(api: Api, desk: FrontDesk, stranger: Api) -> None:
    search_id = desk.search().body["id"]
    assert api.get(f"/v1/hotels/searches/{search_id}").status == 200
    assert stranger.get(f"/v1/hotels/searches/{search_id}").status == 404
    assert api.get("/v1/hotels/searches/hsr_unknown").status == 404


def test_a_rate_is_read_as_it_was_quoted_without_asking_the_supplier(
    api: Api, desk: FrontDesk, supplier_calls: list[str]
) -> None:
    hotel = desk.hotels({"limit": 100})[99]
    supplier_calls.clear()
    for rate in hotel["rates"]:
        read = api.get(f"/v1/hotels/rates/{rate['rateId']}")
        assert read.status == 200
        assert read.body == {
            **rate,
            "hotel": {name: value for name, value in hotel.items() if name != "rates"},
            "checkIn": in_days(30),
            "checkOut": in_days(31),
            "rooms": [{"adults": 2, "childrenAges": [], **rate["rooms"][0]}],
        }
    assert supplier_calls == []
    assert "X-Search-Billable" not in read.headers


@pytest.mark.usefixtures("still_clock")
def test_a_rate_is_gone_after_twenty_minutes(
    api: Api, desk: FrontDesk, move_clock: Callable[..., None]
) -> None:
    path = f"/v1/hotels/rates/{desk.rate()['rateId']}"
    move_clock(minutes=19, seconds=55)
    assert api.get(path).status == 200
    move_clock(seconds=10)
    assert (api.get(path).status, api.get(path).error_type) == (410, "offer_expired")


@pytest.mark.parametrize(
    "rate_id", ["rate_x", "hsr_01kb2c0000000000000000000a", "offer_01kb2c0000000000000000000a00"]
)
def test_a_handle_that_was_never_given_is_expired(api: Api, rate_id: str) -> None:
    assert api.get(f"/v1/hotels/rates/{rate_id}").error_type == "offer_expired"


@pytest.mark.parametrize("position", ["03", "09", "0a", "zz"])
def test_a_place_where_no_rate_is_is_expired(api: Api, desk: FrontDesk, position: str) -> None:
    """The search has one hotel with three rates."""
    rate = desk.rate({"hotelIds": ["htl_2267057_00"]})
    assert api.get(f"/v1/hotels/rates/{rate['rateId'][:-2]}{position}").error_type == "offer_expired"
