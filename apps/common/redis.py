"""Redis within strict bounds: an answer in 50 ms, a second try, and after a failure no more for a while.

Nothing in Redis is the only copy of anything, so whoever calls has another way: the key catalogue asks
PostgreSQL, the rate limiter refuses cleanly. The breaker is the process's own; it keeps a dead Redis from
costing every request its timeout.
"""

import hashlib
import logging
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.exceptions import NoScriptError
from redis.retry import Retry

logger = logging.getLogger(__name__)

Answer = TypeVar("Answer")


class RedisUnavailable(Exception):
    """Redis failed, took too long, or failed so recently that it was not asked."""


class GuardedRedis:
    """One Redis as this process sees it: connections and a breaker. Safe for threads, and after a fork."""

    def __init__(self, url: str, timeout_seconds: float, breaker_seconds: float) -> None:
        self._breaker_seconds = breaker_seconds
        self._open_until = 0.0
        self._client = redis.Redis.from_url(
            url,
            socket_timeout=timeout_seconds,
            socket_connect_timeout=timeout_seconds,
            retry=Retry(NoBackoff(), 0),  # the second try is `_try_twice`, so that the two take a known time
            protocol=2,  # the third would greet the server first: one more round trip a connection
        )

    @property
    def is_open(self) -> bool:
        """Whether the breaker is open: Redis is not asked."""
        return time.monotonic() < self._open_until

    def run(self, work: Callable[[redis.Redis], Answer], *, insist: bool) -> Answer:
        if self.is_open and not insist:
            raise RedisUnavailable("The breaker is open.")
        try:
            answer = self._try_twice(work)
        except redis.RedisError as failure:
            self._open_until = time.monotonic() + self._breaker_seconds
            logger.warning("Redis failed (%s); not asked for %s s", failure, self._breaker_seconds)
            raise RedisUnavailable(str(failure)) from failure
        return answer

    def _try_twice(self, work: Callable[[redis.Redis], Answer]) -> Answer:
        """A lone late answer, or a connection that a restart cut, must not open the breaker."""
        try:
            return work(self._client)
        except (redis.TimeoutError, redis.ConnectionError):
            return work(self._client)


@cache
def _guarded(url: str, timeout_seconds: float, breaker_seconds: float) -> GuardedRedis:
    return GuardedRedis(url, timeout_seconds, breaker_seconds)


def guarded() -> GuardedRedis:
    """The configured Redis of this process."""
    return _guarded(settings.REDIS_URL, settings.REDIS_TIMEOUT_SECONDS, settings.REDIS_BREAKER_SECONDS)


def run(work: Callable[[redis.Redis], Answer], *, insist: bool = False) -> Answer:
    """What `work` answers; it may run twice. Raises RedisUnavailable after two timeouts at the latest.

    `insist` asks even then: for what must be said to a Redis that may just be back.
    """
    return guarded().run(work, insist=insist)


class Script:
    """A Lua script: several commands as one atomic step and one round trip."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._sha = hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest()

    @classmethod
    def from_file(cls, path: Path) -> "Script":
        return cls(path.read_text())

    def run(
        self, *, keys: Sequence[str], args: Sequence[str | int | bytes] = (), on: GuardedRedis | None = None
    ) -> Any:
        """The script's answer, of the configured Redis or of a connection of one's own. Raises RedisUnavailable."""
        return (on or guarded()).run(lambda client: self._evaluate(client, keys, args), insist=on is not None)

    def _evaluate(self, client: redis.Redis, keys: Sequence[str], args: Sequence[str | int | bytes]) -> Any:
        try:
            return client.evalsha(self._sha, len(keys), *keys, *args)
        except NoScriptError:  # the first call after Redis started
            return client.eval(self._source, len(keys), *keys, *args)
