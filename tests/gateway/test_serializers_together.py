"""What several members of a body say together, told beside what else is wrong with it."""

from typing import Any

import pytest
from rest_framework import serializers

from apps.common.errors import InvalidRequest
from apps.gateway import fields
from apps.gateway.serializers import UNKNOWN, Body, checks, validate

REQUIRED = "is required"


class Stay(Body):
    begins = fields.Whole(min_value=0, max_value=99)
    ends = fields.Whole(min_value=0, max_value=99, required=False)
    guests = fields.Whole(min_value=1, max_value=9, default=2)
    beds = fields.Whole(min_value=1, max_value=9, default=2)

    @checks("begins", "ends")
    def end_later(self, given: dict[str, Any]) -> None:
        given.setdefault("ends", given["begins"] + 1)
        if given["ends"] <= given["begins"]:
            raise serializers.ValidationError({"ends": "must be later"})

    @checks("guests", "beds")
    def have_beds(self, given: dict[str, Any]) -> None:
        if given["guests"] > given["beds"]:
            raise serializers.ValidationError("has too few beds")

    @checks("guests")
    def be_small(self, given: dict[str, Any]) -> None:
        if given["guests"] > 4:
            raise serializers.ValidationError({"guests": "are too many", "ends": "is too late for so many"})


class Journey(Body):
    stays = fields.Many(child=Stay(), max_length=9)


def faults_of(body_class: type[Body], body: dict[str, object]) -> list[tuple[str, str]]:
    with pytest.raises(InvalidRequest) as refusal:
        validate(body_class, body)
    return [(detail["field"], detail["message"]) for detail in refusal.value.extras["details"]]  # type: ignore[attr-defined]


WRONG = "must be a whole number"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"begins": 3, "ends": 3, "guests": 3}, [("", "has too few beds"), ("ends", "must be later")]),
        ({"begins": "3", "ends": 3, "guests": 3}, [("", "has too few beds"), ("begins", WRONG)]),
        ({"begins": 3, "ends": 2, "guests": "3"}, [("ends", "must be later"), ("guests", WRONG)]),
        ({"begins": 3, "ends": 2, "beds": None}, [
            ("ends", "must be later"), ("beds", "must not be null"),
        ]),
        ({"ends": 0, "guests": 3, "z": 1, "a": 2}, [
            ("", "has too few beds"), ("begins", REQUIRED), ("a", UNKNOWN), ("z", UNKNOWN),
        ]),
        ({"begins": 0, "guests": 5, "beds": 5}, [("ends", "is too late for so many"), ("guests", "are too many")]),
        ({"begins": 0, "ends": "x", "guests": 5, "beds": 5}, [("ends", WRONG), ("guests", "are too many")]),
        ({"begins": 1, "ends": 1, "guests": 5, "beds": 1}, [
            ("", "has too few beds"), ("ends", "must be later"), ("guests", "are too many"),
        ]),
    ],
)  # fmt: skip
def test_what_members_say_together_is_told_beside_what_else_is_wrong(
    body: dict[str, object], expected: list[tuple[str, str]]
):
    assert faults_of(Stay, body) == expected
    assert faults_of(Stay, dict(reversed(body.items()))) == expected, "equal bodies are answered alike"
    assert faults_of(Journey, {"stays": [{"begins": 1}, body], "more": 1}) == [
        *((f"stays.1.{name}".rstrip("."), message) for name, message in expected),
        ("more", UNKNOWN),
    ]


def test_a_rule_may_put_in_what_was_left_out():
    assert validate(Stay, {"begins": 3}) == {"begins": 3, "ends": 4, "guests": 2, "beds": 2}


def test_a_rule_is_inherited_and_may_be_replaced():
    class Long(Stay):
        @checks("begins", "ends")
        def end_later(self, given: dict[str, Any]) -> None:
            if given.get("ends", 99) - given["begins"] < 7:
                raise serializers.ValidationError({"ends": "must be a week later"})

        @checks("beds")
        def be_a_dormitory(self, given: dict[str, Any]) -> None:
            if given["beds"] < 4:
                raise serializers.ValidationError({"beds": "are too few"})

    assert faults_of(Long, {"begins": 3, "ends": 4, "guests": 3}) == [
        ("", "has too few beds"),
        ("ends", "must be a week later"),
        ("beds", "are too few"),
    ]
