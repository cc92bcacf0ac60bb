"""How runs are recorded when things are away, and what counts as one."""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from celery.exceptions import WorkerLostError
from celery.signals import task_failure, task_prerun
from django.db import OperationalError, connection, transaction

from apps.common import clock, redis
from apps.gateway.models import TaskRecord
from apps.gateway.periodic import ITSELF, Tally, recorded
from apps.gateway.periodic.recording import forget, record, started
from apps.gateway.periodic.schedule import PeriodicTask, periodic_tasks
from apps.gateway.periodic.tally import Outcome, outcome_of_failure
from apps.gateway.periodic.watching import known_tasks, watch
from config.celery import app
from tests.gateway.periodic.conftest import Run
from tests.support.locks import until_somebody_waits

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("still_clock")]
POLLS = "apps.bookings.tasks.ask_suppliers_for_news"
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
    assert row(task).alert == ""
    run(task, returns=tally(failed="duffel", answered="liteapi"))
    assert (row(task).alert, row(task).failure) == ("failing", "duffel: RuntimeError: away")
    run(task, returns=tally(answered="liteapi"))
    assert row(task).alert == "failing"
    run(task, returns=tally(answered="duffel"))
    assert (row(task).alert, row(task).failing) == ("", {})


def test_a_frequent_task_that_goes_on_failing_writes_nothing_more(
    run: Run, django_assert_num_queries
) -> None:
    for _ in range(2):
        run(EVERY_SECOND, fails=RuntimeError())
    with django_assert_num_queries(0):
        run(EVERY_SECOND, fails=RuntimeError())
    assert row(EVERY_SECOND).alert == "failing"


@pytest.mark.parametrize("task", [EVERY_SECOND, NIGHTLY])
def test_without_redis_every_run_counts_all_the_same(task: str, run: Run, settings) -> None:
    settings.REDIS_URL, settings.REDIS_TIMEOUT_SECONDS = "redis://127.0.0.1:1/0", 0.05
    run(task)
    run(task, fails=RuntimeError())
    run(task, fails=RuntimeError())
    assert row(task).alert == "failing"
    run(task)
    assert row(task).alert == ""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("task", [EVERY_SECOND, NIGHTLY])
def test_no_task_fails_because_it_cannot_be_recorded(
    task: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object) -> None:
        raise OperationalError

    with connection.execute_wrapper(refuse):
        started(task)
        record(task, Outcome())
    name = periodic_tasks()[task].name
    assert f"The run of {name!r} could not be recorded" in caplog.messages
    record(task, Outcome())
    assert row(task).last_success_at is not None


@pytest.mark.parametrize("said", ["no\x00room", "no\ud800room"])
def test_a_failure_is_recorded_whatever_characters_its_text_has(
    run: Run, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(
        "CRITICAL", "celery.app.trace"
    )  # pytest would keep the text, and cannot hand half a character on
    for _ in range(2):
        run(NIGHTLY, fails=RuntimeError(said))
    assert (row(NIGHTLY).alert, row(NIGHTLY).failure) == ("failing", "RuntimeError: no?room")


def test_a_run_that_never_ends_is_an_alert_and_its_successor_clears_it(
    run: Run, move_clock, caplog: pytest.LogCaptureFixture
) -> None:
    run(NIGHTLY)
    move_clock(hours=24)
    started(NIGHTLY)
    move_clock(minutes=59)
    watch()
    assert row(NIGHTLY).alert == ""
    move_clock(minutes=2)
    watch()
    assert row(NIGHTLY).alert == "hanging"
    assert [
        m for m in caplog.messages if m.startswith("Periodic task 'ledger: nightly fold' has been running")
    ]
    run(NIGHTLY)
    assert (row(NIGHTLY).alert, row(NIGHTLY).started_at) == ("", None)


def test_a_first_run_is_known_to_have_begun() -> None:
    started(NIGHTLY)
    assert row(NIGHTLY).started_at is not None
    started(EVERY_SECOND)
    assert not TaskRecord.objects.filter(pk=EVERY_SECOND).exists()


@pytest.mark.django_db(transaction=True)
def test_a_run_whose_process_dies_has_failed() -> None:
    """The worker's parent process tells, and keeps no connection that its next children would share."""
    for _ in range(2):
        task_failure.send(sender=app.tasks[NIGHTLY], exception=WorkerLostError("signal 9"))
    assert connection.connection is None
    assert (row(NIGHTLY).alert, row(NIGHTLY).failure) == ("failing", "WorkerLostError: signal 9")


def test_a_task_that_beat_does_not_call_leaves_no_trace(run: Run) -> None:
    run("webhooks.deliver_due")
    run("webhooks.deliver_due", fails=RuntimeError())
    record("webhooks.deliver_due", Outcome())
    assert TaskRecord.objects.count() == 0


def test_a_command_counts_as_a_run() -> None:
    with recorded(NIGHTLY):
        pass
    assert row(NIGHTLY).last_success_at == row(NIGHTLY).last_run_at
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), recorded(NIGHTLY):
            raise ZeroDivisionError
    assert (row(NIGHTLY).alert, row(NIGHTLY).failure) == ("failing", "ZeroDivisionError")
    with recorded(NIGHTLY) as noted:
        noted.failed(ITSELF, RuntimeError("still"))
    assert (row(NIGHTLY).alert, row(NIGHTLY).failure) == ("failing", "RuntimeError: still")


