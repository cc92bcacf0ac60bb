"""Runs the processes of a Procfile side by side: all start, all write here, all stop together."""

import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

from config.embedded.preloaded import Fork, words_of
from config.embedded.processes import before_exec

STOP_SECONDS = 35  # what a worker gets to finish when it is told to stop
TICK_SECONDS = 0.2
LAST_WORDS_SECONDS = 0.5
COLOURS = (36, 33, 35, 32, 34)
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Supervisor:
    """Stops everything when one process ends, on Ctrl-C, SIGTERM or SIGHUP, and when our parent has died.

    `preloaded`: whoever runs this has loaded the application, and lines that run Python are forked from it (`preloaded.py`).
    """

    def __init__(self, commands: dict[str, str], *, preloaded: bool = False) -> None:
        self.commands = commands
        self.processes: dict[str, subprocess.Popen[bytes] | Fork] = {}
        self.preloaded = preloaded
        self.pid, self.parent = os.getpid(), os.getppid()
        self.signals = 0
        self._selector = selectors.DefaultSelector()
        self._unfinished: dict[str, bytes] = {}

    def run(self, environment: dict[str, str], on_tick: Callable[[], None]) -> int:
        """Returns the exit code: 0 when told to stop, else that of the process that ended (never 0).

        Raises `preloaded.Born` in a process that was forked.
        """
        for number in STOPPING:
            signal.signal(number, self._count_signal)
        try:
            for name, command in self.commands.items():
                self._start(name, command, environment)
            while not self.signals and os.getppid() == self.parent:
                self._pump(TICK_SECONDS)
                for name, process in self.processes.items():
                    if (code := process.poll()) is not None:
                        return self._ended(name, code)
                on_tick()
            return 0
        finally:
            if os.getpid() == self.pid:
                self.stop()

    def stop(self) -> None:
        """Ask all to finish; after 35 s, or a second Ctrl-C, kill what is left with all its children."""
        asked, give_up = self.signals, time.monotonic() + STOP_SECONDS
        for process in self.processes.values():
            with suppress(ProcessLookupError):
                process.terminate()
        while self._alive() and time.monotonic() < give_up and self.signals <= max(asked, 1):
            self._pump(0.05)
        for process in self.processes.values():
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self._pump(0)

    def say(self, name: str, text: str) -> None:
        width = max(len(known) for known in self.commands)
        prefix = f"{name:<{width}} |"
        if sys.stdout.isatty() and "NO_COLOR" not in os.environ:
            colour = COLOURS[list(self.commands).index(name) % len(COLOURS)]
            prefix = f"\033[{colour}m{prefix}\033[0m"
        with suppress(OSError):  # the terminal may be gone, and there is still work to do
            print(prefix, text, flush=True)

    def _start(self, name: str, command: str, environment: dict[str, str]) -> None:
        environment = {**environment, "PYTHONUNBUFFERED": "1"}
        words = words_of(command, environment) if self.preloaded else None
        process = (
            Fork(name, words, environment, self._leave) if words else self._program(command, environment)
        )
        assert process.stdout is not None
        os.set_blocking(process.stdout.fileno(), False)
        self._selector.register(process.stdout, selectors.EVENT_READ, name)
        self.processes[name] = process

    def _program(self, command: str, environment: dict[str, str]) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            ["/bin/sh", "-c", f"exec {command}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,  # a Ctrl-C is ours to pass on
            preexec_fn=before_exec(signal.SIGTERM),
        )

    def _leave(self) -> None:
        """In a process that was forked: let go of what the others write."""
        self._selector.close()
        for process in self.processes.values():
            assert process.stdout is not None
            process.stdout.close()

    def _pump(self, seconds: float) -> None:
        """Pass on what the processes write, line by line."""
        started = time.monotonic()
        for key, _ in self._selector.select(seconds):
            chunk = os.read(key.fd, 65_536)
            *lines, rest = (self._unfinished.pop(key.data, b"") + chunk).split(b"\n")
            if chunk:
                self._unfinished[key.data] = rest
            else:
                self._selector.unregister(key.fileobj)
                lines += [rest] if rest else []
            for line in lines:
                self.say(key.data, line.decode(errors="replace").rstrip())
        if not self._selector.get_map():
            time.sleep(max(0.0, seconds - (time.monotonic() - started)))

    def _alive(self) -> bool:
        return any(process.poll() is None for process in self.processes.values())

    def _ended(self, name: str, code: int) -> int:
        """`code` as a shell tells it; nothing was supposed to end, so that 0 is a failure too."""
        give_up = time.monotonic() + LAST_WORDS_SECONDS
        while self._has_more_to_say(name) and time.monotonic() < give_up:
            self._pump(0.05)
        told = 128 - code if code < 0 else code
        self.say(name, f"ended with code {told}: stopping everything")
        return told or 1

    def _has_more_to_say(self, name: str) -> bool:
        """Whether what it wrote is not read to its end; what it started may write on after it has ended."""
        return name in (key.data for key in self._selector.get_map().values())

    def _count_signal(self, number: int, frame: FrameType | None) -> None:
        self.signals += 1
