"""What changed in PostgreSQL, for a process whose Redis was not told.

A change of a key sets a bypass in Redis. If the process that makes the change cannot reach Redis, the web processes that can
would use the cached key for up to 60 s. So each of them also reads the changed keys from PostgreSQL: in a thread of its own,
outside of calls, from its first call on. What the thread read a second ago or longer is too old: then calls ask PostgreSQL
themselves.
"""

import logging
import threading
import time
from datetime import timedelta
from math import inf

from django.conf import settings
from django.db import Error, connection

from apps.common import clock
from apps.keys.models import KeySecret

logger = logging.getLogger(__name__)

MAX_AGE_SECONDS = 1.0

_lock = threading.Lock()
_thread: threading.Thread | None = None
_read_at = -inf
_changed: frozenset[str] = frozenset()


def changed_digests() -> list[str]:
    """The digests of every secret of the keys that changed within the last 120 s, longer than any cache entry lives."""
    since = clock.now() - timedelta(seconds=settings.KEY_BYPASS_SECONDS)
    return list(KeySecret.objects.filter(key__changed_at__gte=since).values_list("digest", flat=True))


def allow_cached(digest: str) -> bool:
    """Whether a cached copy of this secret's key may be used, as far as PostgreSQL says."""
    if not settings.KEY_POLL_SECONDS:
        return True
    if _thread is None or not _thread.is_alive():  # also in a child of a fork
        _start()
    return time.monotonic() - _read_at < MAX_AGE_SECONDS and digest not in _changed


def _start() -> None:
    global _thread
    with _lock:
        if _thread is None or not _thread.is_alive():
            _thread = threading.Thread(target=_poll_for_ever, name="changed-keys", daemon=True)
            _thread.start()


def _poll_for_ever() -> None:
    try:
        while settings.KEY_POLL_SECONDS:
            began = time.monotonic()
            _poll(began)
            time.sleep(max(0.0, began + settings.KEY_POLL_SECONDS - time.monotonic()))
    finally:
        connection.close()


def _poll(began: float) -> None:
    """While PostgreSQL is away nothing is learned, and `_read_at` shows it."""
    global _read_at, _changed
    try:
        _changed = frozenset(changed_digests())
        _read_at = began
    except Error as failure:
        logger.warning("The changed keys could not be read: %s", failure)
        connection.close()
