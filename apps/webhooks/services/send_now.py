"""Make the next attempt of a waiting delivery now, before its time; and send several deliveries at once, whatever their state.

Everybody locks endpoints before deliveries, each in the order of the ids: a dispatcher that claims at the same time either comes
first, and then the delivery is on its way already, or finds it due.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from apps.common import clock
from apps.common.errors import Conflict
from apps.common.ids import is_well_formed
from apps.webhooks import wakeups
from apps.webhooks.models import Delivery, Endpoint, EndpointStatus, scheduled
from apps.webhooks.services.resend import MOST_ATTEMPTS, lock_delivery, lock_to_send, make_due

MOST_AT_ONCE = 100
"""Of one form. Whoever has more recovers the endpoint."""


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
        raise Conflict("This delivery is finished; send it again instead.", ours=True)
    now = clock.now()
    if is_being_sent(delivery, now):
        raise Conflict("This delivery is being sent right now.", ours=True)
    bring_forward([delivery.pk], now)
    delivery.refresh_from_db(fields=["next_attempt_at"])
    transaction.on_commit(wakeups.notify)
    return delivery


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of each of several deliveries."""

    due: int = 0
    """Made due now."""
    under_way: int = 0
    """Being sent, or due, already."""
    disabled: int = 0
    """Not sent: the endpoint is disabled or deleted."""
    too_often: int = 0
    """Not sent: there were as many attempts as there may be."""
    unknown: int = 0
    """Not sent: there is no such delivery here."""


@transaction.atomic
def send_several(account_id: str, environment: str, delivery_ids: Collection[str]) -> Sent:
    """Send each of these now: one that is finished once more, one that waits before its time. All or nothing is committed.

    An id of another account or environment is as unknown as one of nothing. Raises Conflict for more than MOST_AT_ONCE.
    """
    wanted = set(delivery_ids)
    if len(wanted) > MOST_AT_ONCE:
        raise Conflict(
            f"At most {MOST_AT_ONCE} deliveries are sent at once; recover the endpoint instead.", ours=True
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
