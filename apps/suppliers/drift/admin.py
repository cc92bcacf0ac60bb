"""Drift in the back office, to read and to forget once it was looked into."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.common.back_office import BackOffice, ReadOnly
from apps.suppliers.drift.models import SupplierDrift


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

    @admin.action(description="Forget: looked into", permissions=["forget"])
    def forget(self, request: HttpRequest, found: QuerySet[SupplierDrift]) -> None:
        """What happens after this is counted anew."""
        number, _ = SupplierDrift.objects.filter(pk__in=[one.pk for one in found]).delete()
        self.message_user(request, f"Forgot {number} fields.")
