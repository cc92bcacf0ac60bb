"""Every task that beat calls: the second failure in a row, or the second missed run, is trouble. A success ends it."""

import logging
from datetime import timedelta

import pytest
from django.conf import settings
from django.test import Client

from apps.common import clock
from apps.gateway.models import TaskRecord
from apps.gateway.periodic import known_tasks, periodic_tasks, troubled
from tests.gateway.periodic.conftest import Run

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("still_clock")]
TASKS = sorted(entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values())


def in_trouble() -> list[str]:
    return [row.task for row in troubled()]


def critical(caplog: pytest.LogCaptureFixture) -> list[str]:
    told = [record.getMessage() for record in caplog.records if record.levelno == logging.CRITICAL]
    caplog.clear()
    return told


def in_health(task: str) -> tuple[str, str]:
    """The state of the part, and that of the task in it."""
    part = Client().get("/health/full").json()["parts"]["tasks"]
    return part["status"], part["tasks"][periodic_tasks()[task].name]["status"]


def test_no_two_entries_of_beat_have_one_task() -> None:
    assert len(set(TASKS)) == len(TASKS) == len(settings.CELERY_BEAT_SCHEDULE)
    assert set(TASKS) == set(periodic_tasks())


@pytest.mark.parametrize("task", TASKS)
def test_the_second_failure_in_a_row_is_trouble_and_a_success_ends_it(
    task: str, run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    name = periodic_tasks()[task].name
    broken = RuntimeError("it is broken")
    run(task)
    run(task, fails=broken)
    assert (in_trouble(), in_health(task), critical(caplog)) == ([], ("ok", "ok"), [])
    run(task, fails=broken)
    assert (in_trouble(), in_health(task)) == ([task], ("degraded", "failing"))
    assert critical(caplog) == [f"Periodic task {name!r} fails: RuntimeError: it is broken"]
    for _ in range(3):
        run(task, fails=broken)
    assert (in_trouble(), critical(caplog)) == ([task], [])
    run(task)
    assert (in_trouble(), in_health(task), critical(caplog)) == ([], ("ok", "ok"), [])


@pytest.mark.parametrize("task", TASKS)
def test_a_success_between_two_failures_is_no_trouble(task: str, run: Run) -> None:
    for _ in range(3):
        run(task, fails=RuntimeError())
        run(task)
    assert in_trouble() == []
    assert TaskRecord.objects.get(pk=task).last_failure_at is not None


@pytest.mark.parametrize("task", TASKS)
def test_the_second_missed_run_is_trouble_and_a_run_ends_it(task: str, run: Run, move_clock) -> None:
    periodic = periodic_tasks()[task]
    run(task)
    move_clock(seconds=periodic.silence.total_seconds() - 5)
    everybody_has_run_but(task)
    assert in_trouble() == []
    move_clock(seconds=10)
    everybody_has_run_but(task)
    assert (in_trouble(), in_health(task)) == ([task], ("degraded", "late"))
    run(task)
    assert (in_trouble(), in_health(task)) == ([], ("ok", "ok"))


def everybody_has_run_but(task: str) -> None:
    known_tasks()
    TaskRecord.objects.exclude(pk=task).update(last_run_at=clock.now())


def test_what_no_worker_ever_ran_is_late_too(move_clock) -> None:
    assert in_trouble() == []
    move_clock(days=3)
    assert sorted(in_trouble()) == TASKS


def test_the_tolerated_silence_is_two_runs_and_a_minute() -> None:
    tolerated = {p.seconds: p.silence for p in periodic_tasks().values()}
    assert tolerated[1] == tolerated[15] == timedelta(minutes=3)
    assert tolerated[900] == timedelta(minutes=31)
    assert tolerated[86_400] == timedelta(days=2, minutes=1)
