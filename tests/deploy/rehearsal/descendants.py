"""Every process that began here, daemons as well: this process takes their parents' place, and ends them."""

import ctypes
import os
import signal
import time
from contextlib import suppress
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
PATIENCE_SECONDS = 20.0


def adopt() -> None:
    """From now on a descendant whose parent ends becomes our child, and nobody else's."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_all() -> None:
    """Ask all of them to end, and end those that do not."""
    give_up = time.monotonic() + PATIENCE_SECONDS
    asked: set[int] = set()
    while running := descendants():
        for pid in running:
            if time.monotonic() > give_up:
                _send(pid, signal.SIGKILL)
            elif pid not in asked:
                asked.add(pid)
                _send(pid, signal.SIGTERM)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.05)


def descendants() -> list[int]:
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(stat.parent.name))
    found, to_look = [], [os.getpid()]
    while to_look:
        born = children.get(to_look.pop(), [])
        found += born
        to_look += born
    return found


def _send(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)
