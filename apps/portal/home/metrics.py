"""The last 24 hours of an account, hour by hour, which the home page draws."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from apps.bookings.selectors import bookings_by_hour
from apps.gateway.request_log.selectors import Hour, hourly_counts
from apps.portal.charts import sparkline
from apps.portal.hours import HOURS, last_hours
from apps.webhooks.selectors import deliveries_by_hour

WEEK_HOURS = 8 * 24
"""The last seven days and the running one: what is usual."""


@dataclass(frozen=True, slots=True)
class Series:
    """One number over 24 hours. `line` is its chart; a screen reader reads the sum and the peak."""

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
class HomeMetrics:
    calls: Series
    errors: Series
    bookings: Series
    deliveries: Series
    undelivered: int
    calls_of_a_week: Sequence[Hour]


def home_metrics(account_id: str, environment: str, now: datetime) -> HomeMetrics:
    """Three queries."""
    hours = last_hours(now)
    logged = hourly_counts(account_id, environment, hours=WEEK_HOURS)
    booked = bookings_by_hour(account_id, environment, since=hours[0])
    delivered = deliveries_by_hour(account_id, environment, since=hours[0])
    return HomeMetrics(
        calls=Series("calls", [hour.calls for hour in logged[-HOURS:]]),
        errors=Series("errors", [hour.errors for hour in logged[-HOURS:]]),
        bookings=Series("bookings", [booked.get(hour, 0) for hour in hours]),
        deliveries=Series("deliveries", [delivered.get(hour, (0, 0))[0] for hour in hours]),
        undelivered=sum(missing for _, missing in delivered.values()),
        calls_of_a_week=logged,
    )
