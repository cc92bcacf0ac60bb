"""An endpoint as its pages show it: its health, its last 24 hours, its failures in a row, and which secrets sign."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from django.db.models import QuerySet

from apps.accounts import clocks
from apps.portal.charts import sparkline
from apps.portal.hours import HOURS, last_hours
from apps.webhooks.endpoint_health import Health, endpoints_with_health
from apps.webhooks.models import DisabledReason, Endpoint, EndpointStatus
from apps.webhooks.selection import outage_began_at
from apps.webhooks.selectors import EndpointHour, deliveries_by_endpoint_and_hour
from apps.webhooks.services.prune import RETENTION
from apps.webhooks.services.record import MAX_CONSECUTIVE_FAILURES
from apps.webhooks.services.rotate_secret import OVERLAP

MANY_FAILURES = 7
"""From here on the pages warn. Ten failures in a row disable an endpoint."""
TIME_TO_CHOOSE = timedelta(hours=1)
"""The oldest hour of the history may be pruned before the form about it is sent."""


@dataclass(frozen=True)
class EndpointState:
    endpoint: Endpoint
    health: Health
    now: datetime
    hours: tuple[EndpointHour, ...]
    """The last 24, the oldest first, with the hours without a delivery."""

    most_failures = MAX_CONSECUTIVE_FAILURES
    overlap_seconds = int(OVERLAP.total_seconds())

    @cached_property
    def delivered(self) -> int:
        return sum(hour.delivered for hour in self.hours)

    @cached_property
    def ended(self) -> int:
        return sum(hour.ended for hour in self.hours)

    @cached_property
    def unfinished(self) -> int:
        return sum(hour.unfinished for hour in self.hours)

    @property
    def total(self) -> int:
        return self.delivered + self.ended + self.unfinished

    @property
    def line(self) -> str:
        """The chart of delivered and not delivered by the hour."""
        not_delivered = [hour.ended + hour.unfinished for hour in self.hours]
        says = f"{self.delivered:,} of {self.total:,} deliveries of the last {HOURS} hours delivered"
        return sparkline(
            [hour.delivered for hour in self.hours],
            beside=not_delivered if any(not_delivered) else (),
            says=says,
        )

    @property
    def is_enabled(self) -> bool:
        return self.endpoint.status == EndpointStatus.ENABLED

    @property
    def is_failing(self) -> bool:
        """Whether it is sent deliveries now, and refuses or misses them all."""
        return self.is_enabled and self.health.is_failing

    @property
    def failing_words(self) -> str:
        return self.health.failing_words(self.now) if self.is_enabled else ""

    @property
    def pill(self) -> str:
        """The state to show: `enabled` only where the latest try was accepted, or nothing was sent."""
        if not self.is_enabled:
            return str(self.endpoint.status)
        if self.health.is_failing:
            return "failing"
        return "last_try_failed" if self.health.failures else "enabled"

    @property
    def urgency(self) -> int:
        """The place in the list: failing before disabled for its failures before all others."""
        if self.is_failing:
            return 0
        return 1 if self.endpoint.disabled_reason == DisabledReason.CONSECUTIVE_FAILURES else 2

    @property
    def failures_tone(self) -> str:
        count = self.endpoint.consecutive_failures
        if count >= MANY_FAILURES:
            return "bad"
        return "warn" if count else "good"

    @property
    def both_sign_until(self) -> datetime | None:
        """When the overlap of a rotation ends; None without a rotation."""
        until = self.endpoint.previous_secret_expires_at
        return until if until and until > self.now else None

    @property
    def overlap_left(self) -> int:
        """Seconds."""
        return int((self.both_sign_until - self.now).total_seconds()) if self.both_sign_until else 0


def missed_since(endpoint: Endpoint) -> datetime | None:
    """Since when a disabled endpoint may have missed events, within the kept history; None for an enabled endpoint."""
    began = outage_began_at(endpoint)
    return began and max(began, clocks.now_here() - RETENTION + TIME_TO_CHOOSE)


def endpoint_states(
    account_id: str, environment: str, endpoints: QuerySet[Endpoint], now: datetime
) -> list[EndpointState]:
    """Those that need somebody first. Two queries, however many endpoints; `now` is the time there."""
    hours = last_hours(now)
    counted = deliveries_by_endpoint_and_hour(account_id, environment, since=hours[0])
    states = []
    for endpoint, health in endpoints_with_health(endpoints, now):
        by_hour = {found.hour: found for found in counted.get(endpoint.pk, [])}
        whole_day = tuple(by_hour.get(hour, EndpointHour(hour, 0, 0, 0)) for hour in hours)
        states.append(EndpointState(endpoint, health, now, whole_day))
    return sorted(states, key=lambda state: state.urgency)
