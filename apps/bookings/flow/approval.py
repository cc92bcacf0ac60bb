"""Bookings, and payments of orders on hold, that await approval: decided by the partner's people, lapsed, or cancelled.

Such an operation has its funds held, and no supplier was asked (`OperationState.AWAITING`, begun in `reserve`). It belongs to no
process: a decision takes it under the locks of its booking and of itself, so it is decided once. Each request ends with one
`booking.approval_decided`.

What the portal calls:

- `awaiting(account_id, environment)` and `count_awaiting`: what waits, the first to expire first.
- `approve(partner=…, booking_id=…, actor=…)` returns the booking as it stands once the supplier was asked: confirmed, failed,
  `pending` where the answer is not known yet.
- `decline(partner=…, booking_id=…, actor=…, reason=…)` returns the booking, `failed` or on hold again.
- `may_not_approve(operation, user)`: why this person may not, by the rule of four eyes (`accounts.terms.require_four_eyes`).
- `cancel.cancel_for_member` cancels a booking that waits as any other.
"""

import logging
import uuid
from datetime import timedelta

from django.conf import settings
from django.db import transaction

from apps.accounts import clocks
from apps.accounts.actors import Actor
from apps.accounts.audit import Subject, record
from apps.accounts.models import Account, AuditAction, Sandbox, User
from apps.bookings.flow.call import perform
from apps.bookings.flow.lease import LeaseLost, advance
from apps.bookings.flow.settle import emit_events, fail
from apps.bookings.models import Booking, Decision, Operation, OperationKind, OperationState, Product
from apps.bookings.refusals import APPROVAL_EXPIRED, CANCELLED_WAITING, DECLINED
from apps.bookings.statements import save_change
from apps.bookings.travellers import with_keys
from apps.common import clock
from apps.common.errors import AccountNotActive, Conflict, GatewayError, InvalidRequest, NotFound
from apps.common.ids import is_well_formed
from apps.gateway.requests import Caller
from apps.keys.models import ApiKey
from apps.keys.partner import Partner
from apps.webhooks.events import BOOKING_APPROVAL_DECIDED, Fact

logger = logging.getLogger(__name__)

LONGEST_REASON = 255
OWN_KEY = "You issued the key that made this booking: another member has to approve it."
ENDS = {
    DECLINED: Decision.DECLINED.value,
    APPROVAL_EXPIRED: "expired",
    CANCELLED_WAITING: "cancelled",
}
"""The `decision` of the event, by the failure that the operation ends with."""


def awaiting(account_id: str, environment: str) -> list[Operation]:
    """What awaits approval, each with its booking (`kind` is `book` or `pay`); the first to expire first. What has expired is
    left out, though its hold may be released a moment later. Two statements.
    """
    waiting = with_keys(
        Booking.objects.filter(
            account_id=account_id,
            environment=environment,
            product__in=Product.values,
            status=Booking.AWAITING_APPROVAL,
            approval_expires_at__gt=clocks.now_in(account_id, environment),
        ).select_related("key")
    )
    bookings = {booking.pk: booking for booking in waiting}
    operations = Operation.objects.filter(booking__in=bookings, state=OperationState.AWAITING)
    found = list(operations.order_by("approval_expires_at", "pk"))
    for operation in found:
        operation.booking = bookings[operation.booking_id]
    return found


def count_awaiting(account_id: str, environment: str) -> int:
    return Booking.objects.filter(
        account_id=account_id,
        environment=environment,
        product__in=Product.values,
        status=Booking.AWAITING_APPROVAL,
        approval_expires_at__gt=clocks.now_in(account_id, environment),
    ).count()


def may_not_approve(operation: Operation, user: User | None) -> str:
    """Why `user` may not approve it; empty where they may. With four eyes, that is who issued its key."""
    account = Account.objects.only("sandbox_of").get(pk=operation.booking.account_id)
    if not Account.objects.filter(pk=account.shown_id, approval_four_eyes=True).exists():
        return ""
    issued = user is not None and ApiKey.objects.filter(pk=operation.key_id, created_by=user).exists()
    return OWN_KEY if issued else ""


def approve(*, partner: Partner, booking_id: str, actor: Actor) -> Booking:
    """Let it continue, and return the booking once its supplier was asked. The decision is committed before that: whatever
    becomes of the call, recovery ends it as it ends any other.

    `partner` is the account without an API key. Raises NotFound; AccountNotActive; Conflict with the reason for what no longer
    waits, and for a person who issued its key where the account asks for four eyes. Not for what the supplier answers: the
    booking says that, and its events do.
    """
    with transaction.atomic():
        operation = _waiting(partner, booking_id)
        refuse_inactive(partner, operation.booking)
        if refused := may_not_approve(operation, actor.user):
            raise Conflict(refused, ours=True)
        booking, now = operation.booking, clock.now()
        booking.status = Booking.PENDING
        save_change(booking, "status")
        lease_until = now + timedelta(seconds=settings.OPERATION_LEASE_SECONDS)
        advance(
            operation,
            to=OperationState.HELD,
            lease_token=uuid.uuid4(),
            lease_until=lease_until,
            next_attempt_at=lease_until,
            **_decided(operation, Decision.APPROVED, actor),
        )
        _report(operation, Decision.APPROVED)
        _record(operation, AuditAction.BOOKING_APPROVED, actor)
    try:
        return perform(operation, caller=Caller(partner, operation.request_id), answered=False)
    except GatewayError as error:
        logger.info("%s: approved, and then %s", operation, error.type)
        return with_keys(Booking.objects.all()).get(pk=booking.pk)


