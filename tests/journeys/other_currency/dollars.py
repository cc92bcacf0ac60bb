"""The simulators as suppliers of live keys that charge dollars, whatever currency is asked for, and know of no other."""

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

from apps.suppliers.currency import is_money
from apps.suppliers.values import is_value, names_of, replaced

OWN = "USD"


class Dollars:
    """Stands in front of a simulator. It would notice an amount in another currency, or the rate that was kept for us."""

    name = "dollars"

    def __init__(self, simulator: Any) -> None:
        self.simulator = simulator

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self.simulator, name)
        if not callable(attribute):
            return attribute

        @wraps(attribute)
        def ask(*args: Any, **kwargs: Any) -> Any:
            asked = [*args, *kwargs.values()]
            for value in parts_of([in_dollars(arg) if name == "search" else arg for arg in asked]):
                assert not is_money(value) or value.currency == OWN, f"{name} was asked in {value.currency}"
                assert "exchange" not in getattr(value, "supplier_data", ()), name
            return attribute(*map(in_dollars, args), **{key: in_dollars(kwargs[key]) for key in kwargs})

        return ask


def parts_of(value: Any) -> Iterator[Any]:
    """Every frozen value in `value`; what a guest pays on the spot is in a currency of its own."""
    if isinstance(value, list | tuple):
        for item in value:
            yield from parts_of(item)
    elif is_value(value):
        yield value
        for name in names_of(type(value)):
            if name != "pay_at_hotel":
                yield from parts_of(getattr(value, name))


def in_dollars(value: Any) -> Any:
    """A search that asks for euros is answered in dollars all the same."""
    if not is_value(value):
        return value
    changes: dict[str, Any] = {}
    for name in names_of(type(value)):
        if name == "currency":
            changes["currency"] = OWN
        elif name == "search":
            changes["search"] = in_dollars(value.search)
        elif name == "max_total_cents":  # a limit in a currency that it does not know
            changes["max_total_cents"] = None
    return replaced(value, **changes)


def adapter_of(simulator: Callable[[], Any]) -> Callable[[], Dollars]:
    return lambda: Dollars(simulator())
