"""How far a long command is: a bar with the time left on a terminal, otherwise one line a minute in the log.

A service reports to a `Progress`, which by default shows nothing. A command that may take minutes is a `LongCommand` and passes a
`ProgressBar`. It handles SIGTERM like Ctrl-C: the transaction under way is rolled back, and a second run does what is left.
"""

import logging
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Self, TextIO

from django.core.management.base import BaseCommand

logger = logging.getLogger(__name__)

REFRESH_SECONDS = 1.0
LOG_SECONDS = 60.0


class Progress:
    """What a service reports to. This one shows nothing."""

    def expect(self, total: int) -> None:
        """How many steps there are in all. Without it the time left is not known."""

    def advance(self, steps: int = 1) -> None: ...

    def note(self, text: str) -> None:
        """What is being done now."""

    def print(self, line: str) -> None:
        """A line of its own, above the bar."""


SILENT = Progress()


class ProgressBar(Progress):
    """Writes to `to` while the `with` block lasts, or to the log if `to` is not a terminal.

    A thread refreshes it, because one step may take minutes. `watch` is called in that thread once a second while there is a step
    to watch, and returns a text to show; an empty one changes nothing.
    """

    def __init__(
        self,
        what: str,
        unit: str,
        *,
        to: TextIO | None = None,
        watch: Callable[[], str] | None = None,
        refresh_seconds: float = REFRESH_SECONDS,
        log_seconds: float = LOG_SECONDS,
    ) -> None:
        from tqdm import tqdm  # web processes never show one

        self._to = to = sys.stderr if to is None else to
        self.on_terminal = to.isatty()
        self._what, self._unit, self._watch, self._note = what, unit, watch, ""
        self._refresh_seconds, self._log_seconds = refresh_seconds, log_seconds
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="progress", daemon=True)
        self._bar = tqdm(
            desc=what,
            unit=f" {unit}",
            file=to,
            disable=not self.on_terminal,
            dynamic_ncols=True,
            leave=False,
        )
        self._total: int | None = None
        self._done, self._started = 0, time.monotonic()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *args: object) -> None:
        self._ended.set()
        self._thread.join()
        self._bar.close()

    def expect(self, total: int) -> None:
        self._total = self._bar.total = total
        self._bar.refresh()

    def advance(self, steps: int = 1) -> None:
        self._done += steps
        self._bar.update(steps)

    def note(self, text: str) -> None:
        self._note = text
        self._bar.set_postfix_str(text)

    def print(self, line: str) -> None:
        self._bar.write(line, file=self._to)

    def line(self) -> str:
        """What the log gets: `reencrypt: 40%, 12000/30000 rows [02:00<03:00, 100.00 rows/s]`."""
        said = self._bar.format_meter(
            self._done,
            self._total,
            time.monotonic() - self._started,
            ncols=0,
            prefix=self._what,
            unit=f" {self._unit}",
            postfix=self._note or None,
        )
        return " ".join(said.split())

    def _run(self) -> None:
        logged = time.monotonic()
        while not self._ended.wait(self._refresh_seconds):
            if self._watch is not None and (text := self._watch()):
                self.note(text)
            self._bar.refresh()
            if not self.on_terminal and time.monotonic() - logged >= self._log_seconds:
                logged = time.monotonic()
                logger.info("%s", self.line())


class Terminated(KeyboardInterrupt):
    """SIGTERM."""


@contextmanager
def terminated_like_interrupted() -> Iterator[None]:
    """SIGTERM raises Terminated in the main thread, so that what is under way is rolled back as after Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: object) -> None:
        raise Terminated

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class LongCommand(BaseCommand):
    """A command that may be interrupted at any time. `again` states what a second run does."""

    again = "Run it again: it continues with what is left."

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Exit status 130 after Ctrl-C and 143 after SIGTERM."""
        with terminated_like_interrupted():
            try:
                return super().execute(*args, **options)
            except KeyboardInterrupt as interrupt:
                self.stderr.write(f"Interrupted. {self.again}")
                number = signal.SIGTERM if isinstance(interrupt, Terminated) else signal.SIGINT
                sys.exit(128 + number)
