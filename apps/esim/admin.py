"""The catalogue in the back office: read, never edited, for the next sync would undo it."""

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from apps.esim.models import Plan


@admin.register(Plan)
class PlanAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["name", "plan_type", "region", "price_cents", "currency", "environment", "withdrawn_at"]
    list_filter = [
        "environment",
        "supplier_name",
        "plan_type",
        "region",
        ("withdrawn_at", admin.EmptyFieldListFilter),
    ]
    search_fields = ["=id", "=supplier_plan_id", "name"]
    ordering = ["name"]

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
