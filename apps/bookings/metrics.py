"""Bookings as figures: operations without an end by age, and how late polls and settlements are."""

from collections.abc import Iterator

from django.db.models import Count

from apps.bookings.health import UNRESOLVED
from apps.bookings.models import Operation
from apps.bookings.services.polling import how_late
from apps.bookings.services.reconcile import settlements_failing, settlements_late
from apps.common import clock
from apps.common.metrics import AGES, Reading, Readings, age_of, register_readings

TEXTS = {
    "operations_unresolved": "Operations whose outcome is not known, by state and by how long ago they began.",
    "settlements_late_seconds": "How late the oldest settlement is.",
    "settlements_failing": "Settlements that failed twice in a row or more.",
    "polls_late_seconds": "How late the polls of live bookings at their suppliers are.",
}


def bookings() -> Iterator[Reading]:
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
    register_readings(Readings(TEXTS, bookings))
