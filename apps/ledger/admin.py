"""The ledger in the back office, to read. Movements of staff are proposed by one person and confirmed by another."""

from django.contrib import admin

from apps.common.back_office import BackOffice, Huge, ReadOnly, listed
from apps.ledger.models import Hold, LedgerEntry, LedgerTransaction, Wallet
from apps.ledger.movements_admin import StaffMovementAdmin

__all__ = ["HoldAdmin", "LedgerTransactionAdmin", "StaffMovementAdmin", "WalletAdmin"]


@admin.register(Wallet)
class WalletAdmin(ReadOnly, BackOffice):
    list_display = ["account", "environment", "currency", "balance_cents", "held_cents", "available_cents"]
    list_filter = ["environment", "currency"]
    list_select_related = ["account"]
    search_fields = ["account__id", "account__name"]
    fields = [
        "account",
        "environment",
        "currency",
        "balance_cents",
        "held_cents",
        "available_cents",
        "moved_at",
        "lines",
    ]
    readonly_fields = ["available_cents", "lines"]

    @admin.display(description="ledger")
    def lines(self, wallet: Wallet) -> str:
        query = {"q": wallet.account_id, "environment__exact": wallet.environment}
        return listed("ledger_ledgertransaction", "Every step of it", **query)


class EntryInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = LedgerEntry
    ordering = ["id"]
    fields = ["bucket", "amount_cents", "currency"]


@admin.register(LedgerTransaction)
class LedgerTransactionAdmin(ReadOnly, Huge):
    list_display = [
        "created_at",
        "account",
        "environment",
        "type",
        "amount_cents",
        "held_delta_cents",
        "available_after_cents",
        "held_after_cents",
        "currency",
        "booking_reference",
    ]
    list_filter = ["environment", "type"]
    list_select_related = ["account"]
    search_fields = [
        "=id",
        "=reference",
        "=booking_reference",
        "=account__id",
        "=operation_id",
        "=request_id",
    ]
    ordering = ["-id"]  # ids sort by time, and have an index whatever the account
    inlines = [EntryInline]


@admin.register(Hold)
class HoldAdmin(ReadOnly, Huge):
    list_display = ["id", "wallet", "amount_cents", "status", "captured_cents", "created_at", "resolved_at"]
    list_filter = ["status"]
    list_select_related = ["wallet"]
    search_fields = ["=id", "=reference", "=wallet__account__id"]
    ordering = ["-id"]
