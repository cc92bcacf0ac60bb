"""The home page: what needs somebody, a period in numbers, the latest bookings, balance and quota, the steps to live keys."""

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from apps.accounts import clocks
from apps.bookings.browsing import Filters as BookingFilters
from apps.bookings.browsing import page_of_bookings
from apps.common import clock
from apps.gateway import search_quota
from apps.gateway.request_log.selectors import hourly_counts
from apps.gateway.request_log.spikes import spikes_of
from apps.ledger.outlook import outlook_of
from apps.portal.balance.words import runway_words
from apps.portal.base_view import PortalView
from apps.portal.charts import ring
from apps.portal.context import last_environment
from apps.portal.home.metrics import home_metrics
from apps.portal.home.notices import HELD_LONG, notices_for
from apps.portal.home.period import PERIODS, period_called
from apps.portal.home.quota import WEEK_HOURS, used_up_at
from apps.portal.production_access.steps import next_step, steps_of

LATEST = 5
"""Bookings."""


class HomeView(PortalView):
    section = "home"
    by_real_clock = True

    def get(self, request: HttpRequest) -> HttpResponse:
        portal, now = self.portal, clock.now()
        there = clock.now(portal.place)
        outlook = outlook_of(
            portal.account_id, portal.environment, there, currency=portal.account.currency, held_for=HELD_LONG
        )
        clocks.enter(portal.place)  # so that its clock need not be asked for
        quota = search_quota.read_for(portal.account, portal.environment, portal.account_id)
        clocks.enter(None)
        period = period_called(request.GET.get("last", ""))
        hours = hourly_counts(portal.account_id, portal.environment, hours=max(WEEK_HOURS, period.hours))
        week = hours[-WEEK_HOURS:]
        # Calls are logged in real time: where the clock was moved, its day has other hours than theirs.
        used_up = used_up_at(quota, week, now) if not portal.place.clock_offset else None
        steps = steps_of(portal.account, now)
        used = min(quota.used, quota.limit)
        notices = notices_for(
            portal,
            outlook=outlook,
            quota=quota,
            used_up_at=used_up,
            spikes=spikes_of(portal.account_id, portal.environment, week, now),
            now=now,
        )
        return self.render(
            "portal/home/index.html",
            {
                "metrics": home_metrics(portal, period, hours, now=now, there=there),
                "period": period,
                "periods": PERIODS.values(),
                "latest": page_of_bookings(
                    portal.account_id, portal.environment, filters=BookingFilters(), limit=LATEST
                ).rows,
                "balance": outlook.balance,
                "runway": runway_words(outlook),
                "quota": quota,
                "quota_ring": ring(
                    used, quota.limit, says=f"{used:,} of {quota.limit:,} searches used today"
                ),
                "steps": steps,
                "next_step": next_step(steps),
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
