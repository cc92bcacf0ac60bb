from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rest_framework import serializers

from apps.common.errors import InvalidRequest
from apps.gateway import fields
from apps.gateway.json_body import MAX_ITEMS
from apps.gateway.openapi import ERROR, ERROR_DETAIL
from apps.gateway.serializers import UNKNOWN, Body, DetailBody, ErrorBody, checks, validate
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


@pytest.mark.parametrize("operation", BODIES, ids=str)
def test_every_object_in_every_request_body_refuses_unknown_properties(operation: Operation):
    """One plain DRF serializer inside a body would let them pass."""
    assert operation.route.body is not None
    assert [
        name for name, part in objects(operation.route.body(), "body") if not isinstance(part, Body)
    ] == []


@pytest.mark.parametrize("operation", BODIES, ids=str)
def test_every_number_in_every_request_body_is_bounded(operation: Operation):
    """PostgreSQL's integers end somewhere, the parser's do not."""
    assert operation.route.body is not None
    numbers = (serializers.IntegerField, serializers.FloatField)
    unbounded = [
        name
        for name, part in leaves(operation.route.body(), "body")
        if isinstance(part, numbers) and (part.max_value is None or part.min_value is None)
    ]
    assert unbounded == []


@pytest.mark.parametrize("operation", BODIES, ids=str)
def test_every_field_in_every_request_body_takes_real_json_types(operation: Operation):
    """DRF's own fields read more than the contract allows; those of `apps.gateway.fields` do not."""
    assert operation.route.body is not None
    lax = [
        name
        for name, part in leaves(operation.route.body(), "body")
        if not any(kind.__module__ == fields.__name__ for kind in type(part).__mro__)
    ]
    assert lax == []


@pytest.mark.parametrize("operation", BODIES, ids=str)
def test_every_list_in_every_request_body_is_bounded_before_its_items_are_read(operation: Operation):
    """DRF's own counts a list's items after it has validated each."""
    assert operation.route.body is not None
    unbounded = [
        name
        for name, part in lists(operation.route.body(), "body")
        if not isinstance(part, fields.Many) or not 0 < part.max_length <= MAX_ITEMS
    ]
    assert unbounded == []


def lists(field: serializers.Field, path: str):
    """Every field in a body that holds several of a kind, with the path to it."""
    if isinstance(field, serializers.Serializer):
        for name, below in field.fields.items():
            yield from lists(below, f"{path}.{name}")
    elif hasattr(field, "child"):
        yield path, field
        yield from lists(field.child, f"{path}.*")


def objects(field: serializers.Field, path: str):
    """Every serializer in a body, with the path to it."""
    if isinstance(field, serializers.Serializer):
        yield path, field
        for name, below in field.fields.items():
            yield from objects(below, f"{path}.{name}")
    elif hasattr(field, "child"):
        yield from objects(field.child, f"{path}.*")


def leaves(field: serializers.Field, path: str):
    """Every field in a body that holds no others, with the path to it."""
    if isinstance(field, serializers.Serializer):
        for name, below in field.fields.items():
            yield from leaves(below, f"{path}.{name}")
    elif hasattr(field, "child"):
        yield from leaves(field.child, f"{path}.*")
    else:
        yield path, field


def test_the_documented_envelope_has_fields_that_an_error_declares():
    documented = ERROR["properties"]

    assert len(documented) == 6
    assert list(documented) == list(ErrorBody().fields)[:6]
    assert list(ERROR_DETAIL["properties"]) == list(DetailBody().fields)


# --- As DRF validates -----------------------------------------------------------------------------------------------
JUNK = st.sampled_from(
    [None, True, 0, -1, 1.5, "", " ", "x", "PT", "LIS", [], [None], {}, {"name": 1}, 10**13]
)
TEXTS = st.sampled_from(
    ["Lisbon", "LIS", "PT", " a ", "ada@example.com", "+351210000000", "2027-02-10", "\x00", ""]
)
BODY_CLASSES = sorted({op.route.body for op in operations() if op.route.body}, key=str)


