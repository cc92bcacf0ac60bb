"""Counting round trips to Redis: every send of one connection is one."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from redis.connection import AbstractConnection


@contextmanager
def counted_redis_trips() -> Iterator[list[object]]:
    """The list grows by one entry with every trip inside the block."""
    trips: list[object] = []
    send = AbstractConnection.send_packed_command

    def counting(self: AbstractConnection, command: object, check_health: bool = True) -> None:
        trips.append(command)
        send(self, command, check_health)

    with patch.object(AbstractConnection, "send_packed_command", counting):
        yield trips
