"""The catalogue in the back office: read, never edited, for the next sync would undo it."""

from django.contrib import admin

from apps.common.back_office import BackOffice, ReadOnly, money
from apps.esim.models import Plan

PRICE = money("price_cents", "price")


@admin.register(Plan)
class PlanAdmin(ReadOnly, BackOffice):
    list_display = ["name", "plan_type", "region", PRICE, "environment", "withdrawn_at"]
    list_filter = [
        "environment",
        "supplier_name",
        "plan_type",
        "region",
        ("withdrawn_at", admin.EmptyFieldListFilter),
    ]
    search_fields = ["=id", "=supplier_plan_id", "name"]
    ordering = ["name"]
