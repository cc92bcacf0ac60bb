"""Idle connections, kept a few seconds for the next delivery to the same place."""

import threading
import time
from collections import defaultdict

from apps.webhooks.sender.exchange import Connection
from apps.webhooks.sender.target import Target

Place = tuple[str, str, int]

IDLE_SECONDS = 4.0  # below the five seconds after which common servers close
LIFE_SECONDS = 60.0  # then the name is looked up again, and its addresses checked again
PER_PLACE = 4


class IdleConnections:
    """Safe for threads. A connection is in here or in use, never both."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: dict[Place, list[Connection]] = defaultdict(list)

    def take(self, target: Target) -> Connection | None:
        """The connection used last, if there is one that is still good."""
        while True:
            with self._lock:
                waiting = self._idle.get(_place(target))
                if not waiting:
                    return None
                connection = waiting.pop()
            if not _is_old(connection) and not connection.is_stale():
                return connection
            connection.close()

    def give(self, target: Target, connection: Connection) -> None:
        """Keep `connection` for the next one, or close it where enough are kept."""
        with self._lock:
            waiting = self._idle[_place(target)]
            if len(waiting) < PER_PLACE:
                waiting.append(connection)
                return
        connection.close()

    def close_old(self, *, everything: bool = False) -> None:
        """Close what nobody came back for."""
        with self._lock:
            for place, waiting in list(self._idle.items()):
                for connection in [c for c in waiting if everything or _is_old(c)]:
                    waiting.remove(connection)
                    connection.close()
                if not waiting:
                    del self._idle[place]


def _place(target: Target) -> Place:
    return (target.scheme, target.host, target.port)


def _is_old(connection: Connection) -> bool:
    now = time.monotonic()
    return now - connection.last_used_at > IDLE_SECONDS or now - connection.opened_at > LIFE_SECONDS
