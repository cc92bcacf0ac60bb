"""Programs of Debian's, each a process of ours: started, killed and ended by its own number."""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from tests.support.processes import children_of

READY_SECONDS = 60
ENDED_SECONDS = 30
POSTGRES_USER = "postgres"
"""Who runs PostgreSQL where we are root, which it does not allow."""

NEEDED = {
    "nginx": "nginx-light",
    "redis-server": "redis-server",
    "redis-sentinel": "redis-sentinel",
    "haproxy": "haproxy",
    "pg_config": "postgresql-common",
}
"""Each program, and the package of Debian's that brings it."""
TO_WATCH = {"prometheus": "prometheus"}
"""What the rehearsal of faults needs beside."""


def missing(*, watched: bool = False) -> list[str]:
    """The packages that are not installed."""
    needed = {**NEEDED, **(TO_WATCH if watched else {})}
    packages = [package for program, package in needed.items() if shutil.which(program) is None]
    return packages if packages or postgres_program("postgres").exists() else ["postgresql"]


def postgres_program(name: str) -> Path:
    """Debian keeps PostgreSQL's own programs apart, by version: the newest is taken."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4]))
    return found[-1] if found else Path(shutil.which(name) or f"/usr/lib/postgresql/0/bin/{name}")


def unprivileged() -> str | None:
    return POSTGRES_USER if os.geteuid() == 0 else None


def own(path: Path) -> None:
    """Give what is there to the user who runs PostgreSQL."""
    if user := unprivileged():
        for each in (path, *path.rglob("*")):
            shutil.chown(each, user, user)


def run(words: Sequence[str | Path], *, user: str | None = None, **environment: str) -> str:
    """The output of a program that ends. Raises RuntimeError with what it said where it fails."""
    done = subprocess.run(
        [str(word) for word in words],
        env={**os.environ, **environment},
        user=user,
        group=user,
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, words))}: {done.stdout[-500:]}{done.stderr[-1500:]}")
    return done.stdout


class Program:
    """One process with its children, in a session of its own, which writes to `log`."""

    def __init__(
        self,
        words: Sequence[str | Path],
        log: Path,
        *,
        user: str | None = None,
        cwd: Path = Path("/"),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._words, self._log, self._user, self._cwd = [str(word) for word in words], log, user, cwd
        self._environment = dict(environment) if environment is not None else dict(os.environ)
        self.start()

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._words,
                env=self._environment,
                user=self._user,
                group=self._user,
                cwd=self._cwd,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def children(self) -> list[int]:
        return children_of(self._process.pid) if self.alive else []

    def tell(self, number: signal.Signals) -> None:
        if self.alive:
            self._process.send_signal(number)

    def kill(self) -> None:
        """kill -9 of it and of its children at once, as a machine's end is."""
        for pid in (self._process.pid, *children_of(self._process.pid)):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait()

    def end(self, number: signal.Signals = signal.SIGTERM, seconds: float = ENDED_SECONDS) -> None:
        """As a process manager ends it: a word, then kill -9."""
        self.tell(number)
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
        with suppress(ProcessLookupError):  # what its parent left behind
            os.killpg(self._process.pid, signal.SIGKILL)

    def wait_for_port(self, port: int) -> None:
        """Until somebody listens. Raises RuntimeError with the end of the log where nobody does."""
        give_up = time.monotonic() + READY_SECONDS
        while time.monotonic() < give_up and self.alive:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                return
            time.sleep(0.05)
        raise RuntimeError(f"{self._words[0]} does not listen: {self.said()}")

    def said(self) -> str:
        """The end of its log."""
        return self._log.read_text()[-1500:]
