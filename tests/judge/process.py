"""Starting a judge, telling it what to do, and hearing its verdict."""

import atexit
import os
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from subprocess import PIPE
from typing import Any

import requests

from tests.support.programs import PythonProgram


@dataclass(frozen=True)
class Judge:
    """A running judge. `use_judge(judge.url)` makes it this process's simulator, `environment` that of a service elsewhere."""

    url: str
    process: PythonProgram

    @property
    def environment(self) -> dict[str, str]:
        """The variables of a service whose simulators are this judge."""
        return {"DJANGO_SETTINGS_MODULE": "tests.judge.settings", "JUDGE_URL": self.url}

    def misbehave(self, method: str, kind: str, **details: Any) -> None:
        """`misbehave("book", "hang", times=3, seconds=2, client_ref=…)`: see `tests.judge.faults`."""
        self._tell("fault", method=method, kind=kind, **details)

    def set_market(self, *, percent: int = 100, sold_out: bool = False) -> None:
        """From now on everything costs `percent` of what it did, or is sold out."""
        self._tell("market", percent=percent, sold_out=sold_out)

    def hide_first_lookups(self, count: int) -> None:
        """The first `count` look-ups of each reference find nothing, whatever was booked."""
        self._tell("blind-lookups", count=count)

    def forget(self) -> None:
        """Back to the state after the start."""
        self._tell("clear")

    def report(self) -> dict[str, Any]:
        """`calls` by method, `callsByRef`, `writes` in order, `records` by supplier reference."""
        return self._tell("report")

    def bookings(self) -> Counter[str]:
        """How many bookings were really made with each of our references."""
        return Counter(write["clientRef"] for write in self.report()["writes"] if write["kind"] == "book")

    def written(self) -> Counter[str]:
        """How often something was really made, changed or cancelled under each of our references."""
        return Counter(self._tell("written"))

    def calls(self, method: str) -> int:
        return self.report()["calls"].get(method, 0)

    def _tell(self, command: str, **details: Any) -> Any:
        response = requests.post(f"{self.url}/control/{command}", json=details, timeout=60)
        response.raise_for_status()
        return response.json()["result"]


@contextmanager
def start_judge() -> Iterator[Judge]:
    """A judge on a free port of the loopback interface, killed at the end."""
    process = PythonProgram(["-m", "tests.judge"], os.environ, stdout=PIPE, death_signal=signal.SIGKILL)
    try:
        assert process.stdout is not None
        yield Judge(process.stdout.readline().strip(), process)
    finally:
        process.end()


@contextmanager
def kept_judge() -> Iterator[Judge]:
    """As after its start, but the same for every test of this process: starting one takes longer than most tests."""
    judge = _until_we_end()
    judge.forget()
    yield judge


@cache
def _until_we_end() -> Judge:
    running = ExitStack()
    atexit.register(running.close)
    return running.enter_context(start_judge())
