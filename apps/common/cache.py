"""Django's cache on the Redis that everything else uses, within the same bounds and behind the same breaker.

The sign-in's counters and used codes live in it. While Redis is away each process remembers for itself: a flood is then
counted a process at a time, but no user is locked out and nothing fails. Values must be JSON.
"""

import json
from collections.abc import Callable
from typing import Any, TypeVar

import redis
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.locmem import LocMemCache

from apps.common.redis import RedisUnavailable, run

Result = TypeVar("Result")


class SharedCache(BaseCache):
    def __init__(self, location: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self._own = LocMemCache("shared-cache-without-redis", params)

    def add(
        self, key: str, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        name, lasting, written = self._name(key, version), self._milliseconds(timeout), json.dumps(value)
        return bool(
            self._either(
                lambda client: lasting != 0 and client.set(name, written, px=lasting, nx=True),
                lambda: self._own.add(key, value, timeout, version),
            )
        )

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        name = self._name(key, version)

        def read(client: redis.Redis) -> Any:
            written: Any = client.get(name)
            return default if written is None else json.loads(written)

        return self._either(read, lambda: self._own.get(key, default, version))

    def set(
        self, key: str, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        name, lasting, written = self._name(key, version), self._milliseconds(timeout), json.dumps(value)
        self._either(
            lambda client: client.delete(name) if lasting == 0 else client.set(name, written, px=lasting),
            lambda: self._own.set(key, value, timeout, version),
        )

    def touch(self, key: str, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        name, lasting = self._name(key, version), self._milliseconds(timeout)
        return bool(
            self._either(
                lambda client: client.persist(name) if lasting is None else client.pexpire(name, lasting),
                lambda: self._own.touch(key, timeout, version),
            )
        )

    def delete(self, key: str, version: int | None = None) -> bool:
        name = self._name(key, version)
        return bool(self._either(lambda client: client.delete(name), lambda: self._own.delete(key, version)))

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        name = self._name(key, version)

        def increase(client: redis.Redis) -> int:
            if not client.exists(name):
                raise ValueError(f"Key {key!r} not found")
            return int(client.incrby(name, delta))  # type: ignore[arg-type]

        return self._either(increase, lambda: self._own.incr(key, delta, version))

    def clear(self) -> None:
        """Ours alone: the same Redis holds rate windows and the broker's queues."""

        def forget(client: redis.Redis) -> None:
            for name in client.scan_iter(f"{self.key_prefix}:*", count=1_000):
                client.delete(name)

        self._either(forget, self._own.clear)

    def _either(self, shared: Callable[[redis.Redis], Result], own: Callable[[], Result]) -> Result:
        try:
            return run(shared)
        except RedisUnavailable:
            return own()

    def _name(self, key: str, version: int | None) -> str:
        return self.make_and_validate_key(key, version=version)

    def _milliseconds(self, timeout: float | None) -> int | None:
        """None for what lasts."""
        seconds = self.default_timeout if timeout is DEFAULT_TIMEOUT else timeout
        return None if seconds is None else max(0, int(seconds * 1000))
