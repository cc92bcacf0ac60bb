"""Which answers are looked at, and when: a sample, and each that a connector could make nothing of. Never by the call itself.

A thread of the process looks, one answer at a time. What comes while too many wait is not looked at: it is a sample.
"""

import json
import logging
import os
import queue
import random
import threading
import time
from dataclasses import dataclass

from django.conf import settings
from django.db import connections

from apps.suppliers.drift.counting import count
from apps.suppliers.drift.shapes import call_named
from apps.suppliers.errors import OutcomeUnknown, Unavailable

logger = logging.getLogger(__name__)

MOST_WAITING = 16
PAUSE_SECONDS = 1.0
"""The least time between two answers of a process that are looked at by chance: a busy hour must not pay for it."""


@dataclass(frozen=True, slots=True)
class Heard:
    """An answer with a 2xx. `path` is the request's, without the address and the query."""

    supplier: str
    method: str
    path: str
    body: bytes


class _Watch(threading.local):
    """What this thread heard last, while an adapter is at work."""

    depth = 0
    last: Heard | None = None


_watch = _Watch()
_waiting: "queue.Queue[Heard]" = queue.Queue(MOST_WAITING)
_lock = threading.Lock()
_looker: threading.Thread | None = None
_next_at = 0.0


def heard(supplier: str, method: str, path: str, status: int, body: bytes) -> None:
    """Called with each answer. Costs a comparison, but for one in `SUPPLIER_DRIFT_EVERY`."""
    every = settings.SUPPLIER_DRIFT_EVERY
    if not every or not 200 <= status < 300 or not body:
        _watch.last = None
        return
    answer = Heard(supplier, method, path, body)
    if _watch.depth:
        _watch.last = answer
    if random.random() * every < 1 and _has_time():
        offer(answer)


class Watched:
    """Around a call of an adapter. A class, because a generator takes four times as long to enter and to leave."""

    __slots__ = ()

    def __enter__(self) -> None:
        _watch.depth += 1
        _watch.last = None

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        last = _watch.last
        _watch.depth -= 1
        _watch.last = None
        if last is not None and isinstance(error, OutcomeUnknown | Unavailable):
            offer(last)


_watched = Watched()


def watched() -> Watched:
    """Around a call of an adapter: one that comes to nothing though the supplier has answered is looked into."""
    return _watched


def offer(answer: Heard) -> None:
    """To be looked at soon, if there is room."""
    try:
        _waiting.put_nowait(answer)
    except queue.Full:
        return
    _start()


def look_at(answer: Heard) -> None:
    """Compare it with what is known, and count what differs."""
    known = call_named(answer.supplier, answer.method, answer.path)
    if known is None:
        return
    call, shape = known
    try:
        value = json.loads(answer.body)
    except (ValueError, RecursionError):
        return  # no JSON: that is no matter of fields, and the connector says so
    if differences := shape.differences(value):
        count(answer.supplier, call, differences)


def _has_time() -> bool:
    global _next_at
    now = time.monotonic()
    if now < _next_at:
        return False
    _next_at = now + PAUSE_SECONDS
    return True


def _start() -> None:
    global _looker
    with _lock:
        if _looker is None or not _looker.is_alive():
            _looker = threading.Thread(target=_look, name="supplier drift", daemon=True)
            _looker.start()


def _look() -> None:
    while True:
        answer = _waiting.get()
        try:
            look_at(answer)
        except Exception:
            logger.exception("an answer of %s could not be compared", answer.supplier)
        finally:
            connections.close_all()


def _forget() -> None:
    """A child of a fork has neither the thread nor, for certain, the locks in order."""
    global _waiting, _lock, _looker
    _waiting, _lock, _looker = queue.Queue(MOST_WAITING), threading.Lock(), None


os.register_at_fork(after_in_child=_forget)
