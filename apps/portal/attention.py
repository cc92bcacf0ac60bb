"""What needs somebody to look: said on the home page, each with where to go."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.urls import reverse

from apps.gateway.search_quota import Quota
from apps.ledger.selectors import Balance, holds_open_since
from apps.portal.place import Place
from apps.portal.templatetags.portal import amount, span
from apps.webhooks.models import EndpointStatus
from apps.webhooks.selectors import endpoints_of

MANY_FAILURES = 7
"""Of the ten in a row that disable an endpoint."""
LAPSES_WITHIN = timedelta(days=30)
HELD_LONG = timedelta(days=1)
QUOTA_LOW = 0.1


@dataclass(frozen=True, slots=True)
class Matter:
    """`kind` is the alert's: error, warning or info."""

    kind: str
    text: str
    address: str
    label: str


def matters_of(place: Place, *, balance: Balance, quota: Quota, now: datetime) -> list[Matter]:
    """The gravest first. Two queries."""
    matters = [
        *of_account(place, now),
        *of_endpoints(place),
        *of_money(place, balance, now),
        *of_quota(place, quota),
    ]
    return sorted(matters, key=lambda matter: ("error", "warning", "info").index(matter.kind))


def of_account(place: Place, now: datetime) -> Iterator[Matter]:
    account, address = place.account, reverse("portal:production_access")
    if account.status != "active":
        yield Matter(
            "error",
            f"The account is {account.status}. Bookings that stand keep standing; ask us.",
            reverse("docs:error", args=["account_not_active"]),
            "What this means",
        )
    until = account.live_approved_until
    if until is None or account.live_requested_at is not None:
        return
    if until <= now:
        yield Matter(
            "warning",
            "The approval for live keys has lapsed. Existing live keys keep working.",
            address,
            "Renew it",
        )
    elif until - now <= LAPSES_WITHIN:
        yield Matter(
            "warning", f"The approval for live keys lapses in {span(until - now)}.", address, "Renew it"
        )


def of_endpoints(place: Place) -> Iterator[Matter]:
    for endpoint in endpoints_of(place.account.pk, place.environment):
        address = place.reverse("endpoint", endpoint_id=endpoint.pk)
        if endpoint.status == EndpointStatus.DISABLED and endpoint.disabled_reason == "consecutive_failures":
            text = f"{endpoint.url} was disabled after ten deliveries in a row failed. It misses events."
            yield Matter("error", text, address, "Look at it")
        elif endpoint.status == EndpointStatus.ENABLED and endpoint.consecutive_failures >= MANY_FAILURES:
            text = f"{endpoint.url} is at {endpoint.consecutive_failures} of 10 failed deliveries in a row."
            yield Matter("warning", text, address, "Look at it")


def of_money(place: Place, balance: Balance, now: datetime) -> Iterator[Matter]:
    held = holds_open_since(place.account.pk, place.environment, now - HELD_LONG)
    if held.oldest_at is not None:
        money = f"{amount(held.amount_cents, balance.currency)} {balance.currency}"
        text = f"{money} has been held for over a day, the oldest part for {span(now - held.oldest_at)}."
        yield Matter("info", text, place.reverse("balance"), "See the ledger")
    if place.is_live and balance.available_cents <= 0:
        yield Matter(
            "warning",
            "Nothing is available: bookings answer 402.",
            place.reverse("balance"),
            "See the balance",
        )


def of_quota(place: Place, quota: Quota) -> Iterator[Matter]:
    if quota.remaining == 0:
        text = "Today's searches are used up until midnight UTC. Bookings and reads go on."
        yield Matter("error", text, reverse("docs:guide", args=["limits"]), "About limits")
    elif quota.remaining <= quota.limit * QUOTA_LOW:
        text = f"{quota.remaining:,} of today's {quota.limit:,} searches are left."
        yield Matter("warning", text, reverse("docs:guide", args=["limits"]), "About limits")
