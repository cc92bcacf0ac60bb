"""Nothing that names a traveller, and no secret, is left of a body: whatever is planted, wherever."""

from collections import OrderedDict
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.gateway.request_log.allow_list import allow_list
from apps.gateway.request_log.redaction import (
    HIDDEN,
    MAX_BYTES,
    OMITTED,
    outline,
    redact,
    redact_path,
)
from apps.keys import secrets
from tests.gateway.request_log.drafts import outline_of

KEPT, KNOWN_NAMES = allow_list().forms, allow_list().names

WITHOUT_PLACES = KNOWN_NAMES - {"city"}
"""The name of a city may be anybody's too; test_entry.py says what of it is kept."""

PLANTED = "Quillon"
"""In every planted text: what must be nowhere in what is kept."""

planted = st.one_of(
    st.just(PLANTED),
    st.builds("{} {}".format, st.text(max_size=8), st.just(PLANTED)),
    st.just(f"{PLANTED.lower()}@example.com"),
    st.just(f"must be {PLANTED}"),
    st.just(f"offer_{PLANTED.lower()}00000000000000000000"),
    st.just(f"2027-01-01T{PLANTED}"),
    st.just(f"sbx_{PLANTED.lower()}"),
    st.builds(lambda: f"{secrets.make('live')}{PLANTED}"),
)
names = st.one_of(st.sampled_from(sorted(WITHOUT_PLACES)), planted, st.text(max_size=12))
leaves = st.one_of(planted, planted, st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False))
bodies = st.recursive(
    leaves,
    lambda below: st.lists(below, max_size=5) | st.dictionaries(names, below, max_size=6),
    max_leaves=40,
)
objects = st.dictionaries(names, bodies, max_size=8)


@settings(max_examples=60, deadline=None)
@given(objects)
def test_no_planted_text_survives_and_the_size_is_bounded(body: dict[str, Any]):
    for kept in (redact(body), outline_of(body)):
        written = orjson.dumps(kept)
        assert PLANTED.lower() not in written.decode().lower()
        assert len(written) <= MAX_BYTES


@pytest.mark.parametrize(
    "value", ["Ada Lovelace", "ada", "Ada", "+351210000000", "4111111111111111", "whsec_AAAA"]
)
def test_no_property_keeps_what_has_none_of_the_forms(value: str):
    assert [name for name in WITHOUT_PLACES if redact({name: value}) != {name: HIDDEN}] == []


@pytest.mark.parametrize(
    ("value", "kept_by"),
    [
        ("1990-12-10", {"departureDate", "returnDate", "checkIn", "checkOut", "date", "from", "to"}),
        (19901210, {name for name in KEPT if name.endswith("Cents")}),
        (351210000000, {name for name in KEPT if name.endswith("Cents")}),
    ],
)
def test_days_and_long_numbers_stay_where_no_traveller_has_any(value: object, kept_by: set[str]):
    assert {name for name in KNOWN_NAMES if redact({name: value}) == {name: value}} == kept_by


def test_what_an_order_is_about_stays_and_who_travels_goes():
    body = {
        "offerId": "offer_01m7ys8kbrkfp18f67gn0xtf7f0b",
        "passengers": [
            {
                "title": "ms",
                "firstName": "Ada",
                "lastName": "Lovelace",
                "dateOfBirth": "1990-12-10",
                "type": "adult",
            }
        ],
        "contact": {"email": "ada@example.com", "phone": "+351210000000"},
        "maxTotalCents": 16707,
        "externalReference": "trip-1",
        "Ada": {"offerId": "offer_01m7ys8kbrkfp18f67gn0xtf7f0b"},
    }
    assert redact(body) == {
        "offerId": "offer_01m7ys8kbrkfp18f67gn0xtf7f0b",
        "passengers": [
            {"title": HIDDEN, "firstName": HIDDEN, "lastName": HIDDEN, "dateOfBirth": HIDDEN, "type": "adult"}
        ],
        "contact": {"email": HIDDEN, "phone": HIDDEN},
        "maxTotalCents": 16707,
        "externalReference": HIDDEN,
        HIDDEN: HIDDEN,
    }


@pytest.mark.parametrize("body", [None, {}, [], "text", 5, b"{}"])
def test_what_is_no_object_is_nothing(body: object):
    assert redact(body) is None


def test_an_outline_has_a_few_properties_in_their_form_or_is_nothing():
    body = {"id": id_of(40), "status": "confirmed", "limits": {"amountCents": 1}}

    assert outline_of(body) == {"id": id_of(40), "status": "confirmed"}
    assert outline_of({"id": 7, "totalCents": "Ada", "limits": {"amountCents": 1}}) == {}


def test_an_outline_is_made_of_all_its_values():
    with pytest.raises(ValueError):
        outline([])


def test_a_long_body_is_cut_and_says_so():
    kept = redact({"passengers": [{"type": "adult"}] * 10_000, "offerId": "x"})

    assert kept is not None
    assert kept["passengers"][-1] == OMITTED
    assert len(orjson.dumps(kept)) <= MAX_BYTES


