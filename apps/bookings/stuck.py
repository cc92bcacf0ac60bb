"""What waits for staff: operations whose end nobody knows, and money that is held for long. Read from small partial indexes."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q, QuerySet

from apps.bookings.models import OPEN_STATES, Operation, OperationState, Settlement

LATE = timedelta(hours=1)
HELD_LONG = timedelta(days=1)


def stuck_operations(now: datetime) -> QuerySet[Operation]:
    """Operations that are uncertain, or with staff, or have held money for over a day (still open, or not captured yet)."""
    unclear = Operation.objects.filter(state__in=[OperationState.UNCERTAIN, OperationState.REVIEW])
    return Operation.objects.filter(pk__in=unclear.values("pk").union(held_long(now).values("pk"), all=True))


def held_long(now: datetime) -> QuerySet[Operation]:
    """Operations with a hold older than a day. A hold is open while its operation is, or until what is owed is settled."""
    before = now - HELD_LONG
    still_open = Operation.objects.filter(state__in=OPEN_STATES, created_at__lt=before).exclude(hold_id="")
    owed = Settlement.objects.filter(settled_at=None, created_at__lt=before).exclude(hold_id="")
    both = still_open.values("pk").union(owed.values("operation_id"), all=True)
    return Operation.objects.filter(pk__in=both)


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many operations wait for staff, and how many have been uncertain for long."""

    with_staff: int
    uncertain_for_long: int


def waiting_operations(now: datetime) -> Waiting:
    """Counted in one statement."""
    late = Q(state=OperationState.UNCERTAIN, created_at__lt=now - LATE)
    found = Operation.objects.filter(state__in=[OperationState.UNCERTAIN, OperationState.REVIEW]).aggregate(
        review=Count("pk", filter=Q(state=OperationState.REVIEW)), late=Count("pk", filter=late)
    )
    return Waiting(found["review"], found["late"])
