"""The faults of the sandbox that is shown: which are on, and the form that sets them."""

from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.accounts.faults import MOST_LATENCY_MS, MOST_SEED, WHOLE, Faults
from apps.accounts.services.set_faults import set_faults
from apps.common.errors import Conflict
from apps.portal.context import DEVELOPERS, PortalContext
from apps.portal.form_views import CreateView
from apps.portal.sandbox.page import SandboxPage

PERCENT = WHOLE // 100
"""Stored parts in one percent."""


class Percent(forms.DecimalField):
    def __init__(self, label: str, help_text: str) -> None:
        super().__init__(
            label=label,
            help_text=help_text,
            min_value=Decimal(0),
            max_value=Decimal(100),
            decimal_places=2,
            localize=False,
        )


class FaultsForm(forms.Form):
    error_share = Percent(
        "Refused calls, %", "The supplier refuses: 502, nothing booked, the funds free again."
    )
    lost_answer_share = Percent(
        "Lost answers, %", "The work is done, and the connection ends without an answer."
    )
    latency_ms = forms.IntegerField(
        label="Late answers, ms",
        help_text="Added to every answer of /v1.",
        min_value=0,
        max_value=MOST_LATENCY_MS,
    )
    duplicate_delivery_share = Percent(
        "Webhooks that come twice, %", "Sent again once your receiver accepted them."
    )
    shuffle_deliveries = forms.BooleanField(
        label="Webhooks that are due together come in another order", required=False
    )
    seed = forms.IntegerField(
        label="Seed",
        help_text="The same seed and the same calls have the same faults.",
        min_value=0,
        max_value=MOST_SEED,
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if sum(data.get(name) or 0 for name in ("error_share", "lost_answer_share")) > 100:
            self.add_error("lost_answer_share", "Refused and lost calls can make at most 100 % together.")
        return data

    def faults(self) -> Faults:
        data = self.cleaned_data
        return Faults(
            latency_ms=data["latency_ms"],
            error_share=int(data["error_share"] * PERCENT),
            lost_answer_share=int(data["lost_answer_share"] * PERCENT),
            duplicate_delivery_share=int(data["duplicate_delivery_share"] * PERCENT),
            shuffle_deliveries=int(data["shuffle_deliveries"]),
            seed=data["seed"],
        )


def shown_faults(portal: PortalContext) -> list[tuple[str, str]]:
    """What is on, as pairs of label and value; empty where all is off."""
    faults = Faults.of(portal.sandbox.faults)
    shares = (
        ("Refused calls", faults.error_share),
        ("Lost answers", faults.lost_answer_share),
        ("Webhooks that come twice", faults.duplicate_delivery_share),
    )
    found = [(label, f"{percent(share)} %") for label, share in shares if share]
    if faults.latency_ms:
        found.append(("Late answers", f"{faults.latency_ms} ms"))
    if faults.shuffle_deliveries:
        found.append(("Webhooks in another order", "yes"))
    return [*found, ("Seed", str(faults.seed))] if found else []


def percent(share: int) -> str:
    return f"{Decimal(share) / PERCENT:g}"


class FaultsView(SandboxPage, CreateView):
    """Its button "Turn all off" sends nothing but `off`."""

    allowed_roles = DEVELOPERS
    template, form_class = "portal/sandbox/faults.html", FaultsForm

    def get(self, request: HttpRequest) -> HttpResponse:
        faults = Faults.of(self.portal.sandbox.faults)
        shares = ("error_share", "lost_answer_share", "duplicate_delivery_share")
        initial = {name: percent(getattr(faults, name)) for name in shares}
        rest = {
            "latency_ms": faults.latency_ms,
            "shuffle_deliveries": bool(faults.shuffle_deliveries),
            "seed": faults.seed,
        }
        return self.page(FaultsForm(initial={**initial, **rest}))

    def post(self, request: HttpRequest) -> HttpResponse:
        if "off" not in request.POST:
            return super().post(request)
        try:
            return self.set_to(Faults(), "All faults are off.")
        except Conflict as refusal:
            messages.error(request, refusal.message)
            return redirect(self.portal.reverse("sandbox"))

    def create(self, form: FaultsForm) -> HttpResponse:
        return self.set_to(form.faults(), "The faults are set. Their numbers start again.")

    def set_to(self, faults: Faults, message: str) -> HttpResponse:
        set_faults(account_id=self.portal.account_id, faults=faults)
        messages.success(self.request, message)
        return redirect(self.portal.reverse("sandbox"))
