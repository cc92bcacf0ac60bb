"""Redis within strict bounds: an answer in 50 ms, a second try, and no third by the same request.

Nothing in Redis is the only copy of anything, so whoever calls has another way: the key cache asks PostgreSQL, the rate
limiter refuses cleanly. Each process has a breaker, so that a dead Redis does not cost every request its timeout. A server
that refuses connections opens it at once. One late answer proves little on a busy machine: only several in a row open it.
"""

import hashlib
import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

import hiredis
import redis
from django.conf import settings
from django.core.signals import request_started
from redis.backoff import NoBackoff
from redis.connection import AbstractConnection
from redis.exceptions import NoScriptError, ReadOnlyError, ResponseError
from redis.retry import Retry

from apps.common.tracing import spans

logger = logging.getLogger(__name__)

Result = TypeVar("Result")


TIMEOUTS_TO_OPEN = 5
SILENCE_TO_OPEN_SECONDS = 0.2
"""Threads that wait at the same time are late together: five timeouts of one instant are one silence."""
PATIENCE_RESTORED_SECONDS = 1.0
ANSWER_BYTES = 64 * 1024


class RedisUnavailable(Exception):
    """Redis failed, took too long, or failed so recently that it was not asked."""


class _Patience(threading.local):
    lost_until = 0.0


class _Kept(threading.local):
    """The connection that a thread keeps for scripts: every call of /v1 runs one. A child of a fork opens its own."""

    connection: AbstractConnection | None = None
    pid = 0


class GuardedRedis:
    """One Redis as this process sees it: connections and a breaker. Safe for threads, and after a fork."""

    def __init__(self, url: str, timeout_seconds: float, breaker_seconds: float) -> None:
        self._breaker_seconds = breaker_seconds
        self._open_until = 0.0
        self._timeouts = 0
        self._silent_since = 0.0
        self._patience = _Patience()
        self._kept = _Kept()
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

    def begin_request(self) -> None:
        """What this thread does next is another request, which may wait anew."""
        self._patience.lost_until = 0.0

    def run(self, work: Callable[[redis.Redis], Result], *, insist: bool) -> Result:
        return self._bounded(lambda: work(self._client), insist=insist)

    def exchange(self, command: bytes, *, insist: bool) -> Any:
        """The answer to a command, over the connection that this thread keeps. Raises RedisUnavailable, or NoScriptError."""
        return self._bounded(lambda: self._exchange(command), insist=insist)

    def _bounded(self, work: Callable[[], Result], *, insist: bool) -> Result:
        if not spans.is_on:
            return self._asked_in_bounds(work, insist=insist)
        span = spans.begin("redis", spans.CLIENT)
        if span is not None:
            span.attributes["db.system.name"] = "redis"
        return spans.carry_out(span, self._asked_in_bounds, work, insist=insist)

    def _asked_in_bounds(self, work: Callable[[], Result], *, insist: bool) -> Result:
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
        except NoScriptError:
            raise
        except redis.RedisError as failure:
            self._open(failure)
            raise RedisUnavailable(str(failure)) from failure

    def _try_twice(self, work: Callable[[], Result]) -> Result:
        """A lone late answer, or a connection that a restart cut or a failover left at the old master, is no failure."""
        try:
            return self._try(work)
        except (redis.TimeoutError, redis.ConnectionError):
            return self._try(work)
        except ReadOnlyError:
            self._hang_up()
            self._client.connection_pool.disconnect(inuse_connections=False)
            return self._try(work)

    def _try(self, work: Callable[[], Result]) -> Result:
        try:
            answer = work()
        except redis.TimeoutError:
            if not self._timeouts:
                self._silent_since = time.monotonic()
            self._timeouts += 1
            raise
        self._timeouts = 0
        return answer

    def _exchange(self, command: bytes) -> Any:
        sock = self._connected()
        try:
            return self._asked(sock, command)
        except ResponseError:
            raise
        except BaseException as failure:  # an answer that comes later must not be taken for the next one's
            self._hang_up()
            if isinstance(failure, TimeoutError):
                raise redis.TimeoutError("Redis did not answer in time.") from failure
            if isinstance(failure, OSError | ValueError):
                raise redis.ConnectionError(str(failure)) from failure
            raise

    @staticmethod
    def _asked(sock: socket.socket, command: bytes) -> Any:
        sock.sendall(command)
        reader = hiredis.Reader(protocolError=ValueError, replyError=_refusal)
        answer: Any = False
        while answer is False:
            more = sock.recv(ANSWER_BYTES)
            if not more:
                raise ConnectionResetError("Redis closed the connection.")
            reader.feed(more)
            answer = reader.gets()
        if reader.has_data():
            raise ValueError("Redis said more than was asked.")
        if isinstance(answer, ResponseError):
            raise answer
        return answer

    def _connected(self) -> socket.socket:
        """The socket of this thread's connection, which redis-py opens: it knows addresses, passwords and TLS."""
        kept = self._kept
        if kept.connection is None or kept.pid != os.getpid():
            pool = self._client.connection_pool
            kept.connection, kept.pid = pool.connection_class(**pool.connection_kwargs), os.getpid()
        sock: socket.socket | None = kept.connection._sock
        if sock is None:
            kept.connection.connect()
            sock = kept.connection._sock
            assert sock is not None
        return sock

    def _hang_up(self) -> None:
        if self._kept.connection is not None:
            self._kept.connection.disconnect()  # type: ignore[no-untyped-call]

    def _silent_for(self) -> float:
        return time.monotonic() - self._silent_since

    def _open(self, failure: redis.RedisError) -> None:
        self._open_until = time.monotonic() + self._breaker_seconds
        logger.warning("Redis failed (%s); not asked for %s s", failure, self._breaker_seconds)


