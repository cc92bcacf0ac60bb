"""For times that a test environment's own clock has written, where the real time counts again."""

from datetime import datetime

from django.db.models import Case, F, Value, When


def no_later_than(instant: datetime, field: str) -> Case:
    """The time in `field`; `instant` where it is later. An empty one stays empty."""
    return Case(When(**{f"{field}__gt": instant}, then=Value(instant)), default=F(field))
