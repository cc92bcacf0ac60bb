"""The circuit breaker: a supplier that failed several times in a row is left alone, and tried once in a while."""

import threading
import time

FAILURES = 5
OPEN_SECONDS = 10.0


class Breaker:
    """Opens after `FAILURES` failed calls in a row. Then it admits one call every `OPEN_SECONDS` (half open), until one succeeds.

    Safe for threads.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._failures = 0
        self._closed_until = 0.0

    def admits(self) -> bool:
        """Whether a call may be made now. After a call is admitted half open, no other is for `OPEN_SECONDS`."""
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
