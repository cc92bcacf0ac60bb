"""The catalogue in the back office: read, never edited, for the next sync would undo it. And refund requests, about which staff
record what the supplier decided where nothing else does.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.accounts.actors import Actor, actor_of, signed_in
from apps.common.back_office import (
    BackOffice,
    DecisionAdmin,
    FirstChosen,
    Huge,
    ReadOnly,
    Reason,
    Verdict,
    amount,
    listed,
    money,
    page_of,
)
from apps.common.errors import GatewayError
from apps.common.money import to_cents, to_major
from apps.esim.details import OrderDetails
from apps.esim.models import Plan, RefundRequest, RefundStatus
from apps.esim.selectors import open_refund_requests, to_be_looked_at
from apps.esim.services.refunds import end_request

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


class Standing(FirstChosen):
    """Those of live orders that are open come first, the most urgent at the top."""

    title = "standing"
    parameter_name = "standing"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [("open", "Open"), ("alerted", "To be reviewed"), ("all", "All")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[RefundRequest]) -> QuerySet[RefundRequest]:
        if self.chosen() == "all" or request.GET.get("q"):
            return queryset
        chosen = to_be_looked_at() if self.chosen() == "alerted" else open_refund_requests()
        return queryset.filter(pk__in=chosen.values("pk"))


class Granting(Reason):
    amount = forms.DecimalField(
        max_digits=18,
        decimal_places=3,
        help_text="In units of the order's currency; all of it cancels the order",
    )
    field_order = ["amount", "reason"]


@admin.register(RefundRequest)
class RefundRequestAdmin(DecisionAdmin, Huge):
    refusals = (GatewayError,)
    list_display = [
        "reference", "supplier", "partner", "status", "reason", "is_certain", "supplier_says", "requested_at", "due_at"
    ]  # fmt: skip
    list_filter = [Standing]
    list_select_related = ["booking__account"]
    search_fields = [
        "client_ref__exact",
        "supplier_reference__exact",
        "booking__reference__exact",
        "booking__supplier_reference__exact",
    ]
    search_help_text = "A whole reference: the request's or the order's, ours or the supplier's"
    ordering = ["due_at"]

    def has_decide_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("esim.change_refundrequest")

    @admin.display(description="order", ordering="booking__reference")
    def reference(self, asked: RefundRequest) -> str:
        return asked.booking.reference

    @admin.display(description="supplier")
    def supplier(self, asked: RefundRequest) -> str:
        return asked.booking.supplier_name

    @admin.display(description="account")
    def partner(self, asked: RefundRequest) -> str:
        return f"{asked.booking.account} ({asked.booking.environment})"

    def heading(self, obj: RefundRequest) -> str:
        return f"Refund request of {obj.booking.reference}"

    def facts(self, request: HttpRequest, obj: RefundRequest) -> Sequence[tuple[str, object]]:
        booking = obj.booking
        asked = OrderDetails.of(booking).refund
        said = (
            "It has the request" if obj.is_certain else ("Its response was lost: it may not have the request")
        )
        return [
            ("Status", obj.get_status_display()),
            ("What the supplier decided", said),
            ("Its reference of the request", obj.supplier_reference),
            ("The order's status there", obj.supplier_says),
            ("Reason", obj.reason),
            ("Notes", asked.notes if asked is not None else ""),
            ("Requested", at(obj.requested_at)),
            ("To be decided by", at(obj.due_at)),
            ("Staff alerted", at(obj.alerted_at)),
            ("Decided", at(obj.decided_at)),
            ("Paid", amount(booking.total_cents, booking.currency)),
            ("Refunded", amount(obj.refunded_cents, booking.currency)),
            ("Order", page_of(booking, f"{booking.reference}, {booking.status}")),
            ("Supplier", booking.supplier_name),
            ("Supplier's reference", booking.supplier_reference),
            ("Account", page_of(booking.account)),
            ("Environment", booking.environment),
            ("Operation", listed("bookings_operation", obj.client_ref, q=obj.client_ref)),
            ("Ledger", listed("ledger_ledgertransaction", "Ledger", q=booking.reference)),
        ]

    def verdicts(self, request: HttpRequest, obj: RefundRequest) -> Sequence[Verdict]:
        if obj.decided_at is not None or not self.has_decide_permission(request):
            return []
        actor, booking = actor_of(signed_in(request)), obj.booking
        return [
            Verdict(
                "granted",
                "The supplier refunds it",
                "The amount goes to the partner's balance now, and the partner gets an event. All of it cancels the order.",
                partial(self._decide, obj, actor, RefundStatus.GRANTED),
                form=Granting,
                initial={"amount": to_major(booking.total_cents, booking.currency)},
            ),
            Verdict(
                "declined",
                "The supplier does not refund it",
                "No money moves, and the partner gets an event. The partner may request it again.",
                partial(self._decide, obj, actor, RefundStatus.DECLINED),
                form=Reason,
                grave=True,
            ),
        ]

    def _decide(self, asked: RefundRequest, actor: Actor, status: RefundStatus, given: dict[str, Any]) -> str:
        cents = to_cents(given["amount"], asked.booking.currency) if "amount" in given else 0
        end_request(
            booking_id=asked.booking_id,
            client_ref=asked.client_ref,
            status=status,
            amount_cents=cents,
            decided_by=actor,
            reason=given["reason"],
        )
        return f"Recorded: {status.label.lower()}."


def at(instant: Any) -> str:
    return f"{instant:%d %b %Y %H:%M:%S} UTC" if instant else ""
