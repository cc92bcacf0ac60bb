"""That values of both kinds are told from other things, have names, and are copied alike."""

from dataclasses import dataclass

import pytest

from apps.suppliers.values import Value, is_value, names_of, replaced


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


def test_other_things_are_no_values() -> None:
    assert [is_value(thing) for thing in ("a", 1, None, {"name": "a"}, str)] == [False] * 5
