"""What Home counts in its period. Each figure leads to the list that it counts, which shows the same number."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.utils.safestring import SafeString

from apps.bookings.browsing import Filters as BookingFilters
from apps.bookings.browsing import selected as selected_bookings
from apps.common.clock import rfc3339
from apps.common.counts import capped_count, capped_words, read_scalars
from apps.gateway.request_log.figures import NEWEST, errors_by_type, p95_since
from apps.gateway.request_log.selectors import Hour
from apps.portal.charts import Line, evenly, plot
from apps.portal.context import PortalContext
from apps.portal.home.period import Part, Period, parts_of
from apps.portal.requests.forms import error_types
from apps.webhooks.delivery_pages import Filters as DeliveryFilters
from apps.webhooks.delivery_pages import selected as selected_deliveries
from apps.webhooks.models import Delivery, DeliveryStatus

NOT_DELIVERED = {
    DeliveryStatus.EXHAUSTED: "exhausted",
    DeliveryStatus.FAILED: "failed",
    DeliveryStatus.RETRYING: "retrying",
}


@dataclass(frozen=True, slots=True)
class Figure:
    """A number in words, and the list that it counts."""

    label: str
    count: int
    shown: str
    address: str


@dataclass(frozen=True, slots=True)
class HomeMetrics:
    calls: Figure
    errors: Figure
    bookings: Figure
    deliveries: Figure
    not_delivered: Sequence[Figure]
    errors_by_type: Sequence[Figure]
    """Most first."""
    p95_ms: float | None
    parts: Sequence[Part]

    @property
    def p95_is_of_newest(self) -> bool:
        """Whether there are more calls than were read."""
        return self.calls.count > NEWEST

    @property
    def chart(self) -> SafeString:
        most = max(part.calls for part in self.parts)
        return plot(
            evenly([(part.label, part.short) for part in self.parts]),
            [
                Line("Calls", [part.calls for part in self.parts]),
                Line("Errors", [part.errors for part in self.parts], is_bad=True),
            ],
            says=f"{self.calls.shown} calls, {self.errors.shown} of them errors; at most {most:,} at a point",
        )


def home_metrics(
    portal: PortalContext, period: Period, hours: Sequence[Hour], *, now: datetime, there: datetime
) -> HomeMetrics:
    """One query. `hours` are the calls by the hour up to `now`, the real time; `there` is the time of the environment."""
    account_id, environment = portal.account_id, portal.environment
    since, since_there = period.begins(now), period.begins(there)
    parts = parts_of(hours, period)

    def figure(
        label: str, count: int, page: str, begins: datetime, shown: str = "", **filters: str
    ) -> Figure:
        query = urlencode({"since": in_address(begins), **filters})
        return Figure(label, count, shown or capped_words(count), f"{portal.reverse(page)}?{query}")

    def deliveries_in(status: str | None) -> QuerySet[Delivery]:
        return selected_deliveries(account_id, environment, DeliveryFilters(status=status, since=since_there))

    p95, refused, booked, begun, *missing = read_scalars(
        [
            p95_since(account_id, environment, since),
            errors_by_type(account_id, environment, since, error_types()),
            capped_count(selected_bookings(account_id, environment, BookingFilters(since=since_there))),
            *(capped_count(deliveries_in(status)) for status in (None, *NOT_DELIVERED)),
        ]
    )
    called = sum(part.calls for part in parts)
    failed = sum(part.errors for part in parts)
    by_type = sorted((refused or {}).items(), key=lambda each: (-each[1], each[0]))
    return HomeMetrics(
        calls=figure("Calls", called, "requests", since, f"{called:,}"),
        errors=figure("Errors", failed, "requests", since, f"{failed:,}", status="errors"),
        bookings=figure("Bookings", booked, "bookings", since_there),
        deliveries=figure("Deliveries", begun, "deliveries", since_there),
        not_delivered=[
            figure(words, count, "deliveries", since_there, status=status)
            for (status, words), count in zip(NOT_DELIVERED.items(), missing, strict=True)
            if count
        ],
        errors_by_type=[figure(name, count, "requests", since, error_type=name) for name, count in by_type],
        p95_ms=p95,
        parts=parts,
    )


def in_address(instant: datetime) -> str:
    """`2026-11-23T14:00:00Z`"""
    return rfc3339(instant).replace(".000Z", "Z")
