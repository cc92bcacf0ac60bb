from collections.abc import Callable, Iterator
from typing import Any

import pytest
from rest_framework import serializers

from apps.common.errors import InvalidRequest
from apps.gateway import fields
from apps.gateway.parsers import MAX_ITEMS
from apps.gateway.serializers import UNKNOWN, Body, checks, validate
from tests.support.operations import Operation, operations

REQUIRED = "is required"


class Segment(Body):
    origin = fields.Text(max_length=3)
    stops = fields.Many(child=fields.Whole(), max_length=9, required=False)


class Slice(Body):
    segments = fields.Many(child=Segment(), max_length=9)


class Trip(Body):
    slices = fields.Many(child=Slice(), max_length=9)
    contact = Segment(required=False)

    @checks("slices")
    def have_a_slice_or_two(self, given: dict[str, Any]) -> None:
        if len(given["slices"]) > 2:
            raise serializers.ValidationError("has too many slices")
        if not given["slices"]:
            raise serializers.ValidationError({"slices": "must not be empty"})


def faults(body: dict[str, object]) -> list[tuple[str, str]]:
    with pytest.raises(InvalidRequest) as refusal:
        validate(Trip, body)
    return [(detail["field"], detail["message"]) for detail in refusal.value.extras["details"]]  # type: ignore[attr-defined]


def trip(*segments: dict[str, object]) -> dict[str, object]:
    return {"slices": [{"segments": list(segments)}]}


def test_a_valid_body_is_returned_as_plain_values():
    body = trip({"origin": "LIS", "stops": [1, 2]})

    assert validate(Trip, body) == body


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, [("slices", REQUIRED)]),
        ({"slices": None}, [("slices", "must not be null")]),
        ({"slices": {}}, [("slices", "must be a list")]),
        ({"slices": [1]}, [("slices.0", "must be an object")]),
        ({"slices": [{}]}, [("slices.0.segments", REQUIRED)]),
        (trip({}), [("slices.0.segments.0.origin", REQUIRED)]),
        (
            trip({"origin": "LIS"}, {"origin": "LISBON"}),
            [("slices.0.segments.1.origin", "must have at most 3 characters")],
        ),
        (trip({"origin": "LIS", "stops": [1, "2", 3, None]}), [
            ("slices.0.segments.0.stops.1", "must be a whole number"),
            ("slices.0.segments.0.stops.3", "must not be null"),
        ]),
        ({"slices": [], "contact": {}}, [("slices", "must not be empty"), ("contact.origin", REQUIRED)]),
        ({"slices": []}, [("slices", "must not be empty")]),
        ({"slices": [{"segments": []}] * 3}, [("", "has too many slices")]),
    ],
)  # fmt: skip
def test_each_fault_is_named_at_its_dotted_path(body: dict[str, object], expected: list[tuple[str, str]]):
    assert faults(body) == expected


@pytest.mark.parametrize(
    ("body", "paths"),
    [
        ({**trip(), "extra": 1}, {"extra"}),
        ({**trip(), "b": 1, "a": 2, "": 3}, {"a", "b", ""}),
        ({"slices": [{"segments": [], "extra": 1}]}, {"slices.0.extra"}),
        (trip({"origin": "LIS"}, {"origin": "LIS", "extra": None}), {"slices.0.segments.1.extra"}),
        ({**trip(), "contact": {"origin": "LIS", "extra": {}}}, {"contact.extra"}),
        ({**trip(), "settlement": {"mode": "traveller_paid"}}, {"settlement"}),
        ({**trip(), "Slices": []}, {"Slices"}),
        ({**trip(), "__proto__": {}, "slices ": []}, {"__proto__", "slices "}),
        ({**trip(), "non_field_errors": 1, ".slices": []}, {"non_field_errors", ".slices"}),
        ({"slices": [{"segments": [], "non_field_errors": 1}]}, {"slices.0.non_field_errors"}),
    ],
)
def test_unknown_properties_are_named_at_every_depth(body: dict[str, object], paths: set[str]):
    assert set(faults(body)) == {(path, UNKNOWN) for path in paths}


def test_unknown_properties_are_named_beside_the_other_faults():
    assert set(faults({"extra": 1, "contact": {"origin": 1, "more": 2}})) == {
        ("extra", UNKNOWN),
        ("slices", REQUIRED),
        ("contact.origin", "must be a string"),
        ("contact.more", UNKNOWN),
    }


BODIES = [operation for operation in operations() if operation.route.body is not None]


def parts(field: serializers.Field, path: str = "body") -> Iterator[tuple[str, Any]]:
    """Every field and object of a body at every depth, with the path to it."""
    yield path, field
    if isinstance(field, serializers.Serializer):
        for name, below in field.fields.items():
            yield from parts(below, f"{path}.{name}")
    elif hasattr(field, "child"):
        yield from parts(field.child, f"{path}.*")


def is_plain_object(part: Any) -> bool:
    """One plain DRF serializer inside a body would let unknown properties pass."""
    return isinstance(part, serializers.Serializer) and not isinstance(part, Body)


def is_unbounded_number(part: Any) -> bool:
    """PostgreSQL's integers end somewhere, the parser's do not."""
    numbers = (serializers.IntegerField, serializers.FloatField)
    return isinstance(part, numbers) and (part.max_value is None or part.min_value is None)


def is_lax(part: Any) -> bool:
    """DRF's own fields read more than the contract allows; those of `apps.gateway.fields` do not."""
    is_leaf = not (isinstance(part, serializers.Serializer) or hasattr(part, "child"))
    return is_leaf and not any(kind.__module__ == fields.__name__ for kind in type(part).__mro__)


def is_unbounded_list(part: Any) -> bool:
    """DRF's own list counts its items after it has validated each."""
    if not hasattr(part, "child"):
        return False
    return not isinstance(part, fields.Many) or not 0 < (part.max_length or 0) <= MAX_ITEMS


@pytest.mark.parametrize("is_wrong", [is_plain_object, is_unbounded_number, is_lax, is_unbounded_list])
@pytest.mark.parametrize("operation", BODIES, ids=str)
def test_every_part_of_every_request_body_is_strict_and_bounded(
    operation: Operation, is_wrong: Callable[[Any], bool]
):
    assert operation.route.body is not None
    assert [name for name, part in parts(operation.route.body()) if is_wrong(part)] == []


def test_a_rule_names_members_of_its_body():
    bodies = [
        part for operation in BODIES if operation.route.body for _, part in parts(operation.route.body())
    ]
    ruled = [body for body in bodies if isinstance(body, Body) and body.rules]
    assert len(ruled) >= 7
    for body in ruled:
        assert frozenset[str]().union(*(members for members, _ in body.rules)) <= body.fields.keys()