def id_of(length: int) -> str:
    """One of ours, 29 to 45 characters long."""
    return "a" * max(2, length - 37) + "_" + "0" * (length - 1 - max(2, length - 37))


@pytest.mark.parametrize(("length", "kept"), [(40, 249), (41, 249), (42, 248), (43, 248)])
def test_items_are_kept_as_long_as_4_kib_last(length: int, kept: int):
    """Of them 32 bytes are for the braces around, 16 for each place, and the rest for names and values."""
    found = redact({"id": id_of(length), "rooms": [None] * 300})

    assert found == {"id": id_of(length), "rooms": [None] * kept + [OMITTED]}


@pytest.mark.parametrize(("length", "is_kept"), [(36, True), (37, True), (38, False)])
def test_properties_are_kept_as_long_as_4_kib_last(length: int, is_kept: bool):
    found = redact({"id": id_of(length), "rooms": [None] * 248, "plan": None})

    last = {"plan": None} if is_kept else {OMITTED: True}
    assert found == {"id": id_of(length), "rooms": [None] * 248, **last}


@pytest.mark.parametrize(("length", "is_kept"), [(37, True), (38, True), (39, False)])
def test_a_name_that_is_hidden_costs_three_bytes_beside_its_place(length: int, is_kept: bool) -> None:
    found = redact({"id": id_of(length), "rooms": [None] * 248, "a name of nobody's": None})

    assert list(found or {}) == ["id", "rooms", HIDDEN if is_kept else OMITTED]


@pytest.mark.parametrize(("length", "is_kept"), [(38, True), (39, True), (40, False)])
def test_a_number_costs_24_bytes(length: int, is_kept: bool):
    found = redact({"id": id_of(length), "rooms": [None] * 245, "adults": 1, "plan": None})

    assert list(found or {}) == ["id", "rooms", "adults", "plan" if is_kept else OMITTED]


@pytest.mark.parametrize(("length", "kept"), [(29, 90), (45, 66)])
def test_a_text_in_a_list_costs_its_length_beside_its_place(length: int, kept: int) -> None:
    assert redact({"hotelIds": [id_of(length)] * 300}) == {"hotelIds": [id_of(length)] * kept + [OMITTED]}


def test_a_deep_body_is_hidden_below_its_eighth_level():
    body: dict[str, Any] = {"adults": 1}
    for _ in range(30):
        body = {"add": body}
    text = orjson.dumps(redact(body)).decode()

    assert (text.count("add"), text.count(HIDDEN)) == (9, 1)


@pytest.mark.parametrize(("lists", "is_kept"), [(6, True), (7, False)])
def test_objects_in_lists_are_hidden_below_the_eighth_level_too(lists: int, is_kept: bool):
    opened = next(iter(sorted(allow_list().opened)))
    below: Any = [{"adults": 1}]
    for _ in range(lists):
        below = [below]

    kept = orjson.dumps(redact({opened: below})).decode()

    assert ("adults" in kept, HIDDEN in kept) == (is_kept, not is_kept)


def test_lists_and_objects_in_turn_are_a_level_each():
    body: dict[str, Any] = {"adults": 1}
    for _ in range(15):
        body = {"add": [body]}
    text = orjson.dumps(redact(body)).decode()

    assert (text.count("add"), text.count(HIDDEN)) == (5, 1)


def test_a_path_keeps_names_of_ours_alone():
    assert redact_path("passengers.12.firstName") == "passengers.12.firstName"
    assert redact_path("passengers.0.Ada.31612345678") == "passengers.0.•••.•••"


def test_what_names_nobody_is_kept_whatever_holds_it():
    opened = next(iter(sorted(allow_list().opened)))

    told = {"x": None, "y": True, "z": False, opened: [True, False, None]}

    assert redact(told) == {HIDDEN: False, opened: [True, False, None]}


def test_an_object_of_any_kind_of_dict_counts_as_one_level():
    def nested(kind: type[dict[str, Any]]) -> str:
        body: dict[str, Any] = {"adults": 1}
        for _ in range(30):
            body = kind(add=body)
        return orjson.dumps(redact(body)).decode()

    assert nested(OrderedDict) == nested(dict)


def test_a_number_with_a_fraction_is_judged_and_paid_for_as_others():
    assert redact({"radiusKm": 2.5}) == {"radiusKm": 2.5}
    assert redact({"radiusKm": 1e9}) == {"radiusKm": HIDDEN}
    kept = redact({"hotelIds": [0.5] * 1_000, "radiusKm": 2.5}) or {}
    assert kept == {"hotelIds": [*[HIDDEN] * (len(kept["hotelIds"]) - 1), OMITTED], OMITTED: True}  # type: ignore[arg-type]


@pytest.mark.parametrize(("lists", "kept"), [(1, "booking.confirmed"), (8, "booking.confirmed"), (9, HIDDEN)])
def test_lists_in_lists_are_levels_as_well(lists: int, kept: str):
    body: Any = "booking.confirmed"
    for _ in range(lists):
        body = [body]
    left: Any = (redact({"events": body}) or {})["events"]
    while isinstance(left, list):
        (left,) = left
    assert left == kept
