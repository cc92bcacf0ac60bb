"""Bookings in the back office, to read and to search. What is unresolved is on the pages of operations."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html

from apps.bookings.erase_admin import ERASE, erase_page
from apps.bookings.models import Booking, Operation
from apps.bookings.operations_admin import OperationAdmin
from apps.common.back_office import Huge, ReadOnly, listed, page_of
from apps.common.money import in_words

__all__ = ["BookingAdmin", "OperationAdmin"]


class OperationInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = Operation
    fields = ["page", "kind", "state", "amount_cents", "failure", "lookups", "created_at", "resolved_at"]
    readonly_fields = ["page", "created_at"]
    ordering = ["id"]

    @admin.display(description="operation")
    def page(self, operation: Operation) -> Any:
        return page_of(operation, operation.client_ref)


@admin.register(Booking)
class BookingAdmin(ReadOnly, Huge):
    """`details` is not shown, because it names travellers."""

    list_display = [
        "reference",
        "product",
        "account",
        "environment",
        "status",
        "total",
        "supplier_name",
        "created_at",
    ]
    list_filter = ["environment", "product", "status", "supplier_name"]
    list_select_related = ["account"]
    search_fields = [
        "=id",
        "=reference",
        "external_reference__exact",
        "supplier_reference__exact",
        "account__id__exact",
    ]
    search_help_text = (
        "A whole reference: ours, the partner's externalReference or the supplier's; or an account's id"
    )
    ordering = ["-id"]  # ids begin with the product, and sort by time within a product
    inlines = [OperationInline]
    fieldsets = [
        (None, {"fields": ["id", "reference", "external_reference", "product", "status", "total"]}),
        ("Partner", {"fields": ["account_page", "environment", "key_page", "request_id"]}),
        (
            "Supplier",
            {"fields": ["supplier_name", "supplier_reference", "exchange", "watched_until", "next_news_at"]},
        ),
        ("Times", {"fields": ["created_at", "updated_at", "erased_at", "erasing"]}),
        ("See also", {"fields": ["ledger", "events", "calls"]}),
    ]
    readonly_fields = [
        "id",
        "total",
        "account_page",
        "key_page",
        "created_at",
        "erased_at",
        "ledger",
        "events",
        "calls",
        "erasing",
    ]

    def get_urls(self) -> list[URLPattern]:
        own = path(
            "<path:object_id>/erase/",
            self.admin_site.admin_view(self.erase_view),
            name=ERASE.partition(":")[2],
        )
        return [own, *super().get_urls()]

    def erase_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return erase_page(self, request, object_id)

    @admin.display(description="travellers")
    def erasing(self, booking: Booking) -> Any:
        if booking.erased_at is not None:
            return f"Erased {booking.erased_at:%d %b %Y}"
        return format_html('<a href="{}">Erase the travellers</a>', reverse(ERASE, args=[booking.pk]))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Booking]:
        return super().get_queryset(request).defer("details", "cancellation")

    @admin.display(description="total", ordering="total_cents")
    def total(self, booking: Booking) -> str:
        return in_words(booking.total_cents, booking.currency)

    @admin.display(description="account")
    def account_page(self, booking: Booking) -> Any:
        return page_of(booking.account)

    @admin.display(description="key")
    def key_page(self, booking: Booking) -> Any:
        return page_of(booking.key)

    @admin.display(description="ledger")
    def ledger(self, booking: Booking) -> Any:
        return listed("ledger_ledgertransaction", "Its steps of money", q=booking.reference)

    @admin.display(description="events")
    def events(self, booking: Booking) -> Any:
        return listed("webhooks_event", "What the partner was told", q=booking.id)

    @admin.display(description="requests")
    def calls(self, booking: Booking) -> Any:
        return listed("gateway_loggedcall", "The call that made it", q=booking.request_id)
