"""Deliveries in /metrics and /health/full."""

from datetime import timedelta

import pytest
from django.test import Client

from apps.common import clock
from apps.webhooks.deliveries.record import record
from tests.factories.webhooks import DeliveryFactory
from tests.support.figures import Counted
from tests.webhooks.conftest import due_deliveries
from tests.webhooks.deliveries.test_record import claimed, made

pytestmark = pytest.mark.django_db


@pytest.mark.django_db(transaction=True)
def test_attempts_are_counted_by_what_the_delivery_became() -> None:
    counted = Counted()
    first = DeliveryFactory()
    due_deliveries(first.endpoint, 2)
    assert record(made(claimed(first.endpoint), 200, 500, 410)).attempts == 3
    assert counted("webhook_attempts_total") == {("DELIVERED",): 1, ("RETRYING",): 1, ("FAILED",): 1}
    assert counted("webhook_attempt_seconds_count") == {(): 3}


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
