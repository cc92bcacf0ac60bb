"""Who looks for tasks that do not run, and when."""

import threading
from datetime import timedelta

import pytest
from django.db import OperationalError, connection

from apps.common import clock
from apps.gateway.models import TaskRecord
from apps.gateway.periodic import watching
from apps.gateway.periodic.recording import started
from apps.gateway.periodic.schedule import periodic_tasks
from apps.gateway.periodic.watching import clear, keep_watch, known_tasks, look_once, watch
from tests.gateway.periodic.conftest import Run

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("still_clock")]
NIGHTLY = "apps.ledger.tasks.nightly_check"
EVERY_SECOND = "gateway.every_second"


def test_of_two_processes_that_look_one_alerts(move_clock, caplog: pytest.LogCaptureFixture) -> None:
    known_tasks()
    move_clock(days=3)
    seen = {task: row for (periodic, row) in known_tasks() for task in [periodic.task]}
    assert len(watch()) == len(seen)
    caplog.clear()
    periodic = periodic_tasks()[NIGHTLY]
    assert watching._raise(periodic, seen[NIGHTLY], "late", seen[NIGHTLY].known_since) is False
    assert caplog.messages == []


def test_a_task_that_is_gone_begins_anew_when_it_returns(settings, move_clock) -> None:
    schedule = settings.CELERY_BEAT_SCHEDULE
    watch()
    settings.CELERY_BEAT_SCHEDULE = {k: e for k, e in schedule.items() if e["task"] != NIGHTLY}
    watch()
    assert not TaskRecord.objects.filter(pk=NIGHTLY).exists()
    move_clock(days=9)
    settings.CELERY_BEAT_SCHEDULE = schedule
    watch()
    assert TaskRecord.objects.get(pk=NIGHTLY).alert == ""


def test_what_staff_have_cleared_is_alerted_to_again_after_two_more_misses(move_clock) -> None:
    assert watch() == []
    move_clock(days=3)
    watch()
    row = TaskRecord.objects.get(pk=NIGHTLY)
    assert (row.alert, clear([row]), clear([row])) == ("late", 1, 0)
    watch()
    assert TaskRecord.objects.get(pk=NIGHTLY).alert == ""
    move_clock(days=2, minutes=2)
    assert watch() == ["ledger: nightly fold"]


def test_what_is_cleared_and_goes_on_failing_is_alerted_to_again(run: Run) -> None:
    for _ in range(2):
        for _ in range(2):
            run(EVERY_SECOND, fails=RuntimeError())
        row = TaskRecord.objects.get(pk=EVERY_SECOND)
        assert row.alert == "failing"
        clear([row])


def test_an_alert_has_its_time_and_costs_nothing_from_then_on(move_clock, django_assert_num_queries) -> None:
    known_tasks()
    move_clock(days=3)
    before = clock.now()
    watch()
    row = TaskRecord.objects.get(pk=NIGHTLY)
    assert row.alert_at is not None
    assert before <= row.alert_at <= clock.now()
    with django_assert_num_queries(2):
        assert watch() == []


def test_an_alert_tells_since_when_the_task_has_not_run(
    run: Run, move_clock, caplog: pytest.LogCaptureFixture
) -> None:
    known_tasks()
    move_clock(hours=1)
    run(NIGHTLY)
    move_clock(days=3)
    watch()
    nightly, prune = (TaskRecord.objects.get(pk=task) for task in (NIGHTLY, "webhooks.prune"))
    for name, since in (
        ("ledger: nightly fold", nightly.last_run_at),
        ("webhooks: prune", prune.known_since),
    ):
        told = [
            one for one in caplog.messages if one.startswith(f"Periodic task {name!r} has not run since ")
        ]
        assert len(told) == 1
        assert f" since {since} (" in told[0]


def test_a_run_that_has_begun_is_late_no_more(run: Run, move_clock) -> None:
    run(NIGHTLY)
    move_clock(days=3)
    started(NIGHTLY)
    assert "ledger: nightly fold" not in watch()
    assert TaskRecord.objects.get(pk=NIGHTLY).overdue(periodic_tasks()[NIGHTLY], clock.now()) == timedelta()


@pytest.mark.parametrize(("field", "trouble"), [("started_at", "hanging"), ("last_run_at", "late")])
def test_trouble_begins_when_the_time_allowed_is_over(field: str, trouble: str) -> None:
    periodic, then = periodic_tasks()[NIGHTLY], clock.now()
    allowed = periodic.patience if field == "started_at" else periodic.silence
    row = TaskRecord(**{"task": NIGHTLY, "known_since": then, field: then})
    assert row.trouble(periodic, then + allowed) == ""
    assert row.trouble(periodic, then + allowed + timedelta.resolution) == trouble


def test_a_frequent_task_that_was_late_is_well_again_with_its_next_run(run: Run, move_clock) -> None:
    run(EVERY_SECOND)
    move_clock(days=3)
    watch()
    assert TaskRecord.objects.get(pk=EVERY_SECOND).alert == "late"
    run(EVERY_SECOND)
    assert TaskRecord.objects.get(pk=EVERY_SECOND).alert == ""


def test_what_is_cleared_begins_anew(move_clock) -> None:
    known_tasks()
    TaskRecord.objects.filter(pk=NIGHTLY).update(
        alert="failing", alert_at=clock.now(), failing={"": 2}, started_at=clock.now()
    )
    move_clock(days=3)
    assert clear(list(TaskRecord.objects.filter(pk=NIGHTLY))) == 1
    row = TaskRecord.objects.get(pk=NIGHTLY)
    assert (row.alert, row.alert_at, row.failing, row.started_at) == ("", None, {}, None)
    assert abs((clock.now() - row.known_since).total_seconds()) < 1


@pytest.mark.django_db(transaction=True)
def test_looking_never_raises_and_keeps_no_connection(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    looks = iter([OperationalError("away"), RuntimeError("broken"), None])

    def look() -> None:
        connection.ensure_connection()
        if (raised := next(looks)) is not None:
            raise raised

    monkeypatch.setattr(watching, "watch", look)
    for _ in range(3):
        look_once()
        assert connection.connection is None
    assert caplog.messages == [
        "The periodic tasks could not be looked at: away",
        "The periodic tasks could not be looked at",
    ]


def test_a_web_process_looks_two_minutes_after_its_start_and_then_every_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Over(Exception):
        pass

    class Pause(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            done.append(timeout)
            if len(done) > 4:
                raise Over
            return False

    done: list[object] = []
    monkeypatch.setattr(threading, "Event", Pause)
    monkeypatch.setattr(watching, "look_once", lambda: done.append("look"))
    with pytest.raises(Over):
        watching._watch_for_ever()
    assert done == [120.0, "look", 60.0, "look", 60.0]


def test_a_web_process_looks_in_a_thread_of_its_own_that_ends_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looking: list[threading.Thread] = []
    monkeypatch.setattr(watching, "_watch_for_ever", lambda: looking.append(threading.current_thread()))
    thread = keep_watch()
    thread.join()
    assert looking == [thread]
    assert (thread.name, thread.daemon) == ("periodic-watch", True)
