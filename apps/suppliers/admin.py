"""What is stored about suppliers, in the back office: exchange rates can be added but never edited; hints can be read."""

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from apps.common.back_office import BackOffice
from apps.suppliers.alerts.admin import SupplierAlertAdmin
from apps.suppliers.currency.models import ExchangeRate
from apps.suppliers.currency.rates import forget_rates
from apps.suppliers.drift.admin import SupplierDriftAdmin
from apps.suppliers.webhooks.models import SupplierEvent

__all__ = ["ExchangeRateAdmin", "SupplierAlertAdmin", "SupplierDriftAdmin", "SupplierEventAdmin"]


class Unchangeable:
    """What is stored stays as it is."""

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(ExchangeRate)
class ExchangeRateAdmin(Unchangeable, BackOffice):
    """A wrong rate is put right by another one of the same day."""

    list_display = ["base", "quote", "rate", "as_of", "source", "created_at"]
    list_filter = ["base", "quote"]
    date_hierarchy = "as_of"
    ordering = ["-as_of", "base", "quote", "-created_at"]
    fields = ["base", "quote", "rate", "as_of", "source"]

    def save_model(self, request: HttpRequest, obj: ExchangeRate, form: Any, change: bool) -> None:
        obj.source = obj.source or str(request.user)
        super().save_model(request, obj, form, change)
        forget_rates()


@admin.register(SupplierEvent)
class SupplierEventAdmin(Unchangeable, BackOffice):
    list_display = ["received_at", "supplier", "kind", "supplier_reference", "client_ref", "handled_at"]
    list_filter = ["supplier", ("handled_at", admin.EmptyFieldListFilter)]
    search_fields = ["=event_id", "=supplier_reference", "=client_ref"]
    ordering = ["-received_at"]

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
