"""The bookings' part of /health/full: how many operations are unresolved, by age, and how late suppliers are polled."""

from datetime import timedelta

from django.db.models import Count, Q

from apps.bookings.models import Operation, OperationState
from apps.bookings.services.polling import how_late
from apps.common import clock

HOUR = timedelta(hours=1)
UNRESOLVED = (OperationState.CALLING, OperationState.UNCERTAIN, OperationState.REVIEW)


def bookings() -> dict[str, object]:
    """Counts operations without an end: under a minute, under an hour, older, and with staff. `newsLateSeconds` is how late the
    polls of live bookings are. `degraded` once an operation is older than an hour or with staff, or polls are over an hour late.
    """
    now = clock.now()
    minute, hour = now - timedelta(minutes=1), now - HOUR
    review = Q(state=OperationState.REVIEW)
    counts = Operation.objects.filter(state__in=UNRESOLVED).aggregate(
        underAMinute=Count("pk", filter=~review & Q(created_at__gt=minute)),
        underAnHour=Count("pk", filter=~review & Q(created_at__lte=minute, created_at__gt=hour)),
        older=Count("pk", filter=~review & Q(created_at__lte=hour)),
        withStaff=Count("pk", filter=review),
    )
    late = how_late(now)
    troubled = counts["older"] or counts["withStaff"] or late > HOUR
    return {
        "status": "degraded" if troubled else "ok",
        **counts,
        "newsLateSeconds": round(late.total_seconds()),
    }
