"""One limit of time for all stages of an exchange together."""

import time


class DeadlinePassed(TimeoutError):
    """The seconds that were allowed are over."""


class Deadline:
    """A point on the monotonic clock. A socket's own timeout starts anew with every byte that arrives; this does not."""

    def __init__(self, seconds: float) -> None:
        self._at = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds left; zero or less once it has passed."""
        return self._at - time.monotonic()

    def at_most(self, seconds: float) -> float:
        """`seconds`, or the seconds left where these are fewer; always above zero. Raises DeadlinePassed."""
        left = self._at - time.monotonic()
        if left <= 0:
            raise DeadlinePassed
        return left if left < seconds else seconds
