"""Keep a database connection without asking it before every request whether it still is one.

Django's health check costs a round trip a request. A connection that answered within the last seconds is taken to be alive;
one that was idle for longer is asked, so that what a restart or a firewall has cut is opened anew instead of failing a call.
A worker's task asks at its start.
"""

import threading
import time
from typing import Any

from celery.signals import task_prerun
from django.conf import settings
from django.core.cache import close_caches
from django.core.handlers.base import reset_urlconf
from django.core.signals import request_finished, request_started
from django.db import DEFAULT_DB_ALIAS, close_old_connections, connection, connections, reset_queries
from django.db.backends.base.base import BaseDatabaseWrapper

from apps.common import redis

TRUSTED_SECONDS = 2.0


class _Seen(threading.local):
    alive_at = -TRUSTED_SECONDS
    trusted = False
    """Whether this request asks its connection nothing before it uses it."""


_seen = _Seen()
is_taken_over = False
"""Whether a request's two ends are `begin` and `end`, and nothing else is told of them."""


def trust_if_fresh(**kwargs: Any) -> None:
    """At a request's start: no health check for what was alive a moment ago."""
    _trust_if_fresh(connections[DEFAULT_DB_ALIAS])


def _trust_if_fresh(database: BaseDatabaseWrapper) -> None:
    _seen.trusted = database.connection is not None and time.monotonic() - _seen.alive_at < TRUSTED_SECONDS
    if _seen.trusted:
        database.health_check_done = True  # type: ignore[attr-defined]


def note_alive(**kwargs: Any) -> None:
    """At a request's end: whether the connection is known to work. A request that did not use it has learnt nothing of it."""
    _note_alive(connections[DEFAULT_DB_ALIAS])


def _note_alive(database: BaseDatabaseWrapper) -> None:
    if database.connection is None or database.errors_occurred:
        _seen.alive_at = -TRUSTED_SECONDS
    elif database.health_check_done and not _seen.trusted:  # type: ignore[attr-defined]
        _seen.alive_at = time.monotonic()


def leave_if_lost(sender: Any, **kwargs: Any) -> None:
    """Before a worker's task. Celery keeps a connection for thousands of tasks (`CELERY_DB_REUSE_MAX`), even a lost one.

    After a restart of PostgreSQL every task of the process would fail for hours.
    """
    if not sender.request.is_eager and not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()


def watch() -> None:
    request_started.connect(trust_if_fresh, dispatch_uid="connections.trust_if_fresh")
    # Django's forgets whether the connection was asked: ours comes first.
    request_finished.disconnect(close_old_connections)
    request_finished.connect(note_alive, dispatch_uid="connections.note_alive")
    request_finished.connect(close_old_connections)
    task_prerun.connect(leave_if_lost, dispatch_uid="connections.leave_if_lost")


def take_over() -> None:
    """In a web process: one receiver at each end of a request, instead of Django's five and three of ours.

    Django's look through all connections of the thread, and there is one. They forget queries, which are kept for DEBUG alone,
    close caches, of which ours has nothing to close, and reset the URL map, which every request sets.
    """
    global is_taken_over
    if settings.DEBUG:
        return
    is_taken_over = True
    for begins in (reset_queries, close_old_connections):
        request_started.disconnect(begins)
    for ends in (close_old_connections, close_caches, reset_urlconf):
        request_finished.disconnect(ends)
    for name in ("connections.trust_if_fresh", "redis.begin_request"):
        request_started.disconnect(dispatch_uid=name)
    request_finished.disconnect(dispatch_uid="connections.note_alive")
    request_started.connect(begin, dispatch_uid="connections.begin")
    request_finished.connect(end, dispatch_uid="connections.end")


def begin(**kwargs: Any) -> None:
    """At a request's start."""
    database = connections[DEFAULT_DB_ALIAS]
    database.close_if_unusable_or_obsolete()
    _trust_if_fresh(database)
    redis.begin_request()


def end(**kwargs: Any) -> None:
    """At a request's end."""
    database = connections[DEFAULT_DB_ALIAS]
    _note_alive(database)
    if database.errors_occurred or not database.autocommit:
        database.close_if_unusable_or_obsolete()
