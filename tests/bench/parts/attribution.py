"""Whose the processor's work is: of nested parts, the innermost one's."""

import gc
from collections import Counter
from collections.abc import Callable
from functools import wraps
from typing import Any

from tests.bench.parts.meters import Meter

NOTHING = "nothing"
"""An operation without a name: what is done between the calls."""
CALIBRATIONS = 200


class Attribution:
    """Cuts the work of one thread where one part ends and another begins, once it has begun."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._begun = False
        self._operation = NOTHING
        self._within = [NOTHING]
        self.pieces: Counter[str] = Counter()
        """How many pieces each label has. To cut costs a little as well: as much for each piece."""

    def begin(self) -> None:
        self._meter.begin()
        self._begun = True

    def operation(self, name: str) -> None:
        """Whatever follows is that operation's."""
        self._cut()
        self._operation = name

    def part(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """`function`, whose work is that part's."""

        @wraps(function)
        def attributed(*args: Any, **kwargs: Any) -> Any:
            if self._within[-1] == name:
                return function(*args, **kwargs)
            self._enter(name)
            try:
                return function(*args, **kwargs)
            finally:
                self._leave()

        return attributed

    def collections(self, name: str) -> None:
        """The garbage collector's work, whenever it begins, is that part's."""

        def noted(phase: str, info: object) -> None:
            if phase == "start":
                self._enter(name)
            else:
                self._leave()

        gc.callbacks.append(noted)

    def calibrate(self, label: str) -> None:
        """Cut pieces in which nothing happens, as the operation `label`: they say what cutting costs."""
        empty = self.part("empty", lambda: None)
        self.operation(label)
        for _ in range(CALIBRATIONS):
            empty()
        self.operation(NOTHING)

    def spent(self) -> dict[str, int]:
        return self._meter.spent()

    def _enter(self, name: str) -> None:
        self._cut()
        self._within.append(name)

    def _leave(self) -> None:
        self._cut()
        self._within.pop()

    def _cut(self) -> None:
        if self._begun:
            label = f"{self._operation}/{self._within[-1]}"
            self.pieces[label] += 1
            self._meter.cut(label)
