"""How many threads of a process one supplier may keep busy: a hung one must not take them all."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

WAIT_SECONDS = 0.25
WAITERS = 1
"""Whoever waits keeps a thread busy, too: the others are refused at once."""


class CapFull(Exception):
    """All places were taken, and none was given back in time."""


class Cap:
    """Places for calls under way. Reads leave every third place to writes: searches that hang must not keep bookings out."""

    def __init__(self, places: int) -> None:
        self.places = places
        self.places_for_reads = max(1, places - places // 3)
        self._changed = threading.Condition()
        self._reads = 0
        self._all = 0
        self._waiting = 0

    @contextmanager
    def place(self, *, write: bool) -> Iterator[None]:
        """A place for the length of the block. Raises CapFull."""
        with self._changed:
            if not self._has_place(write):
                self._wait(write)
            self._all += 1
            self._reads += not write
        try:
            yield
        finally:
            with self._changed:
                self._all -= 1
                self._reads -= not write
                self._changed.notify_all()

    def _wait(self, write: bool) -> None:
        """Until there is a place. Raises CapFull."""
        if self._waiting >= WAITERS:
            raise CapFull
        self._waiting += 1
        try:
            if not self._changed.wait_for(lambda: self._has_place(write), timeout=WAIT_SECONDS):
                raise CapFull
        finally:
            self._waiting -= 1

    def _has_place(self, write: bool) -> bool:
        return self._all < self.places and (write or self._reads < self.places_for_reads)
