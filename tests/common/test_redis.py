"""Redis within strict bounds, and Django's cache on it."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
import redis as redis_py
from django.core.cache import cache
from django.core.signals import request_started
from django.db import close_old_connections

from apps.common import redis
from apps.common.redis import RedisUnavailable, Script, guarded
from tests.support.private_redis import PrivateRedis

PATIENCE_SECONDS = 30.0
"""For a server that answers, on however busy a machine."""
BREAKER_SECONDS = 0.4


@pytest.fixture
def let_pass(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """`let_pass(0.4)`: seconds that the breaker sees go by; none do by themselves."""
    seen = time.monotonic()

    def later(seconds: float) -> None:
        nonlocal seen
        seen += seconds

    monkeypatch.setattr(redis, "time", SimpleNamespace(monotonic=lambda: seen))
    return later


@pytest.fixture
def server(tmp_path: Path, settings, let_pass) -> Iterator[PrivateRedis]:
    running = PrivateRedis(tmp_path)
    settings.REDIS_URL = running.url
    settings.REDIS_TIMEOUT_SECONDS = PATIENCE_SECONDS
    settings.REDIS_BREAKER_SECONDS = BREAKER_SECONDS
    # Django's own receiver would look at the connection that a test before this one left to the thread.
    request_started.disconnect(close_old_connections)
    yield running
    request_started.connect(close_old_connections)
    running.kill()


def ping(client: redis_py.Redis) -> object:
    return client.ping()


def refused(work: Callable[[redis_py.Redis], object] = ping) -> float:
    """How many seconds it took to refuse."""
    began = time.monotonic()
    with pytest.raises(RedisUnavailable):
        redis.run(work)
    return time.monotonic() - began


def wait_for_answers(seconds: float) -> None:
    """How long the connections that there are, and further ones, wait from now on."""
    guarded = redis.guarded()
    pool = guarded._client.connection_pool
    pool.connection_kwargs |= {"socket_timeout": seconds, "socket_connect_timeout": seconds}
    for connection in pool._available_connections:
        connection.socket_timeout = connection.socket_connect_timeout = seconds
        connection.update_current_socket_timeout(seconds)


def freeze(server: PrivateRedis) -> None:
    """From now on it says nothing, and nobody waits for long."""
    server.freeze()
    wait_for_answers(0.05)


def thaw(server: PrivateRedis) -> None:
    server.thaw()
    wait_for_answers(PATIENCE_SECONDS)


def test_a_frozen_server_costs_two_timeouts_once_and_then_nothing(server):
    redis.run(ping)
    freeze(server)
    asked: list[object] = []

    def asking(client: redis_py.Redis) -> object:
        asked.append(client)
        return client.ping()

    assert refused(asking) >= 0.1
    assert len(asked) == 2
    refused(asking)
    assert len(asked) == 2


def test_the_server_is_asked_again_once_the_breaker_closes(server, let_pass):
    freeze(server)
    refused()
    thaw(server)

    refused()
    let_pass(BREAKER_SECONDS)
    assert redis.run(ping) is True


def test_a_restart_between_two_calls_is_not_noticed(server):
    redis.run(ping)
    server.kill()
    server.start()

    assert redis.run(ping) is True


def test_an_answer_that_comes_late_once_does_not_open_the_breaker(server):
    attempts = []

    def late_once(client: redis_py.Redis) -> object:
        attempts.append(client)
        if len(attempts) == 1:
            raise redis_py.TimeoutError("late")
        return client.ping()

    assert redis.run(late_once) is True
    assert not redis.guarded().is_open


def late(client: redis_py.Redis) -> object:
    raise redis_py.TimeoutError("late")


def as_the_next_request(work: Callable[[redis_py.Redis], object]) -> object:
    request_started.send(sender=None)
    try:
        return redis.run(work)
    except RedisUnavailable:
        return "unavailable"


def test_a_request_that_waited_in_vain_does_not_wait_again_and_the_next_one_asks(server):
    asked: list[object] = []

    assert as_the_next_request(late) == "unavailable"
    with pytest.raises(RedisUnavailable):
        redis.run(asked.append)
    assert asked == []
    assert as_the_next_request(ping) is True


def test_late_answers_open_the_breaker_once_there_is_nothing_else_for_a_while(server, let_pass, monkeypatch):
    monkeypatch.setattr(redis, "SILENCE_TO_OPEN_SECONDS", 0.05)
    assert as_the_next_request(ping) is True

    opened = []
    for _ in range(3):  # two timeouts each
        as_the_next_request(late)
        opened.append(redis.guarded().is_open)
        let_pass(0.06)

    assert opened == [False, False, True]


def test_a_server_that_refuses_connections_opens_the_breaker_at_once(server):
    server.kill()

    assert as_the_next_request(ping) == "unavailable"
    assert redis.guarded().is_open


def test_a_script_works_on_a_server_that_forgot_it(server):
    script = Script("return redis.call('INCR', KEYS[1])")
    script.run(keys=["counter"])
    server.client.script_flush()

    assert script.run(keys=["counter"]) == 2


WRITE = Script("return redis.call('INCR', KEYS[1])")


@pytest.mark.parametrize(
    "write",
    [lambda: WRITE.run(keys=["n"]), lambda: redis.run(lambda client: client.incr("n"))],
    ids=["script", "command"],
)
def test_a_connection_that_a_failover_left_at_the_old_master_is_given_up(
    server, tmp_path_factory, write: Callable[[], object]
):
    """The address leads to the new master already. The old one takes no writes, and keeps the connections that it has."""
    assert write() == 1
    old = Path(server.url.removeprefix("unix://").partition("?")[0])
    redis.run(lambda client: client.replicaof("127.0.0.1", 1))
    new = PrivateRedis(tmp_path_factory.mktemp("new"))
    kept = old.with_name("old.sock")
    old.rename(kept)
    old.symlink_to(new.url.removeprefix("unix://").partition("?")[0])
    try:
        assert write() == 1
        assert not redis.guarded().is_open
    finally:
        old.unlink()
        kept.rename(old)
        new.kill()


def test_a_server_that_takes_no_writes_is_unavailable(server):
    redis.run(lambda client: client.replicaof("127.0.0.1", 1))
    with pytest.raises(RedisUnavailable):
        WRITE.run(keys=["n"])


@pytest.fixture(params=["redis", "no redis"])
def either(request, settings):
    """The same promises with Redis and without."""
    if request.param == "no redis":
        settings.REDIS_URL = "redis://127.0.0.1:1/1"
    cache.clear()
    yield cache
    cache.clear()


def test_of_two_who_add_one_wins(either):
    assert (either.add("lock", True, 60), either.add("lock", False, 60)) == (True, False)
    assert either.get("lock") is True


def test_clearing_leaves_what_is_not_the_caches():
    guarded().run(lambda client: client.set("rate:somebody", 1, ex=60), insist=True)
    cache.set("ours", 1, 60)
    cache.clear()
    left = guarded().run(lambda client: client.get("rate:somebody"), insist=True)
    assert (cache.get("ours"), left) == (None, b"1")
