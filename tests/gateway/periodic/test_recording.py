"""How runs are recorded when things are away, and what counts as one."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from celery.exceptions import WorkerLostError
from celery.signals import task_failure
from django.db import OperationalError, connection, transaction

from apps.gateway.models import TaskRecord
from apps.gateway.periodic import (
    ITSELF,
    Tally,
    begins,
    clear,
    known_tasks,
    periodic_tasks,
    record,
    recorded,
    troubled,
)
from config.celery import app
from tests.gateway.periodic.conftest import Run
from tests.support.locks import until_somebody_waits

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("still_clock")]
POLLS = "apps.bookings.tasks.poll_standing_bookings"
RECOVERY = "apps.bookings.tasks.recover_operations"
NIGHTLY = "apps.ledger.tasks.nightly_check"
EVERY_SECOND = "gateway.every_second"


def row(task: str) -> TaskRecord:
    return TaskRecord.objects.get(pk=task)


def tally(*, failed: str = "", answered: str = "") -> Tally:
    made = Tally()
    if failed:
        made.failed(failed, RuntimeError("away"))
    if answered:
        made.answered(answered)
    return made


@pytest.mark.parametrize("task", [POLLS, RECOVERY])
def test_a_supplier_that_never_answers_is_an_alert_although_runs_without_work_come_between(
    task: str, run: Run
) -> None:
    run(task, returns=tally(failed="duffel"))
    run(task, returns=Tally())
    run(task, returns=tally(answered="liteapi"))
    assert not row(task).fails
    run(task, returns=tally(failed="duffel", answered="liteapi"))
    assert (row(task).fails, row(task).failure) == (True, "duffel: RuntimeError: away")
    run(task, returns=tally(answered="liteapi"))
    assert row(task).fails
    run(task, returns=tally(answered="duffel"))
    assert (row(task).fails, row(task).failing) == (False, {})


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("task", [EVERY_SECOND, NIGHTLY])
def test_no_task_fails_because_it_cannot_be_recorded(
    task: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object) -> None:
        raise OperationalError

    with connection.execute_wrapper(refuse):
        begins(task)
        record(task, Tally())
    name = periodic_tasks()[task].name
    assert f"The run of {name!r} could not be recorded" in caplog.messages
    record(task, Tally())
    assert row(task).last_success_at is not None


@pytest.mark.django_db(transaction=True)
def test_a_run_whose_process_dies_has_failed() -> None:
    """The worker's parent process tells, and keeps no connection that its next children would share."""
    for _ in range(2):
        task_failure.send(sender=app.tasks[NIGHTLY], exception=WorkerLostError("signal 9"))
    assert connection.connection is None
    assert (row(NIGHTLY).fails, row(NIGHTLY).failure) == (True, "WorkerLostError: signal 9")


def test_a_task_that_beat_does_not_call_leaves_no_trace(run: Run) -> None:
    run("webhooks.deliver_due")
    run("webhooks.deliver_due", fails=RuntimeError())
    record("webhooks.deliver_due", Tally())
    assert TaskRecord.objects.count() == 0


def test_a_command_counts_as_a_run() -> None:
    with recorded(NIGHTLY):
        pass
    assert row(NIGHTLY).last_success_at == row(NIGHTLY).last_run_at
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), recorded(NIGHTLY):
            raise ZeroDivisionError
    assert (row(NIGHTLY).fails, row(NIGHTLY).failure) == (True, "ZeroDivisionError")
    with recorded(NIGHTLY) as noted:
        noted.failed(ITSELF, RuntimeError("still"))
    assert (row(NIGHTLY).fails, row(NIGHTLY).failure) == (True, "RuntimeError: still")


@pytest.mark.django_db(transaction=True)
def test_of_two_runs_that_fail_at_once_both_count() -> None:
    known_tasks()
    failure = Tally.of_failure(RuntimeError())

    def fail() -> None:
        try:
            record(NIGHTLY, failure)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            TaskRecord.objects.select_for_update().get(pk=NIGHTLY)
            failing = pool.submit(fail)
            until_somebody_waits()
            record(NIGHTLY, failure)
        failing.result()
    assert row(NIGHTLY).fails


def test_a_frequent_task_is_written_once_a_minute_unless_something_changes(
    run: Run, move_clock, django_assert_num_queries
) -> None:
    run(EVERY_SECOND)
    first = row(EVERY_SECOND).last_run_at
    move_clock(seconds=50)
    run(EVERY_SECOND)
    assert row(EVERY_SECOND).last_run_at == first
    move_clock(seconds=20)
    run(EVERY_SECOND)
    assert row(EVERY_SECOND).last_run_at > first
    run(EVERY_SECOND, fails=RuntimeError())
    assert row(EVERY_SECOND).failing == {ITSELF: 1}


def test_a_run_that_does_not_end_is_trouble_until_the_next_one(run: Run, move_clock) -> None:
    run(NIGHTLY)
    move_clock(days=1)
    begins(NIGHTLY)
    begins(EVERY_SECOND)
    begins("webhooks.deliver_due")
    periodic, then = periodic_tasks()[NIGHTLY], row(NIGHTLY).started_at
    assert row(NIGHTLY).trouble(periodic, then + periodic.patience) == ""
    move_clock(hours=1, minutes=1)
    assert row(NIGHTLY) in troubled()
    run(NIGHTLY)
    assert row(NIGHTLY) not in troubled()


def test_what_staff_cleared_is_no_trouble_until_it_happens_again(run: Run, move_clock) -> None:
    known_tasks()
    move_clock(days=3)
    run(POLLS, returns=tally(failed="duffel"))
    run(POLLS, returns=tally(failed="duffel"))
    assert {row(POLLS), row(NIGHTLY)} <= set(troubled())
    assert clear([POLLS, NIGHTLY]) == 2
    assert not {row(POLLS), row(NIGHTLY)} & set(troubled())
    move_clock(days=2, minutes=2)
    assert row(NIGHTLY) in troubled()
