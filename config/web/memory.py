"""How large the process is, and giving back what it no longer needs."""

import ctypes
import os
from pathlib import Path

MEBIBYTE = 1024 * 1024
GROWN_BYTES = 8 * MEBIBYTE
"""What the process may grow by before its allocator is asked to return what is free."""

# malloc.h
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8

_page = os.sysconf("SC_PAGE_SIZE")
_statm = Path("/proc/self/statm")


def resident_bytes() -> int:
    """The process's resident memory; 0 where the system does not tell (not Linux)."""
    try:
        return int(_statm.read_bytes().split()[1]) * _page
    except OSError:
        return 0


def keep_small() -> None:
    """Have the allocator give large blocks back when they are freed, and let threads share its pools (glibc's mallopt).

    By default each thread may get a pool of its own, and one large request makes every later block of that size stay.
    Called before the first thread.
    """
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is not None:
        set_option(M_ARENA_MAX, 2)
        set_option(M_MMAP_THRESHOLD, 128 * 1024)
        set_option(M_TRIM_THRESHOLD, 128 * 1024)


class Memory:
    """Watches one process. Large requests leave free memory in the allocator, which keeps it unless asked."""

    def __init__(self, ceiling_bytes: int) -> None:
        self._ceiling = ceiling_bytes
        self._at_first = resident_bytes()
        self._trim = getattr(
            ctypes.CDLL(None), "malloc_trim", None
        )  # glibc's; others give back by themselves

    @property
    def is_over(self) -> bool:
        """Whether the process is above its ceiling after giving back what it could; 0 means there is none."""
        if not self._ceiling or resident_bytes() <= self._ceiling:
            return False
        self.give_back()
        return resident_bytes() > self._ceiling

    def rest(self) -> None:
        """Give back free memory while the process is larger than it was at first; called every few seconds.

        What is in use at one call may be free at the next, so each call tries: that takes a tenth of a millisecond.
        """
        if resident_bytes() > self._at_first + GROWN_BYTES:
            self.give_back()

    def give_back(self) -> None:
        if self._trim is not None:
            self._trim(0)
