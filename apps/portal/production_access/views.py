"""The approval for live keys: asking for it, how long it lasts, and what lapses with it."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect

from apps.accounts.models import LIVE_APPROVAL_PERIOD, AccountAuditEntry, AuditAction
from apps.accounts.selectors.audit import Filters, page_of_trail
from apps.accounts.services.live_approval import request_live_approval
from apps.common import clock
from apps.common.errors import Conflict
from apps.portal.context import OWNERS
from apps.portal.form_views import CreateView
from apps.portal.production_access.forms import ProductionAccessForm
from apps.portal.production_access.steps import live_keys_of, next_step, steps_of

RENEW_DAYS = 60
"""So many days before the approval ends, the page says so and lets owners ask for another year."""


class ProductionAccessView(CreateView):
    section = "production_access"
    account_wide = True
    allowed_roles_to_post = OWNERS

    template, form_class = "portal/production_access/index.html", ProductionAccessForm

    def create(self, form: ProductionAccessForm) -> HttpResponse:
        try:
            request_live_approval(
                account=self.portal.account, note=form.cleaned_data["note"], actor=self.actor
            )
        except Conflict:
            messages.info(self.request, "You have asked for live keys already.")
        else:
            messages.success(self.request, "Sent. We usually answer within one working day.")
        return redirect("portal:production_access")

    def extra_context(self) -> dict[str, Any]:
        account, now = self.portal.account, clock.now()
        state = account.live_approval_state(now)
        until, steps = account.live_approved_until, steps_of(account, now)
        days_left = (until - now).days if state == "approved" and until else None
        return {
            "state": state,
            "until": until,
            "days_left": days_left,
            "period_days": LIVE_APPROVAL_PERIOD.days,
            "lapses_soon": days_left is not None and days_left <= RENEW_DAYS,
            "may_ask": self.portal.has_role(OWNERS)
            and account.live_requested_at is None
            and (days_left is None or days_left <= RENEW_DAYS),
            "refused": self.last_refusal(),
            "live_keys": live_keys_of(account),
            "steps": steps,
            "next_step": next_step(steps),
        }

    def last_refusal(self) -> AccountAuditEntry | None:
        """The refusal of the last request; None if something else happened after it."""
        trail = page_of_trail(self.portal.account.pk, filters=Filters(group="access"), limit=1).rows
        return next((entry for entry in trail if entry.action == AuditAction.ACCESS_REFUSED), None)
