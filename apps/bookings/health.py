"""The bookings' part of /health/full: how many operations are unresolved, by age; how late polls and settlements are."""

from datetime import timedelta

from django.db.models import Count, Q

from apps.bookings.models import Operation, OperationState
from apps.bookings.services.polling import how_late
from apps.bookings.services.reconcile import settlements_failing, settlements_late
from apps.common import clock

HOUR = timedelta(hours=1)
SETTLED_WITHIN = timedelta(minutes=10)
UNRESOLVED = (OperationState.CALLING, OperationState.UNCERTAIN, OperationState.REVIEW)


def bookings() -> dict[str, object]:
    """Counts operations without an end: under a minute, under an hour, older, and with staff. `newsLateSeconds` is how late the
    polls of live bookings are, `settlementsLateSeconds` how late the oldest settlement is. `settlementsFailing` failed twice in a
    row or more. `degraded` once an operation is older than an hour or with staff, polls are over an hour late, settlements ten
    minutes, or one fails.
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
    late, owed_late, failing = how_late(now), settlements_late(now), settlements_failing().count()
    troubled = counts["older"] or counts["withStaff"] or late > HOUR or owed_late > SETTLED_WITHIN or failing
    return {
        "status": "degraded" if troubled else "ok",
        **counts,
        "newsLateSeconds": round(late.total_seconds()),
        "settlementsLateSeconds": round(owed_late.total_seconds()),
        "settlementsFailing": failing,
    }
