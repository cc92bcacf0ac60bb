"""Connections: opened where none is idle, and kept for the next exchange with the same origin."""

import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf

from apps.common.outbound.answer import Answer
from apps.common.outbound.connecting import Connector, Origin
from apps.common.outbound.connection import Connection, Headers
from apps.common.outbound.http_exchange import Exchange
from apps.common.outbound.timed_socket import TimedSocket


@dataclass(frozen=True, slots=True)
class Request:
    """`target` is the path with its query. The Host header is added; all others are given, Content-Length included."""

    method: str
    target: str
    headers: Headers
    body: bytes = b""


class ConnectionPool:
    """Idle connections by origin, `kept` of each at most, closed after `idle_seconds` without use or `life_seconds` in all.

    Safe for threads: a connection is idle in here or in use by one thread, never both.
    """

    def __init__(
        self, connector: Connector, *, kept: int, idle_seconds: float = inf, life_seconds: float = inf
    ) -> None:
        self._connector = connector
        self._kept = kept
        self._idle_seconds = idle_seconds
        self._life_seconds = life_seconds
        self._lock = threading.Lock()
        self._idle: dict[Origin, list[Connection]] = defaultdict(list)

    def take(self, origin: Origin) -> Connection | None:
        """The idle connection that was used last, where one is still good; it is the caller's now."""
        while True:
            with self._lock:
                idle = self._idle.get(origin)
                if not idle:
                    return None
                connection = idle.pop()
            if not self._is_old(connection) and not connection.is_stale():
                return connection
            connection.close()

    def open(self, origin: Origin, exchange: Exchange) -> Connection:
        """A new connection. Raises AddressRefused and OSError: see `Connector.open`."""
        return Connection(origin, TimedSocket(self._connector.open(origin, exchange), exchange))

    @contextmanager
    def ask(self, connection: Connection, request: Request, exchange: Exchange) -> Iterator[Answer]:
        """The answer to `request`, its body to be read inside the block.

        Afterwards the connection is kept where nothing of the answer is left to read, and closed otherwise. Raises what
        `Connection.ask` raises.
        """
        keep = False
        try:
            answer = connection.ask(request.method, request.target, request.headers, request.body, exchange)
            yield answer
            keep = answer.leaves_connection_usable
        finally:
            if keep:
                self._give(connection)
            else:
                connection.close()

    def close_old(self, *, everything: bool = False) -> None:
        """Close the idle connections whose time is over."""
        with self._lock:
            for origin, idle in list(self._idle.items()):
                for connection in [one for one in idle if everything or self._is_old(one)]:
                    idle.remove(connection)
                    connection.close()
                if not idle:
                    del self._idle[origin]

    def _give(self, connection: Connection) -> None:
        connection.last_used_at = time.monotonic()
        with self._lock:
            idle = self._idle[connection.origin]
            if len(idle) < self._kept:
                idle.append(connection)
                return
        connection.close()

    def _is_old(self, connection: Connection) -> bool:
        now = time.monotonic()
        return (
            now - connection.last_used_at > self._idle_seconds
            or now - connection.opened_at > self._life_seconds
        )
