"""The tasks of the worker."""

from datetime import timedelta

import pytest
from django.db import OperationalError, transaction
from pytest_django import Settings

from apps.common import clock, redis
from apps.gateway.periodic import ITSELF
from apps.webhooks import wakeups
from apps.webhooks.deliveries import dispatch
from apps.webhooks.models import Attempt, Delivery, Endpoint, Recovery
from apps.webhooks.services import advance_recoveries
from apps.webhooks.services.take_exams import start_exam
from apps.webhooks.tasks import advance, deliver_due, sweep, take
from config.celery import app
from tests.factories.webhooks import DeliveryFactory, EndpointFactory, emit
from tests.support.receiver import Receiver
from tests.webhooks.recoveries import recovery_of

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


def test_a_run_of_exams_tells_what_failed(endpoint: Endpoint) -> None:
    start_exam(endpoint=EndpointFactory(url=endpoint.url, secret_encrypted="not ours"))
    assert take().failures == {"": "InvalidToken"}


def test_a_run_of_recoveries_tells_what_failed(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    recovery_of(endpoint, failed=1)

    def fail(recovery: Recovery) -> None:
        raise RuntimeError("as if")

    monkeypatch.setattr(advance_recoveries, "_read_results", fail)
    assert advance().failures == {ITSELF: "RuntimeError: as if"}


OWN_QUEUES = {
    "webhooks.deliver_due": "webhooks",
    "webhooks.sweep": "webhooks",
    "webhooks.take_exams": "webhooks",
    "gateway.supplier_heartbeat": "suppliers",
    "apps.bookings.tasks.recover_operations": "suppliers",
    "apps.bookings.tasks.poll_standing_bookings": "suppliers",
    "apps.bookings.tasks.follow_supplier_hints": "suppliers",
    "apps.esim.tasks.sync_esim_plans": "suppliers",
    "apps.hotels.tasks.learn_hotels": "suppliers",
    "apps.hotels.tasks.look_for_strays": "suppliers",
    "apps.bookings.tasks.poll_more_bookings": "suppliers",
    **dict.fromkeys(
        (
            "apps.bookings.tasks.settle_what_is_owed",
            "apps.bookings.tasks.settle_more",
            "apps.bookings.tasks.forget_idempotency_records",
            "apps.bookings.tasks.forget_supplier_hints",
            "apps.bookings.tasks.forget_old_travellers",
            "apps.flights.tasks.prune_flight_searches",
            "apps.hotels.tasks.prune_hotel_searches",
            "apps.hotels.tasks.forget_hotels",
            "apps.ledger.tasks.nightly_check",
            "apps.portal.tasks.forget_ended_sessions",
            "apps.transfers.tasks.prune_transfer_searches",
            "request_log.prune",
            "webhooks.end_left_behind",
            "webhooks.prune",
            "webhooks.prune_sandboxes",
        ),
        "long",
    ),
}


def test_what_waits_for_others_or_takes_long_has_a_queue_of_its_own() -> None:
    """A run may wait for those that hang, or work off a backlog; no short sweep waits in its queue, and it in no other."""

    def queue(task: str) -> str:
        return str(app.amqp.router.route({}, task)["queue"].name)

    assert {task: queue(task) for task in app.tasks if not task.startswith("celery.")} == {
        task: OWN_QUEUES.get(task, "celery") for task in app.tasks if not task.startswith("celery.")
    }
