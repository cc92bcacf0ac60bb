"""One of the two trees: its web server, asked for a page at a time."""

import http.client
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench.server import wait_until_ready
from tests.support.ports import free_port
from tests.support.processes import children_of
from tests.support.web import web_command

NANOSECONDS = 10**9


@dataclass(frozen=True)
class Asked:
    """What one page took, in seconds, and what came."""

    processor: float
    wall: float
    status: int
    size: int


class Side:
    """A server with one web process, and a connection to it that stays open."""

    def __init__(self, port: int, pid: int, cookie: str) -> None:
        self._process = children_of(pid)[0]
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._headers = {"Cookie": cookie}

    def ask(self, path: str) -> Asked:
        processor, began = self.processor_seconds, time.perf_counter()
        self._connection.request("GET", path, headers=self._headers)
        answer = self._connection.getresponse()
        size = len(answer.read())
        wall = time.perf_counter() - began
        return Asked(self.processor_seconds - processor, wall, answer.status, size)

    @property
    def processor_seconds(self) -> float:
        """What all threads of the web process have used so far, to the nanosecond."""
        threads = Path(f"/proc/{self._process}/task").glob("*/schedstat")
        return sum(int(thread.read_text().split()[0]) for thread in threads) / NANOSECONDS


@contextmanager
def serving(tree: Path, environment: Mapping[str, str], cookie: str) -> Iterator[Side]:
    """The web server of the checkout at `tree`, with the packages of this one's environment."""
    port = free_port()
    command = [sys.executable, *web_command(port=port, workers=1, threads=2)]
    own = {"WEB_THREADS": "2", "PYTHONPATH": str(tree)}
    process = subprocess.Popen(
        command, cwd=tree, env={**os.environ, **environment, **own}, stderr=subprocess.DEVNULL
    )
    try:
        wait_until_ready(port)
        yield Side(port, process.pid, cookie)
    finally:
        process.terminate()
        process.wait(40)
