"""From memory to PostgreSQL: a database that is away delays no call, each call is written and counted once, and each loss."""

import os
import uuid
from datetime import timedelta

import pytest
from django.db import OperationalError, connection

from apps.common import clock
from apps.gateway.responses import Answer
from apps.request_log import writer
from apps.request_log.models import CallHour, LoggedCall, LostCalls
from apps.request_log.writer import Writer, health, write
from tests.request_log.calls import PARTNER, call, record
from tests.support.threads import all_at_once


def put(log: Writer, count: int = 1) -> None:
    for _ in range(count):
        if log.admits(owned=True):
            log.add(record())


def log_call(status: int = 200) -> None:
    made = call()
    made.known_partner = PARTNER
    writer.log_call(request=made, response=Answer(status=status))


def away(*_: object) -> None:
    raise OperationalError("away")


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The writer retries without the pause that it makes after a failure."""
    monkeypatch.setattr(writer, "RETRY_SECONDS", 0.0)


@pytest.mark.django_db
def test_calls_made_while_the_database_is_away_are_written_once_it_is_back(at_once, caplog):
    log = Writer()
    put(log, 450)
    with connection.execute_wrapper(away):
        assert [log.flush(), log.flush()] == [False, False]
    waiting, seconds = log.waiting
    assert (waiting, seconds > 0) == (450, True)
    assert caplog.text.count("The request log waits: OperationalError") == 1

    assert log.flush() is True
    assert (LoggedCall.objects.count(), log.waiting) == (450, (0, 0.0))


@pytest.mark.django_db
def test_calls_beyond_the_bound_are_dropped_counted_and_reported():
    log = Writer(max_waiting=5)
    put(log, 12)
    assert log.flush() is True

    assert LoggedCall.objects.count() == 5
    assert [lost.calls for lost in LostCalls.objects.all()] == [7]
    assert health() == {"status": "degraded", "waitingCalls": 0, "waitingSeconds": 0.0, "lostLastDay": 7}


@pytest.mark.django_db(transaction=True)
def test_a_loss_that_could_not_be_written_counts_once_and_no_later_one_is_forgotten(at_once):
    log = Writer(max_waiting=0)
    put(log)
    with connection.execute_wrapper(away):
        log.flush()
        put(log)
        log.flush()
    log.flush()

    assert sorted(lost.calls for lost in LostCalls.objects.all()) == [1, 1]


@pytest.mark.django_db
def test_a_call_whose_record_fails_is_answered_and_counted_as_lost(monkeypatch, caplog):
    monkeypatch.setattr(writer, "record_of", lambda *_, **__: 1 / 0)
    log_call()

    assert "could not be logged" in caplog.text
    assert writer.writer.flush() is True
    assert LostCalls.objects.get().calls == 1


@pytest.mark.django_db(transaction=True)
def test_the_thread_writes_by_itself_and_a_process_that_ends_leaves_nothing(settings):
    settings.REQUEST_LOG_FLUSH_SECONDS = 0.01
    log = Writer()
    log.start()
    put(log)
    while not LoggedCall.objects.exists():
        pass
    put(log)
    log.stop()

    assert (LoggedCall.objects.count(), log.waiting[0], log.stopped) == (2, 0, True)


@pytest.mark.django_db
def test_a_call_that_ends_after_the_writer_stopped_is_written_at_once():
    writer.writer.stop()
    log_call()

    assert LoggedCall.objects.count() == 1


def test_a_child_process_has_a_log_of_its_own():
    """The parent's calls are the parent's to write: a fork must not write them twice."""
    log_call()
    before = writer.writer
    child = os.fork()
    if child == 0:
        mine = writer.writer is not before and writer.writer.waiting[0] == 0
        os._exit(0 if mine else 1)

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert (writer.writer, writer.writer.waiting[0]) == (before, 1)


@pytest.mark.django_db
def test_hours_are_counted_by_when_calls_came_whenever_they_are_written(noon):
    hour = clock.now().replace(minute=0, second=0, microsecond=0)
    for minute, status in ((10, 399), (30, 400), (20, 404)):
        write([record(created_at=hour + timedelta(minutes=minute), status=status)])
    write([record(created_at=hour - timedelta(minutes=1)), record(created_at=hour, account_id=None)])

    counted = CallHour.objects.order_by("hour").values_list("hour", "secret_id", "calls", "errors")
    assert list(counted) == [(hour - timedelta(hours=1), 1, 1, 0), (hour, 1, 3, 2)]
    last = CallHour.objects.latest("hour")
    assert (last.first_call_at, last.last_call_at) == (
        hour + timedelta(minutes=10),
        hour + timedelta(minutes=30),
    )


@pytest.mark.django_db
def test_what_is_written_twice_is_logged_and_counted_once(noon) -> None:
    ids = [uuid.uuid4() for _ in range(3)]
    for _ in range(2):
        write([record(request_id=ids[0]), record(request_id=ids[1]), record(request_id=ids[2], secret_id=2)])
    assert LoggedCall.objects.count() == 3
    assert sorted(CallHour.objects.values_list("secret_id", "calls")) == [(1, 2), (2, 1)]


@pytest.mark.django_db(transaction=True)
def test_concurrent_processes_write_every_call_once(noon) -> None:
    keys = [f"key_{number:02}" for number in range(40)]
    orders = [keys, keys[::-1], keys, keys[::-1]]
    all_at_once([lambda order=order: write([record(key_id=key) for key in order]) for order in orders])
    assert LoggedCall.objects.count() == 160
    assert set(CallHour.objects.values_list("key_id", "calls")) == {(key, 4) for key in keys}


@pytest.mark.django_db
def test_a_record_that_the_table_rejects_keeps_no_other_out(caplog: pytest.LogCaptureFixture) -> None:
    rejected = record(method="x" * 17)
    assert write([record(), rejected, record(), record(user_agent="a\0b"), record(path=None)]) == 3
    assert LoggedCall.objects.count() == 2
    assert f"A call could not be logged: {rejected.request_id}" in caplog.text
