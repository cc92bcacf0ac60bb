"""Bookings that await approval: their list, and the pages on which an owner or approver decides."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from apps.accounts.actors import actor_of
from apps.accounts.models import User
from apps.bookings.flow.approval import (
    LONGEST_REASON,
    OWN_KEY,
    approve,
    awaiting,
    decline,
    why_not_waiting,
)
from apps.bookings.models import Booking, Decision, Operation, OperationKind, OperationState
from apps.bookings.refusals import failure_in_words
from apps.common import zones
from apps.common.errors import AccountNotActive, Conflict
from apps.portal.base import PortalView
from apps.portal.bookings.actions import BookingView, partner_without_key
from apps.portal.bookings.facts import line_of
from apps.portal.bookings.timeline import BookingHistory
from apps.portal.context import APPROVERS, PortalContext
from apps.portal.forms import ConfirmView, Question
from apps.portal.states import state_of
from apps.portal.templatetags.portal import amount

SHOWN = 100
"""So many are listed, those that expire first: each waits for half an hour, or as long as its offer."""


@dataclass(frozen=True, slots=True)
class Approval:
    """What the page of a booking, or its row in the list, says of an operation that awaits approval or did."""

    operation: Operation
    line: str
    issued_by: str
    """Who issued the key, as the audit trail names them."""
    is_own: bool
    """Whether the reader may not approve it, because they issued its key."""
    is_over: bool

    @classmethod
    def of(cls, operation: Operation, issuer: User | None, portal: PortalContext) -> "Approval":
        booking, expires_at = operation.booking, operation.approval_expires_at
        return cls(
            operation=operation,
            line=line_of(booking),
            issued_by=actor_of(issuer).label,
            is_own=portal.account.approval_four_eyes and issuer == portal.user,
            is_over=expires_at is not None and expires_at <= booking.now(),
        )

    @classmethod
    def newest_of(cls, history: BookingHistory, portal: PortalContext) -> "Approval | None":
        """Of a booking; None where none of its operations awaited approval."""
        for operation in reversed(history.operations):
            if operation.approval_expires_at is not None:
                operation.booking = history.booking
                return cls.of(operation, history.booking.key.created_by, portal)
        return None

    @property
    def expires_at(self) -> datetime | None:
        return self.operation.approval_expires_at

    @property
    def is_waiting(self) -> bool:
        return self.operation.state == OperationState.AWAITING

    @property
    def is_approved(self) -> bool:
        return self.operation.decision == Decision.APPROVED

    @property
    def is_payment(self) -> bool:
        return self.operation.kind == OperationKind.PAY

    @property
    def failure(self) -> str:
        return failure_in_words(self.operation.failure) if self.operation.failure else ""


class ApprovalListView(PortalView):
    section = "approvals"

    def get(self, request: HttpRequest) -> HttpResponse:
        portal = self.portal
        waiting = awaiting(*portal.stored)
        issuers = issuers_of(waiting[:SHOWN])
        rows = [
            Approval.of(each, issuers.get(each.booking.key.created_by_id), portal) for each in waiting[:SHOWN]
        ]
        shown = {"rows": rows, "more": len(waiting) - len(rows), "is_used": self.awaiting is not None}
        return self.render("portal/approvals/index.html", {**shown, "may_decide": portal.has_role(APPROVERS)})


def issuers_of(operations: list[Operation]) -> Mapping[int | None, User]:
    """Who issued their keys, in one statement."""
    ids = {operation.booking.key.created_by_id for operation in operations}
    return User.objects.in_bulk(ids - {None})


class DecisionView(BookingView, ConfirmView[Booking]):
    """Asks before it decides. What is decided, expired or cancelled by then is said on the page of the booking."""

    section = "approvals"
    allowed_roles = allowed_roles_to_post = APPROVERS

    def get(self, request: HttpRequest) -> HttpResponse:
        refused = self.refusal(self.waiting())
        return self.refused(refused) if refused else super().get(request)

    def waiting(self) -> Approval | None:
        operation = self.object.operations.filter(state=OperationState.AWAITING).first()
        if operation is None:
            return None
        operation.booking = self.object
        return Approval.of(operation, self.object.key.created_by, self.portal)

    def refusal(self, waiting: Approval | None) -> str:
        """Why it cannot be decided; empty where it can."""
        if waiting is None or waiting.is_over:
            return why_not_waiting(self.object)
        return ""

    def refused(self, message: str) -> HttpResponse:
        messages.error(self.request, message)
        return self.back()

    def conflict(self, form: forms.Form, refusal: Conflict) -> HttpResponse:
        return self.refused(refusal.message)

    def price(self) -> str:
        """What is held for it: a payment is of the total as well."""
        return f"{amount(self.object.total_cents, self.object.currency)} {self.object.currency}"


class ApproveView(DecisionView):
    def refusal(self, waiting: Approval | None) -> str:
        return super().refusal(waiting) or (OWN_KEY if waiting is not None and waiting.is_own else "")

    def question(self) -> Question:
        booking, price = self.object, self.price()
        return Question(
            heading=f"Approve {booking.reference} for {price}?",
            warning=f"{booking.get_product_display()}: {line_of(booking)}",
            consequences=[
                f"It is booked at once and paid from your balance. The {price} are held already.",
                "If it costs more by now, nothing is booked and the hold is released.",
                f"Made with the key “{booking.key.name}”, {zones.day_and_time(booking.created_at)}.",
            ],
            button=f"Approve for {price}",
            is_harmless=True,
        )

    def save(self, form: forms.Form) -> HttpResponse:
        try:
            booking = approve(
                partner=partner_without_key(self.portal), booking_id=self.object.pk, actor=self.actor
            )
        except AccountNotActive as refused:
            return self.refused(refused.message)
        if booking.status == Booking.PENDING:
            messages.info(
                self.request, "Approved. The supplier has not responded yet: this page shows the outcome."
            )
        elif booking.status in Booking.STANDING:
            return self.done(f"Approved. The booking is {state_of(booking.status).label.lower()}.")
        else:
            failed = booking.operations.exclude(decided_at=None).latest("decided_at")
            return self.refused(f"Approved, but not booked. {failure_in_words(failed.failure)}")
        return self.back()


class DeclineForm(forms.Form):
    reason = forms.CharField(
        label="Reason (optional)",
        required=False,
        max_length=LONGEST_REASON,
        help_text="Your team reads it on the booking, and it is sent with the event booking.approval_decided.",
    )


class DeclineView(DecisionView):
    form_class = DeclineForm

    def question(self) -> Question:
        booking, price = self.object, self.price()
        return Question(
            heading=f"Decline {booking.reference}?",
            warning=f"{booking.get_product_display()}, {price}: {line_of(booking)}",
            consequences=["No supplier is called, and the hold is released.", "You cannot undo this."],
            button="Decline",
        )

    def save(self, form: forms.Form) -> HttpResponse:
        declined = decline(
            partner=partner_without_key(self.portal),
            booking_id=self.object.pk,
            actor=self.actor,
            reason=form.cleaned_data["reason"],
        )
        on_hold = declined.status == Booking.ON_HOLD
        return self.done(
            "Declined. The order is on hold as before." if on_hold else "Declined. The hold is released."
        )
