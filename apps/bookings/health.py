"""How many operations nobody has resolved yet, by age: the bookings' part of /health/full."""

from datetime import timedelta

from django.db.models import Count, Q

from apps.bookings.models import Operation, OperationState
from apps.common import clock

UNRESOLVED = (OperationState.CALLING, OperationState.UNCERTAIN, OperationState.REVIEW)


def unresolved_operations() -> dict[str, object]:
    """Counts under a minute, under an hour, older, and with staff; `degraded` once one is older than an hour."""
    now = clock.now()
    minute, hour = now - timedelta(minutes=1), now - timedelta(hours=1)
    review = Q(state=OperationState.REVIEW)
    counts = Operation.objects.filter(state__in=UNRESOLVED).aggregate(
        underAMinute=Count("pk", filter=~review & Q(created_at__gt=minute)),
        underAnHour=Count("pk", filter=~review & Q(created_at__lte=minute, created_at__gt=hour)),
        older=Count("pk", filter=~review & Q(created_at__lte=hour)),
        withStaff=Count("pk", filter=review),
    )
    troubled = counts["older"] or counts["withStaff"]
    return {"status": "degraded" if troubled else "ok", **counts}
