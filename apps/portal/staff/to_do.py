"""The dashboard on the first page of the back office: what waits for staff, how much of it, and a link to the list."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q
from django.urls import reverse

from apps.accounts.models import Account, User
from apps.bookings.models import Settlement
from apps.bookings.selectors import held_long, waiting_operations
from apps.common import clock
from apps.esim.selectors import to_be_looked_at
from apps.gateway.periodic import troubled
from apps.hotels.models import CorrectionRequest
from apps.ledger.models import MovementState, StaffMovement
from apps.portal.templatetags.portal import span
from apps.request_log.selectors import lost_calls
from apps.suppliers.models import SupplierAlert
from apps.webhooks.endpoint_health import failing
from apps.webhooks.metrics import LATE_SECONDS
from apps.webhooks.models import DisabledReason, Endpoint
from apps.webhooks.selectors import due_lag

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class DashboardRow:
    """`figure` is a count, or an age in words. `waits`: somebody has to act."""

    text: str
    figure: str
    waits: bool
    address: str


def staff_dashboard(person: User, now: datetime | None = None) -> list[DashboardRow]:
    """The rows that this person has the permission to see. At most one query for each row."""
    now = now or clock.now()
    return [
        *account_rows(person),
        *operation_rows(person, now),
        *hotel_rows(person),
        *esim_rows(person),
        *ledger_rows(person),
        *webhook_rows(person),
        *service_rows(person, now),
    ]


def account_rows(person: User) -> Iterator[DashboardRow]:
    if person.has_perm("portal.view_livekeyrequest"):
        asked = Account.objects.filter(live_requested_at__isnull=False).count()
        yield count_row("Requests for live keys", asked, "portal_livekeyrequest")


def operation_rows(person: User, now: datetime) -> Iterator[DashboardRow]:
    if person.has_perm("bookings.view_operation"):
        waiting = waiting_operations(now)
        listing = "bookings_operation"
        yield count_row("Operations with staff", waiting.with_staff, listing, "standing=review")
        yield count_row("Operations uncertain for over an hour", waiting.uncertain_for_long, listing)
        yield count_row("Operations whose money is held for over a day", held_long(now).count(), listing)
    if person.has_perm("bookings.view_settlement"):
        failing = Settlement.objects.filter(settled_at__isnull=True, failures__gt=0).count()
        yield count_row("Settlements that failed and are still owed", failing, "bookings_settlement")


def hotel_rows(person: User) -> Iterator[DashboardRow]:
    if person.has_perm("hotels.view_correctionrequest"):
        overdue = CorrectionRequest.objects.filter(decided_at=None, alerted_at__isnull=False).count()
        listing = "hotels_correctionrequest"
        yield count_row(
            "Corrections of names that no supplier has made in time", overdue, listing, "standing=overdue"
        )


def esim_rows(person: User) -> Iterator[DashboardRow]:
    if person.has_perm("esim.view_refundrequest"):
        yield count_row(
            "Refund requests of eSIMs to be looked at",
            to_be_looked_at().count(),
            "esim_refundrequest",
            "standing=alerted",
        )


def ledger_rows(person: User) -> Iterator[DashboardRow]:
    if person.has_perm("ledger.view_staffmovement"):
        proposed = StaffMovement.objects.filter(state=MovementState.PROPOSED).aggregate(
            all=Count("pk"), mine=Count("pk", filter=Q(proposed_by=person))
        )
        text = "Top-ups and adjustments awaiting a second person"
        if proposed["mine"]:
            text = f"{text}, {proposed['mine']} of them yours"
        yield count_row(text, proposed["all"], "ledger_staffmovement", "state__exact=proposed")
    if person.has_perm("suppliers.view_supplieralert"):
        open_ = SupplierAlert.objects.filter(cleared_at__isnull=True).count()
        yield count_row(
            "Open alerts about suppliers", open_, "suppliers_supplieralert", "cleared_at__isempty=1"
        )


def webhook_rows(person: User) -> Iterator[DashboardRow]:
    if person.has_perm("webhooks.view_endpoint"):
        failing_now = failing(Endpoint.objects.all()).count()
        yield count_row("Endpoints that are failing", failing_now, "webhooks_endpoint", "failing=now")
        failed = Endpoint.objects.filter(
            disabled_reason=DisabledReason.CONSECUTIVE_FAILURES, deleted_at__isnull=True
        )
        query = f"disabled_reason__exact={DisabledReason.CONSECUTIVE_FAILURES}"
        yield count_row("Endpoints disabled after 10 failures", failed.count(), "webhooks_endpoint", query)
    if person.has_perm("webhooks.view_delivery"):
        lag = due_lag()
        behind = span(timedelta(seconds=lag)) if lag else "none"
        address = reverse("admin:webhooks_delivery_changelist")
        yield DashboardRow("Backlog of webhook deliveries", behind, lag >= LATE_SECONDS, address)


def service_rows(person: User, now: datetime) -> Iterator[DashboardRow]:
    if person.has_perm("request_log.view_lostcalls"):
        lost = lost_calls(since=now - DAY)
        yield count_row("Entries that the request log lost in a day", lost, "request_log_lostcalls")
    if person.has_perm("gateway.view_taskrecord"):
        yield count_row("Periodic tasks that fail or are late", len(troubled()), "gateway_taskrecord")


def count_row(text: str, count: int, listing: str, query: str = "") -> DashboardRow:
    address = reverse(f"admin:{listing}_changelist")
    return DashboardRow(text, f"{count:,}", count > 0, f"{address}?{query}" if query else address)
