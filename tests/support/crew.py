"""The processes of the Procfile beside the web server as they really run, to be killed at any instant and started again."""

import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from honcho.environ import parse_procfile

from tests.support.processes import children_of
from tests.support.programs import PythonProgram
from tests.support.stack import ROOT, variables


def words_of(command: str, environment: Mapping[str, str]) -> list[str]:
    """The words of a line, as the shell reads them."""
    told = subprocess.run(
        ["/bin/sh", "-c", f"printf '%s\\0' {command}"], env=environment, stdout=subprocess.PIPE, check=True
    )
    return told.stdout.decode().split("\0")[:-1]


class Member:
    """One process of the Procfile, all of which are Python's, with its children, in a session of its own."""

    def __init__(self, command: str, environment: Mapping[str, str], log: Path) -> None:
        self._words, self._environment, self._log = words_of(command, environment)[1:], dict(environment), log
        self.start()

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = PythonProgram(self._words, self._environment, stdout=log, stderr=log)

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def strike(self, chance: random.Random) -> None:
        """kill -9: all of it, as a machine's end is, or one process of it, as one takes for want of memory."""
        everything = [self._process.pid, *children_of(self._process.pid)]
        for pid in chance.choice([everything, [chance.choice(everything)]]):
            with suppress(ProcessLookupError):  # a child may have ended by itself
                os.kill(pid, signal.SIGKILL)

    def end(self) -> None:
        """kill -9, with whatever outlived an earlier blow: until it is waited for, its number is nobody else's."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def restart(self) -> None:
        self.end()
        self.start()


class Crew:
    """A worker, a network worker, and as many beats as a test wants."""

    def __init__(self, environment: Mapping[str, object], log: Path) -> None:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        self._environment = {**os.environ, **variables(environment), "PATH": path}
        self._commands = dict(parse_procfile((ROOT / "Procfile").read_text()).processes)
        self._log = log
        self.worker, self.network = self._member("worker"), self._member("network")
        self.beats: list[Member] = []

    @property
    def members(self) -> list[Member]:
        return [self.worker, self.network, *self.beats]

    def set_beats(self, count: int) -> None:
        """From now on so many beats run; those too many are killed."""
        while len(self.beats) > count:
            self.beats.pop().end()
        while len(self.beats) < count:
            self.beats.append(self._member("beat"))

    def end(self) -> None:
        for member in self.members:
            member.end()

    def _member(self, name: str) -> Member:
        return Member(self._commands[name], self._environment, self._log)


@contextmanager
def working(environment: Mapping[str, object], log: Path) -> Iterator[Crew]:
    """A crew with these variables beside ours, writing to `log`."""
    crew = Crew(environment, log)
    try:
        yield crew
    finally:
        crew.end()
