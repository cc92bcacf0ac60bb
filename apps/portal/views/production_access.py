"""The approval for live keys: asking for it, how long it holds, what lapses with it."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.accounts.models import LIVE_APPROVAL_PERIOD, AccountAuditEntry, AuditAction
from apps.accounts.selectors.audit import Filters, page_of_trail
from apps.accounts.services.live_approval import request_live_approval
from apps.common import clock
from apps.gateway.errors import Conflict
from apps.portal.forms.production_access import AskForProductionAccess
from apps.portal.go_live import live_keys_of, next_step, steps_of
from apps.portal.place import OWNERS, PortalView

RENEW_DAYS = 60
"""How long before its end the approval is spoken of as lapsing."""


class ProductionAccess(PortalView):
    section = "production_access"
    of_account = True
    may_post = OWNERS

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.page(AskForProductionAccess())

    def post(self, request: HttpRequest) -> HttpResponse:
        form = AskForProductionAccess(request.POST)
        if not form.is_valid():
            return self.page(form, status=400)
        try:
            request_live_approval(
                account=self.place.account, note=form.cleaned_data["note"], actor=self.actor
            )
        except Conflict:
            messages.info(request, "Production access has been asked for already.")
        else:
            messages.success(request, "Asked for. A person looks at it, usually within one working day.")
        return redirect("portal:production_access")

    def page(self, form: AskForProductionAccess, *, status: int = 200) -> HttpResponse:
        return self.render(
            "portal/production_access/index.html", {"form": form, **self.state()}, status=status
        )

    def state(self) -> dict[str, Any]:
        account, now = self.place.account, clock.now()
        state = account.live_approval_state(now)
        until, steps = account.live_approved_until, steps_of(account, now)
        days_left = (until - now).days if state == "approved" and until else None
        return {
            "state": state,
            "until": until,
            "days_left": days_left,
            "period_days": LIVE_APPROVAL_PERIOD.days,
            "lapses_soon": days_left is not None and days_left <= RENEW_DAYS,
            "may_ask": self.place.is_one_of(OWNERS)
            and account.live_requested_at is None
            and (days_left is None or days_left <= RENEW_DAYS),
            "refused": self.last_refusal(),
            "live_keys": live_keys_of(account),
            "steps": steps,
            "next_step": next_step(steps),
        }

    def last_refusal(self) -> AccountAuditEntry | None:
        """The refusal that the last request met; None where something else came after it."""
        trail = page_of_trail(self.place.account.pk, filters=Filters(group="access"), limit=1).entries
        return next((entry for entry in trail if entry.action == AuditAction.ACCESS_REFUSED), None)
