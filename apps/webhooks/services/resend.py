"""Send on request: a finished delivery or any event once more, a waiting delivery before its time, or several at once.

A resend is one attempt with the same payload and a new signature, and never counts towards disabling the endpoint. Endpoints are
locked before deliveries, each in the order of the ids: a dispatcher that claims at the same time either comes first, and then the
delivery is being sent already, or finds it due.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import F

from apps.common import clock
from apps.common.errors import Conflict, NotFound
from apps.common.ids import is_well_formed
from apps.webhooks import wakeups
from apps.webhooks.models import Delivery, DeliveryStatus, Endpoint, EndpointStatus, Event, scheduled
from apps.webhooks.selectors import lock_endpoint, refuse_disabled

MOST_ATTEMPTS = 500
"""Of one delivery, resends included: every attempt is stored, and the column of their numbers has a limit."""


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
        raise Conflict("This delivery is not finished; it is retried automatically.", ours=True)
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
    # Locked, so that it is not deleted before its new delivery exists.
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
    refuse_disabled(endpoint)
    return endpoint


def lock_delivery(delivery: Delivery) -> Delivery:
    """The delivery as it is now, locked. Raises NotFound if it was deleted meanwhile: the history lasts 30 days."""
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


MOST_AT_ONCE = 100
"""Of one form. For more there are recoveries."""


@transaction.atomic
def send_now(*, delivery: Delivery) -> Delivery:
    """Make the next attempt due now. It counts as the next of the seven, because it is that one. Returns the delivery.

    One that is due already stays as it is. Raises Conflict for a delivery that is finished or being sent, or whose endpoint is
    disabled or deleted, and NotFound where it was forgotten meanwhile.
    """
    endpoint = lock_to_send(delivery.endpoint)
    delivery = lock_delivery(delivery)
    delivery.endpoint = endpoint
    if delivery.is_finished:
        raise Conflict("This delivery is finished; resend it instead.", ours=True)
    now = clock.now()
    if is_being_sent(delivery, now):
        raise Conflict("This delivery is being sent right now.", ours=True)
    bring_forward([delivery.pk], now)
    delivery.refresh_from_db(fields=["next_attempt_at"])
    transaction.on_commit(wakeups.notify)
    return delivery


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of each of several deliveries: made `due` now; `under_way` already; and not sent, because the endpoint is
    `disabled` or deleted, because it was sent `too_often`, or because there is no such delivery here (`unknown`).
    """

    due: int = 0
    under_way: int = 0
    disabled: int = 0
    too_often: int = 0
    unknown: int = 0


@transaction.atomic
def send_several(account_id: str, environment: str, delivery_ids: Collection[str]) -> Sent:
    """Send each of these now: one that is finished once more, one that waits before its time. All or nothing is committed.

    An id of another account or environment is as unknown as one of nothing. Raises Conflict for more than MOST_AT_ONCE.
    """
    wanted = set(delivery_ids)
    if len(wanted) > MOST_AT_ONCE:
        raise Conflict(
            f"At most {MOST_AT_ONCE} deliveries can be resent at once; recover the endpoint instead.",
            ours=True,
        )
    possible = [each for each in wanted if is_well_formed(each)]
    mine = Delivery.objects.filter(account_id=account_id, environment=environment, pk__in=possible)
    enabled = _enabled_of(set(mine.values_list("endpoint_id", flat=True)))
    deliveries = list(mine.select_for_update(no_key=True).order_by("pk"))
    now = clock.now()
    able = [each for each in deliveries if each.endpoint_id in enabled]
    for delivery in able:
        delivery.endpoint = enabled[delivery.endpoint_id]
    due = bring_forward([each.pk for each in able], now)
    due += make_due([each.pk for each in able if each.attempt_count < MOST_ATTEMPTS], now)
    if due:
        transaction.on_commit(wakeups.notify)
    return Sent(
        due=due,
        under_way=sum(is_under_way(each, now) for each in able),
        disabled=len(deliveries) - len(able),
        too_often=sum(each.is_finished and each.attempt_count >= MOST_ATTEMPTS for each in able),
        unknown=len(wanted) - len(deliveries),
    )


def is_being_sent(delivery: Delivery, now: datetime) -> bool:
    return delivery.lease_until is not None and delivery.lease_until > now


def is_under_way(delivery: Delivery, now: datetime) -> bool:
    """Whether it is being sent, or will be without being asked. What is being sent stays due until there is a result."""
    return delivery.due_at is not None and delivery.due_at <= now


def _enabled_of(endpoint_ids: Collection[str]) -> dict[str, Endpoint]:
    """Those that may be sent to, locked. A deleted one is disabled as well."""
    locked = (
        Endpoint.objects.select_for_update(no_key=True)
        .only("id", "status", "schedule_ahead", "due_from")
        .filter(pk__in=endpoint_ids)
        .order_by("pk")
    )
    return {each.pk: each for each in locked if each.status == EndpointStatus.ENABLED}


def bring_forward(delivery_ids: Collection[str], now: datetime) -> int:
    """Make those due now that wait for a later time; one that is finished waits for none. Returns how many."""
    waiting = Delivery.objects.filter(pk__in=delivery_ids, next_attempt_at__gt=scheduled(now))
    return waiting.update(next_attempt_at=scheduled(now))
