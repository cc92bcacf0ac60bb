"""One bound over several calls: an operation often makes more than one, and each may be slow."""

from contextvars import ContextVar

from apps.common.outbound import Deadline
from apps.suppliers.errors import Unavailable
from apps.suppliers.http.limits import Limits

_bound: ContextVar[Deadline | None] = ContextVar("bound_of_all_calls", default=None)


class all_within:  # noqa: N801 - it is used as a function, and a generator takes four times as long
    """Every call of the block ends within `seconds`, whatever its own limits allow. It holds for this thread only.

    A bound inside another one cannot loosen it.
    """

    __slots__ = ("_seconds", "_token")

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def __enter__(self) -> None:
        outer = _bound.get()
        seconds = self._seconds if outer is None else min(self._seconds, outer.left)
        self._token = _bound.set(Deadline(seconds))

    def __exit__(self, *error: object) -> None:
        _bound.reset(self._token)


def deadline_of(limits: Limits) -> Deadline:
    """The deadline of a call about to begin. Raises Unavailable where the time for all calls is over."""
    return Deadline(at_most(limits.whole))


def at_most(seconds: float) -> float:
    """`seconds`, or what the bound leaves where that is less: for anything else that is waited for.

    Raises Unavailable where the time for all calls is over.
    """
    bound = _bound.get()
    if bound is None:
        return seconds
    left = bound.left
    if left <= 0:
        raise Unavailable("there was no time left to ask")
    return min(seconds, left)
