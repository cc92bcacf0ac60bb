"""What PostgreSQL and Redis have in common: a directory, a user, a socket, a log, a life and an end.

The server's user may enter its own directories and none above them. So it is born in its `home`, which it calls
`HOME`, and is handed its sockets' directory as an open descriptor. Clients use the directory's real path.
"""

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import ClassVar

from config.embedded.private import hand_over, private_directory, private_log, write_private
from config.embedded.processes import User, before_exec, birth_of, children_of, server_user, with_a_name
from config.embedded.servers.errors import ServerError
from config.embedded.servers.programs import binary, copy_programs, may_run, path_in_site, place_for_copies

LONGEST_SOCKET_PATH = 107  # bytes: sun_path of unix(7), less its closing zero
START_SECONDS = 60
STOP_SECONDS = 30
HINDERED_SECONDS = 10
HOME = "/proc/self/cwd" if sys.platform == "linux" else "."
PASSED_ON = re.compile(r"PATH|TZ|LANG|LC_\w+|(LD|DYLD)_LIBRARY_PATH")  # no secret of ours
ADVICE = (
    "As root it has to run as another user, which needs CAP_SETUID, CAP_SETGID, CAP_CHOWN, CAP_DAC_OVERRIDE and "
    "CAP_KILL. Run as an ordinary user, or set DATABASE_URL and REDIS_URL."
)


class Server(ABC):
    """One server process in one directory: `data` or `run` and a log in it."""

    name: ClassVar[str]
    socket_name: ClassVar[str]
    stop_signals: ClassVar[dict[str, signal.Signals]]

    def __init__(self, directory: Path) -> None:
        self.directory = Path(directory).absolute()
        self.log = self.directory / f"{self.name}.log"
        self.run = self.directory / "run"
        self.sockets = _socket_directory(self.run, self.socket_name)
        self.user = server_user(self.run)
        self.process: subprocess.Popen[bytes] | None = None
        self._copies: Path | None = None

    @property
    @abstractmethod
    def url(self) -> str: ...

    @property
    @abstractmethod
    def home(self) -> Path:
        """The directory that the process is born in, and that it keeps its files in."""

    @abstractmethod
    def command(self, sockets: str) -> list[str]:
        """`sockets` is what the process may call their directory."""

    @abstractmethod
    def answers(self) -> bool: ...

    def words(self) -> str:
        """What the process reads from its standard input."""
        return ""

    def prepare(self) -> None:  # noqa: B027 - nothing, for a server that keeps nothing
        """What has to be there before it starts."""

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
        private_directory(self.directory)
        self._end_predecessor()
        self.own(self.run)
        self.own(self.sockets)
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
        if self.sockets != self.run:
            shutil.rmtree(self.sockets, ignore_errors=True)
        if self._copies is not None:
            shutil.rmtree(self._copies, ignore_errors=True)
            self._copies = None

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

    def own(self, path: Path, user: User | None = None) -> None:
        """Make a directory that only the server's user may enter, or take over one that was a former user's.

        Outside our own directory, where others may make some too, only root's is taken.
        """
        user = user or self.user
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = path.lstat()
        expected = os.geteuid() if user is None else user.uid
        if found.st_uid == expected and not path.is_symlink():
            return
        ours = found.st_uid == 0 or path.is_relative_to(self.directory)
        if user is None or path.is_symlink() or not ours:
            raise ServerError(
                f"{path} belongs to another user (uid {found.st_uid}). Remove it, or run as that user."
            )
        try:
            hand_over(path, user)
        except OSError as error:
            raise ServerError(f"{path} cannot be given to uid {user.uid}: {error}. {ADVICE}") from error

    def log_end(self) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-12:])

    def _launch(self) -> bool:
        with _handle(self.sockets) as (sockets, handles):
            self.process = self.spawn(self.command(sockets), self.home, words=self.words(), handles=handles)
        write_private(self._pid_file, f"{self.process.pid} {birth_of(self.process.pid)}")
        give_up = time.monotonic() + START_SECONDS
        while self.running and time.monotonic() < give_up:
            if self.answers():
                return True
            time.sleep(0.03)
        self.kill()
        return False

    def spawn(
        self,
        command: list[str],
        home: Path,
        *,
        user: User | None = None,
        words: str = "",
        handles: tuple[int, ...] = (),
    ) -> "subprocess.Popen[bytes]":
        """Run a program as the server's user (or another), in `home`, what it says going to the log."""
        user = user or self.user
        with private_log(self.log) as log, tempfile.TemporaryFile() as said:
            said.write(words.encode())
            said.seek(0)
            try:
                return subprocess.Popen(
                    command,
                    stdin=said,
                    stdout=log,
                    stderr=log,
                    cwd=home,
                    env={name: value for name, value in os.environ.items() if PASSED_ON.fullmatch(name)},
                    start_new_session=True,
                    pass_fds=handles,
                    preexec_fn=before_exec(self.stop_signals["fast"], user),
                )
            except (subprocess.SubprocessError, PermissionError) as error:
                who = f"uid {user.uid}" if user else "this user"
                raise ServerError(f"{self.name} cannot be started as {who}: {error} {ADVICE}") from error

    def program(self, name: str) -> str:
        """Its path: where it was installed, or in a copy of that, where our user may not go there."""
        if self.user is None or all(
            may_run(binary(name), user) for user in (self.user, with_a_name(self.user))
        ):
            return str(binary(name))
        if self._copies is None:
            copies = place_for_copies(self.user) / f"{_mark(self.directory)}-programs"
            _remove_ours(copies)
            copy_programs(name, copies)
            self._copies = copies
        return str(self._copies / path_in_site(name))

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


def _signal(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


@contextmanager
def _handle(directory: Path) -> Iterator[tuple[str, tuple[int, ...]]]:
    """What a child may call `directory` wherever it lies, and the descriptors that it must be passed for that."""
    if sys.platform != "linux":
        yield str(directory), ()
        return
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        yield f"/proc/self/fd/{descriptor}", (descriptor,)
    finally:
        os.close(descriptor)


def _remove_ours(directory: Path) -> None:
    """What a killed predecessor left; not what somebody else put there."""
    if directory.is_symlink() or directory.exists():
        if directory.lstat().st_uid != os.geteuid() or directory.is_symlink():
            raise ServerError(f"{directory} belongs to another user. Remove it.")
        shutil.rmtree(directory)


def _socket_directory(wanted: Path, socket_name: str) -> Path:
    """`wanted`, or a short place of its own where that is too long or has a comma, at which libpq splits."""
    for directory in (wanted, Path(tempfile.gettempdir()) / _mark(wanted)):
        if len(os.fsencode(directory / socket_name)) <= LONGEST_SOCKET_PATH and not re.search(
            r"[,\n]", str(directory)
        ):
            return directory
    return Path("/tmp") / _mark(wanted)  # noqa: S108


def _mark(path: Path) -> str:
    return f"travel-partner-{os.geteuid()}-{hashlib.sha256(os.fsencode(path)).hexdigest()[:12]}"
