"""The bookings' part of /health/full, and their metrics."""

from collections.abc import Iterator
from datetime import timedelta

from django.db.models import Count, Q

from apps.bookings.flow.polling import how_late
from apps.bookings.flow.reconcile import settlements_failing, settlements_late
from apps.bookings.models import Operation, OperationState
from apps.common import clock
from apps.common.metrics import AGES, Reading, Readings, age_of, register_readings

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


TEXTS = {
    "operations_unresolved": "Operations whose outcome is not known, by state and by how long ago they began.",
    "settlements_late_seconds": "How late the oldest settlement is.",
    "settlements_failing": "Settlements that failed twice in a row or more.",
    "polls_late_seconds": "How late the polls of live bookings at their suppliers are.",
}


def readings() -> Iterator[Reading]:
    now = clock.now()
    counts = dict.fromkeys(((state.value, age) for state in UNRESOLVED for age in AGES), 0)
    open_ones = Operation.objects.filter(state__in=UNRESOLVED).annotate(age=age_of("created_at", now))
    for state, age, count in open_ones.values_list("state", "age").annotate(Count("pk")):
        counts[state, age] = count
    for (state, age), count in counts.items():
        yield Reading("operations_unresolved", count, {"state": state, "age": age})
    yield Reading("settlements_late_seconds", settlements_late(now).total_seconds())
    yield Reading("settlements_failing", settlements_failing().count())
    yield Reading("polls_late_seconds", how_late(now).total_seconds())


def register() -> None:
    register_readings(Readings(TEXTS, readings))
