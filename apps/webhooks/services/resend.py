"""Send once more, by hand: a finished delivery, or any event to a chosen endpoint.

Always one attempt, which never counts towards disabling; the same payload with a fresh signature.
"""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.db.models import F

from apps.common import clock
from apps.gateway.errors import Conflict, NotFound
from apps.webhooks import wakeups
from apps.webhooks.models import Delivery, DeliveryStatus, Endpoint, EndpointStatus, Event
from apps.webhooks.selectors import lock_endpoint

MOST_ATTEMPTS = 500
"""Of one delivery, resends included: every attempt is kept and shown, and their number has its end in the table."""


@transaction.atomic
def resend(*, delivery: Delivery) -> Delivery:
    """The delivery, PENDING with one more attempt due now; if that fails it goes back to the status it has.

    Raises Conflict while the delivery is unfinished or its endpoint is disabled or deleted, and where it was sent too often.
    """
    lock_to_send(delivery.endpoint)
    delivery = Delivery.objects.select_for_update(no_key=True).get(pk=delivery.pk)
    if not delivery.is_finished:
        raise Conflict("This delivery is not finished; it will be tried without being asked.")
    if delivery.attempt_count >= MOST_ATTEMPTS:
        raise Conflict(f"This delivery was sent {MOST_ATTEMPTS} times; send another test instead.")
    make_due([delivery.pk], clock.now())
    delivery.refresh_from_db(fields=["status_before_resend", "status", "next_attempt_at"])
    transaction.on_commit(wakeups.ring)
    return delivery


@transaction.atomic
def replay(*, event: Event, endpoint: Endpoint) -> Delivery:
    """The event's delivery to `endpoint`, made where there is none, whatever the endpoint subscribes to.

    Raises NotFound where they do not belong together, and Conflict as `resend` does.
    """
    if (event.account_id, event.environment) != (endpoint.account_id, endpoint.environment):
        raise NotFound("There is no such event.")
    lock_to_send(endpoint)
    found = Delivery.objects.filter(event=event, endpoint=endpoint).select_related("endpoint").first()
    if found is not None:
        return resend(delivery=found)
    delivery = new_delivery(event, endpoint, clock.now())
    delivery.save(force_insert=True)
    transaction.on_commit(wakeups.ring)
    return delivery


def lock_to_send(endpoint: Endpoint) -> Endpoint:
    """The endpoint, locked; raises Conflict unless it may be sent to."""
    endpoint = lock_endpoint(endpoint, deleted=True)
    if endpoint.deleted_at is not None:
        raise Conflict("This endpoint was deleted.")
    if endpoint.status != EndpointStatus.ENABLED:
        raise Conflict("This endpoint is disabled; enable it first.")
    return endpoint


def make_due(delivery_ids: Collection[str], now: datetime) -> int:
    """One more attempt for each of these finished deliveries; how many."""
    deliveries = Delivery.objects.filter(pk__in=delivery_ids, next_attempt_at=None)
    return deliveries.update(
        status_before_resend=F("status"), status=DeliveryStatus.PENDING, next_attempt_at=now
    )


def new_delivery(event: Event, endpoint: Endpoint, now: datetime) -> Delivery:
    """An event the endpoint never got, not saved: as if its delivery had failed, with one more attempt due."""
    return Delivery(
        event=event,
        endpoint=endpoint,
        account_id=endpoint.account_id,
        environment=endpoint.environment,
        event_type=event.type,
        status=DeliveryStatus.PENDING,
        status_before_resend=DeliveryStatus.FAILED,
        next_attempt_at=now,
        created_at=now,
        completed_at=now,
    )
