"""The page's content on this host's disk: written by a task or a command, read by the web processes.

A file is replaced whole, so that a reader never meets half of one. Reading touches neither PostgreSQL nor Redis.
"""

import os
import tempfile
import time
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from django.conf import settings
from django.db import DatabaseError

from apps.common import clock
from apps.status import snapshot
from apps.status.measuring import measure
from apps.status.snapshot import Snapshot

STALE_SECONDS = 180
"""Two writings missed: nobody writes on this host."""


class Kept(NamedTuple):
    content: Snapshot
    age_seconds: int

    @property
    def is_stale(self) -> bool:
        return self.age_seconds > STALE_SECONDS


def path() -> Path:
    return Path(settings.STATUS_DIR) / "status.json"


def write(*, measuring: bool) -> bool:
    """Write what is known now. Without PostgreSQL: the last content, which then says so. Returns whether PostgreSQL answered.

    `measuring`: also count and check, as one process of the deployment does. Raises OSError where the disk refuses.
    """
    last = read()
    away = last.content.get("databaseAwaySince") if last else None
    try:
        if measuring:
            measure(database_away_since=clock.read_rfc3339(away) if away else None)
        content, answered = snapshot.taken(), True
    except DatabaseError:
        content, answered = snapshot.without_database(last.content if last else None), False
    _replace(orjson.dumps(content))
    return answered


def read() -> Kept | None:
    """What was written last; None where nothing readable is."""
    file = path()
    try:
        found = file.stat()
        content = _parsed(str(file), found.st_mtime_ns, found.st_ino)
    except (OSError, orjson.JSONDecodeError):
        return None
    return Kept(content, max(0, int(time.time() - found.st_mtime)))


@lru_cache(maxsize=2)
def _parsed(file: str, _written: int, _inode: int) -> Snapshot:
    content: Any = orjson.loads(Path(file).read_bytes())
    if not isinstance(content, dict):
        raise orjson.JSONDecodeError("no object", "", 0)
    return content


def _replace(content: bytes) -> None:
    file = path()
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=".status-")
    try:
        with os.fdopen(descriptor, "wb") as temporary:
            temporary.write(content)
            temporary.flush()
            os.fsync(temporary.fileno())
        Path(name).chmod(0o644)  # the web processes may be another user's
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
