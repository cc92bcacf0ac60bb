"""What hotels are like: read leniently, learned behind the scenes, some at a time, for some days."""

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from apps.hotels import property_store
from apps.hotels.suppliers.base import Image
from apps.hotels.suppliers.liteapi.adapter import LiteApiHotels
from apps.hotels.suppliers.liteapi.hotels import (
    Content,
    DescribedRoom,
    amenities_of,
    beds_of,
    content_of,
    hour_of,
    image_of,
    images_of,
    plain,
    size_of,
)
from apps.hotels.tasks import learn_hotels
from apps.suppliers.errors import Unavailable
from apps.suppliers.values import from_json, to_json
from tests.hotels.front_desk import FrontDesk
from tests.hotels.suppliers.liteapi.described import described
from tests.hotels.suppliers.liteapi.inventory import FACILITIES, INNS
from tests.hotels.suppliers.liteapi.stub import FACTS, LiteApiStub
from tests.hotels.suppliers.requests import a_search
from tests.support.supplier_stub import Trouble, refusal

AT = "https://static.stub.example/lpstub01"
WHOLE = Content(
    description="Hotel Miradouro lies in Lisbon & near the river. Quiet rooms.",
    images=(
        Image(f"{AT}/front.jpg", "From the street"),
        Image(f"{AT}/room.jpg", "Room"),
        Image(f"{AT}/bath.jpg", "Bath"),
    ),
    review_score=Decimal("8.7"),
    check_in_from="14:00",
    check_out_until="11:00",
    rooms=(
        DescribedRoom("101", "Superior Garden Double", "1 Double bed or 2 Single bed", 3, 24),
        DescribedRoom("102", "double room", "1 Double bed or 2 Single bed", 3, 20),
    ),
)


def received() -> dict[str, Any]:
    """As it comes in: numbers with a fraction are decimals."""
    data: dict[str, Any] = json.loads(json.dumps(described(INNS[0])), parse_float=Decimal)
    return data


def test_the_documented_description() -> None:
    content = content_of(received())
    assert content == WHOLE
    assert from_json(Content, to_json(content)) == WHOLE


def test_nothing_is_needed() -> None:
    assert content_of({}) == Content()
    assert amenities_of({}) == []


NOT_IT: list[Any] = [None, 7, Decimal("1e999"), True, "", "text", [], [None], [7], [[]], {}, {"a": 1}]


@pytest.mark.parametrize("told", NOT_IT, ids=str)
@pytest.mark.parametrize("name", [*described(INNS[0])])
def test_a_field_of_another_form_takes_nothing_else_with_it(name: str, told: Any) -> None:
    data = {**received(), name: told}
    content = content_of(data)
    amenities_of(data)
    assert from_json(Content, to_json(content)) == content
    same = [
        field
        for field in ("description", "images", "rooms")
        if getattr(content, field) == getattr(WHOLE, field)
    ]
    assert len(same) >= 2


@pytest.mark.parametrize("told", NOT_IT, ids=str)
@pytest.mark.parametrize("name", [*described(INNS[0])["rooms"][0]])
def test_a_room_of_another_form_takes_no_other_with_it(name: str, told: Any) -> None:
    whole = received()
    rooms = [{**whole["rooms"][0], name: told}, whole["rooms"][1], told]
    assert WHOLE.rooms[1] in content_of({**whole, "rooms": rooms}).rooms


@pytest.mark.parametrize(
    ("told", "hour"),
    [
        ("04:00 PM", "16:00"),
        ("4:30 pm", "16:30"),
        ("12:00 AM", "00:00"),
        ("12:15 PM", "12:15"),
        ("15:00", "15:00"),
        (" 09:05 ", "09:05"),
        ("25:00", None),
        ("00:30 PM", None),
        ("noon", None),
        (None, None),
    ],
)
def test_hours(told: object, hour: str | None) -> None:
    assert hour_of(told) == hour


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ("<p>A &amp; B</p><p>C</p>", "A & B C"),
        ("line\n\n  line\0", "line line"),
        ("<br/>", None),
        ("", None),
        (7, None),
    ],
)
def test_html_becomes_plain_text(told: object, text: str | None) -> None:
    assert plain(told) == text


@pytest.mark.parametrize(
    "url",
    [
        None,
        7,
        "",
        "http://a.example/1.jpg",
        "/1.jpg",
        "https://" + "a" * 500,
    ],
)
def test_what_no_page_may_show_is_no_picture(url: object) -> None:
    assert image_of("https://a.example/1.jpg") is not None
    assert image_of(url) is None


def test_the_main_picture_stands_in_for_the_others() -> None:
    assert images_of({"main_photo": "https://a.example/1.jpg"}) == (Image("https://a.example/1.jpg"),)
    many = [{"url": f"https://a.example/{n}.jpg", "order": n} for n in range(9, 0, -1)]
    assert [image.url[-5] for image in images_of({"hotelImages": many})] == list("12345")


