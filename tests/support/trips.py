"""Counting round trips to Redis: every send of one connection is one.

What is sent once, to open a connection or to make a script known to the server, is none: whether it falls into a test depends on
those before.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from redis.connection import AbstractConnection
from redis.exceptions import NoScriptError

from apps.common.redis import GuardedRedis


@contextmanager
def counted_redis_trips() -> Iterator[list[object]]:
    """The list grows by one entry with every trip inside the block, by redis-py or by the connection kept for scripts."""
    trips: list[object] = []
    opening: list[object] = []
    send, exchange = AbstractConnection.send_packed_command, GuardedRedis._exchange
    open_ = AbstractConnection.on_connect_check_health

    def counting(self: AbstractConnection, command: object, check_health: bool = True) -> None:
        if not opening:
            trips.append(command)
        send(self, command, check_health)

    def uncounted(self: AbstractConnection, check_health: bool = True) -> None:
        opening.append(self)
        try:
            open_(self, check_health)
        finally:
            opening.pop()

    def counting_scripts(self: GuardedRedis, command: bytes) -> object:
        trips.append(command)
        try:
            return exchange(self, command)
        except NoScriptError:
            trips.pop()
            raise

    with (
        patch.object(AbstractConnection, "send_packed_command", counting),
        patch.object(AbstractConnection, "on_connect_check_health", uncounted),
        patch.object(GuardedRedis, "_exchange", counting_scripts),
    ):
        yield trips
