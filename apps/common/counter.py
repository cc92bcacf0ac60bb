"""Counters in Redis that stop at a limit. The text of `count` is put in front of the scripts that count."""

from dataclasses import dataclass

# Counts only what it admits, so that what is refused does not use the counter up.
COUNT = """
local function count(key, limit, seconds)
  local used = tonumber(redis.call('GET', key) or '0')
  if used >= tonumber(limit) then return 0, used end
  if redis.call('INCR', key) == 1 then redis.call('EXPIRE', key, seconds) end
  return 1, used + 1
end
"""


@dataclass(frozen=True, slots=True)
class Counter:
    """Which counter to raise by one, and up to which limit."""

    key: str
    limit: int
    seconds: int
    """How long Redis keeps it."""
    resets_at: int
    """When the next one begins, in seconds since 1970. Redis is not told."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What came of it."""

    counter: Counter
    admitted: bool
    used: int
