"""How much beat does between two tasks: nothing (`apps/common/beat.py`)."""

import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from celery import current_app
from django.conf import settings
from django.utils import timezone
from django_celery_beat import models
from django_celery_beat.models import PeriodicTask

from apps.common import beat

EVERY_SECOND = "keys and requests: every second"

pytestmark = pytest.mark.django_db(transaction=True)


class Sending(beat.PatientScheduler):
    """Notes what it would send."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.sent: list[str] = []

    def apply_entry(self, entry: Any, producer: object = None) -> None:
        self.sent.append(entry.name)

    @property
    def producer(self) -> None:  # type: ignore[override]
        return None


@pytest.fixture
def scheduler() -> Iterator[Sending]:
    scheduler = Sending(current_app)
    yield scheduler
    scheduler._finalize.cancel()  # it would save its runs as this process ends


def run_until(scheduler: Sending, task: str, times: int = 1) -> int:
    """Let it send what is due, as beat does, until it has sent that so many times. Returns how often it looked."""
    looks, give_up = 0, time.monotonic() + 60
    while scheduler.sent.count(task) < times:
        assert time.monotonic() < give_up, scheduler.sent
        wait = scheduler.tick()
        looks += 1
        if wait > 0:
            time.sleep(wait)
    return looks


def test_it_rests_until_the_next_task_is_due(scheduler: Sending) -> None:
    scheduler.tick()
    scheduler.sent.clear()
    looks = run_until(scheduler, EVERY_SECOND, 4)
    assert looks <= 3 * len(scheduler.sent)


def test_it_asks_the_database_nothing_between_two_readings(
    scheduler: Sending, django_assert_num_queries: Any
) -> None:
    scheduler.tick()
    scheduler.sent.clear()
    with django_assert_num_queries(0):
        run_until(scheduler, EVERY_SECOND)


def test_what_it_has_read_anew_is_what_it_sends(scheduler: Sending) -> None:
    scheduler.tick()
    PeriodicTask.objects.filter(name=EVERY_SECOND).update(enabled=False)
    scheduler._last_full_sync = datetime.now() - timedelta(minutes=6)
    scheduler.tick()
    scheduler.sent.clear()
    run_until(scheduler, "webhooks: sweep")
    assert EVERY_SECOND not in scheduler.sent


def test_what_an_earlier_release_had_is_not_sent(scheduler: Sending) -> None:
    every_second = PeriodicTask.objects.get(name=EVERY_SECOND).interval
    PeriodicTask.objects.create(name="gone", task="gateway.gone", interval=every_second)
    assert set(scheduler.all_as_schedule()) == set(settings.CELERY_BEAT_SCHEDULE)


def set_back(monkeypatch: pytest.MonkeyPatch, by: timedelta) -> None:
    """Set the clock of this host back, as far as beat and its library look at it."""
    monkeypatch.setattr(models, "now", lambda: timezone.now() - by)


def test_a_clock_that_is_set_back_stops_no_task(scheduler: Sending, monkeypatch: pytest.MonkeyPatch) -> None:
    scheduler.tick()
    scheduler.sent.clear()
    set_back(monkeypatch, timedelta(hours=1))
    run_until(scheduler, EVERY_SECOND, 3)


def test_a_task_that_was_sent_in_the_future_is_not_waited_for(scheduler: Sending) -> None:
    """As a beat leaves the table whose host's clock was ahead."""
    in_an_hour = timezone.now() + timedelta(hours=1)
    assert PeriodicTask.objects.filter(name=EVERY_SECOND).update(last_run_at=in_an_hour)
    after_it = Sending(current_app)
    try:
        run_until(after_it, EVERY_SECOND, 2)
    finally:
        after_it._finalize.cancel()
