"""Django's Redis cache, within the bounds and behind the breaker of `apps.common.redis`.

The sign-in's counters and used codes live in it. While Redis is away each process uses a cache of its own: a flood is then
counted per process, but no user is locked out and nothing fails. Values must be JSON.
"""

import json
from functools import cache
from typing import Any

from django.conf import settings
from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from apps.common.redis import RedisUnavailable, run


class JsonSerializer:
    def dumps(self, value: Any) -> int | str:
        return value if type(value) is int else json.dumps(value)  # INCR needs a bare number

    def loads(self, stored: bytes) -> Any:
        return json.loads(stored)


@cache
def _redis_cache(url: str, seconds: float, key_prefix: str) -> RedisCache:
    options = {
        "serializer": JsonSerializer(),
        "socket_timeout": seconds,
        "socket_connect_timeout": seconds,
        "retry": Retry(NoBackoff(), 0),  # `run` retries
    }
    return RedisCache(url, {"KEY_PREFIX": key_prefix, "OPTIONS": options})


class SharedCache(BaseCache):
    def __init__(self, location: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self._own = LocMemCache("shared-cache-without-redis", params)

    def _call(self, method: str, *args: Any, **kwargs: Any) -> Any:
        shared = _redis_cache(settings.REDIS_URL, settings.REDIS_TIMEOUT_SECONDS, self.key_prefix)
        try:
            return run(lambda _client: getattr(shared, method)(*args, **kwargs))
        except RedisUnavailable:
            return getattr(self._own, method)(*args, **kwargs)

    def add(self, *args: Any, **kwargs: Any) -> bool:
        return bool(self._call("add", *args, **kwargs))

    def get(self, *args: Any, **kwargs: Any) -> Any:
        return self._call("get", *args, **kwargs)

    def set(self, *args: Any, **kwargs: Any) -> None:
        self._call("set", *args, **kwargs)

    def touch(self, *args: Any, **kwargs: Any) -> bool:
        return bool(self._call("touch", *args, **kwargs))

    def delete(self, *args: Any, **kwargs: Any) -> bool:
        return bool(self._call("delete", *args, **kwargs))

    def incr(self, *args: Any, **kwargs: Any) -> int:
        return int(self._call("incr", *args, **kwargs))

    def clear(self) -> None:
        """Deletes its own keys only: rate windows and the broker's queues are in the same Redis."""

        def forget(client: Redis) -> None:
            for name in client.scan_iter(f"{self.key_prefix}:*", count=1_000):
                client.delete(name)

        try:
            run(forget)
        except RedisUnavailable:
            self._own.clear()
