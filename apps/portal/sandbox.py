"""The sandbox: its funds, clock and faults; opening, renaming, resetting and closing one."""

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from apps.accounts.clocks import FURTHEST, move_clock
from apps.accounts.faults import MOST_LATENCY_MS, MOST_SEED, WHOLE, Faults, set_faults
from apps.accounts.models import MAX_SANDBOXES, Sandbox
from apps.common import clock
from apps.common.environments import Environment
from apps.common.errors import Conflict, GatewayError
from apps.common.forms import MoneyField
from apps.common.ids import new_id
from apps.common.money import in_words, to_cents
from apps.ledger.money import MOST_AT_ONCE_CENTS, OPENING_BALANCE, Trace, add_test_funds
from apps.ledger.selectors import balance_of
from apps.onboarding.sandboxes import close_sandbox, open_sandbox, rename_sandbox, reset_sandbox
from apps.portal.base import PortalView
from apps.portal.context import DEVELOPERS, SANDBOX_SESSION_KEY, PortalContext
from apps.portal.forms import ConfirmView, FormView, ObjectFormView, Question
from apps.portal.templatetags.portal import span


class SandboxPage(PortalView):
    section = "sandbox"

    def handle(self, request: HttpRequest, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Raises Http404 in live: nothing of it can be moved, reset or given funds."""
        if self.portal.is_live:
            raise Http404
        return super().handle(request, args, kwargs)

    def address_in(self, environment: str) -> str:
        """From here the switch leads to the home page of live, which has no such page."""
        if environment == Environment.LIVE:
            return reverse("portal:home", kwargs={"environment": environment})
        return super().address_in(environment)


class SandboxNameForm(forms.Form):
    name = forms.CharField(
        max_length=Sandbox._meta.get_field("name").max_length,
        help_text="For example the system that uses it: CI, staging.",
    )


class FundsForm(forms.Form):
    """`once` makes a form that is sent twice add its amount once."""

    amount = forms.DecimalField(localize=False)
    once = forms.RegexField(r"fund_[0-9a-z]{26}", max_length=40, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, currency: str) -> None:
        initial = {"amount": OPENING_BALANCE, "once": new_id("fund")}
        super().__init__(data, initial=initial)
        self.currency = currency
        self.fields["amount"] = MoneyField(
            label=f"Amount in {currency}", currency=currency, most_cents=MOST_AT_ONCE_CENTS
        )

    @property
    def usual(self) -> str:
        """What the button adds, in words: as much as a wallet opens with."""
        return in_words(to_cents(OPENING_BALANCE, self.currency), self.currency)

    @property
    def cents(self) -> int:
        cents: int = self.cleaned_data["amount"]
        return cents

    @property
    def reference(self) -> str:
        return f"{self.cleaned_data['once']}:{self.cents}"


STEPS = {
    "20min": ("+20 min", timedelta(minutes=20), "offers and quotes expire"),
    "24h": ("+24 h", timedelta(hours=24), "Idempotency-Keys and rotated secrets expire"),
    "32h": ("+32 h", timedelta(hours=32), "the last retry of a webhook is near"),
    "30d": ("+30 days", timedelta(days=30), "events and deliveries are forgotten"),
    "365d": ("+365 days", timedelta(days=365), "the approval for live keys expires here"),
}
"""By the value of the button: its label, how far it moves the clock, and what that lets one see."""
MIDNIGHT = "midnight"


class SandboxView(SandboxPage):
    def get(self, request: HttpRequest) -> HttpResponse:
        parts = (self.clock_context(), manage_context(self.portal), {"faults": shown_faults(self.portal)})
        return self.render(
            "portal/sandbox/index.html", {name: value for part in parts for name, value in part.items()}
        )

    def post(self, request: HttpRequest) -> HttpResponse:
        """Move the clock by the step that was pressed."""
        step = request.POST.get("advance", "")
        if step not in STEPS and step != MIDNIGHT:
            raise Http404
        try:
            offset = move_clock(account_id=self.portal.place.account_id, actor=self.actor, **how_far(step))
        except GatewayError as refused:
            messages.error(request, reason_of(refused))
        else:
            messages.success(request, f"This sandbox is now {span(offset)} ahead.")
        return redirect(self.portal.reverse("sandbox"))

    def clock_context(self) -> dict[str, Any]:
        ahead = self.portal.place.clock_offset
        return {
            "now": clock.now_here(),
            "ahead": ahead,
            "left": FURTHEST - ahead,
            "furthest_days": FURTHEST.days,
            "may_move": self.portal.has_role(self.allowed_roles_to_post),
            "steps": [(value, label, what) for value, (label, _, what) in STEPS.items()],
        }


def how_far(step: str) -> dict[str, Any]:
    """The argument of `move_clock`. Midnight is the next one of UTC, by the clock of the sandbox."""
    if step != MIDNIGHT:
        return {"by": STEPS[step][1]}
    there = clock.now_here()
    return {"until": datetime.combine(there.date() + timedelta(days=1), time(), there.tzinfo)}


def reason_of(refused: GatewayError) -> str:
    """In words for people; a clock that would be too far ahead is the usual one."""
    details = refused.extras.get("details")
    return f"The clock {details[0]['message']}." if isinstance(details, list) else refused.message


def manage_context(portal: PortalContext) -> dict[str, Any]:
    """What the parts of the page need that list the sandboxes and add funds."""
    return {
        "balance": balance_of(*portal.stored),
        "funds_form": FundsForm(currency=portal.account.currency),
        "most_sandboxes": MAX_SANDBOXES,
        "may_open": portal.has_role(DEVELOPERS) and len(portal.sandboxes) < MAX_SANDBOXES,
    }


class ManageView(SandboxPage):
    """A page that is reached from the page Sandbox, and leads back to it."""

    allowed_roles = DEVELOPERS

    def show(self, sandbox: Sandbox, message: str) -> HttpResponse:
        """Back to the page Sandbox, which shows this one from now on."""
        self.request.session[SANDBOX_SESSION_KEY] = sandbox.name
        messages.success(self.request, message)
        return redirect(self.portal.reverse("sandbox"))


class SandboxOpenView(ManageView, FormView):
    template, form_class = "portal/sandbox/open.html", SandboxNameForm

    def extra_context(self) -> dict[str, Any]:
        return {"most_sandboxes": MAX_SANDBOXES}

    def save(self, form: SandboxNameForm) -> HttpResponse:
        sandbox = open_sandbox(account=self.portal.account, name=form.cleaned_data["name"], actor=self.actor)
        return self.show(sandbox, f"“{sandbox.name}” is open. Create a key of it to use it.")


class FundsView(ManageView, FormView):
    template, form_class = "portal/sandbox/funds.html", FundsForm
    error_fields = {"amountCents": "amount"}

    def form(self, data: Any = None) -> FundsForm:
        return FundsForm(data, currency=self.portal.account.currency)

    def save(self, form: FundsForm) -> HttpResponse:
        portal, currency = self.portal, self.portal.account.currency
        balance = add_test_funds(
            account_id=portal.account_id,
            currency=currency,
            amount_cents=form.cents,
            reference=form.reference,
            trace=Trace(description=f"Added by {portal.user.email}"[:255]),
            actor=self.actor,
        )
        messages.success(self.request, f"Available now: {in_words(balance.available_cents, currency)}.")
        return redirect(portal.reverse("sandbox"))


class ShownSandboxView(ManageView, ObjectFormView[Sandbox]):
    """A form about the sandbox that is shown."""

    name = "sandbox"

    def get_object(self) -> Sandbox:
        return self.portal.sandbox

    def address(self) -> str:
        return self.portal.reverse("sandbox")


class SandboxRenameView(ShownSandboxView):
    template, form_class = "portal/sandbox/rename.html", SandboxNameForm

    def initial(self) -> dict[str, Any]:
        return {"name": self.object.name}

    def save(self, form: SandboxNameForm) -> HttpResponse:
        renamed = rename_sandbox(sandbox=self.object, name=form.cleaned_data["name"], actor=self.actor)
        return self.show(renamed, f"The sandbox is now called “{renamed.name}”.")


class SandboxResetView(ShownSandboxView, ConfirmView[Sandbox]):
    consequences: Sequence[str] = (
        "Bookings, searches, ledger, requests, events and deliveries disappear.",
        "The balance is the opening balance, the clock shows real time, and all faults are off.",
        "Keys and webhook endpoints keep their ids and secrets.",
        "Calls in progress count as made before the reset, or are refused. Undelivered events are not sent.",
    )

    def question(self) -> Question:
        heading = f"Reset “{self.object.name}”"
        return Question(heading, "All of its data is removed.", "Reset it", self.consequences)

    def save(self, form: Any) -> HttpResponse:
        new = reset_sandbox(account_id=self.object.account_id, actor=self.actor)
        return self.show(new, f"“{new.name}” is empty again.")


class SandboxCloseView(ShownSandboxView, ConfirmView[Sandbox]):
    def question(self) -> Question:
        return Question(
            f"Close “{self.object.name}”",
            "This sandbox can no longer be used.",
            "Close it",
            ("Its keys are revoked.", "Its webhook endpoints get no more events."),
        )

    def save(self, form: Any) -> HttpResponse:
        close_sandbox(sandbox=self.object, actor=self.actor)
        return self.show(self.portal.sandboxes[0], f"“{self.object.name}” is closed.")


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
        "Refused calls, %", "The supplier refuses: 502, nothing is booked, the funds are released."
    )
    lost_answer_share = Percent(
        "Lost responses, %", "The call is carried out, but the connection closes without a response."
    )
    latency_ms = forms.IntegerField(
        label="Delay, ms",
        help_text="Added to every response of /v1.",
        min_value=0,
        max_value=MOST_LATENCY_MS,
    )
    duplicate_delivery_share = Percent(
        "Duplicate webhooks, %", "Sent again after your receiver has accepted them."
    )
    shuffle_deliveries = forms.BooleanField(
        label="Send webhooks that are due together in random order", required=False
    )
    seed = forms.IntegerField(
        label="Seed",
        help_text="The same seed and the same calls get the same faults.",
        min_value=0,
        max_value=MOST_SEED,
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if sum(data.get(name) or 0 for name in ("error_share", "lost_answer_share")) > 100:
            self.add_error(
                "lost_answer_share", "Refused calls and lost responses must not exceed 100 % together."
            )
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
        ("Lost responses", faults.lost_answer_share),
        ("Duplicate webhooks", faults.duplicate_delivery_share),
    )
    found = [(label, f"{percent(share)} %") for label, share in shares if share]
    if faults.latency_ms:
        found.append(("Delayed responses", f"{faults.latency_ms} ms"))
    if faults.shuffle_deliveries:
        found.append(("Webhooks in random order", "yes"))
    return [*found, ("Seed", str(faults.seed))] if found else []


def percent(share: int) -> str:
    return f"{Decimal(share) / PERCENT:g}"


class FaultsView(SandboxPage, FormView):
    """Its button "Turn all off" sends nothing but `off`."""

    allowed_roles = DEVELOPERS
    template, form_class = "portal/sandbox/faults.html", FaultsForm

    def form(self, data: Any = None) -> FaultsForm:
        faults = Faults.of(self.portal.sandbox.faults)
        initial: dict[str, Any] = {
            "latency_ms": faults.latency_ms,
            "shuffle_deliveries": bool(faults.shuffle_deliveries),
            "seed": faults.seed,
        }
        shares = ("error_share", "lost_answer_share", "duplicate_delivery_share")
        return FaultsForm(data, initial=initial | {name: percent(getattr(faults, name)) for name in shares})

    def post(self, request: HttpRequest) -> HttpResponse:
        if "off" not in request.POST:
            return super().post(request)
        try:
            return self.set_to(Faults(), "All faults are off.")
        except Conflict as refusal:
            messages.error(request, refusal.message)
            return redirect(self.portal.reverse("sandbox"))

    def save(self, form: FaultsForm) -> HttpResponse:
        return self.set_to(form.faults(), "The faults are set, and calls are counted from 1 again.")

    def set_to(self, faults: Faults, message: str) -> HttpResponse:
        set_faults(account_id=self.portal.account_id, faults=faults)
        messages.success(self.request, message)
        return redirect(self.portal.reverse("sandbox"))
