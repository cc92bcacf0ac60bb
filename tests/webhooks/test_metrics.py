"""Deliveries as figures: attempts are counted once they are recorded, and how late deliveries are is read."""

import pytest

from apps.common.metrics import known_readings
from apps.webhooks import metrics
from apps.webhooks.deliveries.record import record
from tests.factories.webhooks import DeliveryFactory
from tests.support.figures import Counted
from tests.webhooks.conftest import due_deliveries
from tests.webhooks.services.test_record import claimed, made


@pytest.mark.django_db(transaction=True)
def test_attempts_are_counted_by_what_the_delivery_became() -> None:
    counted = Counted()
    first = DeliveryFactory()
    due_deliveries(first.endpoint, 2)
    assert record(made(claimed(first.endpoint), 200, 500, 410)).attempts == 3
    assert counted("webhook_attempts_total") == {("DELIVERED",): 1, ("RETRYING",): 1, ("FAILED",): 1}
    assert counted("webhook_attempt_seconds_count") == {(): 3}


def test_how_late_deliveries_are_is_read_with_the_other_figures() -> None:
    assert metrics.deliveries in [each.read for each in known_readings()]
