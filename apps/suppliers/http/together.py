"""A bound over several calls: a look-up, or what is asked before a booking, is often more than one, and each may be slow."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from apps.suppliers.errors import Unavailable
from apps.suppliers.http.limits import Deadline, Limits

_bound: ContextVar[Deadline | None] = ContextVar("bound_of_all_calls", default=None)


@contextmanager
def all_within(seconds: float) -> Iterator[None]:
    """Every call of the block ends by then, whatever its own limits allow. It holds in this thread alone."""
    outer = _bound.get()
    token = _bound.set(Deadline(seconds if outer is None else min(seconds, outer.left)))
    try:
        yield
    finally:
        _bound.reset(token)


def deadline_of(limits: Limits) -> Deadline:
    """Of a call about to begin. Raises Unavailable where the time for all of them is over."""
    return Deadline(at_most(limits.whole))


def at_most(seconds: float) -> float:
    """`seconds`, or what the bound leaves of them: for whatever else is waited for. Raises Unavailable where it is over."""
    bound = _bound.get()
    if bound is None:
        return seconds
    left = bound.left
    if left <= 0:
        raise Unavailable("there was no time left to ask")
    return min(seconds, left)
