"""The form that sets from which balance on a low balance is a notice."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.common.money import in_words
from apps.ledger.models import Wallet
from apps.ledger.services.warn_below import warn_below
from apps.portal.balance.forms import WarningForm
from apps.portal.context import FINANCE
from apps.portal.form_views import CreateView


class BalanceWarningView(CreateView):
    section = "balance"
    allowed_roles = allowed_roles_to_post = FINANCE
    template, form_class, error_fields = (
        "portal/balance/warning.html",
        WarningForm,
        {"warnBelowCents": "amount"},
    )

    def get(self, request: HttpRequest) -> HttpResponse:
        wallets = Wallet.objects.filter(
            account_id=self.portal.account_id, environment=self.portal.environment
        )
        cents = wallets.values_list("warn_below_cents", flat=True).first()
        return self.page(WarningForm(currency=self.portal.account.currency, cents=cents))

    def post(self, request: HttpRequest) -> HttpResponse:
        return self.answered(WarningForm(request.POST, currency=self.portal.account.currency))

    def create(self, form: WarningForm) -> HttpResponse:
        portal, cents = self.portal, form.cents
        warn_below(
            account_id=portal.account_id, environment=portal.environment, cents=cents, actor=self.actor
        )
        below = "" if cents is None else in_words(cents, portal.account.currency)
        said = (
            f"Home warns when less than {below} is available."
            if below
            else "There is no such warning any more."
        )
        messages.success(self.request, said)
        return redirect(portal.reverse("balance"))
