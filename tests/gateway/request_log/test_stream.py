"""The stream in Redis: its bound in bytes, what is read and removed, and how long the oldest item has waited."""

from pathlib import Path
from typing import Any

import pytest

from apps.common.redis import RedisUnavailable
from apps.gateway.request_log import stream
from apps.gateway.request_log.stream import Item, Kind
from tests.support.private_redis import PrivateRedis


@pytest.fixture
def server(tmp_path: Path, settings):
    redis_ = PrivateRedis(tmp_path)
    settings.REDIS_URL = redis_.url
    yield redis_
    redis_.kill()


@pytest.mark.parametrize(("payload", "taken"), [(b"[1]", 1), (b"[12]", 0)])
def test_the_stream_holds_64_mib(server: PrivateRedis, payload: bytes, taken: int):
    server.client.set(stream.SIZE, 64 * 2**20 - 3)

    assert stream.push([Item(Kind.CALLS, payload)]) == taken


def test_the_stream_knows_its_size(server: PrivateRedis):
    items = [Item(Kind.CALLS, b"[1234567]"), Item(Kind.LOST, b"{}")]

    assert stream.push(items) == 2
    size, waited = stream.waiting()
    assert (size, 0 <= waited < 30) == (11, True)
    found = stream.read(10)
    assert [(item.kind, item.payload) for item in found] == [(item.kind, item.payload) for item in items]
    for _ in range(2):  # another worker may have removed it
        stream.remove(found[:1])
        assert stream.waiting()[0] == 2
    stream.remove(found)
    assert (stream.waiting(), server.client.keys()) == ((0, 0.0), [])


def test_items_are_taken_in_their_order_until_one_does_not_fit(server: PrivateRedis, monkeypatch):
    monkeypatch.setattr(stream, "MAX_BYTES", 10)
    items = [Item(Kind.CALLS, payload) for payload in (b"1234", b"123456", b"1", b"")]

    assert stream.push(items) == 2
    assert [item.payload for item in stream.read(10)] == [b"1234", b"123456"]
    assert stream.push(items[2:]) == 0
    assert stream.waiting()[0] == 10


def test_so_many_items_are_read_as_are_asked_for(server: PrivateRedis):
    stream.push([Item(Kind.CALLS, payload) for payload in (b"[1]", b"[2]", b"[3]")])

    assert [item.payload for item in stream.read(2)] == [b"[1]", b"[2]"]


def test_the_wait_of_the_oldest_is_told_in_seconds(monkeypatch):
    class Redis:
        def run(self, work: object, *, insist: bool) -> object:
            assert not insist, "a probe does not wait for a Redis that is away"
            return self.answer

        answer: Any = None

    monkeypatch.setattr(stream, "_redis", Redis)
    for size, oldest, now, told in (
        (b"11", [(b"1000-5", {})], (3, 500_000), (11, 2.5)),
        (None, [(b"1000-0", {})], (3, 0), (0, 2.0)),
        (b"11", [(b"9000-0", {})], (3, 0), (11, 0.0)),
        (b"11", [], (3, 0), (0, 0.0)),
    ):
        Redis.answer = (size, oldest, now)
        assert stream.waiting() == told


def test_whoever_reads_or_removes_asks_also_where_redis_was_away_just_now(server: PrivateRedis, monkeypatch):
    stream.push([Item(Kind.CALLS, b"[1]")])
    guarded = stream._redis()
    with monkeypatch.context() as away:
        away.setattr(type(guarded), "is_open", True)
        found = stream.read(10)
        stream.remove(found)
        assert (len(found), stream.read(10)) == (1, [])
        with pytest.raises(RedisUnavailable):
            stream.waiting()


def test_the_stream_has_a_connection_of_its_own_without_a_breaker(server: PrivateRedis):
    from apps.common import redis

    assert stream._redis() is stream._redis() is not redis.guarded()
    assert stream._redis()._breaker_seconds == 0.0
