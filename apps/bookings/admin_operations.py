"""The back office's pages for unresolved operations and for money that moves later, with the actions that end or retry them."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.timesince import timesince

from apps.accounts.actors import signed_in
from apps.accounts.models import User
from apps.bookings.flow.reconcile import settle_soon
from apps.bookings.flow.resolve import Finding, give_up, look_up_now, take_suppliers_word
from apps.bookings.models import OPEN_STATES, Operation, OperationState, Settlement
from apps.bookings.selectors import stuck_operations
from apps.common import clock
from apps.common.back_office import (
    Acts,
    DecisionAdmin,
    FirstChosen,
    Huge,
    ReadOnly,
    Reason,
    Verdict,
    listed,
    money,
    page_of,
)
from apps.common.errors import GatewayError
from apps.common.money import in_words

AT_ONCE = 5
"""How many operations one click looks up, one after the other. Each may take half a minute."""


class SupplierReference(forms.Form):
    supplier_reference = forms.CharField(
        max_length=255, help_text="As the supplier gave it to you; its own response must contain the same"
    )


class GivingUp(Reason):
    client_ref = forms.CharField(max_length=32, help_text="The reference of the operation, to confirm")
    field_order = ["client_ref", "reason"]


class Standing(FirstChosen):
    """Those that wait for staff come first, then those that are over."""

    title = "standing"
    parameter_name = "standing"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [("stuck", "Stuck"), ("review", "With staff"), ("open", "Not resolved"), ("all", "All")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Operation]) -> QuerySet[Operation]:
        value = self.chosen()
        if value == "review":
            return queryset.filter(state=OperationState.REVIEW)
        if value == "open":
            return queryset.filter(state__in=OPEN_STATES)
        if value == "all" or request.GET.get("q"):
            return queryset
        return queryset.filter(pk__in=stuck_operations(clock.now()).values("pk"))


@admin.register(Operation)
class OperationAdmin(DecisionAdmin, Huge):
    refusals = (GatewayError, PermissionDenied)
    list_display = [
        "client_ref",
        "kind",
        "state",
        "age",
        "held",
        "supplier",
        "lookups",
        "next_attempt_at",
        "partner",
    ]
    list_filter = [Standing, "kind", "booking__product", "booking__environment"]
    list_select_related = ["booking__account"]
    search_fields = [
        "client_ref__exact",
        "hold_id__exact",
        "booking__reference__exact",
        "booking__supplier_reference__exact",
    ]
    search_help_text = "A whole reference: the operation's, the booking's or the supplier's; or a hold's id"
    ordering = ["-id"]
    actions = ["look_up"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Operation]:
        """Does not show the requests and answers: they name travellers."""
        unseen = ("request", "prepared", "booking__details", "booking__cancellation")
        return super().get_queryset(request).defer(*unseen)

    def has_resolve_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("bookings.change_operation")

    @admin.display(description="age", ordering="-created_at")
    def age(self, operation: Operation) -> str:
        return timesince(operation.created_at, clock.now(), depth=1)

    @admin.display(description="held", ordering="amount_cents")
    def held(self, operation: Operation) -> str:
        return in_words(operation.amount_cents, operation.booking.currency) if operation.hold_id else "–"

    @admin.display(description="supplier")
    def supplier(self, operation: Operation) -> str:
        return operation.booking.supplier_name

    @admin.display(description="account")
    def partner(self, operation: Operation) -> str:
        return f"{operation.booking.account} ({operation.booking.environment})"

    @admin.action(description=f"Look up now, up to {AT_ONCE}", permissions=["resolve"])
    def look_up(self, request: HttpRequest, operations: QuerySet[Operation]) -> None:
        person, chosen = signed_in(request), list(operations[: AT_ONCE + 1])
        if len(chosen) > AT_ONCE:
            self.message_user(request, f"At most {AT_ONCE} at once.", messages.ERROR)
            return
        for operation in chosen:
            try:
                said = self._look_up(operation, person, {})
            except self.refusals as refused:
                self.message_user(request, f"{operation.client_ref}: {refused}", messages.WARNING)
            else:
                self.log_change(request, operation, f"Look up now. {said}")
                self.message_user(request, f"{operation.client_ref}: {said}")

    def heading(self, obj: Operation) -> str:
        return f"{obj.get_kind_display()} {obj.client_ref}"

    def facts(self, request: HttpRequest, obj: Operation) -> Sequence[tuple[str, object]]:
        booking = obj.booking
        return [
            ("State", obj.get_state_display()),
            ("Why it failed", obj.failure),
            ("Age", f"{self.age(obj)}, since {obj.created_at:%d %b %Y %H:%M:%S} UTC"),
            ("Supplier asked", said_at(obj.call_started_at)),
            ("Look-ups", obj.lookups),
            ("First not found", said_at(obj.first_not_found_at)),
            ("Next attempt", said_at(obj.next_attempt_at)),
            ("Resolved", said_at(obj.resolved_at)),
            ("Held for it", self.held(obj)),
            ("Ledger", listed("ledger_ledgertransaction", "Ledger", q=obj.client_ref)),
            ("Booking", page_of(booking, f"{booking.reference}, {booking.status}")),
            ("Supplier", booking.supplier_name),
            ("Supplier's reference", booking.supplier_reference),
            ("Account", page_of(booking.account)),
            ("Environment", booking.environment),
            ("Alerts", listed("suppliers_supplieralert", "About this operation", q=obj.client_ref)),
        ]

    def verdicts(self, request: HttpRequest, obj: Operation) -> Sequence[Verdict]:
        """One that is open can be looked up, unless it awaits approval; one that is with staff can be ended in two ways."""
        if (
            obj.state not in OPEN_STATES
            or obj.state == OperationState.AWAITING
            or not self.has_resolve_permission(request)
        ):
            return []
        person = signed_in(request)
        look = Verdict(
            "look_up",
            "Look up now",
            "Asks the supplier for our reference. What it has is settled as ever.",
            partial(self._look_up, obj, person),
        )
        return [look, *self._ends(obj, person)] if obj.state == OperationState.REVIEW else [look]

    def _ends(self, obj: Operation, person: User) -> Sequence[Verdict]:
        return [
            Verdict(
                "has_it",
                "The supplier has it",
                "The supplier is called again, and the booking is confirmed with its response: nothing is typed in.",
                partial(self._has_it, obj, person),
                form=SupplierReference,
            ),
            Verdict(
                "lacks_it",
                "The supplier certainly does not have it",
                "The operation fails and its funds are free. If the supplier has it after all, we pay for it.",
                partial(self._lacks_it, obj, person),
                form=GivingUp,
                grave=True,
            ),
        ]

    def _look_up(self, operation: Operation, person: User, given: dict[str, Any]) -> str:
        finding: Finding = look_up_now(operation_id=operation.pk, looked_up_by=person)
        return str(finding.label)

    def _has_it(self, operation: Operation, person: User, given: dict[str, Any]) -> str:
        take_suppliers_word(operation_id=operation.pk, resolved_by=person, **given)
        return "Confirmed with the supplier's answer."

    def _lacks_it(self, operation: Operation, person: User, given: dict[str, Any]) -> str:
        give_up(operation_id=operation.pk, resolved_by=person, **given)
        return "Given up; its funds are free."


def said_at(instant: Any) -> str:
    return f"{instant:%d %b %Y %H:%M:%S} UTC" if instant else ""


AMOUNT = money("amount_cents", "amount", currency="booking.currency")


class SettlementStanding(FirstChosen):
    """Those that failed come first: whatever else is owed waits for its time."""

    title = "standing"
    parameter_name = "standing"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [("failing", "Failing"), ("owed", "Owed"), ("all", "All")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Settlement]) -> QuerySet[Settlement]:
        if self.chosen() == "all" or request.GET.get("q"):
            return queryset
        owed = queryset.filter(settled_at__isnull=True)
        return owed if self.chosen() == "owed" else owed.filter(failures__gt=0)


@admin.register(Settlement)
class SettlementAdmin(ReadOnly, Acts):
    list_display = [
        "booking_reference",
        "action",
        AMOUNT,
        "partner",
        "failures",
        "failure",
        "next_attempt_at",
        "settled_at",
    ]
    list_display_links = ["booking_reference"]
    list_filter = [SettlementStanding]
    search_fields = ["booking__reference__exact", "hold_id__exact"]
    search_help_text = "A whole reference: the booking's; or a hold's id"
    ordering = ["-id"]
    actions = ["try_now"]
    fields = [
        "booking_page",
        "operation_page",
        "action",
        AMOUNT,
        "hold_id",
        "created_at",
        "settled_at",
        "next_attempt_at",
        "failures",
        "failure",
        "ledger",
    ]
    readonly_fields = ["booking_page", "operation_page", AMOUNT, "created_at", "ledger"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Settlement]:
        """Does not read what names travellers."""
        unseen = ("booking__details", "booking__cancellation", "operation__request", "operation__prepared")
        return super().get_queryset(request).select_related("booking__account", "operation").defer(*unseen)

    def has_operate_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("bookings.change_settlement")

    @admin.display(description="booking")
    def booking_reference(self, settlement: Settlement) -> str:
        return settlement.booking.reference

    @admin.display(description="account")
    def partner(self, settlement: Settlement) -> str:
        return f"{settlement.booking.account} ({settlement.booking.environment})"

    @admin.display(description="booking")
    def booking_page(self, settlement: Settlement) -> Any:
        return page_of(settlement.booking, settlement.booking.reference)

    @admin.display(description="operation")
    def operation_page(self, settlement: Settlement) -> Any:
        return page_of(settlement.operation, settlement.operation.client_ref)

    @admin.display(description="ledger")
    def ledger(self, settlement: Settlement) -> Any:
        return listed("ledger_ledgertransaction", "Ledger", q=settlement.operation.client_ref)

    @admin.action(description="Try now what failed", permissions=["operate"])
    def try_now(self, request: HttpRequest, settlements: QuerySet[Settlement]) -> None:
        self.each(request, settlements, settle_soon, "To be tried now")
