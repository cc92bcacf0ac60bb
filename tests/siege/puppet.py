"""Processes of our own that do what lines of JSON tell them, and answer each with one line: attackers here, victims there."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tests.support.processes import before_exec
from tests.support.stack import ROOT

Order = dict[str, Any]


class Puppet:
    """A process that runs `module`. An order is given with `tell`; its answer is read, much later perhaps, with `hear`."""

    def __init__(self, module: str, environment: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", module],
            cwd=ROOT,
            env={**environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            preexec_fn=before_exec(signal.SIGKILL),
        )

    def tell(self, **order: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()

    def hear(self) -> Any:
        """Raises RuntimeError where the process has ended; it said why on stderr."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.process.args} ended")
        return json.loads(line)

    def ask(self, **order: Any) -> Any:
        self.tell(**order)
        return self.hear()

    @property
    def cpu_seconds(self) -> float:
        """Processor time that it has used so far."""
        with open(f"/proc/{self.process.pid}/stat") as stat:
            fields = stat.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


@contextmanager
def puppet(module: str) -> Iterator[Puppet]:
    started = Puppet(module, os.environ)
    try:
        yield started
    finally:
        started.end()
