"""What a process keeps of each supplier between calls, because connectors are built anew: connections, breaker, bulkheads."""

import os
import ssl
import threading
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlsplit

import certifi
from django.conf import settings

from apps.common.outbound.addresses import Resolver
from apps.common.outbound.connection import DEFAULT_PORTS, ConnectionPool, Connector, Origin
from apps.suppliers.http.breaker import Breaker
from apps.suppliers.http.bulkhead import Bulkhead

LOOKUP_THREADS = 32


@dataclass(frozen=True, slots=True)
class State:
    origin: Origin
    pool: ConnectionPool
    breaker: Breaker
    bulkhead: Bulkhead
    """Of this supplier."""
    common_bulkhead: Bulkhead
    """Of all suppliers: several that hang at once must not take all threads either."""


_lock = threading.Lock()
_states: dict[tuple[str, str], State] = {}
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


def state_of(name: str, base_url: str, concurrency: int | None = None) -> State:
    """Connections and breaker belong to the host; the bulkhead belongs to the supplier, which may have several hosts."""
    global _common_bulkhead
    concurrency = concurrency or share_of_one()
    with _lock:
        if (name, base_url) not in _states:
            _common_bulkhead = _common_bulkhead or Bulkhead(share_of_all())
            _states[name, base_url] = State(
                origin=_origin_of(base_url),
                pool=ConnectionPool(_connector(), kept=concurrency),
                breaker=Breaker(),
                bulkhead=_bulkheads.setdefault(name, Bulkhead(concurrency)),
                common_bulkhead=_common_bulkhead,
            )
        return _states[name, base_url]


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
