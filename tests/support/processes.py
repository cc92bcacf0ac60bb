"""Processes that tests start: what they have for children, and that they end with their parent (Linux)."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

PR_SET_PDEATHSIG = 1

_libc = ctypes.CDLL(None)


def before_exec(death_signal: signal.Signals) -> Callable[[], None]:
    """What a child does between fork and exec, to get `death_signal` when the thread ends that started it."""
    parent = os.getpid()

    def prepare() -> None:
        if sys.platform == "linux":
            _libc.prctl(PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)

    return prepare


def children_of(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
