"""Python programs that have not to import the libraries, which takes each a second and more: `Forked`, and `output` of one.

They are forks of a server (`tests.support.forkserver`), one for this process, that is started with the first of them. Where there
is no Linux they are programs of their own.
"""

import atexit
import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from subprocess import PIPE
from typing import IO, NamedTuple

from tests.support.forkserver import LONGEST_ORDER
from tests.support.processes import before_exec

ROOT = Path(__file__).resolve().parents[2]
PR_SET_CHILD_SUBREAPER = 36
LOOK_SECONDS = 0.005
LONGEST_SECONDS = 300


class Forked:
    """`Forked(["-m", "granian", …], environment)` is `python -m granian …`, in a session of its own and in the checkout.

    A child of this process, to be told and waited for as one of `subprocess`. It is sent `death_signal` when this process ends.
    """

    def __init__(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        *,
        stdin: IO[str] | IO[bytes] | int | None = None,
        stdout: IO[str] | IO[bytes] | int | None = None,
        stderr: IO[str] | IO[bytes] | None = None,
        death_signal: signal.Signals = signal.SIGTERM,
    ) -> None:
        """Without `stdin` there is nothing to read; `stdout` and `stderr` are ours unless given. The first two may be PIPE."""
        self.words = list(words)
        self.returncode: int | None = None
        self.stdin: IO[str] | None = None
        self.stdout: IO[str] | None = None
        with ExitStack() as its:  # what is open here only to be handed over
            if stdin is PIPE:
                stdin, ours = os.pipe()
                its.callback(os.close, stdin)
                self.stdin = os.fdopen(ours, "w")
            if stdout is PIPE:
                ours, stdout = os.pipe()
                its.callback(os.close, stdout)
                self.stdout = os.fdopen(ours)
            nothing = its.enter_context(open(os.devnull, "rb"))
            handles = [_number(stdin or nothing), _number(stdout or 1), _number(stderr or 2)]
            self.pid = _born(self.words, environment, handles, death_signal)

    def poll(self) -> int | None:
        return self._ask(os.WNOHANG)

    def wait(self, seconds: float | None = None) -> int:
        """Raises subprocess.TimeoutExpired."""
        give_up = None if seconds is None else time.monotonic() + seconds
        while (code := self._ask(0 if give_up is None else os.WNOHANG)) is None:
            if give_up is not None and time.monotonic() > give_up:
                raise subprocess.TimeoutExpired(self.words, seconds or 0.0)
            time.sleep(LOOK_SECONDS)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def end(self) -> None:
        """Kill it, and leave nothing of it."""
        self.kill()
        self.wait()
        for pipe in (self.stdin, self.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):  # what it was told last it did not read
                    pipe.close()

    def _ask(self, options: int) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, options)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode


def output(words: Sequence[str], environment: Mapping[str, str], told: str = "") -> str:
    """What a program wrote that was `told` this. Raises subprocess.CalledProcessError where it failed."""
    ended = done(words, environment, told)
    sys.stderr.write(ended.stderr)
    if ended.code:
        raise subprocess.CalledProcessError(ended.code, list(words), ended.stdout, ended.stderr)
    return ended.stdout


class Done(NamedTuple):
    """What became of a program."""

    code: int
    stdout: str
    stderr: str


def done(words: Sequence[str], environment: Mapping[str, str], told: str = "") -> Done:
    """Have a program run to its end. One that lasts for minutes is killed."""
    with ExitStack() as files:
        given, said, complained = (files.enter_context(tempfile.TemporaryFile("w+")) for _ in range(3))
        given.write(told)
        given.seek(0)
        program = Forked(words, environment, stdin=given, stdout=said, stderr=complained)
        try:
            code = program.wait(LONGEST_SECONDS)
        finally:
            program.end()
        for file in (said, complained):
            file.seek(0)
        return Done(code, said.read(), complained.read())


def _number(file: IO[str] | IO[bytes] | int) -> int:
    return file if isinstance(file, int) else file.fileno()


def _born(
    words: list[str], environment: Mapping[str, str], handles: list[int], death_signal: signal.Signals
) -> int:
    if sys.platform != "linux":
        moves = [(os.POSIX_SPAWN_DUP2, handle, number) for number, handle in enumerate(handles)]
        return os.posix_spawn(
            sys.executable, [sys.executable, *words], environment, file_actions=moves, setpgroup=0
        )
    order = {
        "words": words,
        "environment": dict(environment),
        "parent": os.getpid(),
        "deathSignal": int(death_signal),
    }
    return _server().fork(order, handles)


class _Server:
    """Started from the main thread: the kernel ends it with the thread that did."""

    def __init__(self) -> None:
        assert threading.current_thread() is threading.main_thread()
        self._orders, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._orders.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LONGEST_ORDER)
        self._turn = threading.Lock()
        with its:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.support.forkserver", str(its.fileno())],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                pass_fds=[its.fileno()],
                start_new_session=True,
                preexec_fn=before_exec(signal.SIGKILL),
            )
        atexit.register(self._end)

    def fork(self, order: dict[str, object], handles: list[int]) -> int:
        with self._turn:
            _adopt_orphans(True)  # as which the new process becomes our child
            try:
                socket.send_fds(self._orders, [json.dumps(order).encode()], handles)
                said = self._orders.recv(64)
            finally:
                _adopt_orphans(False)
        if not said:
            raise RuntimeError("the fork server is gone")
        return int(said)

    def _end(self) -> None:
        self._process.kill()
        self._process.wait()


def _adopt_orphans(ours: bool) -> None:
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, int(ours), 0, 0, 0)


def be_ready() -> None:
    """Start the server now: for whoever will want a program in another thread."""
    if sys.platform == "linux":
        _server()


@cache
def _server() -> _Server:
    return _Server()
