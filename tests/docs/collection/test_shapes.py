"""A shape takes what looks like the example and refuses what lacks a member of it."""

import pytest
from jsonschema import Draft202012Validator

from apps.docs.postman import shape_of

EXAMPLE = {
    "id": "a",
    "total": 5,
    "until": None,
    "rates": [{"id": "r", "policy": "free"}, {"id": "s", "policy": {"steps": []}, "note": "x"}],
}


def fits(value: object) -> bool:
    return Draft202012Validator(shape_of(EXAMPLE)).is_valid(value)


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"id": None},
        {"until": "2027-01-01"},
        {"rates": []},
        {"more": 1},
        {"rates": [{"id": "t", "policy": {"steps": [1]}}]},
    ],
)
def test_what_may_differ_fits(change):
    assert fits({**EXAMPLE, **change})


@pytest.mark.parametrize(
    "value",
    [
        {name: EXAMPLE[name] for name in ("id", "total", "rates")},
        {**EXAMPLE, "total": "5"},
        {**EXAMPLE, "rates": [{"id": "t"}]},
        {**EXAMPLE, "rates": [{"id": "t", "policy": {}}]},
        {**EXAMPLE, "rates": {}},
    ],
)
def test_what_lacks_a_member_or_has_another_type_does_not_fit(value):
    assert not fits(value)


def test_the_data_of_an_event_depends_on_its_type():
    page = {"data": [{"id": "evt_1", "type": "booking.confirmed", "data": {"totalCents": 5}}]}
    shape = Draft202012Validator(shape_of(page))
    other = {"id": "evt_2", "type": "booking.cancelled", "data": {"refundCents": 5}}
    assert shape.is_valid({"data": [other]})
    assert not shape.is_valid({"data": [{"id": "evt_2", "type": "booking.cancelled"}]})
