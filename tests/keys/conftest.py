from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from apps.common import redis
from apps.common.redis import RedisUnavailable, Script
from apps.keys import authentication
from tests.embedded.support import eventually
from tests.support.private_redis import PrivateRedis
from tests.support.trips import counted_redis_trips


@pytest.fixture
def uses_noted_already(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after the first call of a secret: its next ones write nothing for half a minute."""
    monkeypatch.setattr(authentication, "note_use", lambda *arguments: None)


@pytest.fixture
def journal(django_assert_num_queries, uses_noted_already):
    """`with journal(sql=, trips=)`: exactly that many statements and Redis round trips inside."""

    @contextmanager
    def expect(*, sql: int, trips: int) -> Iterator[None]:
        with django_assert_num_queries(sql), counted_redis_trips() as counted:
            yield
        assert len(counted) == trips

    return expect


@pytest.fixture
def private_redis(tmp_path: Path, settings) -> Iterator[PrivateRedis]:
    """A Redis of the test's own."""
    server = PrivateRedis(tmp_path)
    settings.REDIS_URL = server.url
    yield server
    server.kill()


@pytest.fixture
def short_waits(settings) -> None:
    """For a Redis that stands still. One that goes may be late by as much, where the machine is busy."""
    settings.REDIS_TIMEOUT_SECONDS = 0.1
    settings.REDIS_BREAKER_SECONDS = 0.4


@pytest.fixture
def frozen(private_redis: PrivateRedis, settings) -> Callable[[], AbstractContextManager[None]]:
    """`with frozen():` Redis stands still, and nobody waits for it for long; what is sent to it waits in its connections."""

    @contextmanager
    def standing_still() -> Iterator[None]:
        patience, settings.REDIS_TIMEOUT_SECONDS = settings.REDIS_TIMEOUT_SECONDS, 0.1
        assert eventually(are_connected)
        private_redis.freeze()
        try:
            yield
        finally:
            private_redis.thaw()
            settings.REDIS_TIMEOUT_SECONDS = patience

    return standing_still


def are_connected() -> bool:
    """Whether this process has both of its connections to Redis."""
    try:
        redis.run(lambda client: client.ping())
        Script("return 1").run(keys=[])
    except RedisUnavailable:
        return False
    return True
