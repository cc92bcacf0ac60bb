"""The hours of the last day, by which the charts of the home page and of the endpoints count."""

from datetime import UTC, datetime, timedelta

HOURS = 24


def last_hours(now: datetime) -> list[datetime]:
    """The beginnings of the last 24 hours in UTC, the oldest first and the current hour last."""
    current = now.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    return [current - timedelta(hours=ago) for ago in reversed(range(HOURS))]