@pytest.mark.parametrize(
    ("size", "unit", "square_metres"),
    [
        (24, "m2", 24),
        (215, "sqft", 20),
        (24, "tsubo", None),
        (0, "m2", None),
        (Decimal("-1e30"), "m2", None),
    ],
)
def test_sizes(size: int | Decimal, unit: str | None, square_metres: int | None) -> None:
    assert size_of({"roomSizeSquare": size, "roomSizeUnit": unit}) == square_metres


def test_beds() -> None:
    double, single = {"quantity": 1, "bedType": "Double bed"}, {"quantity": 2, "bedType": "Single bed"}
    assert beds_of({"bedTypes": [double, single], "bedRelation": "and"}) == "1 Double bed, 2 Single bed"
    assert beds_of({"bedTypes": [{"bedType": "Sofa"}, {"quantity": 1}, 7]}) == "1 Sofa"
    assert beds_of({"bedTypes": None}) is None


pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_pauses")]

LISBON = ["lpstub01", "lpstub02", "lpstub03"]


def amenities(hotels: LiteApiHotels) -> dict[str, list[str]]:
    return {
        offer.hotel.hotel_id: list(offer.hotel.amenities)
        for offer in hotels.search(a_search())
        if offer.hotel.amenities
    }


def test_a_search_asks_nothing_and_the_next_one_knows(desk: FrontDesk, stub: LiteApiStub) -> None:
    assert [hotel["amenities"] for hotel in desk.hotels()] == [[], [], []]
    assert stub.heard_by(*FACTS) == []
    assert learn_hotels() == 3
    assert [hotel["amenities"] for hotel in desk.hotels()] == [FACILITIES[hotel] for hotel in LISBON]
    assert learn_hotels() == 0
    assert len(stub.heard_by(*FACTS)) == 3


def test_some_are_learned_at_a_time_those_first_that_have_waited_longest(
    hotels: LiteApiHotels, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(property_store, "AT_ONCE", 2)
    hotels.search(a_search(limit=1))
    hotels.search(a_search())
    assert hotels.learn() == 2
    assert "lpstub01" in amenities(hotels)
    assert hotels.learn() == 1
    assert sorted(amenities(hotels)) == LISBON


def test_after_a_week_they_are_asked_for_again_and_shown_meanwhile(
    hotels: LiteApiHotels, stub: LiteApiStub, move_clock: Callable[..., None]
) -> None:
    hotels.search(a_search())
    hotels.learn()
    move_clock(days=8)
    assert hotels.learn() == 0
    assert sorted(amenities(hotels)) == LISBON
    assert sorted(amenities(hotels)) == LISBON
    assert hotels.learn() == 3
    assert len(stub.heard_by(*FACTS)) == 6


@pytest.mark.parametrize("trouble", [refusal(404), refusal(400, {"error": {"code": 4002}})])
def test_a_hotel_that_they_do_not_describe_is_not_asked_for_again(
    hotels: LiteApiHotels, stub: LiteApiStub, trouble: Trouble
) -> None:
    hotels.search(a_search(limit=1))
    stub.trouble(*FACTS, trouble)
    assert (hotels.learn(), hotels.learn()) == (1, 0)


@pytest.mark.parametrize("trouble", [refusal(500), refusal(200, b"?"), refusal(200, {"data": 5})])
def test_without_an_answer_the_others_have_their_turn_first(
    hotels: LiteApiHotels, stub: LiteApiStub, trouble: Trouble
) -> None:
    hotels.search(a_search())
    stub.trouble(*FACTS, trouble)
    with pytest.raises(Unavailable):  # the periodic task counts as failed
        hotels.learn()
    assert hotels.learn() == 3
    asked = [heard.query["hotelId"] for heard in stub.heard_by(*FACTS)]
    assert (asked[0], asked[-1]) == ("lpstub01", "lpstub01")


def test_a_hotel_is_shown_as_they_describe_it_from_the_next_search_on(
    desk: FrontDesk, stub: LiteApiStub
) -> None:
    """Before that, with what the search itself tells."""
    before = desk.hotels()[0]
    main = "https://static.stub.example/lpstub01/main.jpg"
    assert before["images"] == [{"url": main, "caption": ""}]
    assert (before["description"], before["checkInFrom"], before["checkOutUntil"]) == (None, None, None)
    assert before["reviewScore"] == 8.7
    learn_hotels()
    after = desk.hotels()[0]
    assert after["description"] == "Hotel Miradouro lies in Lisbon & near the river. Quiet rooms."
    assert [image["caption"] for image in after["images"]] == ["From the street", "Room", "Bath"]
    assert (after["checkInFrom"], after["checkOutUntil"]) == ("14:00", "11:00")
    saver, flex = after["rates"]
    garden = {
        "name": "Double Room, Garden View",
        "beds": "1 Double bed or 2 Single bed",
        "maxOccupancy": 2,
        "sizeM2": 24,
    }
    assert flex["rooms"] == [garden]  # mapped by its id
    assert [(room["name"], room["sizeM2"]) for room in saver["rooms"]] == [("Double Room", 20)]  # by its name
    assert [(room["beds"], room["sizeM2"]) for room in before["rates"][1]["rooms"]] == [(None, None)]
