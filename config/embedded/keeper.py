"""Keeps one server running while anybody uses it: `python -m config.embedded.keeper postgres DIRECTORY`.

Detached from whoever needed the server first, so that a Ctrl-C there takes nothing from the others. Killed
with -9 it takes the server along (`processes.before_exec`).
"""

import fcntl
import os
import signal
import sys
import time
from pathlib import Path
from types import FrameType

from config.embedded.private import write_private
from config.embedded.servers import Postgres, Redis, Server, ServerError
from config.embedded.sharing import Share, open_locked

KINDS: dict[str, type[Server]] = {"postgres": Postgres, "redis": Redis}
GRACE_SECONDS = 3.0  # commands follow one another: make test after make lint
LOOK_SECONDS = 0.2
_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Stopped(Exception):
    """The keeper was told to stop."""


def main(kind: str, directory: Path) -> int:
    share = Share(directory)
    lock = _become_keeper(share)
    if lock is None:
        return 0
    server = KINDS[kind](directory)
    for number in _SIGNALS:
        signal.signal(number, _stop)
    try:
        server.start()
        write_private(share.url, server.url)
        _wait_until_unused(server, share, lock)
    except Stopped:
        return 0
    except ServerError as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        share.url.unlink(missing_ok=True)
        server.stop()
    return 0


def _become_keeper(share: Share) -> int | None:
    """The lock that only one keeper has. Commands that look for one touch it briefly: ask again."""
    for _ in range(40):
        try:
            return open_locked(share.keeping, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.05)
    return None


def _wait_until_unused(server: Server, share: Share, lock: int) -> None:
    """Returns holding the users' lock: whoever comes now waits until we are gone and starts anew."""
    unused_since: float | None = None
    while _still_there(share, lock):
        if not server.running:
            server.start()
        try:
            users = open_locked(share.users, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            unused_since = None
        else:
            unused_since = unused_since or time.monotonic()
            if time.monotonic() - unused_since > GRACE_SECONDS:
                return
            os.close(users)
        time.sleep(LOOK_SECONDS)


def _still_there(share: Share, lock: int) -> bool:
    """False when `var/` was deleted under us: nobody can find us any more."""
    try:
        return share.keeping.stat().st_ino == os.fstat(lock).st_ino
    except FileNotFoundError:
        return False


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise Stopped


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
