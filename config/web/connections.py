"""All connections of a process: by descriptor, counted by address, and how many bytes wait in them."""

import threading
from collections import Counter
from collections.abc import Iterator

from config.web.connection import Connection


class Connections:
    """Any thread may ask; what is counted is changed under one lock."""

    def __init__(self) -> None:
        self._by_descriptor: dict[int, Connection] = {}
        self._of_address: Counter[str] = Counter()
        self._counting = threading.Lock()
        self.buffered = 0
        """Bytes of unfinished bodies."""
        self.unsent = 0
        """Bytes of answers that wait for their readers."""

    def __len__(self) -> int:
        return len(self._by_descriptor)

    def __iter__(self) -> Iterator[Connection]:
        """As they are now: others may come and go meanwhile."""
        return iter(list(self._by_descriptor.values()))

    def get(self, descriptor: int) -> Connection | None:
        return self._by_descriptor.get(descriptor)

    def of_address(self, address: str) -> int:
        """How many come from there."""
        return self._of_address[address]

    def add(self, connection: Connection) -> None:
        with self._counting:
            self._of_address[connection.peer] += 1
        self._by_descriptor[connection.fd] = connection

    def remove(self, connection: Connection) -> bool:
        """Whether it was there still."""
        if self._by_descriptor.pop(connection.fd, None) is None:
            return False
        self.count(connection, buffered=0, unsent=0)
        with self._counting:
            self._of_address[connection.peer] -= 1
            if not self._of_address[connection.peer]:
                del self._of_address[connection.peer]
        return True

    def count(
        self, connection: Connection, *, buffered: int | None = None, unsent: int | None = None
    ) -> None:
        """Keep the sums: this connection has so many bytes now."""
        more = 0 if buffered is None else buffered - connection.buffered
        longer = 0 if unsent is None else unsent - connection.unsent
        if not more and not longer:
            return
        connection.buffered += more
        connection.unsent += longer
        with self._counting:
            self.buffered += more
            self.unsent += longer

    def least_missed(self) -> Connection | None:
        """The one whose end costs least: none that is being called; of the others what has lasted longest."""
        waiting = [one for one in self if one.can_be_ended and not one.late]
        return min(waiting, key=lambda one: (one.has_been_asked, one.since), default=None)
