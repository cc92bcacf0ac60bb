"""What a process keeps for each supplier between calls, however often its connector is built: session, breaker, places."""

import os
import threading
from dataclasses import dataclass

from apps.suppliers.http.breaker import Breaker
from apps.suppliers.http.cap import Cap
from apps.suppliers.http.session import SupplierSession


@dataclass(frozen=True, slots=True)
class State:
    session: SupplierSession
    breaker: Breaker
    cap: Cap


_lock = threading.Lock()
_states: dict[tuple[str, str], State] = {}
_caps: dict[str, Cap] = {}


def state_of(name: str, base_url: str, concurrency: int) -> State:
    """Session and breaker belong to the host, the places to the supplier: it may have several hosts."""
    with _lock:
        if (name, base_url) not in _states:
            cap = _caps.setdefault(name, Cap(concurrency))
            _states[name, base_url] = State(SupplierSession(kept_connections=concurrency), Breaker(), cap)
        return _states[name, base_url]


def forget_all() -> None:
    """As in a process that has called nobody yet: for tests, and for a child, which must not share its parent's sockets."""
    global _lock
    _lock = threading.Lock()  # the parent may have held it in the moment of the fork
    _states.clear()
    _caps.clear()


os.register_at_fork(after_in_child=forget_all)
