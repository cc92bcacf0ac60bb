"""Deliveries as figures: attempts are counted once they are recorded, and how late deliveries are is read."""

from collections import Counter
from typing import Any

import pytest

from apps.common.metrics import counting
from apps.common.metrics.readings import known_readings
from apps.webhooks import metrics
from apps.webhooks.services.record import record
from tests.factories.webhooks import DeliveryFactory
from tests.webhooks.conftest import due_deliveries
from tests.webhooks.services.test_record import claimed, made


@pytest.mark.django_db(transaction=True)
def test_attempts_are_counted_by_what_the_delivery_became(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: Counter[Any] = Counter()
    monkeypatch.setattr(counting, "is_on", True)
    monkeypatch.setattr(metrics.ATTEMPTS, "add", lambda outcome: seen.update([str(outcome)]))
    monkeypatch.setattr(metrics.ATTEMPT_SECONDS, "observe", lambda seconds: seen.update([seconds]))
    first = DeliveryFactory()
    due_deliveries(first.endpoint, 2)
    assert record(made(claimed(first.endpoint), 200, 500, 410)).attempts == 3
    assert seen == {"DELIVERED": 1, "RETRYING": 1, "FAILED": 1, 0.012: 3}


def test_how_late_deliveries_are_is_read_with_the_other_figures() -> None:
    assert metrics.deliveries in [each.read for each in known_readings()]
