"""One request and its answer, and the one fact that decides how a failure counts: whether sending had begun."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from apps.suppliers.http.limits import Deadline, Limits


class Exchange:
    """`began` turns true just before the first byte of the request is handed to the kernel, on a connection that stands.

    Until then the supplier certainly heard nothing: names, connecting and TLS come before. `fresh` wants a connection of its
    own, because one that was kept may have been closed in the same moment, which would look like a lost answer.
    """

    def __init__(self, limits: Limits, deadline: Deadline, *, fresh: bool) -> None:
        self.limits = limits
        self.deadline = deadline
        self.fresh = fresh
        self.began = False

    def seconds_to_connect(self) -> float:
        """Raises DeadlinePassed."""
        return self.deadline.at_most(self.limits.connect)

    def seconds_to_wait(self) -> float:
        """How long the next byte may take, in either direction. Raises DeadlinePassed."""
        return self.deadline.at_most(self.limits.read)


_under_way: ContextVar[Exchange] = ContextVar("exchange_under_way")


@contextmanager
def under_way(exchange: Exchange) -> Iterator[None]:
    """Lets the connections, which `requests` opens and keeps, know whose bytes they carry."""
    token = _under_way.set(exchange)
    try:
        yield
    finally:
        _under_way.reset(token)


def current() -> Exchange:
    return _under_way.get()
