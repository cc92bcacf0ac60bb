"""An account at a glance, on top of its page in the back office: money, calls, errors, failing endpoints, the last booking."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from django.db.models import F, Q, QuerySet, Sum
from django.urls import reverse
from django.utils.http import urlencode

from apps.accounts.clocks import now_in
from apps.accounts.models import Account, AccountAuditEntry, Invitation, User
from apps.accounts.sandboxes import stored_under
from apps.bookings.models import Booking, Product
from apps.common import clock
from apps.common.environments import Environment
from apps.common.querysets import capped_counts, capped_words
from apps.keys.models import ApiKey
from apps.ledger.models import LedgerTransaction, Wallet
from apps.request_log.models import CallHour, LoggedCall
from apps.webhooks.endpoint_health import endpoints_with_health
from apps.webhooks.models import DisabledReason, Endpoint, EndpointStatus
from apps.webhooks.selectors import endpoints_of

Places = Mapping[str, str]
"""The account row under which each environment is stored."""

DAY = timedelta(days=1)
ERRORS_READ = 1_000
"""How many of the newest errors are listed by type."""
ERROR_TYPES = 3
TROUBLES = 5
"""Endpoints that are named; the others are in the list."""


@dataclass(frozen=True, slots=True)
class Trouble:
    endpoint: Endpoint
    words: str

    @property
    def address(self) -> str:
        return reverse("admin:webhooks_endpoint_change", args=[self.endpoint.pk])


@dataclass(frozen=True, slots=True)
class Glance:
    """Of one environment; calls and errors are of the last 24 hours. None or empty: not there, or not for this person to see."""

    environment: str
    account_id: str
    wallet: Wallet | None = None
    calls: int | None = None
    errors: int | None = None
    error_types: tuple[tuple[str, int], ...] = ()
    troubles: tuple[Trouble, ...] = ()
    sees_endpoints: bool = False
    sees_bookings: bool = False
    booking: Booking | None = None

    @property
    def share(self) -> str:
        return f"{self.errors / self.calls:.1%}" if self.calls and self.errors is not None else ""

    def listing(self, name: str) -> str:
        query = urlencode({"q": self.account_id, "environment__exact": self.environment})
        return f"{reverse(f'admin:{name}_changelist')}?{query}"

    @property
    def calls_address(self) -> str:
        return self.listing("request_log_loggedcall")

    @property
    def ledger_address(self) -> str:
        return self.listing("ledger_ledgertransaction")


class Tab(NamedTuple):
    label: str
    rows: str
    address: str


def tabs_of(account: Account, person: User) -> list[Tab]:
    """The lists of what is stored about it, with how many rows each has, up to 1,000. One statement."""
    mine = {"account": account.pk}
    pending = Invitation.objects.filter(**mine, accepted_at=None, withdrawn_at=None)
    lists: dict[str, tuple[str, QuerySet[Any]]] = {
        "bookings.booking": ("Bookings", Booking.objects.filter(**mine)),
        "request_log.loggedcall": ("Requests", LoggedCall.objects.filter(**mine)),
        "ledger.ledgertransaction": ("Ledger", LedgerTransaction.objects.filter(**mine)),
        "ledger.wallet": ("Wallets", Wallet.objects.filter(**mine)),
        "keys.apikey": ("Keys", ApiKey.objects.filter(**mine)),
        "webhooks.endpoint": ("Endpoints", Endpoint.objects.filter(**mine)),
        "accounts.invitation": ("Invitations", pending),
        "accounts.accountauditentry": ("Audit", AccountAuditEntry.objects.filter(**mine)),
    }
    seen = {name: each for name, each in lists.items() if person.has_perm(name.replace(".", ".view_"))}
    counts = capped_counts([rows for _, rows in seen.values()])
    query = urlencode({"q": account.pk})
    addresses = [reverse(f"admin:{name.replace('.', '_')}_changelist") for name in seen]
    return [
        Tab(label, capped_words(count), f"{address}?{query}")
        for (label, _), count, address in zip(seen.values(), counts, addresses, strict=True)
    ]


def glances_of(account: Account, person: User) -> list[Glance]:
    """Live and the first test environment; of the row of a sandbox, that one. At most nine queries."""
    if account.sandbox_of_id is not None:
        places = {"test": account.pk}
    else:
        places = {"live": account.pk, "test": stored_under(account.pk, Environment.TEST)}
    wallets = wallets_of(places) if person.has_perm("ledger.view_wallet") else {}
    calls = calls_of(places) if person.has_perm("request_log.view_loggedcall") else {}
    return [glance(each, places[each], person, wallets.get(each), calls.get(each, {})) for each in places]


def glance(
    environment: str, account_id: str, person: User, wallet: Wallet | None, calls: dict[str, Any]
) -> Glance:
    seen: dict[str, Any] = {"wallet": wallet, **calls}
    if person.has_perm("webhooks.view_endpoint"):
        troubles = tuple(troubles_of(account_id, environment))[:TROUBLES]
        seen |= {"sees_endpoints": True, "troubles": troubles}
    if person.has_perm("bookings.view_booking"):
        seen |= {"sees_bookings": True, "booking": last_booking(account_id, environment)}
    return Glance(environment, account_id, **seen)


def of(places: Places) -> Q:
    conditions = [Q(account_id=account_id, environment=each) for each, account_id in places.items()]
    return reduce(or_, conditions)


def wallets_of(places: Places) -> dict[str, Wallet]:
    return {wallet.environment: wallet for wallet in Wallet.objects.filter(of(places))}


def calls_of(places: Places) -> dict[str, dict[str, Any]]:
    """From the counts of hours: the running hour and the 24 before it are counted whole."""
    first = (clock.now() - DAY).replace(minute=0, second=0, microsecond=0)
    hours = CallHour.objects.filter(of(places), hour__gte=first).values_list("environment")
    counted = dict.fromkeys(places, (0, 0))
    for environment, calls, errors in hours.annotate(Sum("calls"), Sum("errors")):
        counted[environment] = (calls, errors)
    return {
        each: {
            "calls": calls,
            "errors": errors,
            "error_types": common_errors(places[each], each, first) if errors else (),
        }
        for each, (calls, errors) in counted.items()
    }


def common_errors(account_id: str, environment: str, since: datetime) -> tuple[tuple[str, int], ...]:
    newest = LoggedCall.objects.filter(
        account_id=account_id, environment=environment, status__gte=400, created_at__gte=since
    )
    types = newest.order_by("-created_at", "-id").values_list("error_type", flat=True)[:ERRORS_READ]
    return tuple(Counter(types).most_common(ERROR_TYPES))


def troubles_of(account_id: str, environment: str) -> Iterator[Trouble]:
    """Those that fail, then those that were disabled for it."""
    now = now_in(account_id, environment)
    found = endpoints_with_health(endpoints_of(account_id, environment), now)
    for endpoint, health in found:
        if endpoint.status == EndpointStatus.ENABLED and health.is_failing:
            yield Trouble(endpoint, health.failing_words(now))
    for endpoint, _ in found:
        if endpoint.disabled_reason == DisabledReason.CONSECUTIVE_FAILURES:
            yield Trouble(endpoint, "Disabled after 10 failures in a row")


def last_booking(account_id: str, environment: str) -> Booking | None:
    """The newest of any product: each has an index of its own."""
    mine = Booking.objects.filter(account_id=account_id, environment=environment)
    newest = [
        mine.filter(product=product).order_by("-created_at", "-id").values("pk")[:1]
        for product in Product.values
    ]
    together = newest[0].union(*newest[1:], all=True)
    shown = Booking.objects.filter(pk__in=together).defer("details", "cancellation")
    return shown.order_by(F("created_at").desc(), F("pk").desc()).first()
