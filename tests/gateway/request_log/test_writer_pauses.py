"""When the writer waits, when it tries again, and what it says of calls that it could not hand over."""

import multiprocessing.util
import threading
from types import SimpleNamespace
from typing import Any

import orjson
import pytest

from apps.common.redis import RedisUnavailable
from apps.gateway.request_log import stream, writer
from apps.gateway.request_log.buffer import Buffer
from apps.gateway.request_log.entry import serialised
from apps.gateway.request_log.stream import Item, Kind
from apps.gateway.request_log.writer import Writer
from tests.gateway.request_log.drafts import draft


class Clock:
    """Time that passes where somebody sleeps, and where it is told to."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class Stream:
    """Takes `room` items of each trip; away where `room` is None."""

    def __init__(self) -> None:
        self.room: int | None = 10**6
        self.trips: list[list[Item]] = []

    def push(self, items: list[Item]) -> int:
        self.trips.append(list(items))
        if self.room is None:
            raise RedisUnavailable
        return min(self.room, len(items))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(writer, "time", clock)
    return clock


@pytest.fixture
def redis(monkeypatch: pytest.MonkeyPatch) -> Stream:
    found = Stream()
    monkeypatch.setattr(stream, "push", found.push)
    return found


def filled(made: int, **bounds: int) -> Buffer:
    buffer = Buffer(**bounds)
    for _ in range(made):
        if buffer.admits(owned=True):
            buffer.append(draft())
    return buffer


@pytest.mark.parametrize("room", [None, 0])
def test_after_a_trip_in_vain_the_next_is_made_a_second_later(clock: Clock, redis: Stream, room: int | None):
    log = Writer(filled(1))
    redis.room = room

    assert [log.flush() for _ in range(3)] == [False] * 3
    assert len(redis.trips) == 1
    clock.now += 0.999
    assert (log.flush(), len(redis.trips)) == (False, 1)
    redis.room = 10
    clock.now = 1_001.0
    assert (log.flush(), len(redis.trips)) == (True, 2)
    assert (log.flush(), len(redis.trips)) == (True, 2), "nothing is left to send"


def test_a_failure_that_nobody_foresaw_ends_the_round_and_not_the_log(redis: Stream, monkeypatch, caplog):
    log = Writer(filled(1))
    with monkeypatch.context() as broken:
        broken.setattr(stream, "push", lambda items: 1 / 0)
        assert log.flush() is False
    assert "The request log could not be written" in caplog.text

    assert log.flush() is True


def test_what_was_sent_makes_room_again(clock: Clock, redis: Stream, monkeypatch):
    monkeypatch.setattr(writer, "MAX_WAITING_BYTES", len(serialised(draft())) + 2)
    buffer = filled(3, calls=1)
    log = Writer(buffer)

    assert log.flush()
    kinds = [[item.kind for item in trip] for trip in redis.trips]
    assert kinds == [[Kind.LOST, Kind.CALLS]]
    assert log._waiting_bytes == 0
    last = draft()
    buffer.append(last)
    assert log.flush()
    assert [item.payload for item in redis.trips[-1]] == [b"[" + serialised(last) + b"]"]


def test_losses_are_told_in_front_and_the_next_ones_once_those_are_told(clock: Clock, redis: Stream):
    buffer = filled(3, calls=1)
    log = Writer(buffer)
    redis.room = None
    log.flush()
    buffer.count_dropped(5)
    clock.now += 1
    log.flush()

    for trip in redis.trips:
        assert [item.kind for item in trip] == [Kind.LOST, Kind.CALLS]
        assert orjson.loads(trip[0].payload)["calls"] == 2
    redis.room = 10
    clock.now += 1
    assert log.flush()
    assert log.flush()
    assert [orjson.loads(item.payload)["calls"] for item in redis.trips[-1]] == [5]


def test_losses_are_told_in_front_of_calls_that_wait(clock: Clock, redis: Stream):
    buffer = filled(1)
    log = Writer(buffer)
    redis.room = None
    log.flush()
    buffer.count_dropped(5)
    redis.room = 10
    clock.now += 1

    assert log.flush()
    assert [item.kind for item in redis.trips[-1]] == [Kind.LOST, Kind.CALLS]


def test_a_process_that_ends_tries_for_three_seconds_and_says_what_it_left(
    clock: Clock, redis: Stream, caplog
):
    buffer = filled(5, calls=2)
    log = Writer(buffer)
    redis.room = None

    log.stop()

    assert log.stopped
    assert clock.now == pytest.approx(1_003.0, abs=0.06)
    assert len(redis.trips) == pytest.approx(60, abs=2), "without the pause between two rounds"
    assert "2 calls are not in the request log: Redis did not take them" in caplog.text


def test_a_process_that_ends_does_not_try_again_once_its_time_is_over(
    clock: Clock, redis: Stream, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "sleep", lambda seconds: Clock.sleep(clock, 3.0 if seconds else 0.0))
    redis.room = None

    Writer(filled(1)).stop()

    assert len(redis.trips) == 2


def test_what_still_is_in_the_buffer_is_left_as_well(clock: Clock, redis: Stream, monkeypatch, caplog):
    buffer = filled(3)
    log = Writer(buffer)
    monkeypatch.setattr(log, "flush", lambda: False)
    log._waiting.append((Item(Kind.CALLS, b"[{}]"), 4))

    log.stop()

    assert "7 calls are not in the request log" in caplog.text


def test_a_process_that_ends_with_nothing_left_says_nothing(clock: Clock, redis: Stream, caplog):
    log = Writer(filled(2))
    log.flush()
    log._retry_at = 10**9

    log.stop()

    assert (clock.now, caplog.text) == (1_000.0, "")


def test_a_process_that_ends_waits_for_the_round_that_is_under_way(clock: Clock, redis: Stream):
    joined: list[float] = []
    log = Writer(Buffer())
    log._thread = SimpleNamespace(join=joined.append)  # type: ignore[assignment]

    log.stop()

    assert joined == [3.0]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, settings: Any) -> list[dict[str, Any]]:
    """How threads are made, which then do not start."""
    settings.REQUEST_LOG_FLUSH_SECONDS = 60
    made: list[dict[str, Any]] = []

    class Thread:
        def __init__(self, **how: Any) -> None:
            made.append(how)

        def start(self) -> None:
            pass

    monkeypatch.setattr(writer, "threading", SimpleNamespace(**{**vars(threading), "Thread": Thread}))
    monkeypatch.setattr(multiprocessing.util, "Finalize", lambda *_, **__: None)
    return made


def test_the_thread_keeps_no_process_alive_and_is_ended_before_others(started, monkeypatch):
    at_the_end: list[tuple[Any, ...]] = []
    monkeypatch.setattr(
        multiprocessing.util,
        "Finalize",
        lambda owner, act, *, exitpriority: at_the_end.append((owner, act, exitpriority)),
    )
    log = Writer(Buffer())
    for _ in range(3):
        log.start()

    assert started == [{"target": log._run, "name": "request-log", "daemon": True}]
    assert at_the_end == [(None, log.stop, 100)]


def test_no_thread_starts_where_none_is_wanted_or_the_process_ends(started, settings):
    log = Writer(Buffer())
    settings.REQUEST_LOG_FLUSH_SECONDS = 0
    log.start()
    settings.REQUEST_LOG_FLUSH_SECONDS = 60
    log.stop()
    log.start()

    assert (started, log._thread) == ([], None)


def test_the_writer_moves_entries_by_itself_from_its_start_to_its_stop(started):
    log = Writer(Buffer())
    moving = [log.is_moving]
    log.start()
    moving.append(log.is_moving)
    log._thread = None
    log.stop()

    assert [*moving, log.is_moving] == [False, True, False]


def test_of_two_calls_that_come_first_one_starts_the_thread(started):
    log = Writer(Buffer())
    of_the_other = threading.current_thread()

    class WonByTheOther:
        def __enter__(self) -> None:
            log._thread = of_the_other

        def __exit__(self, *_: object) -> None:
            pass

    log._starting = WonByTheOther()  # type: ignore[assignment]
    log.start()

    assert (started, log._thread) == ([], of_the_other)


def test_once_the_thread_runs_no_call_waits_for_another_to_look(started):
    log = Writer(Buffer())
    log.start()
    log._starting = None  # type: ignore[assignment]

    log.start()

    assert len(started) == 1


def test_a_thread_that_could_not_be_started_is_tried_again_after_a_second(
    clock: Clock, started, monkeypatch, caplog
):
    def refuse(thread: Any) -> None:
        raise RuntimeError("can't start new thread")

    log = Writer(Buffer())
    with monkeypatch.context() as exhausted:
        exhausted.setattr("apps.gateway.request_log.writer.threading.Thread.start", refuse)
        for _ in range(2):
            log.start()
        clock.now += 0.999
        log.start()
    assert (len(started), log._thread) == (1, None)
    clock.now = 1_001.0
    log.start()

    assert len(started) == 2
    assert log._thread is not None


def test_the_thread_makes_a_round_after_each_pause_until_it_is_told_to_stop(settings, monkeypatch):
    settings.REQUEST_LOG_FLUSH_SECONDS = 7
    log = Writer(Buffer())
    waited: list[float] = []
    rounds: list[int] = []

    def wait(seconds: float) -> bool:
        waited.append(seconds)
        return len(waited) == 3

    monkeypatch.setattr(log, "_stopping", SimpleNamespace(wait=wait))
    monkeypatch.setattr(log, "flush", lambda: rounds.append(len(waited)))
    log._run()

    assert (waited, rounds) == ([7, 7, 7], [1, 2])
