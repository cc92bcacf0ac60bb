"""A flight supplier in this process that misbehaves as told, and keeps the judge's books of what it was asked and did."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db import connection

from apps.common import clock
from apps.flights.suppliers.simulator.adapter import FlightSimulator
from apps.suppliers.simulation import Market
from tests.judge.books import Books


@dataclass
class Trouble:
    """What spoils one call: raised before it is carried out, or (`accepted`) after it was."""

    error: Exception
    accepted: bool = False


class ScriptedFlights:
    """Fulfils FlightSupplier. Unlike a careful supplier it books a reference twice when asked twice."""

    name = "simulator"

    def __init__(self) -> None:
        self.books = Books()
        self.simulator = FlightSimulator(self.books, now=clock.now)
        self.troubles: defaultdict[str, list[Trouble]] = defaultdict(list)
        self.before: dict[str, Callable[[], None]] = {}
        self.open_transactions: list[str] = []

    def __getattr__(self, method: str) -> Any:
        return partial(self._call, method)

    def spoil(self, method: str, error: Exception, *, times: int = 1, accepted: bool = False) -> None:
        """The next `times` calls of `method` end in `error`; with `accepted`, after they were carried out."""
        self.troubles[method] += [Trouble(error, accepted)] * times

    def meanwhile(self, method: str, act: Callable[[], None]) -> None:
        """Do something while the next call of `method` is under way."""
        self.before[method] = act

    def ask(self, percent: int) -> None:
        """From now on everything costs `percent` of what it did."""
        self.simulator.market = Market(percent=percent)

    def hide(self, times: int) -> None:
        """The next `times` look-ups of an order find nothing, whatever was booked."""
        self.hidden = times

    def report(self) -> dict[str, Any]:
        return self.books.report()

    def calls(self, method: str) -> int:
        return self.books.calls[method]

    hidden = 0

    def _call(self, method: str, *args: Any, **kwargs: Any) -> Any:
        self._note(method, args, kwargs)
        if act := self.before.pop(method, None):
            act()
        trouble = self.troubles[method].pop(0) if self.troubles[method] else None
        if trouble is not None and not trouble.accepted:
            raise trouble.error
        answer = getattr(self.simulator, method)(*args, **kwargs)
        if trouble is not None:
            raise trouble.error
        if method.startswith("find_") and self.hidden:
            self.hidden -= 1
            return None
        return answer

    def _note(self, method: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        blocks = connection.atomic_blocks if hasattr(connection, "atomic_blocks") else []
        if any(not getattr(block, "_from_testcase", False) for block in blocks):
            self.open_transactions.append(method)
        first = args[0] if args else next(iter(kwargs.values()), None)
        client_ref = getattr(first, "client_ref", first if isinstance(first, str) else None)
        self.books.called(method, client_ref)
