"""Children of this process: each runs one thing, says one thing, and is ended with all that it started."""

import os
import pickle
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Ended:
    """What a child said; nothing where its time was over or it died."""

    said: Any = None
    late: bool = False
    seconds: float = 0.0


def in_a_fork(job: Callable[[], Any], seconds: float) -> Ended:
    """Run `job` in a child for `seconds` at most."""
    began = time.monotonic()
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if not pid:
        os.close(reading)
        _be_child(job, writing)
    os.close(writing)
    said, late = _read(reading, began + seconds)
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        os.kill(pid, signal.SIGKILL)  # not yet the leader of a group
    _, status = os.waitpid(pid, 0)
    os.close(reading)
    late = late or (not said and os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM)
    return Ended(pickle.loads(said) if said else None, late, time.monotonic() - began)


def die_in(seconds: float) -> None:
    """End this process, which is then late, unless it asks for more time by then."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds)


def _be_child(job: Callable[[], Any], writing: int) -> None:
    os.setsid()
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    try:
        said = job()
    except BaseException:
        said = traceback.format_exc()
    try:
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump(said, pipe)
    finally:
        os._exit(0)


def _read(descriptor: int, until: float) -> tuple[bytes, bool]:
    said = b""
    while (left := until - time.monotonic()) > 0:
        if select.select([descriptor], [], [], left)[0]:
            if not (piece := os.read(descriptor, 65536)):
                return said, False
            said += piece
    return b"", True
