"""Beat keeps no state of its own: it goes on from each task's last run, by PostgreSQL's clock (reliability T3, T4)."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from celery.beat import ScheduleEntry, Service
from django.conf import settings

from apps.common import clock
from apps.gateway.models import TaskRecord
from apps.gateway.periodic import resume
from config.celery import app

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
NIGHTLY, PRUNE, SWEEP = "ledger: nightly fold", "webhooks: prune", "webhooks: sweep"


def started(**last_runs: datetime) -> dict[str, ScheduleEntry]:
    """The entries of a beat that starts now."""
    for task, instant in last_runs.items():
        TaskRecord.objects.create(task=task, last_run_at=instant)
    service: Any = Service(app=app)
    resume(sender=service)
    return service.scheduler.schedule


def seconds_until(entry: ScheduleEntry) -> float:
    is_due, seconds = entry.is_due()
    return 0 if is_due else round(seconds, -1)


def test_what_never_ran_is_due_at_once_and_everything_else_by_its_last_run() -> None:
    nightly, prune = "apps.ledger.tasks.nightly_check", "webhooks.prune"
    schedule = started(**{nightly: clock.now() - 23 * HOUR, prune: clock.now() - 2 * HOUR})
    assert set(schedule) == set(settings.CELERY_BEAT_SCHEDULE)
    assert [seconds_until(schedule[name]) for name in (NIGHTLY, PRUNE, SWEEP)] == [3_600, 0, 0]


@pytest.mark.parametrize("off", [-HOUR, HOUR])
def test_a_wrong_clock_of_the_host_changes_nothing(off: timedelta, monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return datetime.now(UTC) + off

    for module in ("celery.app.base", "celery.schedules", "celery.utils.time"):
        monkeypatch.setattr(f"{module}.datetime", Wrong)
    ahead = clock.now() + HOUR  # written by a beat of another release, whose host's clock was ahead
    schedule = started(
        **{"apps.ledger.tasks.nightly_check": clock.now() - 23 * HOUR, "webhooks.prune": ahead}
    )
    assert [seconds_until(schedule[name]) for name in (NIGHTLY, PRUNE, SWEEP)] == [3_600, 3_600, 0]
    after = next(schedule[SWEEP])
    assert abs(after.last_run_at - clock.now()) < timedelta(minutes=1)
