"""How they describe a hotel, field by field; what is not as documented is left out."""

import json
from decimal import Decimal
from typing import Any

import pytest

from apps.hotels.suppliers.base import Image
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
    score_of,
    size_of,
)
from apps.suppliers.values import from_json, to_json
from tests.hotels.suppliers.liteapi.described import described
from tests.hotels.suppliers.liteapi.inventory import INNS

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
        ("15:00:00", "15:00"),
        (" 09:05 ", "09:05"),
        ("25:00", None),
        ("13:00 PM", None),
        ("00:30 PM", None),
        ("12:60", None),
        ("noon", None),
        (None, None),
        (1500, None),
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


def test_a_long_description_ends_after_a_word() -> None:
    short = plain("one, two three four", 12)
    assert short == "one, two…"
    whole = plain("word " * 1000)
    assert whole is not None
    assert (len(whole) <= 800, whole[-6:]) == (True, " word…")
    assert plain("x" * 1000, 10) == "xxxxxxxxx…"


@pytest.mark.parametrize(
    "url",
    [
        None,
        7,
        "",
        "http://a.example/1.jpg",
        "/1.jpg",
        "javascript:alert(1)",
        "https://a b",
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
    ("told", "score"),
    [(8.66, None), (Decimal("8.66"), Decimal("8.7")), ("9", Decimal("9.0")), (0, None), (11, None)],
)
def test_scores(told: object, score: Decimal | None) -> None:
    assert score_of(told) == score


@pytest.mark.parametrize(
    ("size", "unit", "square_metres"),
    [
        (24, "m2", 24),
        (24, None, 24),
        (215, "sqft", 20),
        (24, "tsubo", None),
        (0, "m2", None),
        (10**6, "m2", None),
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
