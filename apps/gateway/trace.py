"""The trace of a call: which steps of the gateway it took, what each decided, and how long each lasted.

A step is noted at once as the text that the request log stores: `bearer_key 360` (microseconds), or `client_ip 63 ip_not_allowed`
where the call was refused. A call has fourteen steps, so the text is short and made once. Nested lists cost PostgreSQL more: to
parse them was a third of the price of a logged call.
"""

import time
from collections.abc import Sequence
from types import TracebackType
from typing import NamedTuple

from apps.common.errors import GatewayError

PASSED = "passed"


class Step(NamedTuple):
    """One step of the gateway: its name, its verdict ("passed" or an error type), and its duration in microseconds."""

    name: str
    verdict: str
    microseconds: int

    @property
    def passed(self) -> bool:
        return self.verdict == PASSED

    @property
    def milliseconds(self) -> float:
        return self.microseconds / 1000


class StepTimer:
    """A context manager that notes a step when it ends, also when it raises. A class costs a quarter of a generator."""

    __slots__ = ("_began", "_name", "_trace")

    def __init__(self, name: str, trace: list[str]) -> None:
        self._name, self._trace = name, trace

    def __enter__(self) -> None:
        self._began = time.perf_counter_ns()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        spent = (time.perf_counter_ns() - self._began) // 1000
        if kind is None:
            self._trace.append(f"{self._name} {spent}")
        else:
            verdict = error.type if isinstance(error, GatewayError) else kind.__name__
            self._trace.append(f"{self._name} {spent} {verdict}")


def written(trace: Sequence[str]) -> str:
    """The trace as one text."""
    return ";".join(trace)


def read(text: str) -> list[Step]:
    """The steps of a text that `written` made."""
    return [_read(part) for part in text.split(";")] if text else []


def _read(part: str) -> Step:
    name, spent, *verdict = part.split(" ")
    return Step(name, verdict[0] if verdict else PASSED, int(spent))
