"""Keep a database connection without asking it before every request whether it still is one.

Django's health check costs a round trip a request. A connection that answered within the last seconds is taken to be alive;
one that was idle for longer is asked, so that what a restart or a firewall has cut is opened anew instead of failing a call.
A worker's task asks at its start.
"""

import threading
import time
from typing import Any

from celery.signals import task_prerun
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, connection

TRUSTED_SECONDS = 2.0


class _Seen(threading.local):
    alive_at = -TRUSTED_SECONDS
    trusted = False
    """Whether this request asks its connection nothing before it uses it."""


_seen = _Seen()


def trust_if_fresh(**kwargs: Any) -> None:
    """At a request's start: no health check for what was alive a moment ago."""
    _seen.trusted = connection.connection is not None and time.monotonic() - _seen.alive_at < TRUSTED_SECONDS
    if _seen.trusted:
        connection.health_check_done = True  # type: ignore[attr-defined]


def note_alive(**kwargs: Any) -> None:
    """At a request's end: whether the connection is known to work. A request that did not use it has learnt nothing of it."""
    if connection.connection is None or connection.errors_occurred:
        _seen.alive_at = -TRUSTED_SECONDS
    elif connection.health_check_done and not _seen.trusted:  # type: ignore[attr-defined]
        _seen.alive_at = time.monotonic()


def leave_if_lost(sender: Any, **kwargs: Any) -> None:
    """Before a worker's task. Celery keeps a process' connection for thousands of tasks (`CELERY_DB_REUSE_MAX`), a lost one too:

    after a restart of PostgreSQL every task would fail for hours.
    """
    if not sender.request.is_eager and not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()


def watch() -> None:
    request_started.connect(trust_if_fresh, dispatch_uid="connections.trust_if_fresh")
    request_finished.disconnect(
        close_old_connections
    )  # it forgets whether the connection was asked: ours comes first
    request_finished.connect(note_alive, dispatch_uid="connections.note_alive")
    request_finished.connect(close_old_connections)
    task_prerun.connect(leave_if_lost, dispatch_uid="connections.leave_if_lost")
