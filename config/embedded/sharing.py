"""Several commands at once share one running server.

Who uses it holds a shared lock on `users.lock` for as long as it lives, however it dies. A detached *keeper*
(`keeper.py`) has the server as its child, holds `keeper.lock`, and says in `url` where the server is. It
stops the server once it can have `users.lock` to itself. `start.lock` lets one command at a time look for it.
"""

import fcntl
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config.embedded.private import private_directory, private_log
from config.embedded.servers import ServerError
from config.embedded.servers.base import START_SECONDS

BASE_DIR = Path(__file__).resolve().parent.parent.parent
# Descriptors whose closing would give up a lock. They are not inherited by programs that this process starts.
_held: list[int] = []


class Share:
    """The files through which commands agree about the server in `directory`."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.users, self.starting, self.keeping = (
            directory / f"{name}.lock" for name in ("users", "start", "keeper")
        )
        self.url = directory / "url"
        self.log = directory / "keeper.log"

    def has_keeper(self) -> bool:
        with locked(self.keeping, fcntl.LOCK_SH | fcntl.LOCK_NB) as free:
            return not free


def join(kind: str, directory: Path) -> str:
    """The address of the server of that kind ("postgres", "redis"); it stays up until this process ends."""
    share = Share(directory)
    try:
        private_directory(directory)
        _held.append(open_locked(share.users, fcntl.LOCK_SH))
        with locked(share.starting, fcntl.LOCK_EX):
            return _url_of_keeper(kind, share)
    except PermissionError as error:
        raise ServerError(
            f"{error.filename} is another user's. Run as that user, or remove {directory}."
        ) from error


def give_up_locks() -> None:
    """For a process that was forked: whose locks these are keeps them, and the server is not kept up for us as well."""
    while _held:
        os.close(_held.pop())


def _url_of_keeper(kind: str, share: Share) -> str:
    keeper: subprocess.Popen[bytes] | None = None
    give_up = time.monotonic() + 2 * START_SECONDS
    while time.monotonic() < give_up:
        if share.has_keeper():
            if share.url.exists():
                return share.url.read_text()
        elif keeper is None:
            share.url.unlink(missing_ok=True)
            keeper = _start_keeper(kind, share)
        elif keeper.poll() is not None:
            break
        time.sleep(0.02)
    raise ServerError(
        share.log.read_text(errors="replace").strip() or f"{kind} did not start: see {share.directory}"
    )


def _start_keeper(kind: str, share: Share) -> "subprocess.Popen[bytes]":
    with private_log(share.log, anew=True) as log:
        return subprocess.Popen(
            [sys.executable, "-m", "config.embedded.keeper", kind, str(share.directory)],
            cwd=BASE_DIR,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


@contextmanager
def locked(path: Path, mode: int) -> Iterator[bool]:
    """Hold a lock on the file at `path`; with LOCK_NB, say whether it could be had."""
    try:
        descriptor = open_locked(path, mode)
    except BlockingIOError:
        yield False
        return
    try:
        yield True
    finally:
        os.close(descriptor)


def open_locked(path: Path, mode: int) -> int:
    """A descriptor that has the lock until it is closed."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, mode)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor
