"""The way to live keys."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Case, Exists, Subquery, When
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from apps.accounts.audit import Filters, page_of_trail
from apps.accounts.live_approval import request_live_approval
from apps.accounts.models import Account, AccountAuditEntry, AuditAction
from apps.accounts.sandboxes import rows_of
from apps.bookings.models import Booking
from apps.common import clock, zones
from apps.common.environments import Environment
from apps.common.errors import Conflict
from apps.common.money import in_words
from apps.keys.models import ApiKey
from apps.ledger.models import LedgerTransaction, TransactionType
from apps.portal.context import OWNERS
from apps.portal.forms import FormView
from apps.portal.navigation import address_of_object, address_of_page
from apps.portal.webhooks.exams import state_of_exam
from apps.request_log.models import CallHour
from apps.webhooks.models import Delivery, DeliveryStatus, Exam, ExamStatus


@dataclass(frozen=True, slots=True)
class GoLiveStep:
    """`name` is for templates, `title` for people; `label` and `address` are those of its button."""

    name: str
    title: str
    done: bool
    label: str
    address: str
    says: str = ""
    """What is done or to do. Home leaves it out."""


REQUEST, BANK = "#request", "#bank"
"""Parts of the page that its steps lead to."""

NOT_BOOKED = (Booking.PENDING, Booking.AWAITING_APPROVAL, Booking.FAILED)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an account has come, from one query. What is done stays done, also without its key; only the approval expires."""

    has_test_key: bool
    has_called: bool
    has_booked: bool
    has_exam: bool
    has_passed: bool
    has_delivered: bool
    has_live_key: bool
    has_booked_live: bool
    top_up_cents: int | None
    """The first top-up of the live balance."""

    @property
    def is_verified(self) -> bool:
        """Results of exams are stored for 30 days. Without one, a delivered event counts."""
        return self.has_passed or (self.has_delivered and not self.has_exam)


def progress_of(account: Account) -> Progress:
    rows = {"account__in": rows_of(account.pk)}
    test = {**rows, "environment": Environment.TEST}
    live = {"account": account.pk, "environment": Environment.LIVE}
    exams, booked = Exam.objects.filter(**rows), Booking.objects.exclude(status__in=NOT_BOOKED)
    top_ups = LedgerTransaction.objects.filter(**live, type=TransactionType.TOP_UP)
    found = Account.objects.filter(pk=account.pk).values_list(
        Exists(ApiKey.objects.filter(**test)),
        Exists(CallHour.objects.filter(**test)),
        Exists(booked.filter(**test)),
        Exists(exams),
        Exists(exams.filter(status=ExamStatus.PASSED)),
        Exists(Delivery.objects.filter(**rows, status=DeliveryStatus.DELIVERED)),
        Exists(ApiKey.objects.filter(**live)),
        Exists(booked.filter(**live)),
        Subquery(top_ups.order_by("created_at", "id").values("amount_cents")[:1]),
    )
    return Progress(*found.get())


def steps_of(account: Account, now: datetime, progress: Progress | None = None) -> tuple[GoLiveStep, ...]:
    """All steps in order, without their sentences. One query unless `progress` is given."""
    progress = progress or progress_of(account)
    approved = account.may_issue_live_keys(now)
    page, live_keys = address_of_page("production_access"), address_of_page("keys", Environment.LIVE)
    quick_start = address_of_page("quick_start", Environment.TEST)
    call = (
        ("Make the first call", quick_start)
        if progress.has_test_key
        else ("Create a test key", address_of_page("keys", Environment.TEST))
    )
    return (
        GoLiveStep(
            "first_call", "Test key and first call", progress.has_test_key and progress.has_called, *call
        ),
        GoLiveStep(
            "first_booking", "First test booking", progress.has_booked, "Make a test booking", quick_start
        ),
        GoLiveStep(
            "webhook",
            "Webhook verified",
            progress.is_verified,
            "Verify a webhook",
            address_of_page("webhooks", Environment.TEST),
        ),
        GoLiveStep(
            "request",
            "Request to go live",
            approved or account.live_requested_at is not None,
            "Request to go live",
            f"{page}{REQUEST}",
        ),
        GoLiveStep("approval", "Approval", approved, "See your request", page),
        GoLiveStep(
            "top_up", "Top-up", progress.top_up_cents is not None, "Show bank details", f"{page}{BANK}"
        ),
        GoLiveStep("live_key", "Live key", progress.has_live_key, "Create a live key", live_keys),
        GoLiveStep(
            "live_booking",
            "First live booking",
            progress.has_booked_live,
            "Make a live booking",
            address_of_page("quick_start", Environment.LIVE),
        ),
    )


