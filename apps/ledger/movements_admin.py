"""Top-ups and adjustments in the back office: proposed by one person, confirmed or refused by another."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.accounts.actors import signed_in
from apps.common.back_office import DecisionAdmin, Reason, Verdict, listed, page_of
from apps.common.errors import GatewayError
from apps.common.money import in_words
from apps.ledger.forms import MovementForm
from apps.ledger.models import MovementState, StaffMovement
from apps.ledger.services.movements import confirm, propose, refuse


@admin.register(StaffMovement)
class StaffMovementAdmin(DecisionAdmin):
    refusals = (GatewayError, PermissionDenied)
    list_display = [
        "proposed_at",
        "type",
        "money",
        "wallet",
        "evidence",
        "state",
        "proposed_by",
        "decided_by",
    ]
    list_filter = ["state", "type", "wallet__environment"]
    list_select_related = ["wallet", "proposed_by", "decided_by"]
    search_fields = ["=id", "=evidence", "=wallet__account__id", "wallet__account__name"]
    ordering = ["-proposed_at"]
    raw_id_fields = ["wallet"]

    def has_add_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return request.user.has_perm("ledger.add_staffmovement")

    @admin.display(description="amount", ordering="amount_cents")
    def money(self, movement: StaffMovement) -> str:
        return in_words(movement.amount_cents, movement.wallet.currency)

    def get_form(
        self, request: HttpRequest, obj: StaffMovement | None = None, change: bool = False, **kwargs: Any
    ) -> Any:
        return super().get_form(request, obj, change, **{**kwargs, "form": MovementForm})

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The form checks all that the service refuses. What another person did meanwhile is shown here as an error."""
        context = {"title": "Propose a movement", **(extra_context or {})}
        try:
            return super().add_view(request, form_url, context)
        except GatewayError as refused:
            messages.error(request, str(refused))
            return redirect(request.path)

    def save_model(
        self, request: HttpRequest, obj: StaffMovement, form: "forms.ModelForm[StaffMovement]", change: bool
    ) -> None:
        """Let the service write it; `obj` becomes the row that the service wrote."""
        proposed = propose(**form.cleaned_data, proposed_by=signed_in(request))
        obj.pk = proposed.pk

    def heading(self, obj: StaffMovement) -> str:
        return f"{obj.type.replace('_', '-').capitalize()} of {self.money(obj)}"

    def facts(self, request: HttpRequest, obj: StaffMovement) -> Sequence[tuple[str, object]]:
        wallet = obj.wallet
        balance = in_words(wallet.available_cents, wallet.currency)
        return [
            ("State", obj.state),
            ("Amount", self.money(obj)),
            ("Account", page_of(wallet.account)),
            ("Wallet", page_of(wallet, f"{wallet.environment}, {balance} available now")),
            ("Evidence", obj.evidence),
            ("Reason", obj.reason),
            ("The partner reads", obj.description),
            ("Proposed", f"{obj.proposed_at:%d %b %Y %H:%M} UTC by {obj.proposed_by}"),
            ("Decided", f"{obj.decided_at:%d %b %Y %H:%M} UTC" if obj.decided_at else ""),
            ("Decided by", obj.decided_by),
            ("Refused because", obj.refusal),
            ("Ledger", listed("ledger_ledgertransaction", "The step it became", q=obj.id)),
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
        return f"{self.money(movement)} moved." if moved else "It had been confirmed already."

    def _refuse(self, movement: StaffMovement, person: Any, given: dict[str, Any]) -> str:
        refuse(movement_id=movement.id, refused_by=person, reason=given["reason"])
        return "Refused; nothing moved."
