"""What a search keeps of what a supplier says."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from apps.bookings.models import Booking
from apps.bookings.travellers import opened
from apps.common import clock
from apps.hotels.models import HotelSearch
from apps.hotels.services.search import affordable
from apps.hotels.suppliers import cities
from apps.hotels.suppliers.base import HotelOffer
from apps.suppliers.results import Found, Withheld
from apps.suppliers.values import from_json, replaced
from tests.hotels.front_desk import FrontDesk, in_days, rates
from tests.hotels.suppliers.requests import a_search
from tests.hotels.suppliers.scripted import ScriptedHotels
from tests.support.api import Api


def test_a_rate_lives_no_longer_than_its_supplier_says(
    desk: FrontDesk, supplier: ScriptedHotels, move_clock: Callable[..., None]
) -> None:
    supplier.expires_at = clock.now() + timedelta(minutes=5)
    rate = desk.rate()
    assert rate["expiresAt"] == clock.rfc3339(supplier.expires_at)
    move_clock(minutes=6)
    assert desk.book(rate).error_type == "offer_expired"
    assert desk.api.get(f"/v1/hotels/rates/{rate['rateId']}").error_type == "offer_expired"


@pytest.mark.parametrize("says", [None, timedelta(days=1)])
def test_a_rate_lives_twenty_minutes_whatever_its_supplier_says(
    desk: FrontDesk, supplier: ScriptedHotels, says: timedelta | None
) -> None:
    supplier.expires_at = says and clock.now() + says
    reply = desk.search()
    assert reply.body["hotels"][0]["rates"][0]["expiresAt"] == reply.body["expiresAt"]
    row = HotelSearch.objects.get()
    kept = from_json(list[HotelOffer], row.hotels)
    assert {rate.expires_at for offer in kept for rate in offer.rates} == {row.expires_at}


def test_no_more_rates_are_quoted_than_handles_reach(desk: FrontDesk, supplier: ScriptedHotels) -> None:
    supplier.rates_of_a_hotel = 12
    hotels = desk.hotels({"limit": 100})
    assert {len(hotel["rates"]) for hotel in hotels} == {10}
    last = hotels[-1]["rates"][-1]
    read = desk.api.get(f"/v1/hotels/rates/{last['rateId']}").body
    assert (read["hotel"]["hotelId"], read["totalCents"]) == (hotels[-1]["hotelId"], last["totalCents"])


def test_only_rates_up_to_the_price_that_was_asked_for_are_kept_and_only_hotels_that_have_one(
    supplier: ScriptedHotels,
) -> None:
    offers = supplier.search(a_search(limit=5))
    totals = sorted(rate.total_cents for offer in offers for rate in offer.rates)
    for most in (totals[0] - 1, totals[0], totals[4], totals[-1]):
        now = clock.now()
        asked = a_search(max_total_cents=most, limit=5)
        found = affordable(offers, asked, "EUR", now=now, lives_until=now + timedelta(minutes=20))
        assert all(offer.rates for offer in found)
        kept = sorted(rate.total_cents for offer in found for rate in offer.rates)
        assert kept == [total for total in totals if total <= most]


def test_rates_that_are_withheld_are_counted_and_the_record_says_so_too(
    desk: FrontDesk, supplier: ScriptedHotels, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every hotel has three rates, one of which has expired."""
    offers = []
    for offer in supplier.search(a_search(limit=2)):
        gone = replaced(offer.rates[0], expires_at=clock.now())
        offers.append(replaced(offer, rates=(gone, *offer.rates[1:])))
    monkeypatch.setattr(supplier, "search", lambda request: Found(offers, Withheld(1, 0, 2, 3)))
    first, again = (desk.search(key="search-once") for _ in range(2))
    assert [len(hotel["rates"]) for hotel in first.body["hotels"]] == [2, 2]
    counts = {"documentsRequired": 1, "noLongerSold": 2, "unsupported": 2, "unreadable": 3}
    assert first.body["withheld"] == counts
    assert again.content == first.content
    assert desk.api.get(f"/v1/hotels/searches/{first.body['id']}").content == first.content


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
        "remarks",
        "promotions",
        "perks",
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


@pytest.mark.parametrize("position", ["03", "09", "0a", "zz"])
def test_a_place_where_no_rate_is_is_expired(api: Api, desk: FrontDesk, position: str) -> None:
    """The search has one hotel with three rates."""
    rate = desk.rate({"hotelIds": ["htl_2267057_00"]})
    assert api.get(f"/v1/hotels/rates/{rate['rateId'][:-2]}{position}").error_type == "offer_expired"


def test_what_the_release_before_stored_is_read_on(api: Api, desk: FrontDesk) -> None:
    """It knew no remarks, promotions and perks, and nothing for the desk."""
    search, booking = desk.search().body, desk.booked()
    row, booked = HotelSearch.objects.get(pk=search["id"]), Booking.objects.get()
    for rate in (rate for hotel in row.hotels for rate in hotel["rates"]):
        for name in ("remarks", "promotions", "perks"):
            del rate[name]
    row.save()
    stored = opened(booked)
    since = ("remarks", "promotions", "perks", "desk", "correction")
    booked.details = {name: value for name, value in stored.items() if name not in since}
    booked.save()
    read = api.get(f"/v1/hotels/searches/{search['id']}").body
    told = [*rates(read["hotels"]), desk.read(booking["id"]).body]
    assert len(told) > 20
    assert all(one[name] == [] for one in told for name in ("remarks", "promotions", "perks"))
