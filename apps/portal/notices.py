"""What needs attention, on Home."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.text import Truncator

from apps.common import clock, contact, zones
from apps.gateway.search_quota import Quota
from apps.ledger.runway import Outlook
from apps.portal.balance import is_short, runway_words
from apps.portal.context import PortalContext
from apps.portal.requests.histogram import interval
from apps.portal.templatetags.portal import amount, span
from apps.portal.webhooks.endpoints import MANY_FAILURES
from apps.request_log.selectors import Spike
from apps.webhooks.endpoint_health import endpoints_with_health
from apps.webhooks.models import DisabledReason, Endpoint, EndpointStatus
from apps.webhooks.selectors import endpoints_of

LAPSES_WITHIN = timedelta(days=30)
HELD_LONG = timedelta(days=1)
QUOTA_LOW = 0.1
MOST_SPIKES = 3


@dataclass(frozen=True, slots=True)
class Notice:
    """`kind` is that of the alert: error, warning or info."""

    kind: str
    text: str
    address: str
    label: str


def notices_for(
    portal: PortalContext,
    *,
    outlook: Outlook,
    quota: Quota,
    used_up_at: datetime | None,
    spikes: Sequence[Spike],
    now: datetime,
) -> list[Notice]:
    """Errors first, then warnings. One query."""
    notices = [
        *account_notices(portal, now),
        *endpoint_notices(portal),
        *balance_notices(portal, outlook),
        *spike_notices(portal, spikes, now),
        *quota_notices(quota, used_up_at),
    ]
    return sorted(notices, key=lambda notice: ("error", "warning", "info").index(notice.kind))


def account_notices(portal: PortalContext, now: datetime) -> Iterator[Notice]:
    account, address = portal.account, reverse("portal:production_access")
    if portal.status != "active":
        whose = "account" if account.status != "active" else "sandbox"
        yield Notice(
            "error",
            f"The {whose} is {portal.status}. Existing bookings are not affected; {contact.ask()}.",
            reverse("docs:error", args=["account_not_active"]),
            "What this means",
        )
    until = account.live_approved_until
    if until is None or account.live_requested_at is not None:
        return
    if until <= now:
        yield Notice(
            "warning",
            "The approval for live keys has expired. Existing live keys keep working.",
            address,
            "Renew it",
        )
    elif until - now <= LAPSES_WITHIN:
        yield Notice(
            "warning", f"The approval for live keys expires in {span(until - now)}.", address, "Renew it"
        )


def endpoint_notices(portal: PortalContext) -> Iterator[Notice]:
    """Those that fail now first, as in the list. By the clock of the environment. One query."""
    now = clock.now(portal.place)
    found = endpoints_with_health(endpoints_of(*portal.stored), now)
    enabled = [each for each in found if each[0].status == EndpointStatus.ENABLED]
    for endpoint, health in enabled:
        if health.is_failing:
            text = f"{health.failing_words(now)} ({shortened(endpoint)})."
            yield Notice("error", text, portal.reverse("webhooks"), "See the endpoints")
    for endpoint, _ in found:
        if endpoint.disabled_reason == DisabledReason.CONSECUTIVE_FAILURES:
            text = f"{shortened(endpoint)} is disabled after 10 failures in a row. It misses events."
            yield Notice("error", text, portal.reverse("endpoint", endpoint_id=endpoint.pk), "Look at it")
    for endpoint, health in enabled:
        if endpoint.consecutive_failures >= MANY_FAILURES and not health.is_failing:
            text = f"{shortened(endpoint)} is at {endpoint.consecutive_failures} of 10 failed deliveries in a row."
            yield Notice("warning", text, portal.reverse("endpoint", endpoint_id=endpoint.pk), "Look at it")


def shortened(endpoint: Endpoint) -> str:
    return Truncator(endpoint.url).chars(80)


def balance_notices(portal: PortalContext, outlook: Outlook) -> Iterator[Notice]:
    """At most one says how little is left: the gravest."""
    address, held = portal.reverse("balance"), outlook.held_long
    if held.oldest_at is not None:
        lasting = span(outlook.now - held.oldest_at)
        text = f"{money(held.amount_cents, outlook)} has been held for over a day, the oldest part for {lasting}."
        yield Notice("info", text, address, "See the ledger")
    left = money(outlook.balance.available_cents, outlook)
    if outlook.is_empty or (portal.is_live and outlook.balance.available_cents <= 0):
        text = "Your balance is empty." if outlook.balance.available_cents <= 0 else f"Only {left} is left."
        yield Notice("error", f"{text} Bookings fail until you top up.", address, "See the balance")
    elif outlook.is_low:
        text = f"{left} is left, less than the {money(outlook.warn_below_cents or 0, outlook)} to warn at."
        yield Notice("warning", f"{text} {lasts(outlook)}".strip(), address, "See the balance")
    elif is_short(outlook):
        kind = "warning" if portal.is_live else "info"
        yield Notice(kind, f"{left} is left. {lasts(outlook)}", address, "See the balance")


def lasts(outlook: Outlook) -> str:
    words = runway_words(outlook)
    return f"It lasts {words}." if words else ""


def money(cents: int, outlook: Outlook) -> str:
    return f"{amount(cents, outlook.balance.currency)} {outlook.balance.currency}"


def spike_notices(portal: PortalContext, spikes: Sequence[Spike], now: datetime) -> Iterator[Notice]:
    for spike in spikes[:MOST_SPIKES]:
        usually = "" if spike.usual_share is None else f", usually {percent(spike.usual_share)}"
        text = f"{spike.error_type}: {spike.errors:,} of {spike.calls:,} calls in the last hour{usually}."
        window = {"error_type": spike.error_type, "within": interval(spike.since, now)}
        yield Notice("error", text, f"{portal.reverse('requests')}?{urlencode(window)}", "See these calls")


def percent(share: float) -> str:
    """`0.4 %`, `12 %`; `none` for zero."""
    if not share:
        return "none"
    return f"{share:.0%}".replace("%", " %") if share >= 0.1 else f"{share:.1%}".replace("%", " %")


def quota_notices(quota: Quota, used_up_at: datetime | None) -> Iterator[Notice]:
    address = reverse("docs:guide", args=["authentication"]) + "#limits"
    left = f"{quota.remaining:,} of today's {quota.limit:,} searches are left."
    if quota.remaining == 0:
        text = "Today's searches are used up until midnight UTC. Bookings and reads continue."
        yield Notice("error", text, address, "About limits")
    elif used_up_at is not None:
        text = f"{left} At today's pace they are used up about {zones.clock_words(used_up_at)}."
        yield Notice("warning", text, address, "About limits")
    elif quota.remaining <= quota.limit * QUOTA_LOW:
        yield Notice("warning", left, address, "About limits")
