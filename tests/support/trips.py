"""Counting round trips to Redis: every send of one connection is one."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from redis.connection import AbstractConnection

from apps.common.redis import GuardedRedis


@contextmanager
def counted_redis_trips() -> Iterator[list[object]]:
    """The list grows by one entry with every trip inside the block, by redis-py or by the connection kept for scripts."""
    trips: list[object] = []
    send, exchange = AbstractConnection.send_packed_command, GuardedRedis._exchange

    def counting(self: AbstractConnection, command: object, check_health: bool = True) -> None:
        trips.append(command)
        send(self, command, check_health)

    def counting_scripts(self: GuardedRedis, command: bytes) -> object:
        trips.append(command)
        return exchange(self, command)

    with (
        patch.object(AbstractConnection, "send_packed_command", counting),
        patch.object(GuardedRedis, "_exchange", counting_scripts),
    ):
        yield trips
