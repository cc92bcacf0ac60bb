"""Redis within strict bounds: a response within 50 ms, a second attempt, and no third by the same request.

Nothing in Redis is the only copy of anything, so the caller has another way: the key cache asks PostgreSQL, the rate
limiter refuses cleanly. Each process has a breaker, so that a dead Redis does not cost every request its timeout. A server
that refuses connections opens it at once. One late answer proves little on a busy machine: only several in a row open it.

`COUNT` begins the scripts that count up to a limit.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import redis
from django.conf import settings
from django.core.signals import request_started
from redis.backoff import NoBackoff
from redis.commands.core import Script as RegisteredScript
from redis.exceptions import ReadOnlyError, ResponseError
from redis.retry import Retry

logger = logging.getLogger(__name__)

Result = TypeVar("Result")


TIMEOUTS_TO_OPEN = 5
SILENCE_TO_OPEN_SECONDS = 0.2
"""Threads that wait at the same time are late together: five timeouts of one instant are one silence."""
PATIENCE_RESTORED_SECONDS = 1.0


class RedisUnavailable(Exception):
    """Redis failed, took too long, or failed so recently that it was not asked."""


class _Patience(threading.local):
    lost_until = 0.0


class GuardedRedis:
    """One Redis as this process sees it: redis-py's pool of connections, and a breaker. Safe for threads, and after a fork."""

    def __init__(self, url: str, timeout_seconds: float, breaker_seconds: float) -> None:
        self._breaker_seconds = breaker_seconds
        self._open_until = 0.0
        self._timeouts = 0
        self._silent_since = 0.0
        self._patience = _Patience()
        self._client = redis.Redis.from_url(
            url,
            socket_timeout=timeout_seconds,
            socket_connect_timeout=timeout_seconds,
            retry=Retry(
                NoBackoff(), 0
            ),  # the second attempt is `_try_twice`, so that the two take a known time
            protocol=2,  # the third would greet the server first: one more round trip a connection
        )

    @property
    def is_open(self) -> bool:
        return time.monotonic() < self._open_until

    def begin_request(self) -> None:
        self._patience.lost_until = 0.0

    def run(self, work: Callable[[redis.Redis], Result], *, insist: bool) -> Result:
        """What `work` returns, which may run twice. Raises RedisUnavailable."""
        if not insist and self.is_open:
            raise RedisUnavailable("The breaker is open.")
        if not insist and time.monotonic() < self._patience.lost_until:
            raise RedisUnavailable("This request has waited for Redis already.")
        try:
            return self._try_twice(work)
        except redis.TimeoutError as failure:
            self._patience.lost_until = time.monotonic() + min(
                PATIENCE_RESTORED_SECONDS, self._breaker_seconds
            )
            if self._timeouts >= TIMEOUTS_TO_OPEN and self._silent_for() >= SILENCE_TO_OPEN_SECONDS:
                self._open(failure)
            raise RedisUnavailable(str(failure)) from failure
        except redis.RedisError as failure:
            self._open(failure)
            raise RedisUnavailable(str(failure)) from failure

    def _try_twice(self, work: Callable[[redis.Redis], Result]) -> Result:
        """A lone late answer, or a connection that a restart cut or a failover left at the old master, is no failure."""
        try:
            return self._try(work)
        except (redis.TimeoutError, redis.ConnectionError):
            return self._try(work)
        except ResponseError as refusal:
            # Of a script, before Redis 7, it stands within the sentence that reports the script's failure.
            if not (isinstance(refusal, ReadOnlyError) or "READONLY" in str(refusal)):
                raise
            self._client.connection_pool.disconnect(inuse_connections=False)
            return self._try(work)

    def _try(self, work: Callable[[redis.Redis], Result]) -> Result:
        try:
            answer = work(self._client)
        except redis.TimeoutError:
            if not self._timeouts:
                self._silent_since = time.monotonic()
            self._timeouts += 1
            raise
        self._timeouts = 0
        return answer

    def _silent_for(self) -> float:
        return time.monotonic() - self._silent_since

    def _open(self, failure: redis.RedisError) -> None:
        self._open_until = time.monotonic() + self._breaker_seconds
        logger.warning("Redis failed (%s); not called for %s s", failure, self._breaker_seconds)


@cache
def _guarded(url: str, timeout_seconds: float, breaker_seconds: float) -> GuardedRedis:
    return GuardedRedis(url, timeout_seconds, breaker_seconds)


def guarded() -> GuardedRedis:
    return _guarded(settings.REDIS_URL, settings.REDIS_TIMEOUT_SECONDS, settings.REDIS_BREAKER_SECONDS)


def begin_request(**kwargs: Any) -> None:
    guarded().begin_request()


def watch() -> None:
    request_started.connect(begin_request, dispatch_uid="redis.begin_request")


def run(work: Callable[[redis.Redis], Result], *, insist: bool = False) -> Result:
    """What `work` answers; it may run twice. Raises RedisUnavailable after two timeouts at the latest.

    `insist` asks even then: for what must be said to a Redis that may just be back.
    """
    return guarded().run(work, insist=insist)


class Script:
    """A Lua script: several commands as one atomic step and one round trip, once the server knows it."""

    def __init__(self, source: str) -> None:
        self._source = source

    def run(
        self, *, keys: Sequence[str], args: Sequence[str | int | bytes] = (), on: GuardedRedis | None = None
    ) -> Any:
        """The script's answer, of the configured Redis or of a connection of one's own. Raises RedisUnavailable."""
        server, insist = on or guarded(), on is not None
        return server.run(lambda client: _registered(client, self._source)(keys, args), insist=insist)


@cache
def _registered(client: redis.Redis, source: str) -> RegisteredScript:
    return client.register_script(source)


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
    key: str
    limit: int
    seconds: int  # how long Redis keeps it
    resets_at: int  # when the next one begins, in seconds since 1970. Not sent to Redis.


@dataclass(frozen=True, slots=True)
class Counted:
    counter: Counter
    admitted: bool
    used: int
