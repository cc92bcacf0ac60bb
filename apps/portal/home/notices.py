"""Notices on the home page: what needs attention, each with a link to the page that helps."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils.text import Truncator

from apps.common import clock, contact
from apps.gateway.search_quota import Quota
from apps.ledger.selectors import Balance, holds_open_since
from apps.portal.context import PortalContext
from apps.portal.templatetags.portal import amount, span
from apps.portal.webhooks.endpoints.state import MANY_FAILURES
from apps.webhooks.endpoint_health import endpoints_with_health
from apps.webhooks.models import DisabledReason, EndpointStatus
from apps.webhooks.selectors import endpoints_of

LAPSES_WITHIN = timedelta(days=30)
HELD_LONG = timedelta(days=1)
QUOTA_LOW = 0.1


@dataclass(frozen=True, slots=True)
class Notice:
    """`kind` is that of the alert: error, warning or info."""

    kind: str
    text: str
    address: str
    label: str


def notices_for(portal: PortalContext, *, balance: Balance, quota: Quota, now: datetime) -> list[Notice]:
    """Errors first, then warnings. Two queries."""
    notices = [
        *account_notices(portal, now),
        *endpoint_notices(portal),
        *balance_notices(portal, balance, now),
        *quota_notices(quota),
    ]
    return sorted(notices, key=lambda notice: ("error", "warning", "info").index(notice.kind))


def account_notices(portal: PortalContext, now: datetime) -> Iterator[Notice]:
    account, address = portal.account, reverse("portal:production_access")
    if account.status != "active":
        yield Notice(
            "error",
            f"The account is {account.status}. Bookings that stand keep standing; {contact.ask()}.",
            reverse("docs:error", args=["account_not_active"]),
            "What this means",
        )
    until = account.live_approved_until
    if until is None or account.live_requested_at is not None:
        return
    if until <= now:
        yield Notice(
            "warning",
            "The approval for live keys has lapsed. Existing live keys keep working.",
            address,
            "Renew it",
        )
    elif until - now <= LAPSES_WITHIN:
        yield Notice(
            "warning", f"The approval for live keys lapses in {span(until - now)}.", address, "Renew it"
        )


def endpoint_notices(portal: PortalContext) -> Iterator[Notice]:
    """By the clock of the environment. One query."""
    now = clock.now(portal.place)
    for endpoint, health in endpoints_with_health(endpoints_of(portal.account_id, portal.environment), now):
        address = portal.reverse("endpoint", endpoint_id=endpoint.pk)
        url = Truncator(endpoint.url).chars(80)
        if endpoint.status == EndpointStatus.DISABLED:
            if endpoint.disabled_reason == DisabledReason.CONSECUTIVE_FAILURES:
                text = f"{url} was disabled after ten deliveries in a row failed. It misses events."
                yield Notice("error", text, address, "Look at it")
        elif health.is_failing:
            text = f"{health.failing_words(now)} ({url})."
            yield Notice("error", text, portal.reverse("webhooks"), "See the endpoints")
        elif endpoint.consecutive_failures >= MANY_FAILURES:
            text = f"{url} is at {endpoint.consecutive_failures} of 10 failed deliveries in a row."
            yield Notice("warning", text, address, "Look at it")


def balance_notices(portal: PortalContext, balance: Balance, now: datetime) -> Iterator[Notice]:
    held = holds_open_since(portal.account_id, portal.environment, now - HELD_LONG)
    if held.oldest_at is not None:
        money = f"{amount(held.amount_cents, balance.currency)} {balance.currency}"
        text = f"{money} has been held for over a day, the oldest part for {span(now - held.oldest_at)}."
        yield Notice("info", text, portal.reverse("balance"), "See the ledger")
    if portal.is_live and balance.available_cents <= 0:
        yield Notice(
            "warning",
            "Nothing is available: bookings answer 402.",
            portal.reverse("balance"),
            "See the balance",
        )


def quota_notices(quota: Quota) -> Iterator[Notice]:
    if quota.remaining == 0:
        text = "Today's searches are used up until midnight UTC. Bookings and reads go on."
        yield Notice("error", text, reverse("docs:guide", args=["limits"]), "About limits")
    elif quota.remaining <= quota.limit * QUOTA_LOW:
        text = f"{quota.remaining:,} of today's {quota.limit:,} searches are left."
        yield Notice("warning", text, reverse("docs:guide", args=["limits"]), "About limits")
