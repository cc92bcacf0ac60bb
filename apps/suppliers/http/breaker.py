"""Leaves a supplier alone that has failed again and again, and tries it once in a while."""

import threading
import time

FAILURES = 5
OPEN_SECONDS = 10.0


class Breaker:
    """Opens after `FAILURES` calls in a row that failed; then lets one call through every `OPEN_SECONDS` (half open), until
    one succeeds. Safe for threads.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._failures = 0
        self._closed_until = 0.0

    def admits(self) -> bool:
        """Whether a call may be made now. The one that finds the breaker half open keeps the others out meanwhile."""
        with self._lock:
            if self._failures < FAILURES:
                return True
            now = time.monotonic()
            if now < self._closed_until:
                return False
            self._closed_until = now + OPEN_SECONDS
            return True

    def succeeded(self) -> None:
        with self._lock:
            self._failures = 0

    def failed(self) -> None:
        with self._lock:
            self._failures += 1
            if self._failures >= FAILURES:
                self._closed_until = time.monotonic() + OPEN_SECONDS
