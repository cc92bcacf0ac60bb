"""The way to live keys."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Exists
from django.http import HttpResponse
from django.shortcuts import redirect

from apps.accounts.audit import Filters, page_of_trail
from apps.accounts.live_approval import request_live_approval
from apps.accounts.models import LIVE_APPROVAL_PERIOD, Account, AccountAuditEntry, AuditAction
from apps.accounts.sandboxes import rows_of
from apps.bookings.models import Booking
from apps.common import clock
from apps.common.environments import Environment
from apps.common.errors import Conflict
from apps.keys.models import ApiKey
from apps.portal.context import OWNERS
from apps.portal.forms import FormView
from apps.request_log.models import CallHour
from apps.webhooks.models import Delivery, DeliveryStatus


@dataclass(frozen=True, slots=True)
class GoLiveStep:
    """`name` is for templates, `title` for people."""

    name: str
    title: str
    done: bool


def steps_of(account: Account, now: datetime) -> tuple[GoLiveStep, ...]:
    """All steps in order. A step stays done, even if its key was revoked since; only the approval can lapse. One query."""
    rows = {"account__in": rows_of(account.pk)}
    has = Account.objects.filter(pk=account.pk).values_list(
        Exists(ApiKey.objects.filter(**rows, environment=Environment.TEST)),
        Exists(account.keys.filter(environment=Environment.LIVE)),
        Exists(CallHour.objects.filter(**rows, environment=Environment.TEST)),
        Exists(Booking.objects.filter(**rows, environment=Environment.TEST)),
        Exists(Delivery.objects.filter(**rows, status=DeliveryStatus.DELIVERED)),
    )
    test_key, live_key, called, booked, delivered = has.get()
    return (
        GoLiveStep("test_key", "Test key", test_key),
        GoLiveStep("first_call", "First call", called),
        GoLiveStep("first_booking", "First booking", booked),
        GoLiveStep("webhook", "Webhook verified", delivered),
        GoLiveStep("approval", "Approval", account.may_issue_live_keys(now)),
        GoLiveStep("live_key", "Live key", live_key),
    )


def next_step(steps: Sequence[GoLiveStep]) -> GoLiveStep | None:
    return next((step for step in steps if not step.done), None)


def live_keys_of(account: Account) -> int:
    """How many live keys keep working when the approval lapses."""
    return ApiKey.objects.filter(account=account, environment=Environment.LIVE, revoked_at=None).count()


class ProductionAccessForm(forms.Form):
    note = forms.CharField(
        label="What will you sell, and to whom?",
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="A sentence or two, and your website: a person reads it.",
    )


RENEW_DAYS = 60
"""So many days before the approval ends, the page says so and lets owners ask for another year."""


class ProductionAccessView(FormView):
    section = "production_access"
    account_wide = True
    allowed_roles_to_post = OWNERS

    template, form_class = "portal/production_access/index.html", ProductionAccessForm

    def save(self, form: ProductionAccessForm) -> HttpResponse:
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