def next_step(steps: Sequence[GoLiveStep]) -> GoLiveStep | None:
    return next((step for step in steps if not step.done), None)


def step_for_home(steps: Sequence[GoLiveStep]) -> GoLiveStep | None:
    """None from the first live booking: an approval that expires later is a notice there."""
    return None if steps[-1].done else next_step(steps)


def live_keys_of(account: Account) -> int:
    """How many live keys keep working when the approval lapses."""
    return ApiKey.objects.filter(account=account, environment=Environment.LIVE, revoked_at=None).count()


class ProductionAccessForm(forms.Form):
    note = forms.CharField(
        label="What will you sell, and to whom?",
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Include your company's legal name, its country and your website.",
    )


RENEW_DAYS = 60
"""So many days before the approval ends, the page says so and lets owners request another year."""


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
            messages.info(self.request, "Your request has already been sent.")
        else:
            messages.success(self.request, "Request sent. We usually decide within one working day.")
        return redirect("portal:production_access")

    def extra_context(self) -> dict[str, Any]:
        account, now = self.portal.account, clock.now()
        state, until = account.live_approval_state(now), account.live_approved_until
        days_left = (until - now).days if state == "approved" and until else None
        is_open, is_due = account.live_requested_at is not None, days_left is None or days_left <= RENEW_DAYS
        steps = self.steps(state, days_left)
        return {
            "state": state,
            "is_renewal": until is not None,
            "lapses_soon": days_left is not None and is_due,
            "may_ask": self.portal.has_role(OWNERS) and not is_open and is_due,
            "has_bank_details": until is not None
            or next(step.done for step in steps if step.name == "top_up"),
            "steps": steps,
            "next_step": next_step(steps),
            "done": sum(step.done for step in steps),
        }

    def steps(self, state: str, days_left: int | None) -> list[GoLiveStep]:
        """With their sentences, and the buttons that depend on more than whether the step is done."""
        account, now = self.portal.account, clock.now()
        progress = progress_of(account)
        steps = {step.name: step for step in steps_of(account, now, progress)}
        missing = [step.title for step in list(steps.values())[:3] if not step.done]
        said = {
            "first_call": first_call(progress),
            "first_booking": Said(
                "A booking was made in the sandbox.", "Test bookings", address_of_page("bookings", "test")
            )
            if progress.has_booked
            else Said("Search and book in the sandbox. Nothing there costs money."),
            "webhook": self.webhook(progress),
            "request": self.request_step(state),
            "approval": approval(account, state, days_left, missing),
            "top_up": self.top_up(progress),
            "live_key": Said("A live key was created.", "Live keys")
            if progress.has_live_key
            else Said("Once you are approved, create a key that sells real travel."),
            "live_booking": Said(
                "Your first live booking was made. You are live.",
                "Live bookings",
                address_of_page("bookings", "live"),
            )
            if progress.has_booked_live
            else Said("Book with your live key. The booking is paid from your live balance."),
        }
        return [said[name].put_into(step) for name, step in steps.items()]

    def webhook(self, progress: Progress) -> "Said":
        exam = best_exam(self.portal.account) if progress.has_exam else None
        if exam is None:
            if progress.has_delivered:
                return Said("Events are delivered. Start an exam to check how you verify them.", "Webhooks")
            return Said("Add an endpoint and start an exam of it: eight cases, graded one by one.")
        result, portal = state_of_exam(exam), self.portal
        # The page of an exam is found in its own sandbox alone.
        is_here = exam.account_id == portal.sandbox.account_id
        page = address_of_object("exam", Environment.TEST, exam.pk) if is_here else ""
        if exam.is_open:
            return Said("An exam is running.", "See the exam", page)
        grade = f"{result.passed} of {len(result.cases)} cases passed"
        ending = "." if exam.status == ExamStatus.PASSED else ". Fix your receiver and start another exam."
        return Said(f"Exam: {grade}{ending}", "See the exam", page)

    def request_step(self, state: str) -> "Said":
        account, history = self.portal.account, f"{address_of_page('audit')}?group=access"
        requested = account.live_requested_at
        if requested is not None:
            what = "Renewal requested" if account.live_approved_until else "Request sent"
            return Said(f"{what} on {zones.day_and_time(requested)}.", "History", history)
        if state == "approved":
            return Said("Your request was approved.", "History", history)
        who = "" if self.portal.has_role(OWNERS) else f" Only an owner can: {self.portal.who_has(OWNERS)}."
        button = {} if self.portal.has_role(OWNERS) else {"label": "Team", "address": address_of_page("team")}
        refused = self.last_refusal()
        if refused is not None:
            reason = refused.details.get("reason")
            why = f": “{reason}”" if reason else ""
            return Said(
                f"Declined on {zones.day_and_time(refused.created_at)}{why}. Settle this and request again.{who}",
                **(button or {"label": "Request again"}),
            )
        if state == "lapsed":
            return Said(f"Request the renewal.{who}", **(button or {"label": "Request the renewal"}))
        return Said(f"Tell us about your company and what you will sell.{who}", **button)

    def top_up(self, progress: Progress) -> "Said":
        if progress.top_up_cents is None:
            return Said("Transfer money to your live balance, with your payment reference.")
        arrived = in_words(progress.top_up_cents, self.portal.account.currency)
        return Said(f"{arrived} arrived.", "Live balance", address_of_page("balance", Environment.LIVE))

    def last_refusal(self) -> AccountAuditEntry | None:
        """The refusal of the last request; None if something else happened after it."""
        trail = page_of_trail(self.portal.account.pk, filters=Filters(group="access"), limit=1).rows
        return next((entry for entry in trail if entry.action == AuditAction.ACCESS_REFUSED), None)


