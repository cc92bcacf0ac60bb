"""What waits for staff, as the first page of the back office says it: each with how much of it, and where to go."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q
from django.urls import reverse

from apps.accounts.models import Account, User
from apps.bookings.stuck import held_long, waiting_operations
from apps.common import clock
from apps.gateway.request_log.selectors import lost_calls
from apps.ledger.models import MovementState, StaffMovement
from apps.portal.templatetags.portal import span
from apps.suppliers.alerts.models import SupplierAlert
from apps.webhooks.health import LATE_SECONDS
from apps.webhooks.models import DisabledReason, Endpoint
from apps.webhooks.selectors import due_lag

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Matter:
    """`figure` is a count, or an age in words; it waits for somebody where `waits`."""

    text: str
    figure: str
    waits: bool
    address: str


def desk_of(person: User, now: datetime | None = None) -> list[Matter]:
    """What this person may see of it; one query each at most."""
    now = now or clock.now()
    return [
        *of_accounts(person),
        *of_operations(person, now),
        *of_money(person),
        *of_suppliers(person),
        *of_webhooks(person),
        *of_requests(person, now),
    ]


def of_accounts(person: User) -> Iterator[Matter]:
    if person.has_perm("portal.view_livekeyrequest"):
        asked = Account.objects.filter(live_requested_at__isnull=False).count()
        yield counted("Requests for live keys", asked, "portal_livekeyrequest")


def of_operations(person: User, now: datetime) -> Iterator[Matter]:
    if person.has_perm("bookings.view_operation"):
        waiting = waiting_operations(now)
        listing = "bookings_operation"
        yield counted("Operations with staff", waiting.with_staff, listing, "standing=review")
        yield counted("Operations uncertain for over an hour", waiting.uncertain_for_long, listing)
        yield counted("Operations whose money is held for over a day", held_long(now).count(), listing)


def of_money(person: User) -> Iterator[Matter]:
    if person.has_perm("ledger.view_staffmovement"):
        proposed = StaffMovement.objects.filter(state=MovementState.PROPOSED).aggregate(
            all=Count("pk"), mine=Count("pk", filter=Q(proposed_by=person))
        )
        text = "Top-ups and adjustments awaiting a second person"
        if proposed["mine"]:
            text = f"{text}, {proposed['mine']} of them yours"
        yield counted(text, proposed["all"], "ledger_staffmovement", "state__exact=proposed")


def of_suppliers(person: User) -> Iterator[Matter]:
    if person.has_perm("suppliers.view_supplieralert"):
        open_ = SupplierAlert.objects.filter(cleared_at__isnull=True).count()
        yield counted(
            "Open alerts about suppliers", open_, "suppliers_supplieralert", "cleared_at__isempty=1"
        )


def of_webhooks(person: User) -> Iterator[Matter]:
    if person.has_perm("webhooks.view_endpoint"):
        failed = Endpoint.objects.filter(
            disabled_reason=DisabledReason.CONSECUTIVE_FAILURES, deleted_at__isnull=True
        )
        query = f"disabled_reason__exact={DisabledReason.CONSECUTIVE_FAILURES}"
        yield counted("Endpoints disabled after ten failures", failed.count(), "webhooks_endpoint", query)
    if person.has_perm("webhooks.view_delivery"):
        lag = due_lag()
        behind = span(timedelta(seconds=lag)) if lag else "none"
        address = reverse("admin:webhooks_delivery_changelist")
        yield Matter("Backlog of webhook deliveries", behind, lag >= LATE_SECONDS, address)


def of_requests(person: User, now: datetime) -> Iterator[Matter]:
    if person.has_perm("gateway.view_lostcalls"):
        lost = lost_calls(since=now - DAY)
        yield counted("Entries that the request log lost in a day", lost, "gateway_lostcalls")


def counted(text: str, count: int, listing: str, query: str = "") -> Matter:
    address = reverse(f"admin:{listing}_changelist")
    return Matter(text, f"{count:,}", count > 0, f"{address}?{query}" if query else address)