def test_the_alert_tells_when_it_began(run: Run, move_clock, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "apps.gateway.periodic")
    run(NIGHTLY, fails=RuntimeError())
    began = clock.now()
    run(NIGHTLY, fails=RuntimeError())
    move_clock(hours=1)
    run(NIGHTLY, fails=RuntimeError())
    assert abs((row(NIGHTLY).alert_at - began).total_seconds()) < 1
    run(NIGHTLY)
    assert caplog.messages[-1] == "Periodic task 'ledger: nightly fold' is well again"
    assert (row(NIGHTLY).alert, row(NIGHTLY).alert_at) == ("", None)


def test_the_log_tells_of_an_alert_when_it_begins_and_when_it_ends(
    run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "apps.gateway.periodic")

    def told() -> list[str]:
        said = [message for message in caplog.messages if message.startswith("Periodic task")]
        caplog.clear()
        return said

    away = RuntimeError("away")
    found = []
    for fails in (None, away, away, away, None, None, away, None, away, None):
        run(NIGHTLY, fails=fails)
        found.append(told())
    began = ["Periodic task 'ledger: nightly fold' fails: RuntimeError: away"]
    assert found == [[], [], began, [], ["Periodic task 'ledger: nightly fold' is well again"], *[[]] * 5]


def test_a_run_that_goes_well_again_is_one_statement(move_clock, django_assert_num_queries) -> None:
    record(NIGHTLY, Outcome())
    started(NIGHTLY)
    move_clock(hours=1)
    with django_assert_num_queries(1):
        record(NIGHTLY, Outcome())
    known = row(NIGHTLY)
    assert known.started_at is None
    assert known.last_success_at is not None
    assert known.last_success_at == known.last_run_at
    assert abs((clock.now() - known.last_success_at).total_seconds()) < 1


def test_a_run_begins_for_its_own_task_alone() -> None:
    for task in (NIGHTLY, "webhooks.prune"):
        record(task, Outcome())
    started("webhooks.prune")
    started("no.task.of.beat")
    assert set(TaskRecord.objects.exclude(started_at=None).values_list("pk", flat=True)) == {"webhooks.prune"}
    assert TaskRecord.objects.count() == 2


def test_what_staff_have_seen_to_is_written_with_the_next_run(run: Run, move_clock) -> None:
    run(EVERY_SECOND)
    move_clock(seconds=10)
    before = row(EVERY_SECOND).last_run_at
    run(EVERY_SECOND)
    assert row(EVERY_SECOND).last_run_at == before
    forget(EVERY_SECOND)
    run(EVERY_SECOND)
    assert row(EVERY_SECOND).last_run_at > before


def test_a_frequent_task_is_written_once_a_minute_though_nothing_changes(run: Run) -> None:
    run(EVERY_SECOND)
    left: Any = redis.run(lambda client: client.pttl(f"periodic:{EVERY_SECOND}"))
    assert 0 < left <= 60_000


@pytest.mark.parametrize(("seconds", "frequent"), [(59.0, True), (60.0, False)])
def test_what_runs_once_a_minute_or_less_is_written_every_time(seconds: float, frequent: bool) -> None:
    assert PeriodicTask("a name", "a.task", seconds).is_frequent is frequent


def test_a_worker_tells_that_a_run_has_begun() -> None:
    task_prerun.send(sender=app.tasks[NIGHTLY], task_id="1", task=app.tasks[NIGHTLY], args=(), kwargs={})
    assert row(NIGHTLY).started_at is not None


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("notes", [lambda: started(NIGHTLY), known_tasks], ids=["a beginning", "a look"])
def test_two_processes_that_know_a_task_for_the_first_time_keep_one_row(
    notes: Callable[[], object], caplog: pytest.LogCaptureFixture
) -> None:
    known_tasks()
    TaskRecord.objects.filter(pk=NIGHTLY).delete()

    def note() -> None:
        try:
            notes()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            TaskRecord.objects.create(task=NIGHTLY)
            noting = pool.submit(note)
            until_somebody_waits()
        noting.result()
    assert TaskRecord.objects.filter(pk=NIGHTLY).count() == 1
    assert caplog.messages == []


@pytest.mark.django_db(transaction=True)
def test_of_two_runs_that_fail_at_once_both_count() -> None:
    known_tasks()
    failure = outcome_of_failure(RuntimeError())

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
    assert row(NIGHTLY).alert == "failing"
