"""The tasks of the worker."""

from datetime import timedelta

import pytest
from django.db import OperationalError, transaction
from pytest_django import Settings

from apps.common import clock, redis
from apps.gateway.periodic import ITSELF
from apps.webhooks import wakeups
from apps.webhooks.deliveries import dispatch
from apps.webhooks.models import Attempt, Delivery, Endpoint
from apps.webhooks.tasks import deliver_due, sweep
from tests.factories.webhooks import DeliveryFactory, emit
from tests.support.receiver import Receiver

pytestmark = pytest.mark.django_db(transaction=True)


def test_committed_event_wakes_the_task_that_delivers_it(endpoint: Endpoint, receiver: Receiver) -> None:
    with transaction.atomic():
        emit(account_id=endpoint.account_id, environment="test", type="booking.confirmed", data={})
    assert redis.run(lambda client: client.llen("webhooks")) == 1
    deliver_due()
    assert Delivery.objects.get().status == "DELIVERED"
    assert receiver.requests[0].json["type"] == "booking.confirmed"
    assert redis.run(lambda client: client.get(wakeups.KEY)) is None


def test_sweep_finds_what_nobody_was_woken_for_and_stays_for_the_next_retry(
    endpoint: Endpoint, settings: Settings, waits: list[float]
) -> None:
    settings.WEBHOOK_SWEEP_SECONDS = 2
    now = clock.now()
    for seconds in (0, 1, 3):
        DeliveryFactory(endpoint=endpoint, next_attempt_at=now + timedelta(seconds=seconds))
    assert sweep().failures == {}
    attempted_at = Attempt.objects.order_by("attempted_at").values_list("attempted_at", flat=True)
    assert list(attempted_at) == [now, now + timedelta(seconds=1)]


def test_a_sweep_that_cannot_claim_tells_why(
    settings: Settings, waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WEBHOOK_SWEEP_SECONDS = 2

    def fail(**options: object) -> None:
        raise OperationalError("as if")

    monkeypatch.setattr(dispatch, "claim", fail)
    assert sweep().failures == {ITSELF: "OperationalError: as if"}
