"""From memory to Redis: what is away makes nobody wait, and what finds no room is counted."""

import os
import threading
from pathlib import Path

import orjson
import pytest

from apps.common.redis import RedisUnavailable
from apps.gateway.answer import Answer
from apps.gateway.request_log import stream, writer
from apps.gateway.request_log.buffer import Buffer
from apps.gateway.request_log.draft import Draft
from apps.gateway.request_log.drain import drain
from apps.gateway.request_log.entry import serialised
from apps.gateway.request_log.health import request_log
from apps.gateway.request_log.models import LoggedCall, LostCalls
from apps.gateway.request_log.stream import Item, Kind
from apps.gateway.request_log.writer import Writer
from tests.gateway.request_log.drafts import PARTNER, call, draft
from tests.support.private_redis import PrivateRedis

SOME_BODY = b'{"request_body":{"origin":"LHR"}}'


def bytes_of(calls: int) -> int:
    return calls * len(serialised(draft()))


def put(buffer: Buffer, **changes: object) -> None:
    """A call, where there is room."""
    if buffer.admits(owned=True):
        buffer.append(draft(**changes))


def log_call(status: int = 200) -> None:
    made = call()
    made.partner_found = PARTNER
    writer.log_call(made, Answer(status=status), None, replayed=False)


@pytest.fixture
def server(tmp_path: Path, settings):
    redis_ = PrivateRedis(tmp_path)
    settings.REDIS_URL = redis_.url
    yield redis_
    redis_.kill()


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The writer tries again without the pause that it makes after a failure."""
    monkeypatch.setattr(writer, "RETRY_SECONDS", 0.0)


def test_a_process_keeps_so_many_bytes_of_bodies_and_counts_the_rest():
    buffer = Buffer(size=3 * len(SOME_BODY))
    for _ in range(5):
        put(buffer, more=SOME_BODY)

    assert (len(buffer), buffer.take_dropped()) == (3, 2)
    assert len(buffer.take(2)) == 2
    for _ in range(5):
        put(buffer, more=SOME_BODY)
    assert (len(buffer), buffer.take_dropped()) == (3, 3)


@pytest.mark.django_db
def test_calls_made_while_redis_is_away_are_written_once_it_is_back(server: PrivateRedis, at_once):
    buffer = Buffer()
    log = Writer(buffer)
    server.kill()
    for _ in range(250):
        put(buffer)
    assert log.flush() is False
    server.start()

    assert log.flush() is True
    assert drain() == LoggedCall.objects.count() == 250


@pytest.mark.django_db
def test_what_finds_no_room_is_dropped_counted_and_shown(server: PrivateRedis, at_once):
    buffer = Buffer(calls=5)
    log = Writer(buffer)
    for _ in range(12):
        put(buffer)
    assert log.flush() is True
    assert drain() == 5

    assert [lost.calls for lost in LostCalls.objects.all()] == [7]
    assert request_log() == {"status": "degraded", "waitingBytes": 0, "waitingSeconds": 0.0, "lostLastDay": 7}


@pytest.mark.django_db
def test_a_loss_is_told_once_however_often_it_is_read(server: PrivateRedis):
    buffer = Buffer(calls=0)
    put(buffer)
    Writer(buffer).flush()
    [item] = stream.read(10)
    drain()
    stream.push([item])
    drain()

    assert LostCalls.objects.get().calls == 1


@pytest.mark.django_db
def test_entries_wait_in_the_process_up_to_a_bound(server: PrivateRedis, at_once, monkeypatch):
    monkeypatch.setattr(writer, "MAX_WAITING_BYTES", bytes_of(250))
    buffer = Buffer()
    log = Writer(buffer)
    server.kill()
    for _ in range(5):
        for _ in range(100):
            put(buffer)
        log.flush()
    server.start()
    log.flush()
    log.flush()
    kept = drain()

    assert 0 < kept < 500
    assert kept + sum(lost.calls for lost in LostCalls.objects.all()) == 500
    assert LostCalls.objects.count() == 2


@pytest.mark.django_db
def test_a_full_stream_takes_no_more_and_drops_nothing_itself(server: PrivateRedis, at_once, monkeypatch):
    monkeypatch.setattr(stream, "MAX_BYTES", bytes_of(250))
    buffer = Buffer()
    log = Writer(buffer)
    for _ in range(400):
        put(buffer)
    assert log.flush() is False
    first = drain()
    assert 0 < first < 400

    while not log.flush():
        drain()
    drain()
    assert (LoggedCall.objects.count(), LostCalls.objects.count()) == (400, 0)


def test_a_trip_carries_up_to_twenty_items_of_up_to_a_hundred_calls(monkeypatch):
    buffer, trips = Buffer(), list[list[int]]()

    def push(items: list[Item]) -> int:
        trips.append([len(orjson.loads(item.payload)) for item in items])
        return len(items)

    monkeypatch.setattr(stream, "push", push)
    for _ in range(2_150):
        buffer.append(draft())

    assert Writer(buffer).flush() is True
    assert trips == [[100] * 20, [100, 50]]


@pytest.mark.parametrize(("spare", "kept"), [(0, True), (-1, False)])
def test_sixteen_mib_of_entries_wait_while_redis_is_away(monkeypatch, spare: int, kept: bool):
    pushed: list[Kind] = []

    def away(items: list[Item]) -> int:
        pushed.extend(item.kind for item in items)
        raise RedisUnavailable

    monkeypatch.setattr(stream, "push", away)
    buffer = Buffer(size=2**30)
    bare = len(serialised(draft(more=b"{}")))
    buffer.append(draft(more=b"{" + b"x" * (16 * 2**20 - len("[]") - bare - spare) + b"}"))

    assert Writer(buffer).flush() is False
    assert pushed == [Kind.CALLS if kept else Kind.LOST]


@pytest.mark.django_db
def test_one_call_that_cannot_be_written_costs_no_other(server: PrivateRedis, monkeypatch):
    def failing(made: Draft) -> bytes:
        if made.status == 500:
            raise ValueError
        return serialised(made)

    monkeypatch.setattr(writer, "serialised", failing)
    for status in (200, 500, 201):
        log_call(status)
    writer.writer.flush()
    drain()

    assert sorted(LoggedCall.objects.values_list("status", flat=True)) == [200, 201]
    assert LostCalls.objects.get().calls == 1


def test_a_call_of_which_no_draft_can_be_made_is_answered_and_counted(monkeypatch, caplog):
    monkeypatch.setattr(writer, "draft_of", lambda *_, **__: 1 / 0)
    log_call()

    assert (len(writer.buffer), writer.buffer.take_dropped()) == (0, 1)
    assert "could not be logged" in caplog.text


def test_entries_of_which_none_can_be_made_are_no_item(monkeypatch):
    monkeypatch.setattr(writer, "serialised", lambda made: 1 / 0)
    log_call()

    assert writer.writer.flush()
    assert [item.kind for item in stream.read(10)] == [Kind.LOST]


def test_the_thread_hands_over_without_being_told_and_stops_with_nothing_left(server: PrivateRedis, settings):
    settings.REQUEST_LOG_FLUSH_SECONDS = 60
    buffer = Buffer()
    log = Writer(buffer)
    log.start()
    put(buffer)
    log.stop()

    assert len(stream.read(10)) == 1
    assert (len(buffer), log.stopped) == (0, True)


def test_without_a_thread_calls_are_answered_and_wait_for_one(
    server: PrivateRedis, settings, monkeypatch, caplog: pytest.LogCaptureFixture
):
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    settings.REQUEST_LOG_FLUSH_SECONDS = 60
    monkeypatch.setattr(writer, "RETRY_SECONDS", 60.0)
    with monkeypatch.context() as exhausted:
        exhausted.setattr(threading.Thread, "start", refuse)
        for _ in range(2):
            log_call()
    assert caplog.text.count("No thread for the request log") == 1  # not with every call

    monkeypatch.setattr(writer.writer, "_start_at", 0.0)
    log_call()
    assert [thread.name for thread in threading.enumerate()].count("request-log") == 1
    writer.writer.stop()
    assert len(orjson.loads(stream.read(10)[0].payload)) == 3


def test_a_call_that_ends_after_the_farewell_is_handed_over_at_once(server: PrivateRedis):
    writer.writer.stop()
    log_call()

    assert len(stream.read(10)) == 1


def test_a_child_has_a_log_of_its_own(server: PrivateRedis):
    """The parent's calls are the parent's to write: a fork must not write them twice."""
    log_call()
    before = writer.writer
    child = os.fork()
    if child == 0:
        mine = writer.writer is not before and len(writer.buffer) == 0
        os._exit(0 if mine else 1)

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert (writer.writer, len(writer.buffer)) == (before, 1)


def test_a_server_that_does_not_answer_costs_the_requests_breaker_nothing(
    server: PrivateRedis, at_once, monkeypatch
):
    from apps.common import redis

    monkeypatch.setattr(stream, "TIMEOUT_SECONDS", 0.05)
    stream._guarded.cache_clear()
    buffer = Buffer()
    put(buffer)
    server.freeze()
    assert Writer(buffer).flush() is False
    server.thaw()

    assert redis.guarded().is_open is False
    stream._guarded.cache_clear()