def _packed(*parts: str | int | bytes) -> bytes:
    command: bytes = hiredis.pack_command(parts)  # type: ignore[arg-type]  # declared for tuples of one
    return command


def _refusal(text: str) -> ResponseError:
    if text.startswith("NOSCRIPT"):
        return NoScriptError(text)
    # Before Redis 7 it stands within the sentence that tells of a script's failure.
    return (ReadOnlyError if text.startswith("READONLY") or "-READONLY " in text else ResponseError)(text)


@cache
def _guarded(url: str, timeout_seconds: float, breaker_seconds: float) -> GuardedRedis:
    return GuardedRedis(url, timeout_seconds, breaker_seconds)


def guarded() -> GuardedRedis:
    """The configured Redis of this process."""
    return _guarded(settings.REDIS_URL, settings.REDIS_TIMEOUT_SECONDS, settings.REDIS_BREAKER_SECONDS)


def begin_request(**kwargs: Any) -> None:
    """At a request's start."""
    guarded().begin_request()


def watch() -> None:
    request_started.connect(begin_request, dispatch_uid="redis.begin_request")


def run(work: Callable[[redis.Redis], Result], *, insist: bool = False) -> Result:
    """What `work` answers; it may run twice. Raises RedisUnavailable after two timeouts at the latest.

    `insist` asks even then: for what must be said to a Redis that may just be back.
    """
    return guarded().run(work, insist=insist)


class Script:
    """A Lua script: several commands as one atomic step and one round trip."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._sha = hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest()

    def run(
        self, *, keys: Sequence[str], args: Sequence[str | int | bytes] = (), on: GuardedRedis | None = None
    ) -> Any:
        """The script's answer, of the configured Redis or of a connection of one's own. Raises RedisUnavailable."""
        server, insist = on or guarded(), on is not None
        rest = (len(keys), *keys, *args)
        try:
            return server.exchange(_packed("EVALSHA", self._sha, *rest), insist=insist)
        except NoScriptError:  # the first call after Redis started
            return server.exchange(_packed("EVAL", self._source, *rest), insist=insist)
