"""The request log's part of /health/full."""

from datetime import timedelta

import pytest

from apps.common import clock
from apps.request_log.models import LostCalls
from apps.request_log.writer import LATE_SECONDS, Writer, _readings, health

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)


@pytest.mark.parametrize(
    ("waited", "status"),
    [(0.0, "ok"), (12.34, "ok"), (LATE_SECONDS - 0.01, "ok"), (LATE_SECONDS, "degraded")],
)
def test_entries_that_wait_for_a_minute_are_late(
    monkeypatch: pytest.MonkeyPatch, waited: float, status: str
) -> None:
    monkeypatch.setattr(Writer, "waiting", (512, waited))
    assert health() == {
        "status": status,
        "waitingCalls": 512,
        "waitingSeconds": round(waited, 1),
        "lostLastDay": 0,
    }


@pytest.mark.parametrize(
    ("ago", "status", "lost"),
    [
        (timedelta(hours=1), "degraded", 7),
        (timedelta(hours=1) + SECOND, "ok", 7),
        (timedelta(hours=24), "ok", 7),
        (timedelta(hours=24) + SECOND, "ok", 0),
    ],
)
def test_a_loss_is_told_for_a_day_and_a_fault_for_an_hour(
    monkeypatch: pytest.MonkeyPatch, ago: timedelta, status: str, lost: int
) -> None:
    now = clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: now)
    for calls in (3, 4):
        LostCalls.objects.create(calls=calls, noticed_at=now - ago)
    assert (health()["status"], health()["lostLastDay"]) == (status, lost)


def test_waiting_and_lost_calls_are_in_the_metrics() -> None:
    LostCalls.objects.create(calls=7)
    readings = {reading.name: reading.value for reading in _readings()}
    assert readings == {"request_log_waiting_seconds": 0.0, "request_log_lost_calls": 7}
