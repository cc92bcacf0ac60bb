"""Every process that began here, daemons as well: this process takes their parents' place, and ends them."""

import ctypes
from contextlib import suppress

import psutil

PR_SET_CHILD_SUBREAPER = 36
PATIENCE_SECONDS = 20.0


def adopt() -> None:
    """From now on a descendant whose parent ends becomes a child of this process."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_all() -> None:
    """Ask all of them to end, and kill those that do not."""
    while running := psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            for process in running:
                process.terminate()
            _, alive = psutil.wait_procs(running, PATIENCE_SECONDS)
            for process in alive:
                process.kill()
