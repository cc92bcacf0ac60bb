"""The last 24 hours of an account, hour by hour: what the home page draws."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from apps.bookings.selectors import bookings_by_hour
from apps.gateway.request_log.selectors import hourly_counts
from apps.portal.charts import sparkline
from apps.webhooks.selectors import deliveries_by_hour

HOURS = 24


@dataclass(frozen=True, slots=True)
class Series:
    """One number's day. `line` draws it and is read as its sum and its peak."""

    noun: str
    values: Sequence[int]

    @property
    def total(self) -> int:
        return sum(self.values)

    @property
    def line(self) -> str:
        says = f"{self.total:,} {self.noun} in the last {HOURS} hours, at most {max(self.values):,} in one"
        return sparkline(self.values, says=says)


@dataclass(frozen=True, slots=True)
class Day:
    calls: Series
    errors: Series
    bookings: Series
    deliveries: Series
    undelivered: int


def day_of(account_id: str, environment: str, now: datetime) -> Day:
    """Three queries."""
    hours = last_hours(now)
    logged = hourly_counts(account_id, environment, hours=HOURS)
    booked = bookings_by_hour(account_id, environment, since=hours[0])
    delivered = deliveries_by_hour(account_id, environment, since=hours[0])
    return Day(
        calls=Series("calls", [hour.calls for hour in logged]),
        errors=Series("errors", [hour.errors for hour in logged]),
        bookings=Series("bookings", [booked.get(hour, 0) for hour in hours]),
        deliveries=Series("deliveries", [delivered.get(hour, (0, 0))[0] for hour in hours]),
        undelivered=sum(missing for _, missing in delivered.values()),
    )


def last_hours(now: datetime) -> list[datetime]:
    """The beginnings of the last 24 hours, oldest first, the running one last."""
    running = now.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    return [running - timedelta(hours=ago) for ago in reversed(range(HOURS))]
