"""The books in the back office: read, never edited. A top-up or a correction goes through its verb."""

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from apps.ledger.forms import StaffTransactionForm
from apps.ledger.models import Hold, LedgerEntry, LedgerTransaction, TransactionType, Wallet
from apps.ledger.services.adjust import adjust
from apps.ledger.services.top_up import top_up
from apps.ledger.trace import Trace


class ReadOnly:
    """Nobody changes or removes a row; the database would refuse it as well."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Wallet)
class WalletAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["account", "environment", "currency", "balance_cents", "held_cents", "available_cents"]
    list_filter = ["environment", "currency"]
    list_select_related = ["account"]
    search_fields = ["account__id", "account__name"]


class EntryInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = LedgerEntry
    fields = ["bucket", "amount_cents", "currency"]


@admin.register(LedgerTransaction)
class LedgerTransactionAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
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
    show_full_result_count = False
    inlines = [EntryInline]

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return request.user.has_perm("ledger.add_ledgertransaction")

    def get_inlines(self, request: HttpRequest, obj: LedgerTransaction | None = None) -> Any:
        return self.inlines if obj else []

    def get_form(
        self, request: HttpRequest, obj: LedgerTransaction | None = None, change: bool = False, **kwargs: Any
    ) -> Any:
        if obj is None:
            kwargs["form"] = StaffTransactionForm
        return super().get_form(request, obj, change, **kwargs)

    def get_fields(self, request: HttpRequest, obj: LedgerTransaction | None = None) -> Any:
        return super().get_fields(request, obj) if obj else StaffTransactionForm.Meta.fields

    def save_model(self, request: HttpRequest, obj: LedgerTransaction, form: Any, change: bool) -> None:
        """Have the verb write the transaction; `obj` becomes the one it wrote."""
        verb = top_up if obj.type == TransactionType.TOP_UP else adjust
        verb(
            account_id=obj.wallet.account_id,
            environment=obj.wallet.environment,
            amount_cents=obj.amount_cents,
            currency=obj.wallet.currency,
            reference=obj.reference,
            trace=Trace(description=obj.description),
        )
        obj.pk = LedgerTransaction.objects.get(type=obj.type, reference=obj.reference).pk


@admin.register(Hold)
class HoldAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["id", "wallet", "amount_cents", "status", "captured_cents", "created_at", "resolved_at"]
    list_filter = ["status"]
    list_select_related = ["wallet"]
    search_fields = ["=id", "=reference", "=wallet__account__id"]
    ordering = ["-id"]
    show_full_result_count = False
