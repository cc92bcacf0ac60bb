"""Bookings in the back office, to read and to search. What is unresolved is on the pages of operations."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.views.main import ORDER_VAR
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html

from apps.accounts.actors import actor_of, signed_in
from apps.bookings.admin_operations import OperationAdmin, SettlementAdmin
from apps.bookings.erasure import erase_travellers
from apps.bookings.models import Booking, Operation
from apps.common.back_office import (
    COUNTED,
    BackOffice,
    Huge,
    List,
    ReadOnly,
    Verdict,
    Way,
    listed,
    money,
    page_of,
)
from apps.common.errors import GatewayError
from apps.suppliers.vendors import vendors_of

__all__ = ["BookingAdmin", "OperationAdmin", "SettlementAdmin"]


AMOUNT = money("amount_cents", "amount", currency="booking.currency")
TOTAL = money("total_cents", "total")
STATUSES = (
    "pending",
    "awaiting_approval",
    "on_hold",
    "confirmed",
    "ticketed",
    "provisioned",
    "cancelled",
    "failed",
)
PACKAGES = ("hotels", "flights", "transfers", "esim")
BY_PREFIX = (("hbk", "hbl"), ("ford", "fore"), ("tord", "tore"), ("eord", "eore"), ("etop", "etoq"))
"""Each prefix of bookings' ids, and the text before which those ids are. Letters have the same order in every collation."""


class OperationInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = Operation
    fields = ["page", "kind", "state", AMOUNT, "failure", "lookups", "created_at", "resolved_at"]
    readonly_fields = ["page", AMOUNT, "created_at"]
    ordering = ["-id"]

    @admin.display(description="operation")
    def page(self, operation: Operation) -> Any:
        return page_of(operation, operation.client_ref)


class OfStatus(admin.SimpleListFilter):
    """Not asked of the table: that would read all of it."""

    title = "status"
    parameter_name = "status"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [(name, name) for name in STATUSES]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Booking]) -> QuerySet[Booking]:
        return queryset.filter(status=self.value()) if self.value() else queryset


class OfSupplier(admin.SimpleListFilter):
    """From what the products declare, as with the status."""

    title = "supplier"
    parameter_name = "supplier_name"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        names = {name for package in PACKAGES for name in vendors_of(package)}
        return [(name, name) for name in sorted(names)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Booking]) -> QuerySet[Booking]:
        return queryset.filter(supplier_name=self.value()) if self.value() else queryset


class NewestFirst(List):
    """Ids sort by time within a prefix. So the newest of each prefix are found by the primary key, and put in order together:
    an index by time of all bookings would cost every booking more than the few readers of this list are worth.
    """

    def get_queryset(self, request: HttpRequest, *given: Any) -> QuerySet[Booking]:
        found: QuerySet[Booking] = super().get_queryset(request, *given)
        if self.params.get(ORDER_VAR):
            return found
        newest = [
            found.filter(pk__gte=first, pk__lt=after).order_by("-pk").values("pk")[: COUNTED + 1]
            for first, after in BY_PREFIX
        ]
        return found.filter(pk__in=newest[0].union(*newest[1:], all=True))


@admin.register(Booking)
class BookingAdmin(ReadOnly, Huge):
    """`details` is not shown, because it names travellers."""

    list_display = [
        "reference",
        "product",
        "account",
        "environment",
        "status",
        TOTAL,
        "supplier_name",
        "created_at",
    ]
    list_filter = ["environment", "product", OfStatus, OfSupplier]
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
    ordering = ["-created_at", "-id"]
    inlines = [OperationInline]
    fieldsets = [
        (
            None,
            {
                "fields": [
                    "id",
                    "reference",
                    "external_reference",
                    "trip_reference",
                    "product",
                    "status",
                    TOTAL,
                ]
            },
        ),
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
        TOTAL,
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

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[List]:
        return NewestFirst

    def get_queryset(self, request: HttpRequest) -> QuerySet[Booking]:
        return super().get_queryset(request).defer("details", "cancellation")

    @admin.display(description="account")
    def account_page(self, booking: Booking) -> Any:
        return page_of(booking.account)

    @admin.display(description="key")
    def key_page(self, booking: Booking) -> Any:
        return page_of(booking.key)

    @admin.display(description="ledger")
    def ledger(self, booking: Booking) -> Any:
        return listed("ledger_ledgertransaction", "Ledger", q=booking.reference)

    @admin.display(description="events")
    def events(self, booking: Booking) -> Any:
        return listed("webhooks_event", "Events", q=booking.id)

    @admin.display(description="requests")
    def calls(self, booking: Booking) -> Any:
        return listed("request_log_loggedcall", "Request", q=booking.request_id)


ERASE = "admin:bookings_booking_erase"


class Confirmed(forms.Form):
    reference = forms.CharField(max_length=16, help_text="The reference of the booking, to confirm")


def erase_page(pages: BackOffice, request: HttpRequest, booking_id: str) -> HttpResponse:
    """For staff who may change bookings. Who asked for it is not kept here: that would be a traveller's name."""
    if not request.user.has_perm("bookings.change_booking"):
        raise PermissionDenied
    booking = Booking.objects.select_related("account").filter(pk=booking_id[:64]).first()
    if booking is None:
        raise Http404
    form = Confirmed(request.POST or None)
    if request.method == "POST" and form.is_valid():
        if form.cleaned_data["reference"].strip() == booking.reference:
            return carry_out(pages, request, booking)
        form.add_error("reference", "That is not its reference.")
    return page(pages, request, booking, form)


def carry_out(pages: BackOffice, request: HttpRequest, booking: Booking) -> HttpResponse:
    try:
        done = erase_travellers(booking=booking, erased_by=actor_of(signed_in(request)))
    except GatewayError as refused:
        messages.error(request, refused.message)
    else:
        said = "The travellers are erased." if done else "They were erased before."
        if done:
            pages.log_change(request, booking, said)
        messages.success(request, said)
    return redirect("admin:bookings_booking_change", booking.pk)


def page(pages: BackOffice, request: HttpRequest, booking: Booking, form: forms.Form) -> HttpResponse:
    verdict = Verdict(
        "erase",
        "Erase the travellers",
        "Names, birth dates and contacts are destroyed, and in backups with the next change of FIELD_ENCRYPTION_KEYS. This "
        "cannot be undone, and the supplier is not informed.",
        lambda _: "",
        grave=True,
    )
    facts: list[tuple[str, Any]] = [
        ("Account", booking.account),
        ("Environment", booking.environment),
        ("Status", booking.status),
        ("Erased", booking.erased_at),
    ]
    context = {
        **pages.admin_site.each_context(request),
        "title": f"Travellers of {booking.reference}",
        "opts": pages.opts,
        "original": booking,
        "facts": facts,
        "ways": [] if booking.erased_at is not None else [Way(verdict, form)],
        "history": reverse("admin:bookings_booking_history", args=[booking.pk]),
    }
    return TemplateResponse(request, "admin/decision.html", context)
