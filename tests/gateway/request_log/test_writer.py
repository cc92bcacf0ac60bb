"""From memory to PostgreSQL: what is away makes nobody wait, and what finds no room is counted."""

import os
import threading
from types import SimpleNamespace

import pytest
from django.db import OperationalError, connection

from apps.gateway.answer import Answer
from apps.gateway.request_log import writer
from apps.gateway.request_log.buffer import Buffer
from apps.gateway.request_log.draft import Draft
from apps.gateway.request_log.entry import serialised
from apps.gateway.request_log.health import request_log
from apps.gateway.request_log.models import LoggedCall, LostCalls
from apps.gateway.request_log.writer import Writer
from tests.gateway.request_log.drafts import PARTNER, call, draft

SOME_BODY = b'{"request_body":{"origin":"LHR"}}'


def put(buffer: Buffer, **changes: object) -> None:
    """A call, where there is room."""
    if buffer.admits(owned=True):
        buffer.append(draft(**changes))


def log_call(status: int = 200) -> None:
    made = call()
    made.partner_found = PARTNER
    writer.log_call(made, Answer(status=status), None, replayed=False)


def refuse(*_: object) -> None:
    raise OperationalError("away")


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
def test_calls_made_while_the_database_is_away_are_written_once_it_is_back(at_once, caplog):
    buffer = Buffer()
    log = Writer(buffer)
    for _ in range(450):
        put(buffer)
    with connection.execute_wrapper(refuse):
        assert [log.flush(), log.flush()] == [False, False]
        waiting, _ = log.waiting
    assert waiting > 450 * 100
    assert caplog.text.count("The request log waits: OperationalError") == 1

    assert log.flush() is True
    assert (LoggedCall.objects.count(), log.waiting) == (450, (0, 0.0))


@pytest.mark.django_db
def test_a_failure_is_not_tried_again_for_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    now = SimpleNamespace(monotonic=lambda: 1_000.0, sleep=lambda seconds: None)
    monkeypatch.setattr(writer, "time", now)
    buffer = Buffer()
    log = Writer(buffer)
    put(buffer)
    with connection.execute_wrapper(refuse):
        assert log.flush() is False
    assert log.flush() is False
    now.monotonic = lambda: 1_001.0
    assert log.flush() is True


@pytest.mark.django_db
def test_what_finds_no_room_is_dropped_counted_and_shown(at_once):
    buffer = Buffer(calls=5)
    log = Writer(buffer)
    for _ in range(12):
        put(buffer)
    assert log.flush() is True

    assert LoggedCall.objects.count() == 5
    assert [lost.calls for lost in LostCalls.objects.all()] == [7]
    assert request_log() == {"status": "degraded", "waitingBytes": 0, "waitingSeconds": 0.0, "lostLastDay": 7}


@pytest.mark.django_db(transaction=True)
def test_entries_wait_in_the_process_up_to_a_bound(at_once, monkeypatch):
    monkeypatch.setattr(writer, "MAX_WAITING_BYTES", 250 * len(serialised(draft())))
    buffer = Buffer()
    log = Writer(buffer)
    with connection.execute_wrapper(refuse):
        for _ in range(5):
            for _ in range(100):
                put(buffer)
            log.flush()
    assert log.flush() is True

    kept = LoggedCall.objects.count()
    assert 0 < kept < 500
    assert kept + sum(lost.calls for lost in LostCalls.objects.all()) == 500


@pytest.mark.django_db(transaction=True)
def test_a_loss_that_could_not_be_written_counts_once_and_no_later_one_is_forgotten(at_once, monkeypatch):
    buffer = Buffer(calls=0)
    log = Writer(buffer)
    put(buffer)
    with connection.execute_wrapper(refuse):
        log.flush()
        put(buffer)
        log.flush()
    log.flush()

    assert sorted(lost.calls for lost in LostCalls.objects.all()) == [1, 1]


@pytest.mark.django_db
def test_one_call_that_cannot_be_written_costs_no_other(monkeypatch):
    def failing(made: Draft) -> bytes:
        if made.status == 500:
            raise ValueError
        return serialised(made)

    monkeypatch.setattr(writer, "serialised", failing)
    for status in (200, 500, 201):
        log_call(status)
    assert writer.writer.flush() is True

    assert sorted(LoggedCall.objects.values_list("status", flat=True)) == [200, 201]
    assert LostCalls.objects.get().calls == 1


@pytest.mark.django_db
def test_a_failure_that_nobody_foresaw_ends_the_round_and_not_the_log(monkeypatch, caplog):
    log_call()
    with monkeypatch.context() as broken:
        broken.setattr("apps.gateway.request_log.rows.write", lambda entries: 1 / 0)
        assert writer.writer.flush() is False
    assert "The request log could not be written" in caplog.text
    assert writer.writer.flush() is True
    assert LoggedCall.objects.count() == 1


def test_a_call_of_which_no_draft_can_be_made_is_answered_and_counted(monkeypatch, caplog):
    monkeypatch.setattr(writer, "draft_of", lambda *_, **__: 1 / 0)
    log_call()

    assert (len(writer.buffer), writer.buffer.take_dropped()) == (0, 1)
    assert "could not be logged" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_the_thread_writes_by_itself_and_a_process_that_ends_leaves_nothing(settings):
    settings.REQUEST_LOG_FLUSH_SECONDS = 0.01
    buffer = Buffer()
    log = Writer(buffer)
    log.start()
    put(buffer)
    while not LoggedCall.objects.exists():
        pass
    put(buffer)
    log.stop()

    assert (LoggedCall.objects.count(), len(buffer), log.stopped, log.is_moving) == (2, 0, True, False)


@pytest.mark.django_db
def test_a_process_that_ends_tries_for_three_seconds_and_says_what_it_left(monkeypatch, caplog):
    clock = SimpleNamespace(now=1_000.0)
    clock.monotonic = lambda: clock.now
    clock.sleep = lambda seconds: setattr(clock, "now", clock.now + seconds)
    monkeypatch.setattr(writer, "time", clock)
    buffer = Buffer()
    for _ in range(3):
        put(buffer)
    with connection.execute_wrapper(refuse):
        Writer(buffer).stop()

    assert 1_003 <= clock.now < 1_003.1
    assert "3 calls are not in the request log: PostgreSQL did not take them" in caplog.text


def test_without_a_thread_calls_are_answered_and_wait_for_one(
    settings, monkeypatch, caplog: pytest.LogCaptureFixture
):
    def no_more(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    settings.REQUEST_LOG_FLUSH_SECONDS = 60
    monkeypatch.setattr(threading.Thread, "start", no_more)
    for _ in range(2):
        log_call()
    assert caplog.text.count("No thread for the request log") == 1  # not with every call
    assert len(writer.buffer) == 2


@pytest.mark.django_db
def test_a_call_that_ends_after_the_farewell_is_written_at_once():
    writer.writer.stop()
    log_call()

    assert LoggedCall.objects.count() == 1


def test_a_child_has_a_log_of_its_own():
    """The parent's calls are the parent's to write: a fork must not write them twice."""
    log_call()
    before = writer.writer
    child = os.fork()
    if child == 0:
        mine = writer.writer is not before and len(writer.buffer) == 0
        os._exit(0 if mine else 1)

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert (writer.writer, len(writer.buffer)) == (before, 1)
