from datetime import date, datetime

import pytest
from rest_framework import serializers

from apps.common.errors import InvalidRequest
from apps.gateway import fields
from apps.gateway.serializers import Body, validate


def accepts(field: serializers.Field, value: object) -> object:
    """What a body's field of this type makes of `value`."""
    body = type("OneField", (Body,), {"value": field})
    return validate(body, {"value": value})["value"]


def refuses(field: serializers.Field, value: object) -> bool:
    with pytest.raises(InvalidRequest) as refusal:
        accepts(field, value)
    (detail,) = refusal.value.extras["details"]
    return detail["field"] == "value" and len(detail["message"]) > 3


@pytest.mark.parametrize(
    ("field", "value", "found"),
    [
        (fields.Text(), "x", "x"),
        (fields.Text(), "  trimmed  ", "trimmed"),
        (fields.Text(), "é" * 255, "é" * 255),
        (fields.Text(), " " * 300 + "x", "x"),
        (fields.Text(printable=True), "José 日本", "José 日本"),
        (fields.Whole(), 5, 5),
        (fields.Whole(), -5, -5),
        (fields.Cents(), 0, 0),
        (fields.Cents(), 10**12, 10**12),
        (fields.Number(), 5, 5.0),
        (fields.Number(), 5.25, 5.25),
        (fields.Flag(), True, True),
        (fields.Flag(), False, False),
        (fields.Day(), "2028-02-29", date(2028, 2, 29)),
        (fields.LocalDateTime(), "2027-02-03T14:30", datetime(2027, 2, 3, 14, 30)),
        (fields.LocalDateTime(), "2027-02-03T14:30:15", datetime(2027, 2, 3, 14, 30, 15)),
        (fields.Choice(["a", "b"]), "a", "a"),
        (fields.Email(), "ada@example.com", "ada@example.com"),
        (fields.ExternalReference(), "order-1 é", "order-1 é"),
        (fields.ExternalReference(), "x" * 64, "x" * 64),
        (fields.ExternalReference(), None, None),
    ],
)
def test_real_values_are_taken(field: serializers.Field, value: object, found: object):
    taken = accepts(field, value)

    assert taken == found
    assert type(taken) is type(found)


NOT_TEXT = [1, 1.5, True, None, [], {}, ["x"], {"x": 1}, "", "   ", "x" * 256]
NOT_WHOLE = ["5", "1_0", "５", "", 5.0, 1e2, 5.5, True, False, None, [], {}, [5]]
NOT_CENTS = [*NOT_WHOLE, -1, 10**12 + 1, 2**63, 10**63]
NOT_NUMBER = ["5", "5.0", "NaN", "1e2", True, None, [], {}]
NOT_FLAG = ["true", "True", "yes", "1", 1, 0, 1.0, "", None, [], {}]
NOT_DAY = [
    "2027-W01-1", "2027W011", "20270203", "2027-2-3", "2027-02-30", "2027-13-01", "0000-01-01", "２０２７-02-03",
    "2027-02-03T00:00", "2027-02-03 ", " 2027-02-03", "2027-02-03\n", "03.02.2027", "today", "", 20270203, True, None, [], {},
]  # fmt: skip
NOT_LOCAL = [
    "2027-02-03", "2027-02-03T14", "2027-02-03 14:30", "2027-02-03T14:30Z", "2027-02-03T14:30+01:00", "2027-02-03T14:30:00.5",
    "2027-02-03T24:00", "2027-02-03T14:60", "2027-02-30T14:30", "2027-W01-1T14:30", "２０２７-02-03T14:30", "2027-02-03T14:30\n",
    1801665000, True, None, [], {},
]  # fmt: skip
NOT_CHOICE = ["A", "a ", " a", "c", "", 1, True, None, [], {}, ["a"]]
NOT_EMAIL = [
    "ada", "ada@", "@example.com", "a b@example.com", "ada@example", "", 1, True, None, [], {},
    "a@" + ".".join(["x" * 60] * 5) + ".com",
]  # fmt: skip
NOT_REFERENCE = ["", "   ", "x" * 65, "a\nb", "a\tb", "a\u200bb", "a\x7fb", 1, True, [], {}]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *((fields.Text(), value) for value in NOT_TEXT),
        *((fields.Text(printable=True), value) for value in ("a\nb", "a\x1bb", "a\u202eb")),
        *((fields.Whole(), value) for value in NOT_WHOLE),
        *((fields.Cents(), value) for value in NOT_CENTS),
        *((fields.Number(), value) for value in NOT_NUMBER),
        *((fields.Flag(), value) for value in NOT_FLAG),
        *((fields.Day(), value) for value in NOT_DAY),
        *((fields.LocalDateTime(), value) for value in NOT_LOCAL),
        *((fields.Choice(["a", "b"]), value) for value in NOT_CHOICE),
        *((fields.Email(), value) for value in NOT_EMAIL),
        *((fields.ExternalReference(), value) for value in NOT_REFERENCE),
    ],
)
def test_what_merely_resembles_a_value_is_refused(field: serializers.Field, value: object):
    assert refuses(field, value)


class Counted(fields.Whole):
    """Counts how many values were validated."""

    seen = 0

    def to_internal_value(self, data: object) -> int:
        Counted.seen += 1
        return super().to_internal_value(data)


@pytest.mark.parametrize(("sent", "looked_at"), [(3, 3), (4, 0), (900, 0)])
def test_the_items_of_a_list_that_is_too_long_are_not_looked_at(sent: int, looked_at: int):
    Counted.seen = 0
    with pytest.raises(InvalidRequest) as refusal:
        accepts(fields.Many(child=Counted(), max_length=3), ["no number"] * sent)

    assert Counted.seen == looked_at
    told = "must have at most 3 items"
    assert refusal.value.extras["details"] == (
        [{"field": f"value.{n}", "message": "must be a whole number"} for n in range(3)]
        if looked_at
        else [{"field": "value", "message": told}]
    )
