"""A wallet's outlook in words, the same on Home and on the page Balance."""

from datetime import datetime, timedelta

from apps.common import zones
from apps.ledger.outlook import Outlook
from apps.ledger.runway import WEEK_HOURS

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
SOON = timedelta(days=3)
"""A runway this short is a notice on Home."""


def runway_words(outlook: Outlook) -> str:
    """`about 2 days at this week's pace; the first refusal is likely Saturday 14:00 UTC`. Empty where nothing is foretold."""
    runway = outlook.runway
    if runway is None:
        return ""
    is_young = len(outlook.spending.active().hours) < WEEK_HOURS
    pace = "at the pace so far" if is_young else "at this week's pace"
    if runway.first_refusal_at is None:
        return f"more than 30 days {pace}"
    left = runway.first_refusal_at - outlook.now
    return (
        f"{about(left)} {pace}; the first refusal is likely {day_words(runway.first_refusal_at, outlook.now)}"
    )


def is_short(outlook: Outlook) -> bool:
    """Whether the first refusal is near."""
    runway = outlook.runway
    return (
        runway is not None
        and runway.first_refusal_at is not None
        and runway.first_refusal_at - outlook.now <= SOON
    )


def about(length: timedelta) -> str:
    """`about 14 hours`, `about 2 days`: rounded, as exactly as it is known."""
    if length < HOUR:
        return "less than an hour"
    size, unit = (HOUR, "hour") if length < 1.5 * DAY else (DAY, "day")
    count = round(length / size)
    return f"about {count} {unit}{'' if count == 1 else 's'}"


def day_words(instant: datetime, now: datetime) -> str:
    """`today 14:00 UTC`, `Saturday 14:00 UTC` within the week, else `on 5 Dec`: to the hour, which is as much as is known.

    In the reader's zone.
    """
    hour = zones.local(instant + HOUR / 2)
    hour = hour.replace(minute=0, second=0, microsecond=0)
    days = (hour.date() - zones.local(now).date()).days
    if days == 0:
        return f"today {zones.clock_words(hour)}"
    return f"{hour:%A} {zones.clock_words(hour)}" if days < 7 else f"on {hour.day} {hour:%b}"
