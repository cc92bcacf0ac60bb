"""Send once more on request: a finished delivery, or any event to a chosen endpoint.

It is always one attempt, with the same payload and a new signature, and it never counts towards disabling the endpoint.
"""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.db.models import F

from apps.common import clock
from apps.common.errors import Conflict, NotFound
from apps.webhooks import wakeups
from apps.webhooks.models import Delivery, DeliveryStatus, Endpoint, EndpointStatus, Event, scheduled
from apps.webhooks.selectors import lock_endpoint

MOST_ATTEMPTS = 500
"""Of one delivery, resends included: every attempt is stored and shown, and the column of their numbers has a limit."""


@transaction.atomic
def resend(*, delivery: Delivery) -> Delivery:
    """Make one more attempt due now. Returns the delivery, PENDING; if the attempt fails it gets back its present status.

    Raises Conflict while the delivery is unfinished or its endpoint is disabled or deleted, and where it was sent too often;
    NotFound where its time in the history has ended meanwhile.
    """
    endpoint = lock_to_send(delivery.endpoint)
    delivery = lock_delivery(delivery)
    delivery.endpoint = endpoint
    if not delivery.is_finished:
        raise Conflict("This delivery is not finished; it will be tried without being asked.", ours=True)
    if delivery.attempt_count >= MOST_ATTEMPTS:
        raise Conflict(f"This delivery was sent {MOST_ATTEMPTS} times; send another test instead.", ours=True)
    make_due([delivery.pk], clock.now())
    delivery.refresh_from_db(fields=["status_before_resend", "status", "next_attempt_at"])
    transaction.on_commit(wakeups.notify)
    return delivery


@transaction.atomic
def replay(*, event: Event, endpoint: Endpoint) -> Delivery:
    """Send `event` to `endpoint` once more, also where it does not subscribe to its type. Returns the delivery.

    Raises NotFound where they do not belong together or the event's time in the history has ended, and Conflict as `resend` does.
    """
    if (event.account_id, event.environment) != (endpoint.account_id, endpoint.environment):
        raise NotFound("There is no such event.", ours=True)
    lock_to_send(endpoint)
    # Nobody may forget it before its new delivery is there.
    if not Event.objects.select_for_update(no_key=True).filter(pk=event.pk):
        raise NotFound("There is no such event.", ours=True)
    found = Delivery.objects.filter(event=event, endpoint=endpoint).select_related("endpoint").first()
    if found is not None:
        return resend(delivery=found)
    delivery = new_delivery(event, endpoint)
    delivery.save(force_insert=True)
    transaction.on_commit(wakeups.notify)
    return delivery


def lock_to_send(endpoint: Endpoint) -> Endpoint:
    """The endpoint, locked. Raises Conflict where it is disabled or deleted."""
    endpoint = lock_endpoint(endpoint, deleted=True)
    if endpoint.deleted_at is not None:
        raise Conflict("This endpoint was deleted.", ours=True)
    if endpoint.status != EndpointStatus.ENABLED:
        raise Conflict("This endpoint is disabled; enable it first.", ours=True)
    return endpoint


def lock_delivery(delivery: Delivery) -> Delivery:
    """The delivery as it is now, locked. Raises NotFound where it was forgotten meanwhile: the history is kept for 30 days."""
    locked = Delivery.objects.select_for_update(no_key=True).filter(pk=delivery.pk).first()
    if locked is None:
        raise NotFound("There is no such delivery.", ours=True)
    return locked


def make_due(delivery_ids: Collection[str], now: datetime) -> int:
    """Make one more attempt due for each of these deliveries that is finished. Returns how many."""
    deliveries = Delivery.objects.filter(pk__in=delivery_ids, next_attempt_at=None)
    return deliveries.update(
        status_before_resend=F("status"), status=DeliveryStatus.PENDING, next_attempt_at=scheduled(now)
    )


def new_delivery(event: Event, endpoint: Endpoint) -> Delivery:
    """A delivery, not saved, of an event that the endpoint never got: as if it had failed, with one more attempt due."""
    now = endpoint.now()
    return Delivery(
        event=event,
        endpoint=endpoint,
        account_id=endpoint.account_id,
        environment=endpoint.environment,
        event_type=event.type,
        status=DeliveryStatus.PENDING,
        status_before_resend=DeliveryStatus.FAILED,
        next_attempt_at=clock.now() + endpoint.schedule_ahead,
        created_at=now,
        completed_at=now,
    )
