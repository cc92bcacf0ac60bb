"""Ages in four steps, for counts by age."""

from datetime import datetime, timedelta

from django.db.models import Case, CharField, Value, When

MINUTE, HOUR, DAY, OLDER = "under a minute", "under an hour", "under a day", "older"
AGES = (MINUTE, HOUR, DAY, OLDER)


def age_of(field: str, now: datetime) -> Case:
    """Which of AGES the instant in `field` is of."""
    since = {
        MINUTE: now - timedelta(minutes=1),
        HOUR: now - timedelta(hours=1),
        DAY: now - timedelta(days=1),
    }
    steps = [When(**{f"{field}__gt": instant}, then=Value(age)) for age, instant in since.items()]
    return Case(*steps, default=Value(OLDER), output_field=CharField())
