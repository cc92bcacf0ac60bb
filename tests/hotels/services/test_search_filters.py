"""What a search filters and sorts by, whatever its supplier makes of it, and how its hotels are read page by page."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

import pytest

from apps.common import clock
from apps.hotels.facilities import codes_of
from apps.hotels.services.search import affordable
from apps.hotels.suppliers.base import Area, HotelOffer, StaySearch
from apps.hotels.suppliers.cities import distance_km
from apps.suppliers.results import Found, Withheld
from apps.suppliers.values import replaced
from tests.hotels.front_desk import LISBON, FrontDesk, faults, rates
from tests.hotels.suppliers.requests import a_search
from tests.hotels.suppliers.scripted import ScriptedHotels
from tests.support.api import Api, Reply

Hotel = dict[str, Any]
CENTRE = {"latitude": 38.7167, "longitude": -9.1333, "radiusKm": 20}
ALL = {**LISBON, "limit": 100}

FILTERS: list[tuple[dict[str, Any], Callable[[Hotel], bool]]] = [
    ({"stars": [4, 5]}, lambda hotel: hotel["stars"] in (4, 5)),
    ({"stars": [2]}, lambda hotel: hotel["stars"] == 2),
    ({"boards": ["HB", "AI"]}, lambda hotel: {board_of(rate) for rate in hotel["rates"]} <= {"HB", "AI"}),
    ({"facilities": ["gym"]}, lambda hotel: "gym" in codes_of(hotel["amenities"])),
    ({"facilities": ["gym", "bar"]}, lambda hotel: {"gym", "bar"} <= set(codes_of(hotel["amenities"]))),
    ({"minReviewScore": 8.1}, lambda hotel: hotel["reviewScore"] >= 8.1),
    ({"name": "HÔTEL"}, lambda hotel: "hotel" in hotel["name"].casefold()),
    (
        {"stars": [3, 4], "facilities": ["bar"], "minReviewScore": 7, "boards": ["BB"]},
        lambda hotel: (
            hotel["stars"] in (3, 4)
            and "bar" in codes_of(hotel["amenities"])
            and hotel["reviewScore"] >= 7
            and {board_of(rate) for rate in hotel["rates"]} == {"BB"}
        ),
    ),
]
SORTS: dict[str, Callable[[Hotel], float]] = {
    "price": lambda hotel: min(rate["totalCents"] for rate in hotel["rates"]),
    "review_score": lambda hotel: -hotel["reviewScore"],
    "stars": lambda hotel: -hotel["stars"],
    "distance": lambda hotel: distance_km(
        CENTRE["latitude"], CENTRE["longitude"], *hotel["location"].values()
    ),
}


def board_of(rate: dict[str, Any]) -> str:
    return str(rate["board"]["code"])


def offered(hotels: list[Hotel]) -> list[object]:
    """What does not differ from search to search, as ids and instants do."""
    return [
        (
            hotel["hotelId"],
            [(rate["roomName"], board_of(rate), rate["totalCents"]) for rate in hotel["rates"]],
        )
        for hotel in hotels
    ]


def read(api: Api, search: dict[str, Any], **parameters: str) -> Reply:
    return api.get(f"/v1/hotels/searches/{search['id']}?{urlencode(parameters)}")


@pytest.mark.parametrize(("filters", "fits"), FILTERS, ids=[str(filters)[:60] for filters, _ in FILTERS])
def test_each_filter_keeps_what_it_says_and_nothing_else_is_left_out(
    desk: FrontDesk, filters: dict[str, Any], fits: Callable[[Hotel], bool]
) -> None:
    every, found = desk.hotels(ALL), desk.search({**ALL, **filters}).body
    boards = set(filters.get("boards", ["RO", "BB", "HB", "FB", "AI"]))
    left = [
        {**hotel, "rates": kept}
        for hotel in every
        if (kept := [rate for rate in hotel["rates"] if board_of(rate) in boards])
        and fits({**hotel, "rates": kept})
    ]
    assert offered(found["hotels"]) == offered(left)
    assert 0 < len(left) < len(list(rates(every)))
    assert set(found["withheld"].values()) == {0}


@pytest.mark.parametrize("sort", SORTS)
def test_each_order_decides_which_hotels_the_limit_keeps(desk: FrontDesk, sort: str) -> None:
    every = desk.hotels({"location": CENTRE, "limit": 200})
    found = desk.hotels({"location": CENTRE, "limit": 7, "sort": sort})
    assert offered(found) == offered(sorted(every, key=SORTS[sort]))[:7]


def quoted(offers: list[HotelOffer], request: StaySearch) -> Found[HotelOffer]:
    now = clock.now()
    return affordable(Found(offers), request, "EUR", now=now, lives_until=now + timedelta(minutes=20))


@pytest.mark.parametrize("sort", SORTS)
def test_what_is_equal_stays_in_the_suppliers_order(sort: str, supplier: ScriptedHotels) -> None:
    offer = supplier.search(a_search(limit=1))[0]
    alike = [HotelOffer(replaced(offer.hotel, hotel_id=str(number)), offer.rates) for number in range(30)]
    area = Area(Decimal(38), Decimal(-9), Decimal(5))
    found = quoted(alike, a_search(sort=sort, area=area, limit=20))
    assert [offer.hotel.hotel_id for offer in found] == [str(number) for number in range(20)]


def test_a_hotel_without_a_score_is_the_last_by_it_and_has_not_the_least_of_one(
    supplier: ScriptedHotels,
) -> None:
    first, second = supplier.search(a_search(limit=2))
    unknown = HotelOffer(replaced(first.hotel, review_score=None), first.rates)
    assert quoted([unknown, second], a_search(sort="review_score"))[1].hotel == unknown.hotel
    assert len(quoted([unknown, second], a_search(min_review_score=Decimal("0.1")))) == 1


def test_what_is_filtered_is_not_withheld(
    desk: FrontDesk, supplier: ScriptedHotels, monkeypatch: Any
) -> None:
    """Of each hotel one rate has expired: those that are filtered out are not counted."""
    offers = [
        replaced(offer, rates=(replaced(offer.rates[0], expires_at=clock.now()), *offer.rates[1:]))
        for offer in supplier.search(a_search(limit=8))
    ]
    wanted = offers[0].hotel.stars
    monkeypatch.setattr(supplier, "search", lambda request: Found(offers, Withheld(unsupported=2)))
    found = desk.search({"stars": [wanted]}).body
    assert found["withheld"]["noLongerSold"] == len(found["hotels"]) < 8
    assert found["withheld"]["unsupported"] == 2


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"sort": "distance"}, ["sort"]),
        ({"sort": "cheapest"}, ["sort"]),
        ({"stars": [0]}, ["stars.0"]),
        ({"stars": [4.5]}, ["stars.0"]),
        ({"stars": []}, ["stars"]),
        ({"boards": ["BB", "bb"]}, ["boards.1"]),
        ({"facilities": ["helipad"]}, ["facilities.0"]),
        ({"minReviewScore": 10.1}, ["minReviewScore"]),
        ({"name": "  "}, ["name"]),
        ({"name": "—!"}, ["name"]),
        ({"limit": 201}, ["limit"]),
        ({"pageSize": 0}, ["pageSize"]),
        ({"pageSize": 101}, ["pageSize"]),
    ],
)
def test_a_filter_that_cannot_be_meant_names_its_field(
    desk: FrontDesk, body: dict[str, Any], fields: list[str]
) -> None:
    assert faults(desk.search(body)) == fields


def pages_of(api: Api, search: Any, **parameters: str) -> Iterator[list[Hotel]]:
    """The hotels of the search page by page."""
    page = search.body
    while True:
        yield page["hotels"]
        if page["nextCursor"] is None:
            return
        reply = read(api, search.body, cursor=page["nextCursor"], **parameters)
        assert (reply.status, reply.headers.get("X-Search-Billable")) == (200, None)
        page = reply.body


@pytest.mark.parametrize(
    ("size", "parameters"), [(1, {}), (7, {}), (30, {"limit": "100"}), (100, {"limit": "1"})]
)
def test_the_pages_are_the_whole_and_ask_no_supplier(
    api: Api, desk: FrontDesk, supplier_calls: list[str], size: int, parameters: dict[str, str]
) -> None:
    body = {"destination": {"countryCode": "PT"}, "limit": 60}
    whole = offered(desk.hotels(body))
    search = desk.search({**body, "pageSize": size}, key="in-pages")
    supplier_calls.clear()
    pages = list(pages_of(api, search, **parameters))
    assert offered([hotel for page in pages for hotel in page]) == whole
    assert len(pages[0]) == min(size, len(whole))
    again = read(api, search.body)
    assert again.content == search.content == desk.search({**body, "pageSize": size}, key="in-pages").content
    assert supplier_calls == []


def test_a_search_without_pages_has_no_cursor_and_can_be_read_in_pages(api: Api, desk: FrontDesk) -> None:
    search = desk.search(ALL)
    assert search.body["nextCursor"] is None
    first = read(api, search.body, limit="6").body
    rest = read(api, search.body, cursor=first["nextCursor"]).body
    assert first["hotels"] + rest["hotels"] == search.body["hotels"]
    assert rest["nextCursor"] is None


def test_every_rate_of_the_largest_search_can_be_read(
    api: Api, desk: FrontDesk, supplier: ScriptedHotels
) -> None:
    supplier.rates_of_a_hotel = 10
    wide = {"latitude": 35.68, "longitude": 139.69, "radiusKm": 100}
    search = desk.search({"location": wide, "limit": 200, "pageSize": 100})
    hotels = [hotel for page in pages_of(api, search) for hotel in page]
    assert len(hotels) == 200
    for place in (0, 102, 103, 199):
        for rate in (hotels[place]["rates"][0], hotels[place]["rates"][-1]):
            quoted_rate = api.get(f"/v1/hotels/rates/{rate['rateId']}").body
            assert (quoted_rate["hotel"]["hotelId"], quoted_rate["totalCents"]) == (
                hotels[place]["hotelId"],
                rate["totalCents"],
            )
    first = hotels[0]["rates"][0]["rateId"]
    assert api.get(f"/v1/hotels/rates/{first[:-2]}000").error_type == "offer_expired"


@pytest.mark.parametrize("cursor", ["", "x", "next", "WyJhIl0:1:2"])
def test_a_cursor_that_is_not_the_searchs_own_is_refused(api: Api, desk: FrontDesk, cursor: str) -> None:
    one, other = (desk.search({**LISBON, "pageSize": 2}).body for _ in range(2))
    for wrong in (cursor, other["nextCursor"]):
        assert faults(read(api, one, cursor=wrong)) == ["cursor"]
    assert faults(read(api, one, limit="101")) == ["limit"]


def test_a_page_of_a_strangers_search_is_not_there(api: Api, desk: FrontDesk, stranger: Api) -> None:
    search = desk.search({**LISBON, "pageSize": 2}).body
    assert read(stranger, search).status == 404
    reply = read(stranger, search, cursor=search["nextCursor"])
    assert (reply.status, reply.error_type) == (404, "not_found")
