"""Values as JSON and back."""

import json
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from apps.common.sql import one_row
from apps.suppliers.results import PenaltyStep
from apps.suppliers.values import (
    UndecodableError,
    Value,
    from_json,
    from_text,
    is_value,
    names_of,
    replaced,
    to_column,
    to_json,
)


class Quick(Value, frozen=True):
    name: str
    cents: int = 0


@dataclass(frozen=True)
class Plain:
    name: str
    cents: int = 0


@pytest.mark.parametrize("kind", [Quick, Plain])
def test_a_value_has_names_and_is_copied(kind: type[Quick | Plain]) -> None:
    value = kind("a")
    assert (is_value(value), is_value(kind), names_of(kind)) == (True, True, ("name", "cents"))
    assert (replaced(value, cents=5), value) == (kind("a", 5), kind("a", 0))
    with pytest.raises(TypeError):
        replaced(value, pounds=5)
    with pytest.raises(AttributeError):
        value.cents = 7  # type: ignore[misc]


ROOT = Path(__file__).resolve().parents[2]
unhurried = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Leaf:
    name: str
    count: int = 0
    seen: bool | None = None


@dataclass(frozen=True)
class Tree:
    """One of everything that the codec knows."""

    leaf: Leaf
    leaves: tuple[Leaf, ...]
    by_name: dict[str, Leaf]
    numbers: list[int]
    day: date
    instant: datetime
    amount: Decimal
    colour: Colour
    tree: "Tree | None" = None
    anything: Any = None
    extra: dict[str, str] = field(default_factory=dict)


zones = st.integers(-14 * 4, 14 * 4).map(lambda quarters: timezone(timedelta(minutes=15 * quarters)))
instants = st.datetimes(min_value=datetime(2000, 1, 1), max_value=datetime(2100, 1, 1), timezones=zones)
amounts = st.decimals(allow_nan=False, allow_infinity=False)
st.register_type_strategy(datetime, instants)
st.register_type_strategy(Decimal, amounts)
st.register_type_strategy(int, st.integers(-(2**63), 2**63 - 1))
trees = st.recursive(
    st.builds(Tree, tree=st.none(), anything=st.none()),
    lambda inner: st.builds(Tree, tree=inner, anything=st.none()),
    max_leaves=3,
)


@unhurried
@given(trees)
def test_what_was_written_is_read_again(tree: Tree) -> None:
    assert from_json(Tree, json.loads(json.dumps(to_json(tree)))) == tree


@pytest.mark.parametrize("number", [0.5, -1.5, 1e300, 1e-9, 12345678.0])
def test_a_float_is_rejected(number: Any) -> None:
    for value in (number, [1, number], {"a": number}, Leaf("a", number), [{"b": [Leaf("1.5", number)]}]):
        with pytest.raises(TypeError):
            to_json(value)


@pytest.mark.django_db
@unhurried
@given(trees)
def test_a_column_holds_what_was_written(tree: Tree) -> None:
    assume(r"\u0000" not in json.dumps(to_json(tree)))  # which JSONB does not take
    row = one_row("SELECT %s", [to_column(tree)])
    assert row is not None
    assert from_text(Tree, row[0]) == tree


def test_the_json_form_is_plain() -> None:
    lisbon = timezone(timedelta(hours=1))
    tree = Tree(
        leaf=Leaf("a", 1, True),
        leaves=(Leaf("b"),),
        by_name={"c": Leaf("c")},
        numbers=[1, 2],
        day=date(2027, 2, 3),
        instant=datetime(2027, 7, 3, 9, 15, tzinfo=lisbon),
        amount=Decimal("12.30"),
        colour=Colour.BLUE,
    )
    assert to_json(tree) == {
        "leaf": {"name": "a", "count": 1, "seen": True},
        "leaves": [{"name": "b", "count": 0, "seen": None}],
        "by_name": {"c": {"name": "c", "count": 0, "seen": None}},
        "numbers": [1, 2],
        "day": "2027-02-03",
        "instant": "2027-07-03T09:15:00+01:00",
        "amount": "12.30",
        "colour": "blue",
        "tree": None,
        "anything": None,
        "extra": {},
    }


@pytest.mark.parametrize(
    ("cls", "data"),
    [
        (Leaf, {"count": 1}),
        (Leaf, {"name": "a", "count": True}),
        (Leaf, {"name": "a", "count": "1"}),
        (Leaf, {"name": None}),
        (Leaf, ["a"]),
        (tuple[Leaf, ...], {"name": "a"}),
        (dict[str, Leaf], []),
        (date, "3 February"),
        (date, 20270203),
        (datetime, "soon"),
        (Decimal, "much"),
        (Colour, "green"),
    ],
)
def test_data_of_another_type_is_refused(cls: Any, data: object) -> None:
    with pytest.raises(UndecodableError):
        from_json(cls, data)


@pytest.mark.parametrize(
    "value",
    [1.5, object(), {1, 2}, Leaf, Leaf("a", 1.5), {"a": [Leaf("b", 2e300)]}, 2**64],  # type: ignore[arg-type]
)
def test_what_has_no_json_form_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        to_json(value)


# --- Amounts ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["12.30", "0.1", "-0.00", "1E+3", "100000000000000000000.01"])
def test_a_decimal_is_written_as_text_with_all_its_digits(text: str) -> None:
    assert to_json({"amount": Decimal(text)}) == {"amount": text}
    assert str(from_json(Decimal, text)) == text


# --- What earlier releases stored ------------------------------------------------------------------------------

STORED = Path(__file__).with_name("stored_by_earlier_releases.json")


@pytest.mark.parametrize("name", list(json.loads(STORED.read_text())))
def test_what_earlier_releases_stored_is_read_and_written_alike(name: str) -> None:
    """The file was written by the codec before msgspec: one record of each kind that rests in a column. What a class has gained
    since then is written beside it.
    """
    record = json.loads(STORED.read_text())[name]
    module, found = name.rsplit(".", 1)
    cls = getattr(import_module(module), found)
    value = from_json(cls, record)
    written = to_json(value)
    assert known_of(written, record) == record
    assert from_json(cls, written) == value


def known_of(written: Any, record: Any) -> Any:
    """`written` without the properties that `record` lacks. What is null need not be written, and UTC is Z or
    +00:00."""
    if isinstance(record, dict) and isinstance(written, dict):
        return {name: known_of(written.get(name), record[name]) for name in record}
    if isinstance(record, list) and isinstance(written, list) and len(record) == len(written):
        return [known_of(*pair) for pair in zip(written, record, strict=True)]
    if isinstance(written, str) and written.endswith("Z"):
        return f"{written[:-1]}+00:00"
    return written


def test_a_named_tuple_is_an_array_on_either_way() -> None:
    steps = (PenaltyStep(None, 20), PenaltyStep(datetime(2027, 2, 1, 12, tzinfo=UTC), 50))
    assert to_json(steps) == [[None, 20], ["2027-02-01T12:00:00+00:00", 50]]
    assert from_json(tuple[PenaltyStep, ...], to_json(steps)) == steps
    assert from_text(tuple[PenaltyStep, ...], json.dumps(to_json(steps))) == steps


def test_threads_may_use_a_class_at_once_that_nobody_has_used() -> None:
    subprocess.run([sys.executable, "-m", "tests.suppliers.first_uses"], cwd=ROOT, check=True)
