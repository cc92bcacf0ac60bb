"""Opening a sandbox, and renaming, funding, resetting or closing the one that is shown."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.accounts.models import MAX_SANDBOXES, Sandbox
from apps.common.money import in_words
from apps.ledger.selectors import balance_of
from apps.ledger.services.add_test_funds import add_test_funds
from apps.ledger.trace import Trace
from apps.onboarding.services.sandboxes.close import close_sandbox
from apps.onboarding.services.sandboxes.open import open_sandbox
from apps.onboarding.services.sandboxes.rename import rename_sandbox
from apps.onboarding.services.sandboxes.reset import reset_sandbox
from apps.portal.context import DEVELOPERS, SANDBOX_SESSION_KEY, PortalContext
from apps.portal.form_views import ConfirmView, CreateView, ObjectFormView, Question
from apps.portal.sandbox.forms import ERROR_FIELDS, FundsForm, SandboxNameForm
from apps.portal.sandbox.page import SandboxPage


def manage_context(portal: PortalContext) -> dict[str, Any]:
    """What the parts of the page need that list the sandboxes and add funds."""
    may_change = portal.has_role(DEVELOPERS)
    return {
        "balance": balance_of(portal.account_id, portal.environment),
        "funds_form": FundsForm(currency=portal.account.currency),
        "most_sandboxes": MAX_SANDBOXES,
        "may_change": may_change,
        "may_open": may_change and len(portal.sandboxes) < MAX_SANDBOXES,
    }


class ManageView(SandboxPage):
    """A page that is reached from the page Sandbox, and leads back to it."""

    allowed_roles = DEVELOPERS

    def show(self, sandbox: Sandbox, message: str) -> HttpResponse:
        """Back to the page Sandbox, which shows this one from now on."""
        self.request.session[SANDBOX_SESSION_KEY] = sandbox.name
        messages.success(self.request, message)
        return redirect(self.portal.reverse("sandbox"))


class SandboxOpenView(ManageView, CreateView):
    template, form_class, error_fields = "portal/sandbox/open.html", SandboxNameForm, ERROR_FIELDS

    def extra_context(self) -> dict[str, Any]:
        return {"most_sandboxes": MAX_SANDBOXES}

    def create(self, form: SandboxNameForm) -> HttpResponse:
        sandbox = open_sandbox(account=self.portal.account, name=form.cleaned_data["name"], actor=self.actor)
        return self.show(sandbox, f"“{sandbox.name}” is open. Create a key of it to use it.")


class FundsView(ManageView, CreateView):
    template, form_class, error_fields = "portal/sandbox/funds.html", FundsForm, ERROR_FIELDS

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.page(FundsForm(currency=self.portal.account.currency))

    def post(self, request: HttpRequest) -> HttpResponse:
        form = FundsForm(request.POST, currency=self.portal.account.currency)
        return self.answered(form)

    def create(self, form: FundsForm) -> HttpResponse:
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

    object_name = "sandbox"
    error_fields = ERROR_FIELDS

    def get_object(self) -> Sandbox:
        return self.portal.sandbox

    def address_of(self, sandbox: Sandbox) -> str:
        return self.portal.reverse("sandbox")


class SandboxRenameView(ShownSandboxView):
    template, form_class = "portal/sandbox/rename.html", SandboxNameForm

    def initial(self, sandbox: Sandbox) -> dict[str, Any]:
        return {"name": sandbox.name}

    def change(self, sandbox: Sandbox, form: SandboxNameForm) -> HttpResponse:
        renamed = rename_sandbox(sandbox=sandbox, name=form.cleaned_data["name"], actor=self.actor)
        return self.show(renamed, f"The sandbox is called “{renamed.name}” now.")


class SandboxResetView(ShownSandboxView, ConfirmView[Sandbox]):
    consequences: Sequence[str] = (
        "Bookings, searches, ledger, requests, events and deliveries disappear.",
        "The wallet opens again, the clock shows the real time, and no faults are planted.",
        "Keys and webhook endpoints stay, with their ids and secrets.",
        "Calls that are under way are answered as if they had come before. What was not delivered yet is not sent.",
    )

    def question(self, sandbox: Sandbox) -> Question:
        return Question(
            f"Reset “{sandbox.name}”",
            "The sandbox is empty again.",
            "Reset it",
            self.consequences,
        )

    def change(self, sandbox: Sandbox, form: Any) -> HttpResponse:
        new = reset_sandbox(account_id=sandbox.account_id, actor=self.actor)
        return self.show(new, f"“{new.name}” is empty again.")


class SandboxCloseView(ShownSandboxView, ConfirmView[Sandbox]):
    def question(self, sandbox: Sandbox) -> Question:
        return Question(
            f"Close “{sandbox.name}”",
            "Nobody can use this sandbox any more.",
            "Close it",
            ("Its keys are revoked.", "Its webhook endpoints are sent nothing more."),
        )

    def change(self, sandbox: Sandbox, form: Any) -> HttpResponse:
        close_sandbox(sandbox=sandbox, actor=self.actor)
        return self.show(self.portal.sandboxes[0], f"“{sandbox.name}” is closed.")
