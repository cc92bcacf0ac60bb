"""What one call may take: seconds and bytes, and the clock that holds it to them."""

import time
from dataclasses import dataclass

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """`connect` and `read` bound one silence each; `total` bounds the whole call with its retries, to the last byte.

    `max_bytes` counts what an answer's body unpacks to.
    """

    connect: float = 5
    read: float = 30
    total: float | None = None
    max_bytes: int = 16 * MEBIBYTE

    @property
    def whole(self) -> float:
        return self.connect + self.read if self.total is None else self.total


class DeadlinePassed(TimeoutError):
    """The seconds allowed for the whole call are over."""


class Deadline:
    """A point on the monotonic clock. A socket's own timeout starts anew with every byte that drips in; this does not."""

    def __init__(self, seconds: float) -> None:
        self._at = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds left; below zero once it has passed."""
        return self._at - time.monotonic()

    def at_most(self, seconds: float) -> float:
        """`seconds`, or what is left where that is less; always above zero. Raises DeadlinePassed."""
        left = self.left
        if left <= 0:
            raise DeadlinePassed
        return min(seconds, left)
