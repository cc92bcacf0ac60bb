"""One limit for all stages of a send together.

A socket's own timeout starts anew with every byte that drips in.
"""

import time


class DeadlinePassed(TimeoutError):
    """The seconds allowed are over."""


class Deadline:
    """A point on the monotonic clock."""

    def __init__(self, seconds: float) -> None:
        self._at = time.monotonic() + seconds

    def remaining(self) -> float:
        """Seconds left, always above zero; raises DeadlinePassed when there are none."""
        left = self._at - time.monotonic()
        if left <= 0:
            raise DeadlinePassed
        return left
