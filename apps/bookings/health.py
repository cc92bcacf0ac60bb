"""The bookings' part of /health/full: how many operations nobody has resolved yet, by age, and how late suppliers are asked for
news.
"""

from datetime import timedelta

from django.db.models import Count, Q

from apps.bookings.models import Operation, OperationState
from apps.bookings.services.news import how_late
from apps.common import clock

HOUR = timedelta(hours=1)
UNRESOLVED = (OperationState.CALLING, OperationState.UNCERTAIN, OperationState.REVIEW)


def bookings() -> dict[str, object]:
    """Operations without an end under a minute, under an hour, older, and with staff; by how many seconds news of live bookings
    are late. `degraded` once an operation is older than an hour, or news are later than that.
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
