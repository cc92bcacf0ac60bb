"""The back office's page of settlements: money that moves after the answer, when it is tried next, and why it failed."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.bookings.models import Settlement
from apps.bookings.services.reconcile import settle_soon
from apps.common.back_office import Acts, FirstChosen, ReadOnly, listed, money, page_of

AMOUNT = money("amount_cents", "amount", currency="booking.currency")


class Standing(FirstChosen):
    """Those that failed come first: whatever else is owed waits for its time."""

    title = "standing"
    parameter_name = "standing"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [("failing", "Failing"), ("owed", "Owed"), ("all", "All")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Settlement]) -> QuerySet[Settlement]:
        if self.chosen() == "all" or request.GET.get("q"):
            return queryset
        owed = queryset.filter(settled_at__isnull=True)
        return owed if self.chosen() == "owed" else owed.filter(failures__gt=0)


@admin.register(Settlement)
class SettlementAdmin(ReadOnly, Acts):
    list_display = [
        "booking_reference",
        "action",
        AMOUNT,
        "partner",
        "failures",
        "failure",
        "next_attempt_at",
        "settled_at",
    ]
    list_display_links = ["booking_reference"]
    list_filter = [Standing]
    search_fields = ["booking__reference__exact", "hold_id__exact"]
    search_help_text = "A whole reference: the booking's; or a hold's id"
    ordering = ["-id"]
    actions = ["try_now"]
    fields = [
        "booking_page",
        "operation_page",
        "action",
        AMOUNT,
        "hold_id",
        "created_at",
        "settled_at",
        "next_attempt_at",
        "failures",
        "failure",
        "ledger",
    ]
    readonly_fields = ["booking_page", "operation_page", AMOUNT, "created_at", "ledger"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Settlement]:
        """Does not read what names travellers."""
        unseen = ("booking__details", "booking__cancellation", "operation__request", "operation__prepared")
        return super().get_queryset(request).select_related("booking__account", "operation").defer(*unseen)

    def has_operate_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("bookings.change_settlement")

    @admin.display(description="booking")
    def booking_reference(self, settlement: Settlement) -> str:
        return settlement.booking.reference

    @admin.display(description="account")
    def partner(self, settlement: Settlement) -> str:
        return f"{settlement.booking.account} ({settlement.booking.environment})"

    @admin.display(description="booking")
    def booking_page(self, settlement: Settlement) -> Any:
        return page_of(settlement.booking, settlement.booking.reference)

    @admin.display(description="operation")
    def operation_page(self, settlement: Settlement) -> Any:
        return page_of(settlement.operation, settlement.operation.client_ref)

    @admin.display(description="ledger")
    def ledger(self, settlement: Settlement) -> Any:
        return listed("ledger_ledgertransaction", "Its steps of money", q=settlement.operation.client_ref)

    @admin.action(description="Try now what failed", permissions=["operate"])
    def try_now(self, request: HttpRequest, settlements: QuerySet[Settlement]) -> None:
        self.each(request, settlements, settle_soon, "To be tried now")
