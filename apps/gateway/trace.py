"""What the gateway did with a call, step by step: how it is noted, how the request log keeps it, and how it is read again.

A step is noted as the text that is kept of it: `bearer_key 360`, the microseconds, and `client_ip 63 ip_not_allowed` where it did
not pass. Fourteen to a call, so it is short and made once; and PostgreSQL would take nested lists apart piece by piece, which was
a third of what a logged call cost it.
"""

import time
from collections.abc import Sequence
from types import TracebackType
from typing import NamedTuple

from apps.gateway.errors import GatewayError

PASSED = "passed"


class Step(NamedTuple):
    """One step taken: its name, what it decided ("passed" or an error type), and how long it took, in microseconds."""

    name: str
    verdict: str
    microseconds: int

    @property
    def passed(self) -> bool:
        return self.verdict == PASSED

    @property
    def milliseconds(self) -> float:
        return self.microseconds / 1000


class Taking:
    """Notes a step when it ends, however it does. A class, at a quarter of a generator's cost."""

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
    return ";".join(trace)


def read(text: str) -> list[Step]:
    """The steps of a trace that was `written`."""
    return [_read(part) for part in text.split(";")] if text else []


def _read(part: str) -> Step:
    name, spent, *verdict = part.split(" ")
    return Step(name, verdict[0] if verdict else PASSED, int(spent))
