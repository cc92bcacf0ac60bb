"""Counting round trips to Redis: every send of one connection is one.

What is sent once, to open a connection or to make a script known to the server, is none: whether it falls into a test depends on
those before.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from redis.connection import AbstractConnection

from apps.common.redis import GuardedRedis


@contextmanager
def counted_redis_trips() -> Iterator[list[object]]:
    """The list grows by one entry with every trip inside the block."""
    trips: list[object] = []
    opening: list[object] = []
    send = AbstractConnection.send_packed_command
    open_ = AbstractConnection.on_connect_check_health

    def counting(self: AbstractConnection, command: Any, check_health: bool = True) -> None:
        if b"SCRIPT" in b"".join([command] if isinstance(command, bytes) else command).split(b"\r\n"):
            trips.pop()  # the EVALSHA that found the script unknown; it is sent again
        elif not opening:
            trips.append(command)
        send(self, command, check_health)

    def uncounted(self: AbstractConnection, check_health: bool = True) -> None:
        opening.append(self)
        try:
            open_(self, check_health)
        finally:
            opening.pop()

    with (
        patch.object(AbstractConnection, "send_packed_command", counting),
        patch.object(AbstractConnection, "on_connect_check_health", uncounted),
    ):
        yield trips


@contextmanager
def counted_redis_attempts() -> Iterator[list[object]]:
    """The list grows by one entry whenever a server is tried, even one that cannot be connected to."""
    attempts: list[object] = []
    attempt = GuardedRedis._try

    def counting(self: GuardedRedis, work: Any) -> Any:
        attempts.append(work)
        return attempt(self, work)

    with patch.object(GuardedRedis, "_try", counting):
        yield attempts
