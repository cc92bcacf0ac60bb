"""Access tokens of suppliers: fetched once for all processes, stored encrypted in Redis until they expire.

Suppliers limit token calls (Airalo: three a minute), so one caller fetches while the others wait, and a fourth fetch within a
minute is refused here. Without Redis all of this holds within one process. Waiting ends with the bound on all calls of an
operation (`all_within`), as the calls themselves do.
"""

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar, cast

from cryptography.fernet import InvalidToken
from redis import Redis

from apps.common import redis
from apps.common.encryption import decrypt, encrypt
from apps.suppliers.errors import Unavailable
from apps.suppliers.http import at_most
from apps.suppliers.isolation import Bulkhead, BulkheadFull

RENEWED_BEFORE_END = 300
LONGEST_LIFE = 23 * 60 * 60
FETCHES_PER_MINUTE = 3
CALLERS = 4  # how many threads may wait for a token: a token call that hangs must not take them all
FETCH_SECONDS = 15  # how long one caller may fetch before another tries
DOUBTED_EVERY = 600
"""A refusal that may be about something else than the token has it renewed so often at most, in seconds."""

T = TypeVar("T")
StoredToken = tuple[bytes | None, int]
Fetch = Callable[[], tuple[str, float]]


@dataclass
class _ProcessToken:
    """One supplier's token as this process knows it. It is good `until` that time of the monotonic clock."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    callers: Bulkhead = field(default_factory=lambda: Bulkhead(CALLERS))
    token: str = ""
    until: float = 0.0
    doubted_until: float = 0.0
    fetched_at: deque[float] = field(default_factory=lambda: deque(maxlen=FETCHES_PER_MINUTE))


_tokens: dict[str, _ProcessToken] = {}


class TokenStore:
    def __init__(self, name: str) -> None:
        self.name = name
        self._own = _tokens.setdefault(name, _ProcessToken())

    def get(self, fetch: Fetch) -> str:
        """A token that is still good: the known one, or what `fetch` returns, which is a token and its lifetime in seconds.

        Raises what `fetch` raises, and Unavailable when the supplier was asked too often or takes too long.
        """
        own = self._own
        if time.monotonic() < own.until:
            return own.token
        try:
            with own.callers.place(write=True), self._alone():
                if time.monotonic() < own.until:  # another thread was faster
                    return own.token
                return self._shared() or self._fetched(fetch)
        except BulkheadFull:
            raise Unavailable(f"{self.name} has not given us a token yet") from None

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Admit one thread of this process at a time. Raises Unavailable where the thread before takes too long."""
        if not self._own.lock.acquire(timeout=at_most(FETCH_SECONDS)):
            raise Unavailable(f"{self.name} has not given us a token yet")
        try:
            yield
        finally:
            self._own.lock.release()

    def forget(self, token: str) -> None:
        """The supplier refused `token`: do not return it again. A token that was renewed meanwhile stays."""
        if self._own.token == token:
            self._own.until = 0.0
        stored = self._stored()
        if stored is not None and stored[0] == token:
            _quietly(lambda client: client.delete(self._key()))

    def doubt(self, token: str) -> bool:
        """Forget `token` for a refusal that may be about something else. False where that was done a short time ago: token calls
        are few, and such refusals may be many.
        """
        first = _quietly(lambda client: bool(client.set(self._key("doubted"), 1, nx=True, ex=DOUBTED_EVERY)))
        if first is False or time.monotonic() < self._own.doubted_until:
            return False
        self._own.doubted_until = time.monotonic() + DOUBTED_EVERY
        self.forget(token)
        return True

    def _shared(self) -> str:
        """The token that another process has fetched or is fetching; empty where this process must fetch. Raises Unavailable."""
        give_up = time.monotonic() + at_most(FETCH_SECONDS)
        while time.monotonic() < give_up:
            stored = self._stored()
            if stored is not None:
                self._own.token, lifetime = stored
                self._own.until = time.monotonic() + lifetime
                return self._own.token
            # None: Redis is away, so this process fetches.
            turn = _quietly(lambda client: bool(client.set(self._key("turn"), 1, nx=True, ex=FETCH_SECONDS)))
            if turn is not False:
                return ""
            time.sleep(0.1)
        at_most(FETCH_SECONDS)  # raises where the bound is over: the other process is still fetching then
        return ""

    def _fetched(self, fetch: Fetch) -> str:
        try:
            self._count_fetch()
            token, lifetime = fetch()
            good_for = int(min(lifetime - RENEWED_BEFORE_END, LONGEST_LIFE))
            self._own.token, self._own.until = token, time.monotonic() + good_for
            if good_for > 0:
                stored = encrypt(json.dumps(token))
                _quietly(lambda client: client.set(self._key(), stored, ex=good_for))
            return token
        finally:
            _quietly(lambda client: client.delete(self._key("turn")))

    def _count_fetch(self) -> None:
        """Raises Unavailable at the fourth fetch within a minute, by all processes together where Redis counts."""

        def count(client: Redis) -> int:
            # In one step: between two the counter could expire, and be created again without an expiry.
            with client.pipeline() as together:
                together.set(self._key("fetches"), 0, nx=True, ex=60)
                together.incr(self._key("fetches"))
                return cast("int", together.execute()[1])

        own, now = self._own.fetched_at, time.monotonic()
        too_many_here = len(own) == FETCHES_PER_MINUTE and now - own[0] < 60
        if too_many_here or (_quietly(count) or 0) > FETCHES_PER_MINUTE:
            raise Unavailable(
                f"{self.name} was called for a token {FETCHES_PER_MINUTE} times within a minute"
            )
        own.append(now)

    def _stored(self) -> tuple[str, float] | None:

        def read(client: Redis) -> StoredToken:
            return cast("StoredToken", (client.get(self._key()), client.ttl(self._key())))

        stored, seconds = _quietly(read) or (None, 0)
        if stored is None or seconds <= 0:
            return None
        try:
            return json.loads(decrypt(stored.decode())), float(seconds)
        except InvalidToken:  # encrypted under a key that is no longer ours
            return None

    def _key(self, part: str = "token") -> str:
        return f"supplier-{part}:{self.name}"


def _quietly(work: Callable[[Redis], T]) -> T | None:
    """What Redis answers; None where it is away: then each process is on its own."""
    try:
        return redis.run(work)
    except redis.RedisUnavailable:
        return None