def decline(*, partner: Partner, booking_id: str, actor: Actor, reason: str = "") -> Booking:
    """End it, and return the booking: `failed`, or on hold again where its payment waited. The hold is released. `reason` is
    shown to the account's people and sent with the event.

    Raises NotFound, InvalidRequest for the reason, and Conflict with the reason for what no longer waits.
    """
    reason = reason.strip()
    if len(reason) > LONGEST_REASON or not reason.isprintable():
        raise InvalidRequest.field("reason", f"A reason has at most {LONGEST_REASON} printable characters.")
    with transaction.atomic():
        operation = _waiting(partner, booking_id)
        advance(
            operation,
            to=OperationState.AWAITING,
            decision_reason=reason,
            **_decided(operation, Decision.DECLINED, actor),
        )
        _record(operation, AuditAction.BOOKING_DECLINED, actor)
        _end(operation, DECLINED)
    return operation.booking


def withdraw(*, caller: Caller, booking: Booking) -> Booking:
    """End what waits because its booking is cancelled, and return the booking: `failed`, with the caller's answer stored, or on
    hold again where its payment waited. Raises Conflict where it was decided meanwhile.
    """
    with transaction.atomic():
        operation = _waiting(caller.partner, booking.pk, in_time=False)
        if caller.claim is not None:
            caller.claim.refuse_if_taken_over()
        _end(operation, CANCELLED_WAITING)
        if operation.kind == OperationKind.BOOK:
            caller.complete(operation.booking)
    return operation.booking


def lapse(operation: Operation) -> None:
    """End what was not decided in time. Called by recovery, which finds it due. Raises LeaseLost where it was decided."""
    with transaction.atomic():
        current = _locked(operation.booking)
        if current is None or current.approval_expires_at is None:
            raise LeaseLost
        booking, now = current.booking, clock.now()
        remaining = current.approval_expires_at - booking.now()
        if remaining > timedelta(0):  # its clock was put back by a reset, or that of this machine goes ahead
            advance(current, to=current.state, lease_until=now, next_attempt_at=now + remaining)
        else:
            _end(current, APPROVAL_EXPIRED)


def _waiting(partner: Partner, booking_id: str, *, in_time: bool = True) -> Operation:
    """The operation of the partner's booking that waits, locked with its booking. Raises NotFound, and Conflict with the reason
    where it waits no longer.
    """
    mine = Booking.objects.filter(account_id=partner.account_id, environment=partner.environment)
    booking = mine.filter(pk=booking_id).first() if is_well_formed(booking_id) else None
    if booking is None:
        raise NotFound
    operation = _locked(booking)
    if operation is None:
        raise Conflict(why_not_waiting(booking), ours=True)
    expires_at = operation.approval_expires_at
    if in_time and expires_at is not None and expires_at <= operation.booking.now():
        raise Conflict("It can no longer be approved.", ours=True)
    return operation


def _locked(booking: Booking) -> Operation | None:
    """Recovery may have taken its lease: with the row locked, it finds that it was decided."""
    locked = with_keys(Booking.objects.select_for_update(no_key=True)).get(pk=booking.pk)
    operations = Operation.objects.select_for_update(no_key=True)
    operation = operations.filter(booking=locked, state=OperationState.AWAITING).first()
    if operation is not None:
        operation.booking = locked
    return operation


def why_not_waiting(booking: Booking) -> str:
    """In a sentence."""
    asked = booking.operations.exclude(approval_expires_at=None).order_by("-pk").first()
    if asked is None:
        return "It does not await approval."
    if asked.decision:
        return f"{asked.decided_by} has {asked.decision} it already."
    if asked.failure == CANCELLED_WAITING:
        return "It was cancelled while it awaited approval."
    return "It can no longer be approved."


def refuse_inactive(partner: Partner, booking: Booking) -> None:
    """Raises AccountNotActive for an account or a test environment that may not book, and Conflict for one that was reset or
    closed. Both may have happened since the page was made.
    """
    status = Account.objects.values_list("status", flat=True).get(pk=partner.shown_account_id)
    sandbox = Sandbox.objects.filter(pk=booking.account_id).first() if booking.environment == "test" else None
    if sandbox is not None and sandbox.retired_at is not None:
        raise Conflict("Its test environment was reset or closed.", ours=True)
    if status != "active" or (sandbox is not None and sandbox.stopped_at is not None):
        raise AccountNotActive


def _decided(operation: Operation, decision: Decision, actor: Actor) -> dict[str, object]:
    return {"decision": decision, "decided_by": actor.label, "decided_at": operation.booking.now()}


def _end(operation: Operation, failure: str) -> None:
    """The hold is released. Of a booking, `booking.rejected` follows."""
    _report(operation, ENDS[failure])
    fail(operation, failure=failure)


def _report(operation: Operation, decision: str) -> None:
    booking = operation.booking
    data = {
        "operation": operation.kind,
        "decision": decision,
        "reason": operation.decision_reason or None,
        "totalCents": operation.amount_cents,
        "currency": booking.currency,
    }
    emit_events(booking, operation.request_id, (Fact(BOOKING_APPROVAL_DECIDED, data),))


def _record(operation: Operation, action: AuditAction, actor: Actor) -> None:
    booking = operation.booking
    reason = {"reason": operation.decision_reason} if operation.decision_reason else {}
    record(
        account=booking.account_id,
        environment=booking.environment,
        action=action,
        actor=actor,
        subject=Subject("booking", booking.pk, booking.reference),
        details={"totalCents": operation.amount_cents, "currency": booking.currency, **reason},
    )
