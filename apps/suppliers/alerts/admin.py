"""Alerts in the back office, to read and to clear."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.common.back_office import BackOffice, ReadOnly
from apps.suppliers.alerts.models import SupplierAlert
from apps.suppliers.alerts.raising import clear


@admin.register(SupplierAlert)
class SupplierAlertAdmin(ReadOnly, BackOffice):
    list_display = ["last_at", "supplier", "kind", "detail", "count", "first_at", "cleared_at"]
    list_filter = [("cleared_at", admin.EmptyFieldListFilter), "supplier", "kind"]
    search_fields = ["detail"]
    search_help_text = "`manage.py check_suppliers` asks every supplier whether it lets us in"
    ordering = ["-last_at"]
    actions = ["clear"]

    def has_clear_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("suppliers.change_supplieralert")

    @admin.action(description="Clear: seen to", permissions=["clear"])
    def clear(self, request: HttpRequest, alerts: QuerySet[SupplierAlert]) -> None:
        self.message_user(request, f"Cleared {clear(list(alerts))} alerts.")
