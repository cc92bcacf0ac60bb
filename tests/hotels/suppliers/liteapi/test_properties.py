"""LiteAPI's list and descriptions, read leniently: a field of another form takes nothing else with it."""

import json
from decimal import Decimal
from typing import Any

import pytest

from apps.hotels.suppliers.liteapi.properties import (
    LONGEST_TEXT,
    PAGE,
    described_as,
    details_of,
    listed_as,
    page_of,
    paragraphs,
)
from apps.hotels.suppliers.properties import Details
from apps.suppliers.values import from_json, to_json
from tests.hotels.suppliers.liteapi.described import described, listed
from tests.hotels.suppliers.liteapi.inventory import INNS

NOT_IT: list[Any] = [
    None,
    7,
    Decimal("1e999"),
    True,
    "",
    "text",
    [],
    [None],
    [7],
    [[]],
    {},
    {"a": 1},
    "\0",
    "<",
]
NEEDED = {"id", "name", "country"}


def received(value: Any) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(json.dumps(value), parse_float=Decimal)
    return data


LISTED, DESCRIBED = received(listed(INNS[0])), received(described(INNS[0]))


@pytest.mark.parametrize("told", NOT_IT, ids=repr)
@pytest.mark.parametrize("name", sorted({*LISTED} - NEEDED))
def test_a_field_of_the_list_of_another_form_is_left_out(name: str, told: Any) -> None:
    hotel = listed_as({**LISTED, name: told})
    assert (hotel.hotel_id, hotel.name, hotel.country) == ("lpstub01", "Hotel Miradouro", "PT")


@pytest.mark.parametrize("told", NOT_IT, ids=repr)
@pytest.mark.parametrize("name", [*DESCRIBED])
def test_a_field_of_a_description_of_another_form_is_left_out(name: str, told: Any) -> None:
    details = described_as({**DESCRIBED, name: told}, "en").details
    assert from_json(Details, to_json(details)) == details
    whole = details_of(DESCRIBED, "en")
    same = [field for field in Details.__struct_fields__ if getattr(details, field) == getattr(whole, field)]
    assert len(same) >= len(Details.__struct_fields__) - 3


@pytest.mark.parametrize("told", NOT_IT, ids=repr)
@pytest.mark.parametrize("name", [*DESCRIBED["rooms"][0]])
def test_a_room_of_another_form_takes_no_other_with_it(name: str, told: Any) -> None:
    first, second = DESCRIBED["rooms"]
    rooms = details_of({"rooms": [{**first, name: told}, second, told]}, "en").rooms
    assert details_of(DESCRIBED, "en").rooms[1] in rooms


def test_nothing_is_needed_of_a_description() -> None:
    nothing = described_as({}, "en")
    assert (nothing.details, nothing.listed) == (Details(), None)


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ("<p>A &amp; B</p><p>C</p>", "A & B\nC"),
        ("One<br>two<br/>\r\nthree", "One\ntwo\nthree"),
        ("<ul><li>Pool</li><li>Bar</li></ul>", "Pool\nBar"),
        ("a\0b <script>x</script>", "ab x"),
        ("5 &lt; 6", "5 < 6"),
        ("<br/> \n ", None),
        ("", None),
        (7, None),
    ],
)
def test_paragraphs(told: object, text: str | None) -> None:
    assert paragraphs(told) == text


def test_a_text_has_an_end() -> None:
    assert len(paragraphs("word " * 50_000) or "") <= LONGEST_TEXT
    assert paragraphs("<" * 1_000_000) is not None


@pytest.mark.parametrize(
    ("latitude", "longitude", "is_known"),
    [
        (38.7, -9.1, True),
        (0, 0, False),
        (0, 9.5, True),
        (91, 0, False),
        (1, 181, False),
        ("38.7", "-9.1", True),
        (None, 1, False),
    ],
)
def test_a_place_on_earth(latitude: Any, longitude: Any, is_known: bool) -> None:
    hotel = listed_as(received({**listed(INNS[0]), "latitude": latitude, "longitude": longitude}))
    assert (hotel.latitude is not None, hotel.longitude is not None) == (is_known, is_known)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"stars": 2.5}, ("stars", Decimal("2.5"))),
        ({"stars": 0}, ("stars", None)),
        ({"chain": "Not Available"}, ("chain", "")),
        ({"chain": "Stay &amp; Co"}, ("chain", "Stay & Co")),
        ({"rating": 0}, ("review_score", None)),
        ({"deletedAt": "2026-10-01T00:00:00Z"}, ("deleted", True)),
        ({"deletedAt": ""}, ("deleted", False)),
        ({"main_photo": "http://a.example/1.jpg"}, ("image", "")),
        ({"name": "N" * 300}, ("name", "N" * 254 + "…")),
    ],
    ids=str,
)
def test_odd_values(fields: dict[str, Any], expected: tuple[str, Any]) -> None:
    name, value = expected
    assert getattr(listed_as(received({**listed(INNS[0]), **fields})), name) == value


def test_a_full_page_has_another_behind_it() -> None:
    full = page_of([LISTED] * PAGE, 0)
    assert (full.next_offset, full.unreadable) == (PAGE - 50, 0)
    last = page_of([LISTED, {}, None, {**LISTED, "id": "x" * 65}], PAGE)
    assert (len(last.hotels), last.next_offset, last.unreadable) == (1, None, 3)
