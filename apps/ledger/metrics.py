"""Money as figures: holds that are open, by age. When the books were checked last is told with the periodic tasks."""

from collections.abc import Iterator

from django.db.models import Count

from apps.common import clock
from apps.common.metrics import AGES, Reading, Readings, age_of, register_readings
from apps.ledger.models import Hold, HoldStatus

TEXTS = {"holds_open": "Holds that are neither captured nor released, by how long ago they were made."}


def holds() -> Iterator[Reading]:
    open_ones = Hold.objects.filter(status=HoldStatus.OPEN).annotate(age=age_of("created_at", clock.now()))
    counts = dict.fromkeys(AGES, 0) | dict(open_ones.values_list("age").annotate(Count("pk")))
    for age, count in counts.items():
        yield Reading("holds_open", count, {"age": age})


def register() -> None:
    register_readings(Readings(TEXTS, holds))
