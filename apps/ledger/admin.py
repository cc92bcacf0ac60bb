"""The ledger in the back office: to read, and top-ups and adjustments, which one person proposes and another confirms."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.accounts.actors import signed_in
from apps.common.back_office import (
    BackOffice,
    DecisionAdmin,
    Huge,
    ReadOnly,
    Reason,
    Verdict,
    amount,
    listed,
    money,
    page_of,
)
from apps.common.environments import Environment
from apps.common.errors import GatewayError
from apps.common.money import in_words
from apps.ledger.forms import MovementForm
from apps.ledger.models import Hold, LedgerEntry, LedgerTransaction, MovementState, StaffMovement, Wallet
from apps.ledger.movements import confirm, move_test_money, propose, refuse

BALANCE = money("balance_cents", "balance")
HELD = money("held_cents", "held")
AVAILABLE = money("available_cents", "available", sortable=False)
WARN_BELOW = money("warn_below_cents", "warn below")
AMOUNT = money("amount_cents", "amount")
HELD_CHANGE = money("held_delta_cents", "change of what is held")
AVAILABLE_AFTER = money("available_after_cents", "available after")
HELD_AFTER = money("held_after_cents", "held after")
OF_WALLET = money("amount_cents", "amount", currency="wallet.currency")
CAPTURED = money("captured_cents", "captured", currency="wallet.currency")


@admin.register(Wallet)
class WalletAdmin(ReadOnly, BackOffice):
    list_display = ["account", "environment", BALANCE, HELD, AVAILABLE, "moved_at"]
    list_filter = ["environment", "currency"]
    list_select_related = ["account"]
    search_fields = ["account__id", "account__name"]
    ordering = ["-id"]
    fields = ["account", "environment", BALANCE, HELD, AVAILABLE, WARN_BELOW, "moved_at", "lines"]
    readonly_fields = [BALANCE, HELD, AVAILABLE, WARN_BELOW, "lines"]

    @admin.display(description="ledger")
    def lines(self, wallet: Wallet) -> str:
        query = {"q": wallet.account_id, "environment__exact": wallet.environment}
        return listed("ledger_ledgertransaction", "Ledger", **query)


class EntryInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = LedgerEntry
    ordering = ["id"]
    fields = ["bucket", AMOUNT]
    readonly_fields = [AMOUNT]


@admin.register(LedgerTransaction)
class LedgerTransactionAdmin(ReadOnly, Huge):
    list_display = [
        "created_at",
        "account",
        "environment",
        "type",
        AMOUNT,
        HELD_CHANGE,
        AVAILABLE_AFTER,
        HELD_AFTER,
        "booking_reference",
    ]
    list_filter = ["environment", "type"]
    list_select_related = ["account"]
    search_fields = [
        "=id",
        "=reference",
        "=booking_reference",
        "=account__id",
        "=operation_id",
        "=request_id",
    ]
    ordering = ["-id"]  # ids sort by time, and have an index whatever the account
    inlines = [EntryInline]
    fieldsets = [
        (None, {"fields": ["id", "account", "environment", "type", "created_at", "description"]}),
        ("Money", {"fields": [AMOUNT, HELD_CHANGE, AVAILABLE_AFTER, HELD_AFTER]}),
        (
            "What it was for",
            {
                "fields": [
                    "reference",
                    "hold",
                    "booking_type",
                    "booking_reference",
                    "key_id",
                    "request_id",
                    "operation_id",
                ]
            },
        ),
    ]
    readonly_fields = ["id", "created_at", AMOUNT, HELD_CHANGE, AVAILABLE_AFTER, HELD_AFTER]


@admin.register(Hold)
class HoldAdmin(ReadOnly, Huge):
    list_display = ["id", "wallet", OF_WALLET, "status", CAPTURED, "created_at", "resolved_at"]
    list_filter = ["status"]
    list_select_related = ["wallet__account"]
    search_fields = ["=id", "=reference", "=wallet__account__id"]
    ordering = ["-id"]
    fields = ["id", "wallet", OF_WALLET, "status", CAPTURED, "reference", "created_at", "resolved_at"]
    readonly_fields = ["id", OF_WALLET, CAPTURED, "created_at"]


@admin.register(StaffMovement)
class StaffMovementAdmin(DecisionAdmin):
    refusals = (GatewayError, PermissionDenied)
    list_display = [
        "proposed_at",
        "type",
        OF_WALLET,
        "account",
        "environment",
        "balance_before",
        "balance_after",
        "evidence",
        "state",
        "proposed_by",
        "decided_by",
    ]
    list_filter = ["state", "type", "wallet__environment"]
    list_select_related = ["wallet__account", "proposed_by", "decided_by"]
    search_fields = ["=id", "=evidence", "=wallet__account__id", "wallet__account__name"]
    ordering = ["-proposed_at"]
    fields = ["account", "environment", "type", "amount", "evidence", "reason", "description"]
    prefilled = ("account", "environment")

    def has_add_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return request.user.has_perm("ledger.add_staffmovement")

    @admin.display(description="account")
    def account(self, movement: StaffMovement) -> str:
        return movement.wallet.account.name

    @admin.display(description="environment")
    def environment(self, movement: StaffMovement) -> str:
        return movement.wallet.environment

    @admin.display(description="balance now")
    def balance_before(self, movement: StaffMovement) -> SafeString | str:
        """Of what is proposed only: that of the others is in the ledger."""
        return money_of(movement) if movement.state == MovementState.PROPOSED else "–"

    @admin.display(description="balance after")
    def balance_after(self, movement: StaffMovement) -> SafeString | str:
        open_ = movement.state == MovementState.PROPOSED
        return money_of(movement, movement.amount_cents) if open_ else "–"

    def get_form(
        self, request: HttpRequest, obj: StaffMovement | None = None, change: bool = False, **kwargs: Any
    ) -> Any:
        return super().get_form(request, obj, change, **{**kwargs, "form": MovementForm})

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The form checks all that the service refuses. What another person did meanwhile is shown here as an error."""
        context = {
            "title": "Propose a top-up or an adjustment",
            "show_save_and_add_another": False,
            "show_save_and_continue": False,
            **(extra_context or {}),
        }
        try:
            return super().add_view(request, form_url, context)
        except GatewayError as refused:
            messages.error(request, str(refused))
            return redirect(request.path)

    def save_model(self, request: HttpRequest, obj: StaffMovement, form: Any, change: bool) -> None:
        """Let the service write it; `obj` becomes the row that the service wrote."""
        person = signed_in(request)
        if form.cleaned_data["environment"] == Environment.TEST:
            written = move_test_money(**form.asked, moved_by=person)
        else:
            written = propose(**form.asked, proposed_by=person)
        obj.pk, obj.wallet, obj.amount_cents, obj.state = (
            written.pk,
            written.wallet,
            written.amount_cents,
            written.state,
        )

    def response_add(
        self, request: HttpRequest, obj: StaffMovement, post_url_continue: str | None = None
    ) -> HttpResponse:
        done = (
            "moved"
            if obj.state == MovementState.CONFIRMED
            else ("proposed. Another member of staff has to confirm it")
        )
        messages.success(request, f"{beginning(obj)} for {obj.wallet.account} {done}.")
        return redirect("admin:ledger_staffmovement_changelist")

    def heading(self, obj: StaffMovement) -> str:
        return beginning(obj)

    def facts(self, request: HttpRequest, obj: StaffMovement) -> Sequence[tuple[str, object]]:
        wallet = obj.wallet
        return [
            ("State", obj.state),
            ("Amount", OF_WALLET(obj)),
            ("Account", page_of(wallet.account)),
            ("Wallet", page_of(wallet, wallet.environment)),
            *balances(obj),
            ("Evidence", obj.evidence),
            ("Reason", obj.reason),
            ("The partner reads", obj.description),
            ("Proposed", f"{obj.proposed_at:%d %b %Y %H:%M} UTC by {obj.proposed_by}"),
            ("Decided", f"{obj.decided_at:%d %b %Y %H:%M} UTC" if obj.decided_at else ""),
            ("Decided by", obj.decided_by),
            ("Refused because", obj.refusal),
            ("Ledger", listed("ledger_ledgertransaction", "Ledger line", q=obj.id)),
        ]

    def verdicts(self, request: HttpRequest, obj: StaffMovement) -> Sequence[Verdict]:
        """Only for a second person who may confirm; the person who proposed sees no buttons."""
        person = signed_in(request)
        may = person.has_perm("ledger.confirm_staffmovement") and person.pk != obj.proposed_by_id
        if not may or obj.state != MovementState.PROPOSED:
            return []
        return [
            Verdict(
                "confirm",
                "Confirm",
                "The money moves at once, and the partner sees the line.",
                partial(self._confirm, obj, person),
            ),
            Verdict(
                "refuse",
                "Refuse",
                "Nothing moves. Who proposed it reads why.",
                partial(self._refuse, obj, person),
                form=Reason,
                grave=True,
            ),
        ]

    def _confirm(self, movement: StaffMovement, person: Any, given: dict[str, Any]) -> str:
        moved = confirm(movement_id=movement.id, confirmed_by=person)
        return (
            f"{in_words(movement.amount_cents, movement.wallet.currency)} moved."
            if moved
            else "It had been confirmed already."
        )

    def _refuse(self, movement: StaffMovement, person: Any, given: dict[str, Any]) -> str:
        refuse(movement_id=movement.id, refused_by=person, reason=given["reason"])
        return "Refused; nothing moved."


def balances(movement: StaffMovement) -> list[tuple[str, object]]:
    """What is available before and after it: now while it is proposed, at the time of its ledger line once it has moved."""
    if movement.state == MovementState.PROPOSED:
        after = money_of(movement, movement.amount_cents)
        short = movement.wallet.available_cents + movement.amount_cents < 0
        note = " (not covered: the balance cannot be below zero)" if short else ""
        return [("Balance now", money_of(movement)), ("Balance after", format_html("{}{}", after, note))]
    line = LedgerTransaction.objects.filter(type=movement.type, reference=movement.id).first()
    if line is None:
        return []
    before = line.available_after_cents - movement.amount_cents
    return [
        ("Balance before", amount(before, movement.wallet.currency)),
        ("Balance after", amount(line.available_after_cents, movement.wallet.currency)),
    ]


def money_of(movement: StaffMovement, more_cents: int = 0) -> SafeString:
    """What is available now, and `more_cents`."""
    return amount(movement.wallet.available_cents + more_cents, movement.wallet.currency)


def beginning(movement: StaffMovement) -> str:
    """`Top-up of 150,000.00 EUR`, for the beginning of a sentence."""
    called = movement.called
    return called[0].upper() + called[1:]
