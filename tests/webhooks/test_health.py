from datetime import timedelta

import pytest
from django.test import Client

from apps.common import clock
from apps.webhooks import metrics as health
from tests.factories.webhooks import DeliveryFactory

pytestmark = pytest.mark.django_db


def part() -> dict[str, object]:
    found: dict[str, object] = Client().get("/health/full").json()["parts"]["deliveries"]
    found.pop("milliseconds")
    return found


def test_nothing_due_is_no_lag():
    assert part() == {"status": "ok", "dueLagSeconds": 0.0}


@pytest.mark.parametrize(("seconds", "status"), [(30, "ok"), (90, "degraded")])
def test_the_most_overdue_delivery_is_the_lag(stopped_clock, seconds: int, status: str):
    now = clock.now()
    for later in (1, 0):
        DeliveryFactory(next_attempt_at=now + timedelta(seconds=later))
    stopped_clock(seconds=seconds)

    assert part() == {"status": status, "dueLagSeconds": float(seconds)}


@pytest.mark.parametrize(
    ("lag", "status", "told"), [(59.949, "ok", 59.9), (60.0, "degraded", 60.0), (60.06, "degraded", 60.1)]
)
def test_a_minute_is_late_and_the_lag_is_told_to_a_tenth(monkeypatch, lag: float, status: str, told: float):
    monkeypatch.setattr(health, "due_lag", lambda: lag)
    assert health.deliveries_due() == {"status": status, "dueLagSeconds": told}
