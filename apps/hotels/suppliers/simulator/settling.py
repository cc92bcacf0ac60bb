"""Waiting until prices settle: the suppliers behind the simulator answer in rounds, and it is asked until all have.

A real aggregator works the same way; only here a round lasts a millisecond.
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from apps.suppliers.errors import Unavailable

Priced = TypeVar("Priced")

ROUND_SECONDS = 0.001
DEADLINE_SECONDS = 8.0


@dataclass(slots=True)
class Collection(Generic[Priced]):
    """A search under way. Each of `pending` settles at the poll of its number, counted from 1."""

    pending: list[tuple[int, Priced]]
    polls: int = field(default=0)

    def poll(self) -> tuple[list[Priced], bool]:
        """What has settled so far, in order, and whether that is all."""
        self.polls += 1
        settled = [priced for settles_at, priced in self.pending if settles_at <= self.polls]
        return settled, len(settled) == len(self.pending)


def settled(
    pending: Iterable[tuple[int, Priced]],
    *,
    deadline_seconds: float = DEADLINE_SECONDS,
    elapsed: Callable[[], float] = time.monotonic,
    pause: Callable[[float], None] = time.sleep,
) -> list[Priced]:
    """All that settles before the deadline. Raises Unavailable when nothing did and something might have."""
    collection = Collection(list(pending))
    ends = elapsed() + deadline_seconds
    found, complete = collection.poll()
    while not complete and elapsed() < ends:
        pause(ROUND_SECONDS)
        found, complete = collection.poll()
    if not found and not complete:
        raise Unavailable("no price settled in time")
    return found
