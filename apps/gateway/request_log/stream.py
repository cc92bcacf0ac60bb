"""The Redis stream between the web processes and the worker. An item of it is a batch of entries.

The stream is bounded in bytes. It refuses an item that does not fit, so that the sender drops and counts it. An item stays until
it was written to PostgreSQL and is removed by its id. So nothing is lost or doubled when two workers read the same items, or when
one dies in between.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from django.conf import settings

from apps.common.redis import GuardedRedis, Script

STREAM, SIZE = "request-log", "request-log:bytes"
MAX_BYTES = 64 * 1024 * 1024
# Longer than a request may wait: no request waits for this, and a batch is larger than anything a request reads.
TIMEOUT_SECONDS = 1.0

# Takes items in their order until one does not fit. Returns how many it took.
PUSH = Script("""
local size = tonumber(redis.call('GET', KEYS[2]) or '0')
local taken = 0
for i = 2, #ARGV, 2 do
  size = size + #ARGV[i + 1]
  if size > tonumber(ARGV[1]) then break end
  redis.call('XADD', KEYS[1], '*', ARGV[i], ARGV[i + 1])
  redis.call('INCRBY', KEYS[2], #ARGV[i + 1])
  taken = taken + 1
end
return taken
""")

# Subtracts the bytes of the items that were still there; another worker may have removed the others.
REMOVE = Script("""
for i = 1, #ARGV, 2 do
  if redis.call('XDEL', KEYS[1], ARGV[i]) == 1 then redis.call('DECRBY', KEYS[2], ARGV[i + 1]) end
end
if redis.call('XLEN', KEYS[1]) == 0 then redis.call('DEL', KEYS[1], KEYS[2]) end
""")


class Kind(StrEnum):
    """What an item holds."""

    CALLS = "calls"  # a JSON array of entries
    LOST = "lost"  # {"id", "calls"}: so many were dropped before they came here


@dataclass(frozen=True, slots=True)
class Item:
    """One batch. `id` is given by Redis and contains the time of arrival."""

    kind: Kind
    payload: bytes
    id: str = ""


def push(items: Sequence[Item]) -> int:
    """Adds items in their order while there is room. Returns how many were added. Raises RedisUnavailable."""
    arguments: list[str | int | bytes] = [MAX_BYTES]
    for item in items:
        arguments += [item.kind, item.payload]
    return int(PUSH.run(keys=[STREAM, SIZE], args=arguments, on=_redis()))


def read(count: int) -> list[Item]:
    """The oldest items, which stay in the stream. Raises RedisUnavailable."""
    found: Any = _redis().run(lambda client: client.xrange(STREAM, count=count), insist=True)
    return [
        Item(Kind(kind.decode()), payload, id_.decode())
        for id_, fields in found
        for kind, payload in fields.items()
    ]


def remove(items: Collection[Item]) -> None:
    """Removes items that were written to PostgreSQL. Raises RedisUnavailable."""
    arguments: list[str | int | bytes] = []
    for item in items:
        arguments += [item.id, len(item.payload)]
    REMOVE.run(keys=[STREAM, SIZE], args=arguments, on=_redis())


def waiting() -> tuple[int, float]:
    """How many bytes wait for a worker, and how many seconds the oldest has waited. Raises RedisUnavailable."""

    def look(client: Any) -> Any:
        with client.pipeline(transaction=False) as pipe:
            return pipe.get(SIZE).xrange(STREAM, count=1).time().execute()

    size, oldest, now = _redis().run(look, insist=False)
    if not oldest:
        return 0, 0.0
    arrived = int(oldest[0][0].partition(b"-")[0]) / 1000
    return int(size or 0), max(0.0, now[0] + now[1] / 1_000_000 - arrived)


def _redis() -> GuardedRedis:
    """A connection of its own: a slow batch must not open the circuit breaker of the requests' connection."""
    return _guarded(settings.REDIS_URL)


@cache
def _guarded(url: str) -> GuardedRedis:
    return GuardedRedis(url, TIMEOUT_SECONDS, breaker_seconds=0.0)