@dataclass(frozen=True, slots=True)
class Said:
    """A step's sentence, and its button where it differs."""

    text: str
    label: str = ""
    address: str = ""

    def put_into(self, step: GoLiveStep) -> GoLiveStep:
        return replace(
            step, says=self.text, label=self.label or step.label, address=self.address or step.address
        )


def first_call(progress: Progress) -> Said:
    if not progress.has_test_key:
        return Said("Create a key for the sandbox.")
    if not progress.has_called:
        return Said("You have a test key. Make a call with it.")
    return Said("Your servers reach the sandbox.", "Test requests", address_of_page("requests", "test"))


def approval(account: Account, state: str, days_left: int | None, missing: Sequence[str]) -> Said:
    until = account.live_approved_until
    if state == "approved" and until is not None:
        left = f"Approved until {zones.day_and_time(until)}: {days_left} day{'' if days_left == 1 else 's'} left."
        if days_left is None or days_left > RENEW_DAYS:
            return Said(left, "Live keys", address_of_page("keys", Environment.LIVE))
        if account.live_requested_at is not None:
            return Said(f"{left} The renewal is under review.")
        return Said(f"{left} Request the renewal now.", "Request the renewal", REQUEST)
    how = ("How approval works", reverse("docs:guide", args=["go-live"]))
    still = f" Not done yet: {', '.join(missing)}." if missing else ""
    if state == "requested":
        expired = f"Expired on {zones.day_and_time(until)}. The renewal is under" if until else "Under"
        return Said(
            f"{expired} review: we usually decide within one working day, and email the owners.{still}", *how
        )
    if state == "lapsed" and until is not None:
        keys = live_keys_of(account)
        works = (
            f"Your {keys} live key{' keeps' if keys == 1 else 's keep'} working; creating and rotating keys"
            if keys
            else "Creating live keys"
        )
        return Said(f"Expired on {zones.day_and_time(until)}. {works} waits for the renewal.", *how)
    return Said(f"A person reviews your request, usually within one working day.{still}", *how)


def best_exam(account: Account) -> Exam | None:
    """The newest that passed, else the newest."""
    exams = Exam.objects.filter(account__in=rows_of(account.pk))
    passed = Case(When(status=ExamStatus.PASSED, then=0), default=1)
    return exams.order_by(passed, "-created_at", "-id").first()
