"""The trace of a call: which steps of the gateway it took, what each decided, and how long each lasted.

A step is noted at once as the text that the request log stores: `bearer_key 360` (microseconds), or `client_ip 63 ip_not_allowed`
where the call was refused. A call has fourteen steps, so the text is short and made once. Nested lists cost PostgreSQL more: to
parse them was a third of the price of a logged call.
"""

from collections.abc import Callable, Sequence
from time import perf_counter_ns
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


def timed(trace: list[str], name: str, step: Callable[..., object], *arguments: object) -> None:
    """Carry out a step with these arguments. Notes it in `trace` when it ends, also when it raises.

    A function and not a context manager: every call takes fourteen steps, and each would make an object and two calls more.
    """
    began = perf_counter_ns()
    try:
        step(*arguments)
    except BaseException as error:
        note(trace, name, began, error)
        raise
    note(trace, name, began)


def note(trace: list[str], name: str, began: int, error: BaseException | None = None) -> None:
    spent = (perf_counter_ns() - began) // 1000
    if error is None:
        trace.append(f"{name} {spent}")
    else:
        verdict = error.type if isinstance(error, GatewayError) else type(error).__name__
        trace.append(f"{name} {spent} {verdict}")


def written(trace: Sequence[str]) -> str:
    return ";".join(trace)


def read(text: str) -> list[Step]:
    return [_read(part) for part in text.split(";")] if text else []


def _read(part: str) -> Step:
    name, spent, *verdict = part.split(" ")
    return Step(name, verdict[0] if verdict else PASSED, int(spent))
