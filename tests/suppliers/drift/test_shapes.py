"""How an answer differs from what is known of it."""

from typing import Any

import pytest

from apps.suppliers.drift import Difference, Shape, call_named, calls_of, known_file, type_of

KNOWN = {
    "": "object",
    ".id": "text read",
    ".price": "number text read",
    ".note": "null text sometimes",
    ".guests": "list read",
    ".guests[]": "object",
    ".guests[].name": "text",
    ".prices": "object",
    ".prices.*": "number",
}
ANSWER: dict[str, Any] = {
    "id": "BK1",
    "price": 7,
    "note": None,
    "guests": [{"name": "Ada"}, {"name": "Charles"}],
    "prices": {"EUR": 1, "USD": 2},
}


def differences(**changes: Any) -> set[tuple[str, str, bool]]:
    answer = {name: value for name, value in {**ANSWER, **changes}.items() if value is not ...}
    return {(one.path, one.kind, one.is_read) for one in Shape(KNOWN).differences(answer)}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, set()),
        ({"note": ...}, set()),
        ({"price": "7.00", "guests": [], "prices": {}}, set()),
        ({"id": ...}, {(".id", "missing", True)}),
        ({"id": None}, {(".id", "type", True)}),
        ({"id": 7}, {(".id", "type", True)}),
        ({"price": True}, {(".price", "type", True)}),
        ({"new": {"deep": 1}}, {(".new", "unknown", False)}),
        ({"guests": {}}, {(".guests", "type", True)}),
        ({"guests": [{}]}, {(".guests[].name", "missing", False)}),
        ({"guests": [{"name": "Ada", "age": 7}]}, {(".guests[].age", "unknown", False)}),
        ({"prices": {"GBP": "3"}}, {(".prices.*", "type", False)}),
    ],
)
def test_a_field_is_unknown_missing_or_of_another_type(
    changes: dict[str, Any], expected: set[tuple[str, str, bool]]
) -> None:
    assert differences(**changes) == expected


def test_what_could_be_a_value_is_not_repeated() -> None:
    """A name of a field that is a mail address is none."""
    assert differences(**{"ada@example.com": 1, "x" * 41: 2}) == {(".?", "unknown", False)}


def test_another_type_at_the_top_says_nothing_of_what_is_inside() -> None:
    assert Shape(KNOWN).differences([]) == {Difference("", "type", is_read=False)}


def test_types_are_those_of_json() -> None:
    values = ["", 1, 1.5, True, None, [], {}]
    assert [type_of(value) for value in values] == [
        "text",
        "number",
        "number",
        "bool",
        "null",
        "list",
        "object",
    ]


def test_each_connector_knows_its_calls() -> None:
    for supplier in ("duffel", "liteapi", "hotelbeds", "airalo"):
        path = known_file(supplier)
        assert path is not None
        assert path.parent.name == supplier
        assert len(calls_of(supplier)) >= 4
    assert (known_file("nobody"), dict(calls_of("nobody"))) == (None, {})


def test_a_call_is_found_by_its_path() -> None:
    found = call_named("duffel", "GET", "/air/orders/ord_1")
    assert found is not None
    assert found[0] == "GET /air/orders/*"
    assert call_named("duffel", "GET", "/air/orders/ord_1/more") is None
    assert call_named("duffel", "PUT", "/air/orders/ord_1") is None
