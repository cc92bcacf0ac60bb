import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis as redis_py

from apps.common import redis
from apps.common.redis import RedisUnavailable, Script
from tests.support.private_redis import PrivateRedis
from tests.support.trips import counted_redis_trips

BREAKER_SECONDS = 0.4


@pytest.fixture
def server(tmp_path: Path, settings) -> Iterator[PrivateRedis]:
    running = PrivateRedis(tmp_path)
    settings.REDIS_URL = running.url
    settings.REDIS_TIMEOUT_SECONDS = 0.05
    settings.REDIS_BREAKER_SECONDS = BREAKER_SECONDS
    yield running
    running.kill()


def ping(client: redis_py.Redis) -> object:
    return client.ping()


def seconds_to_refuse() -> float:
    began = time.monotonic()
    with pytest.raises(RedisUnavailable):
        redis.run(ping)
    return time.monotonic() - began


def test_a_frozen_server_costs_two_timeouts_once_and_then_nothing(server):
    redis.run(ping)
    server.freeze()

    assert 0.1 <= seconds_to_refuse() < 0.5
    assert seconds_to_refuse() < 0.1


def test_a_dead_server_is_noticed_at_once(server):
    redis.run(ping)
    server.kill()

    assert seconds_to_refuse() < 0.1
    server.start()


def test_the_server_is_asked_again_once_the_breaker_closes(server):
    server.freeze()
    seconds_to_refuse()
    server.thaw()

    with pytest.raises(RedisUnavailable):
        redis.run(ping)
    time.sleep(BREAKER_SECONDS)
    assert redis.run(ping) is True


def test_who_insists_is_answered_though_the_breaker_is_open(server):
    server.freeze()
    seconds_to_refuse()
    server.thaw()

    assert redis.run(ping, insist=True) is True


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


def test_a_script_is_one_round_trip_once_the_server_knows_it(server):
    script = Script("return redis.call('INCRBY', KEYS[1], ARGV[1])")

    assert script.run(keys=["counter"], args=[2]) == 2
    with counted_redis_trips() as trips:
        assert script.run(keys=["counter"], args=[3]) == 5
    assert len(trips) == 1


def test_a_script_works_on_a_server_that_forgot_it(server):
    script = Script("return redis.call('INCR', KEYS[1])")
    script.run(keys=["counter"])
    server.client.script_flush()

    assert script.run(keys=["counter"]) == 2
