"""When the searches of the day will be used up: from today's pace, and the hours in which calls usually come."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from apps.gateway.search_quota import Quota
from apps.request_log.selectors import Hour

HOUR = timedelta(hours=1)
QUOTA_HOURS = 8 * 24
"""The last seven days and the running one: what is usual."""
CAUTION = 0.05
"""The part of a usual day that counts as seen already: the first calls of a day say little about the rest of it."""


def used_up_at(quota: Quota, hours: Sequence[Hour], now: datetime) -> datetime | None:
    """The instant, if it comes before the quota resets; None where it lasts, is used up already, or nothing is known.

    `hours` are the calls of the last days, oldest first, the running hour last.
    """
    midnight = datetime.combine(now.astimezone(UTC).date(), datetime.min.time(), UTC)
    today = sum(hour.calls for hour in hours if hour.begins >= midnight)
    if not (today and quota.used and quota.remaining):
        return None
    before = [hour for hour in hours if hour.begins < midnight]
    usual = usual_day(before)
    prior = CAUTION * sum(usual) if any(hour.calls for hour in before) else 0.0
    left, instant = float(quota.remaining), now
    searches_of_a_call = quota.used / today
    pace = searches_of_a_call * todays_pace(today, usual, now - midnight, prior)
    while instant < quota.resets_at:
        next_hour = instant.replace(minute=0, second=0, microsecond=0) + HOUR
        spent = pace * usual[instant.hour] * ((next_hour - instant) / HOUR)
        if spent >= left:
            return instant + (next_hour - instant) * (left / spent)
        left, instant = left - spent, next_hour
    return None


def usual_day(before: Sequence[Hour]) -> list[float]:
    """The mean calls of each hour of a day; all alike where no calls came before today."""
    sums = [0.0] * 24
    for hour in before:
        sums[hour.begins.hour] += hour.calls
    total = sum(sums)
    if not total:
        return [1.0] * 24
    days = max(1.0, len(before) / 24)
    even = CAUTION * total / 24  # so that no hour is thought impossible
    return [(each + even) / (1 + CAUTION) / days for each in sums]


def todays_pace(today: int, usual: Sequence[float], elapsed: timedelta, prior: float) -> float:
    """Today's calls by those of a usual day up to now, with `prior` calls that came as usual."""
    whole, part = divmod(elapsed / HOUR, 1)
    expected = sum(usual[: int(whole)]) + usual[min(int(whole), 23)] * part
    return (today + prior) / max(expected + prior, 1e-9)
