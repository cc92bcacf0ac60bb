"""What is stored about suppliers, in the back office: exchange rates are added and never edited, alerts cleared."""

from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from apps.common import clock
from apps.common.back_office import BackOffice, ReadOnly
from apps.suppliers.models import ExchangeRate, SupplierAlert, SupplierDrift, SupplierEvent
from apps.suppliers.rates import forget_rates


@admin.register(ExchangeRate)
class ExchangeRateAdmin(ReadOnly, BackOffice):
    """A wrong rate is put right by another one of the same day."""

    list_display = ["base", "quote", "rate", "as_of", "source", "created_at"]
    list_filter = ["base", "quote"]
    date_hierarchy = "as_of"
    ordering = ["-as_of", "base", "quote", "-created_at"]
    fields = ["base", "quote", "rate", "as_of", "source"]

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return admin.ModelAdmin.has_add_permission(self, request)

    def save_model(self, request: HttpRequest, obj: ExchangeRate, form: Any, change: bool) -> None:
        obj.source = obj.source or str(request.user)
        super().save_model(request, obj, form, change)
        forget_rates()


@admin.register(SupplierEvent)
class SupplierEventAdmin(ReadOnly, BackOffice):
    list_display = ["received_at", "supplier", "kind", "supplier_reference", "client_ref", "handled_at"]
    list_filter = ["supplier", ("handled_at", admin.EmptyFieldListFilter)]
    search_fields = ["=event_id", "=supplier_reference", "=client_ref"]
    ordering = ["-received_at"]


@admin.register(SupplierAlert)
class SupplierAlertAdmin(ReadOnly, BackOffice):
    list_display = ["last_at", "supplier", "kind", "detail", "count", "first_at", "cleared_at"]
    list_filter = [("cleared_at", admin.EmptyFieldListFilter), "supplier", "kind"]
    search_fields = ["detail"]
    search_help_text = "`manage.py check_suppliers` checks the credentials with every supplier"
    ordering = ["-last_at"]
    actions = ["clear"]

    def has_clear_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("suppliers.change_supplieralert")

    @admin.action(description="Clear: seen to", permissions=["clear"])
    def clear(self, request: HttpRequest, alerts: QuerySet[SupplierAlert]) -> None:
        number = alerts.filter(cleared_at__isnull=True).update(cleared_at=clock.now())
        self.message_user(request, f"Cleared {number} alerts.")


@admin.register(SupplierDrift)
class SupplierDriftAdmin(ReadOnly, BackOffice):
    list_display = ["last_at", "supplier", "call", "path", "kind", "is_read", "count", "first_at"]
    list_filter = ["supplier", "kind", "is_read"]
    search_fields = ["path", "call"]
    search_help_text = "Fields of suppliers' answers that are not as `known.json` of their connector has them"
    ordering = ["-is_read", "-last_at"]
    actions = ["forget"]

    def has_forget_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("suppliers.delete_supplierdrift")

    @admin.action(description="Dismiss: reviewed", permissions=["forget"])
    def forget(self, request: HttpRequest, found: QuerySet[SupplierDrift]) -> None:
        """What happens after this is counted from one again."""
        number, _ = found.delete()
        self.message_user(request, f"Forgot {number} fields.")
