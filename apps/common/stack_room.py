"""Room on CPython's stack of frames for calls that nest deeply, as templates do.

CPython keeps frames in pieces of 16 KB. A call that does not fit any more takes another piece from the system, and gives it back
as it returns. A loop at such a depth does so for each of its calls: a list of 50 rows spent 15 ms of 37 so.
"""

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
SLOTS = 4_400
"""Eight bytes each. A frame that is larger than 32 KB gets a piece of 64 KB, and what is nested in it has the rest."""


def with_room(call: Callable[[], T]) -> T:
    """Call it where the frames of some 200 nested calls fit into one piece."""
    return call()


with_room.__code__ = with_room.__code__.replace(co_stacksize=SLOTS)
