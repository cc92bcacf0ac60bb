"""The bulkhead: how many threads of a process a supplier may keep busy. One that hangs must not take them all."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

WAIT_SECONDS = 0.25
WAITERS = 1
"""So many threads may wait for a place, because waiting keeps a thread busy too; the others are refused at once."""


class BulkheadFull(Exception):
    """All places are taken, and none became free in time."""


class Bulkhead:
    """Places for calls under way. Reads leave every third place to writes: searches that hang must not stop bookings."""

    def __init__(self, places: int) -> None:
        self.places = places
        self.places_for_reads = max(1, places - places // 3)
        self._changed = threading.Condition()
        self._reads = 0
        self._all = 0
        self._waiting = 0

    @contextmanager
    def place(self, *, write: bool) -> Iterator[None]:
        """A place for the length of the block. Raises BulkheadFull."""
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
        """Wait for a place. Raises BulkheadFull."""
        if self._waiting >= WAITERS:
            raise BulkheadFull
        self._waiting += 1
        try:
            if not self._changed.wait_for(lambda: self._has_place(write), timeout=WAIT_SECONDS):
                raise BulkheadFull
        finally:
            self._waiting -= 1

    def _has_place(self, write: bool) -> bool:
        return self._all < self.places and (write or self._reads < self.places_for_reads)
