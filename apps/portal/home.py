"""Home: what needs attention, and the figures of a period."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from apps.bookings.selectors import IN_WORDS, page_of_bookings
from apps.bookings.selectors import Filters as BookingFilters
from apps.bookings.selectors import selected as selected_bookings
from apps.common import clock, zones
from apps.common.clock import rfc3339
from apps.common.querysets import capped_count, capped_words, read_scalars
from apps.gateway import search_quota
from apps.ledger.runway import outlook_of
from apps.portal.balance import runway_words
from apps.portal.base import PortalView
from apps.portal.bookings.facts import line_of
from apps.portal.charts import Line, period_label, stacks
from apps.portal.context import PortalContext, last_environment
from apps.portal.notices import HELD_LONG, notices_for
from apps.portal.production_access import step_for_home, steps_of
from apps.portal.quota import QUOTA_HOURS, used_up_at
from apps.portal.requests.pages import error_types
from apps.portal.webhooks.deliveries import statuses_of
from apps.request_log.selectors import (
    MOST_TIMED,
    Hour,
    crashed_by_hour,
    errors_by_type,
    hourly_counts,
    p95_since,
    spikes_of,
)
from apps.webhooks.models import Delivery, DeliveryStatus
from apps.webhooks.selectors import DeliveryQuery, deliveries_of

HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Period:
    """`name` is that in the address; each point of its chart stands for `hours_a_point`."""

    name: str
    label: str
    hours: int
    hours_a_point: int

    def begins(self, now: datetime) -> datetime:
        running = now.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
        return running - HOUR * (self.hours - 1)


PERIODS = {
    period.name: period
    for period in (
        Period("24h", "24 h", 24, 1),
        Period("7d", "7 d", 7 * 24, 6),
        Period("30d", "30 d", 30 * 24, 24),
    )
}


def period_called(name: str) -> Period:
    """The last 24 hours for an unknown name."""
    return PERIODS.get(name, PERIODS["24h"])


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the period: its calls, how many had 4xx or 5xx, and how many 5xx; its label in full and at the axis."""

    label: str
    short: str
    calls: int
    errors: int
    crashed: int


def parts_of(hours: Sequence[Hour], period: Period, crashed: Mapping[str, int]) -> list[Part]:
    """`hours` end with the running one, and are at least as many as the period's; `crashed` is of `crashed_by_hour`."""
    chosen, length = hours[-period.hours :], period.hours_a_point
    return [part_of(chosen[number : number + length], crashed) for number in range(0, len(chosen), length)]


def part_of(hours: Sequence[Hour], crashed: Mapping[str, int]) -> Part:
    begins, ends = zones.local(hours[0].begins), zones.local(hours[-1].begins + HOUR)
    errors = sum(hour.errors for hour in hours)
    return Part(
        label=period_label(begins, ends),
        short=f"{begins:%H:%M}" if len(hours) == 1 else f"{begins.day} {begins:%b}",
        calls=sum(hour.calls for hour in hours),
        errors=errors,
        crashed=min(errors, sum(crashed.get(str(int(hour.begins.timestamp()) // 3600), 0) for hour in hours)),
    )


NOT_DELIVERED = {DeliveryStatus.FAILED: "failed", DeliveryStatus.RETRYING: "retrying"}


@dataclass(frozen=True, slots=True)
class Figure:
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
    p95_ms: float | None
    parts: Sequence[Part]

    @property
    def p95_is_of_newest(self) -> bool:
        """Whether there are more calls than were read."""
        return self.calls.count > MOST_TIMED

    @property
    def chart(self) -> SafeString:
        most = max(part.calls for part in self.parts)
        return stacks(
            [(part.label, part.short) for part in self.parts],
            [
                Line("2xx", [part.calls - part.errors for part in self.parts], tone="good"),
                Line("4xx", [part.errors - part.crashed for part in self.parts], tone="warn"),
                Line("5xx", [part.crashed for part in self.parts], tone="bad"),
            ],
            says=f"{self.calls.shown} calls, {self.errors.shown} of them errors; at most {most:,} in one bar",
        )


def home_metrics(
    portal: PortalContext, period: Period, hours: Sequence[Hour], *, now: datetime, there: datetime
) -> HomeMetrics:
    """One query. `hours` are the calls by the hour up to `now`, the real time; `there` is the time of the environment."""
    account_id, environment = portal.stored
    since, since_there = period.begins(now), period.begins(there)

    def figure(
        label: str, count: int, page: str, begins: datetime, shown: str = "", **filters: str
    ) -> Figure:
        query = urlencode({"since": in_address(begins), **filters})
        return Figure(label, count, shown or capped_words(count), f"{portal.reverse(page)}?{query}")

    def deliveries_in(status: str | None) -> QuerySet[Delivery]:
        query = DeliveryQuery(statuses=statuses_of(status), since=since_there)
        return deliveries_of(account_id, environment, query)

    p95, refused, crashed, booked, begun, *missing = read_scalars(
        [
            p95_since(account_id, environment, since),
            errors_by_type(account_id, environment, since, error_types()),
            crashed_by_hour(account_id, environment, since),
            capped_count(selected_bookings(account_id, environment, BookingFilters(since=since_there))),
            *(capped_count(deliveries_in(status)) for status in (None, *NOT_DELIVERED)),
        ]
    )
    parts = parts_of(hours, period, crashed or {})
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


LATEST = 5


class HomeView(PortalView):
    section = "home"
    by_real_clock = True

    def get(self, request: HttpRequest) -> HttpResponse:
        portal, now = self.portal, clock.now()
        there = clock.now(portal.place)
        outlook = outlook_of(*portal.stored, there, currency=portal.account.currency, held_for=HELD_LONG)
        quota = search_quota.read_for(portal.account, portal.environment, there.date(), portal.account_id)
        period = period_called(request.GET.get("last", ""))
        hours = hourly_counts(*portal.stored, hours=max(QUOTA_HOURS, period.hours))
        week = hours[-QUOTA_HOURS:]
        # Calls are logged in real time: where the clock was moved, its day has other hours than theirs.
        used_up = used_up_at(quota, week, now) if not portal.place.clock_offset else None
        steps = steps_of(portal.account, now)
        notices = notices_for(
            portal,
            outlook=outlook,
            quota=quota,
            used_up_at=used_up,
            spikes=spikes_of(*portal.stored, week, now),
            now=now,
        )
        latest = page_of_bookings(
            *portal.stored, filters=BookingFilters(), limit=LATEST, columns=IN_WORDS
        ).rows
        return self.render(
            "portal/home/index.html",
            {
                "metrics": home_metrics(portal, period, hours, now=now, there=there),
                "period": period,
                "periods": PERIODS.values(),
                "latest": latest,
                "lines": {booking.reference: line_of(booking) for booking in latest},
                "balance": outlook.balance,
                "runway": runway_words(outlook),
                "quota": quota,
                "quota_used": min(quota.used, quota.limit),
                "steps": steps,
                "next_step": step_for_home(steps),
                "notices": notices,
                "used_up_at": used_up,
                "foretells": not portal.place.clock_offset,
            },
        )


@require_safe
def start(request: HttpRequest) -> HttpResponseBase:
    """`/` and `/portal/` redirect to the home page of the environment that was looked at last."""
    environment = last_environment(request)
    return redirect("portal:home", environment=environment)
