"""Entries on their way from the web processes to a worker: a Redis stream whose items are batches of them.

It is bounded in bytes. What does not fit is refused to whoever brings it, so that it is dropped there, and counted, rather than
here without a word. An item stays until it was written to PostgreSQL; it is removed by its id, so that two workers who read the
same items, or one that dies in between, lose nothing and double nothing.
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
# Patience that a request must not have: nobody waits for this, and a batch is larger than what requests ask for.
TIMEOUT_SECONDS = 1.0

# Takes items in their order until one does not fit; how many.
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

# Counts the bytes of those alone that were still there: another worker may have removed them.
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
    """One batch. `id` is Redis' own, and tells when the batch arrived."""

    kind: Kind
    payload: bytes
    id: str = ""


def push(items: Sequence[Item]) -> int:
    """Hand over as many of `items` as there is room for, from the first on; how many. Raises RedisUnavailable."""
    arguments: list[str | int | bytes] = [MAX_BYTES]
    for item in items:
        arguments += [item.kind, item.payload]
    return int(PUSH.run(keys=[STREAM, SIZE], args=arguments, on=_redis()))


def read(count: int) -> list[Item]:
    """The oldest items, which stay. Raises RedisUnavailable."""
    found: Any = _redis().run(lambda client: client.xrange(STREAM, count=count), insist=True)
    return [
        Item(Kind(kind.decode()), payload, id_.decode())
        for id_, fields in found
        for kind, payload in fields.items()
    ]


def remove(items: Collection[Item]) -> None:
    """Forget items that were written down. Raises RedisUnavailable."""
    arguments: list[str | int | bytes] = []
    for item in items:
        arguments += [item.id, len(item.payload)]
    REMOVE.run(keys=[STREAM, SIZE], args=arguments, on=_redis())


def waiting() -> tuple[int, float]:
    """How many bytes wait for a worker, and for how many seconds the oldest of them has. Raises RedisUnavailable."""

    def look(client: Any) -> Any:
        with client.pipeline(transaction=False) as pipe:
            return pipe.get(SIZE).xrange(STREAM, count=1).time().execute()

    size, oldest, now = _redis().run(look, insist=False)
    if not oldest:
        return 0, 0.0
    arrived = int(oldest[0][0].partition(b"-")[0]) / 1000
    return int(size or 0), max(0.0, now[0] + now[1] / 1_000_000 - arrived)


def _redis() -> GuardedRedis:
    """A connection apart from the requests': when a batch is late, their breaker must not open."""
    return _guarded(settings.REDIS_URL)


@cache
def _guarded(url: str) -> GuardedRedis:
    return GuardedRedis(url, TIMEOUT_SECONDS, breaker_seconds=0.0)