def values_of(field: Any) -> st.SearchStrategy[Any]:
    """What may be sent for the field: often what it takes."""
    if isinstance(field, serializers.Serializer):
        names = {name: values_of(below) for name, below in field.fields.items()}
        likely = st.fixed_dictionaries({}, optional={**names, "unknown": JUNK})
        return st.one_of(likely, likely, likely, JUNK)
    if isinstance(field, serializers.ListSerializer | serializers.ListField):
        return st.one_of(st.lists(values_of(field.child), max_size=3), JUNK)
    if isinstance(field, serializers.ChoiceField):
        return st.one_of(st.sampled_from(list(field.choices)), JUNK)
    if isinstance(field, serializers.IntegerField | serializers.FloatField):
        return st.one_of(st.integers(0, 6), JUNK)
    if isinstance(field, serializers.BooleanField):
        return st.one_of(st.booleans(), JUNK)
    return st.one_of(TEXTS, JUNK)


def as_drf_does(self: Body, data: Any) -> Any:
    """By DRF's own method, then a look for unknown names; and the rules where nothing is wrong."""
    value, found = None, {}
    try:
        value = serializers.Serializer.to_internal_value(self, data)
    except serializers.ValidationError as refused:
        found = dict(refused.detail)  # type: ignore[arg-type]
    if isinstance(data, dict):
        found |= {name: [UNKNOWN] for name in sorted(data.keys() - self.fields.keys())}
    if found:
        raise serializers.ValidationError(found)
    for _, rule in self.rules:
        rule(value)
    return value


def outcome(body_class: type[Body], body: dict[str, object]) -> tuple[str, object]:
    try:
        return "valid", validate(body_class, body)
    except InvalidRequest as refused:
        return "refused", refused.extras["details"]


@pytest.mark.django_db
@pytest.mark.parametrize("body_class", BODY_CLASSES, ids=lambda body: getattr(body, "__name__", ""))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_body_is_taken_and_refused_as_drf_does_it(body_class: type[Body], data: st.DataObject):
    body = data.draw(values_of(body_class()).filter(lambda drawn: isinstance(drawn, dict)))

    found = outcome(body_class, body)
    with (
        patch.object(Body, "to_internal_value", as_drf_does),
        patch.object(Body, "run_validators", serializers.Serializer.run_validators),
    ):
        expected = outcome(body_class, body)

    if expected[0] == "valid":
        assert repr(found) == repr(expected)
    else:  # beside what DRF says, we tell what the rules say
        assert found[0] == "refused"
        assert [detail for detail in told(found) if detail in told(expected)] == told(expected)


def told(outcome: tuple[str, Any]) -> list[dict[str, str]]:
    details: list[dict[str, str]] = outcome[1]
    return details


def test_a_validator_of_a_whole_body_is_asked():
    class Odd(Trip):
        class Meta:
            validators = (lambda attrs: refuse("is odd"),)

    def refuse(why: str) -> None:
        raise serializers.ValidationError(why)

    with pytest.raises(InvalidRequest) as refusal:
        validate(Odd, trip({"origin": "LIS"}))
    assert refusal.value.extras["details"] == [{"field": "", "message": "is odd"}]


# --- Several members together ---------------------------------------------------------------------------------------
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
    details = told(("refused", refusal.value.extras["details"]))
    return [(detail["field"], detail["message"]) for detail in details]


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


def test_a_rule_names_members_of_its_body():
    bodies = [
        part
        for operation in BODIES
        if operation.route.body
        for _, part in objects(operation.route.body(), "")
    ]
    ruled = [body for body in bodies if isinstance(body, Body) and body.rules]
    assert len(ruled) >= 7
    for body in ruled:
        assert frozenset[str]().union(*(members for members, _ in body.rules)) <= body.fields.keys()


def test_no_body_checks_its_members_in_a_way_that_waits_for_all_of_them():
    """`validate` runs only when nothing else is wrong, so its faults would be told in a second refusal."""
    bodies = [
        part
        for operation in BODIES
        if operation.route.body
        for _, part in objects(operation.route.body(), "")
    ]
    assert bodies
    assert [body for body in bodies if type(body).validate is not serializers.Serializer.validate] == []  # type: ignore[attr-defined]
