"""What keeps the failure of one supplier from the others: breaker, bulkheads and connections of each.

A process keeps them between calls, because connectors are built for each call.
"""

import os
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlsplit

import certifi
from django.conf import settings

from apps.common.outbound.addresses import Resolver
from apps.common.outbound.connection import DEFAULT_PORTS, ConnectionPool, Connector, Origin

FAILURES = 5
OPEN_SECONDS = 10.0


class Breaker:
    """Opens after `FAILURES` failed calls in a row. Then it admits one call every `OPEN_SECONDS` (half open), until one succeeds.

    Safe for threads.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._failures = 0
        self._closed_until = 0.0

    def admits(self) -> bool:
        """Whether a call may be made now. After a call is admitted half open, no other is for `OPEN_SECONDS`."""
        with self._lock:
            if self._failures < FAILURES:
                return True
            now = time.monotonic()
            if now < self._closed_until:
                return False
            self._closed_until = now + OPEN_SECONDS
            return True

    def succeeded(self) -> None:
        with self._lock:
            self._failures = 0

    def failed(self) -> None:
        with self._lock:
            self._failures += 1
            if self._failures >= FAILURES:
                self._closed_until = time.monotonic() + OPEN_SECONDS


WAIT_SECONDS = 0.25
WAITERS = 1
"""So many threads may wait for a place, because waiting keeps a thread busy too; the others are refused at once."""


class BulkheadFull(Exception):
    """All places are taken, and none became free in time."""


class Bulkhead:
    """Places for calls under way. Reads leave every third place to writes: searches that hang must not stop bookings."""

    def __init__(self, places: int) -> None:
        self.places = places
        self.places_for_reads = max(1, places - places // 3)
        self._changed = threading.Condition()
        self._reads = 0
        self._all = 0
        self._waiting = 0

    @contextmanager
    def place(self, *, write: bool) -> Iterator[None]:
        """A place for the length of the block. Raises BulkheadFull."""
        with self._changed:
            if not self._has_place(write):
                self._wait(write)
            self._all += 1
            self._reads += not write
        try:
            yield
        finally:
            with self._changed:
                self._all -= 1
                self._reads -= not write
                self._changed.notify_all()

    def _wait(self, write: bool) -> None:
        if self._waiting >= WAITERS:
            raise BulkheadFull
        self._waiting += 1
        try:
            if not self._changed.wait_for(lambda: self._has_place(write), timeout=WAIT_SECONDS):
                raise BulkheadFull
        finally:
            self._waiting -= 1

    def _has_place(self, write: bool) -> bool:
        return self._all < self.places and (write or self._reads < self.places_for_reads)


LOOKUP_THREADS = 32


@dataclass(frozen=True, slots=True)
class State:
    origin: Origin
    pool: ConnectionPool
    breaker: Breaker
    bulkhead: Bulkhead  # of this supplier
    common_bulkhead: Bulkhead  # of all suppliers: several that hang at once must not take all threads either


_lock = threading.Lock()
_states: dict[tuple[str, str, str], State] = {}
_bulkheads: dict[str, Bulkhead] = {}
_common_bulkhead: Bulkhead | None = None


def share_of_one() -> int:
    """How many threads of a process one supplier may keep busy: at most half of those that serve /v1."""
    threads: int = settings.WEB_THREADS
    return max(2, threads // 2)


def share_of_all() -> int:
    """How many threads all suppliers may keep busy together: three quarters, so that reads always find one."""
    threads: int = settings.WEB_THREADS
    return max(share_of_one(), threads * 3 // 4)


def state_of(name: str, base_url: str, concurrency: int | None = None, lane: str = "") -> State:
    """Connections and breaker belong to the host; the bulkhead belongs to the supplier, which may have several hosts.

    `lane`: calls that are made on threads of their own (`side_by_side`). They share nothing with the other calls, because they
    keep no thread busy that serves /v1, and must not take the places of those that do.
    """
    global _common_bulkhead
    concurrency = concurrency or share_of_one()
    with _lock:
        if (name, base_url, lane) not in _states:
            _common_bulkhead = _common_bulkhead or Bulkhead(share_of_all())
            _states[name, base_url, lane] = State(
                origin=_origin_of(base_url),
                pool=ConnectionPool(_connector(), kept=concurrency),
                breaker=Breaker(),
                bulkhead=_bulkheads.setdefault(f"{name} {lane}", Bulkhead(concurrency)),
                common_bulkhead=Bulkhead(concurrency) if lane else _common_bulkhead,
            )
        return _states[name, base_url, lane]


def forget_all() -> None:
    """Start as a new process does: for tests, and after a fork, because a child must not use its parent's sockets."""
    global _lock, _common_bulkhead
    _common_bulkhead = None
    _lock = threading.Lock()  # the parent may have held it in the moment of the fork
    _states.clear()
    _bulkheads.clear()
    _connector.cache_clear()


def _origin_of(base_url: str) -> Origin:
    parts = urlsplit(base_url)
    return Origin(parts.scheme, parts.hostname or "", parts.port or DEFAULT_PORTS[parts.scheme])


@cache
def _connector() -> Connector:
    """One for all suppliers. Their addresses come from our own settings, so any address may be connected to."""
    return Connector(
        resolver=Resolver(threads=LOOKUP_THREADS), context=_context(), may_connect=lambda _address: True
    )


@cache
def _context() -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=certifi.where())
    context.set_alpn_protocols(["http/1.1"])
    return context


os.register_at_fork(after_in_child=forget_all)
