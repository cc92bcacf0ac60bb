"""The ledger in the back office, to read. Movements of staff are proposed by one person and confirmed by another."""

from django.contrib import admin

from apps.common.back_office import BackOffice, Huge, ReadOnly, listed, money
from apps.ledger.models import Hold, LedgerEntry, LedgerTransaction, Wallet
from apps.ledger.movements_admin import StaffMovementAdmin

__all__ = ["HoldAdmin", "LedgerTransactionAdmin", "StaffMovementAdmin", "WalletAdmin"]

BALANCE = money("balance_cents", "balance")
HELD = money("held_cents", "held")
AVAILABLE = money("available_cents", "available", sortable=False)
WARN_BELOW = money("warn_below_cents", "warn below")
AMOUNT = money("amount_cents", "amount")
HELD_CHANGE = money("held_delta_cents", "change of what is held")
AVAILABLE_AFTER = money("available_after_cents", "available after")
HELD_AFTER = money("held_after_cents", "held after")
OF_HOLD = money("amount_cents", "amount", currency="wallet.currency")
CAPTURED = money("captured_cents", "captured", currency="wallet.currency")


@admin.register(Wallet)
class WalletAdmin(ReadOnly, BackOffice):
    list_display = ["account", "environment", BALANCE, HELD, AVAILABLE, "moved_at"]
    list_filter = ["environment", "currency"]
    list_select_related = ["account"]
    search_fields = ["account__id", "account__name"]
    ordering = ["-id"]
    fields = ["account", "environment", BALANCE, HELD, AVAILABLE, WARN_BELOW, "moved_at", "lines"]
    readonly_fields = [BALANCE, HELD, AVAILABLE, WARN_BELOW, "lines"]

    @admin.display(description="ledger")
    def lines(self, wallet: Wallet) -> str:
        query = {"q": wallet.account_id, "environment__exact": wallet.environment}
        return listed("ledger_ledgertransaction", "Every step of it", **query)


class EntryInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = LedgerEntry
    ordering = ["id"]
    fields = ["bucket", AMOUNT]
    readonly_fields = [AMOUNT]


@admin.register(LedgerTransaction)
class LedgerTransactionAdmin(ReadOnly, Huge):
    list_display = [
        "created_at",
        "account",
        "environment",
        "type",
        AMOUNT,
        HELD_CHANGE,
        AVAILABLE_AFTER,
        HELD_AFTER,
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
    fieldsets = [
        (None, {"fields": ["id", "account", "environment", "type", "created_at", "description"]}),
        ("Money", {"fields": [AMOUNT, HELD_CHANGE, AVAILABLE_AFTER, HELD_AFTER]}),
        (
            "What it was for",
            {
                "fields": [
                    "reference",
                    "hold",
                    "booking_type",
                    "booking_reference",
                    "key_id",
                    "request_id",
                    "operation_id",
                ]
            },
        ),
    ]
    readonly_fields = ["id", "created_at", AMOUNT, HELD_CHANGE, AVAILABLE_AFTER, HELD_AFTER]


@admin.register(Hold)
class HoldAdmin(ReadOnly, Huge):
    list_display = ["id", "wallet", OF_HOLD, "status", CAPTURED, "created_at", "resolved_at"]
    list_filter = ["status"]
    list_select_related = ["wallet__account"]
    search_fields = ["=id", "=reference", "=wallet__account__id"]
    ordering = ["-id"]
    fields = ["id", "wallet", OF_HOLD, "status", CAPTURED, "reference", "created_at", "resolved_at"]
    readonly_fields = ["id", OF_HOLD, CAPTURED, "created_at"]
