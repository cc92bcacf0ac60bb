"""Refunds of eSIMs: POST /v1/esim/orders/{id}/refund-requests, and the end of an order by its supplier.

A partner cannot cancel an eSIM, but may request a refund. The supplier takes the request, and people there decide about it. The
operation of the flow ends once the request is sent; a lost answer counts as sent, for nothing says whether a second request
would be guarded. A supplier that refunds shows it in the order's status, which the polls read: the order is cancelled and paid
back then, with or without a request. Whatever else becomes of a request, staff find out and record.
"""

import logging
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from apps.accounts import audit, clocks
from apps.accounts.actors import Actor
from apps.accounts.audit import Subject
from apps.accounts.models import AuditAction
from apps.bookings.flow.cancellation_quotes import refuse_under_way
from apps.bookings.flow.claim import carry_out
from apps.bookings.flow.members import for_member
from apps.bookings.flow.reserve import reserve_modification, reserve_supplier_cancellation
from apps.bookings.flow.settle import confirm, emit_events
from apps.bookings.handlers import Outcome, Prepared, cancelled
from apps.bookings.models import Booking, Operation, OperationKind
from apps.bookings.statements import save_change, trace_of
from apps.common.environments import Environment
from apps.common.errors import Conflict, InvalidRequest
from apps.esim.details import AskedRefund, OrderDetails
from apps.esim.models import LastUsage, RefundRequest, RefundStatus
from apps.esim.services.handlers import EsimHandler
from apps.esim.services.usage import look_at_usage
from apps.esim.suppliers.base import EsimOrder
from apps.gateway.requests import Caller
from apps.keys.partner import Partner
from apps.ledger.money import refund
from apps.suppliers.alerts import alert
from apps.suppliers.errors import NotPossible, OutcomeUnknown
from apps.suppliers.models import AlertKind
from apps.suppliers.values import to_json
from apps.webhooks.events import ESIM_REFUND_DECIDED, PAYMENT_REFUNDED, Fact

logger = logging.getLogger(__name__)

PATIENCE = timedelta(days=14)
"""Suppliers name no time in which they decide. After this one staff ask."""
WATCHED_FOR = timedelta(days=60)
"""For so long after a request its order is polled at least."""
SIMULATED_PATIENCE = timedelta(hours=25)
"""What the simulator has not granted by then, in a day, it has declined."""
IGNORED = "ignored"
"""The entry of the operation's request that says whether the sandbox is to let it lie."""
GRANTED = "Refunded on request."
USED = "The eSIM was used: its plan is no longer refunded."


# --- The request ----------------------------------------------------------------------------------------------------------
def request_refund(*, caller: Caller, order: Booking, reason: str, notes: str | None) -> Booking:
    """Ask the supplier to refund an order. Raises Conflict, 502, 503."""

    def begin() -> Operation:
        refuse_unless_refundable(order)
        refuse_used(order)
        return reserve_modification(
            caller=caller,
            booking=order,
            kind=OperationKind.REFUND,
            request={"reason": reason, "notes": notes, IGNORED: caller.trigger.leaves_pending()},
            amount_cents=0,
            refuse=refuse_unless_refundable,
        )

    return carry_out(caller=caller, begin=begin)


def request_for_member(
    *, partner: Partner, order: Booking, actor: Actor, reason: str, notes: str | None, key: str
) -> Booking:
    """Ask for a refund in the portal. Raises what `for_member` and `request_refund` raise."""
    return for_member(
        partner=partner,
        booking=order,
        actor=actor,
        key=key,
        operation="requestEsimRefund",
        action=AuditAction.REFUND_REQUESTED,
        limit={"reason": reason},
        unrecorded={"notes": notes},
        refuse=refuse_unless_refundable,
        act=lambda caller: request_refund(caller=caller, order=order, reason=reason, notes=notes),
    )


def refuse_unless_refundable(order: Booking) -> None:
    """Raises Conflict (409) unless the order stands, was not refunded, and no other request is open."""
    if order.status != "provisioned":
        raise Conflict(f"The order is {order.status}: there is nothing to refund.", ours=True)
    asked = OrderDetails.of(order).refund
    if asked is not None and asked.is_open:
        raise Conflict("Another refund request of this order is not decided yet.", ours=True)
    if asked is not None and asked.status == RefundStatus.GRANTED:
        raise Conflict("The order was refunded before.", ours=True)


def refuse_used(order: Booking) -> None:
    """Raises Conflict (409) where data was used, or the plan is used up or over, as far as the supplier reports it."""
    look_at_usage(order)
    known = LastUsage.objects.filter(pk=order.pk).first()
    if known is not None and (known.used_mb or known.status in ("depleted", "expired")):
        raise Conflict(USED, ours=True)


@dataclass(frozen=True, slots=True)
class Sent:
    """The supplier was asked. `certain`: it said that it has the request, under its own `reference`."""

    reference: str
    certain: bool


class RequestRefund(EsimHandler):
    """The operation that asks the supplier. It has an end whatever the supplier answers, so it is not looked up for long."""

    kind = OperationKind.REFUND

    def prepare(self, operation: Operation) -> Prepared:
        return Prepared(0)

    def call(self, operation: Operation, fault: str) -> Sent:
        if operation.request[IGNORED]:
            return Sent("", certain=True)
        booking, asked = operation.booking, operation.request
        profile = OrderDetails.of(booking).profile
        assert profile is not None
        try:
            reference = self.supplier(operation, fault).request_refund(
                operation.client_ref,
                booking.supplier_reference,
                profile.iccid,
                asked["reason"],
                asked["notes"] or "",
            )
        except OutcomeUnknown as error:
            logger.warning("%s: sent, and the response was lost: %s", operation, error)
            return Sent("", certain=False)
        return Sent(reference, certain=True)

    def find(self, operation: Operation) -> Sent:
        """No supplier says what it was asked."""
        return Sent("", certain=False)

    def outcome(self, operation: Operation, result: Sent) -> Outcome:
        booking = operation.booking
        asked = AskedRefund(
            client_ref=operation.client_ref,
            status=RefundStatus.REQUESTED,
            reason=operation.request["reason"],
            notes=operation.request["notes"],
            requested_at=operation.created_at,
        )

        def store(written: Booking) -> None:
            RefundRequest.objects.update_or_create(
                booking=written,
                defaults={
                    "client_ref": asked.client_ref,
                    "status": asked.status,
                    "reason": asked.reason,
                    "supplier_reference": result.reference,
                    "is_certain": result.certain,
                    "supplier_says": "",
                    "requested_at": asked.requested_at,
                    "due_at": asked.requested_at + PATIENCE,
                    "alerted_at": None,
                    "decided_at": None,
                    "refunded_cents": None,
                },
            )
            if not result.certain and written.environment == Environment.LIVE:
                alert_staff(written, "its response was lost")

        watched_until = operation.created_at + WATCHED_FOR
        return Outcome(
            status=booking.status,
            details=to_json(replace(OrderDetails.of(booking), refund=asked)),
            total_cents=booking.total_cents,
            supplier_reference=booking.supplier_reference,
            watched_until=max(booking.watched_until or watched_until, watched_until),
            store=store,
        )


# --- The end of an order by its supplier ----------------------------------------------------------------------------------
class RefundEsim(EsimHandler):
    """The operation that follows a supplier's refund, or what staff record as one; no request of a partner begins one."""

    kind = OperationKind.CANCEL

    def prepare(self, operation: Operation) -> Prepared:
        raise NotPossible("An eSIM cannot be cancelled.")

    def call(self, operation: Operation, fault: str) -> EsimOrder:
        raise NotPossible("An eSIM cannot be cancelled.")

    def find(self, operation: Operation) -> EsimOrder | None:
        order = self.order_now(operation.booking)
        return order if order.cancelled else None

    def order_now(self, booking: Booking) -> EsimOrder:
        return self.supplier_of(booking).read_order(booking.supplier_reference)

    def cancelled_by_supplier(self, booking: Booking) -> EsimOrder | None:
        """The order, once the supplier has refunded it. While it stands, its usage and its refund request are looked at."""
        order = self.order_now(booking)
        if order.cancelled:
            return order
        look_at_usage(booking)
        follow_request(booking, order)
        return None

    def begins_at(self, booking: Booking, now: datetime) -> datetime:
        """There is no journey: a plan can be used from its order on."""
        return booking.created_at

    def outcome(self, operation: Operation, result: EsimOrder | None) -> Outcome:
        """The partner gets back all that was paid and not given back before: suppliers refund an eSIM whole, or not at all. An
        open request is granted with it.
        """
        booking = operation.booking
        details = OrderDetails.of(booking)
        asked = details.refund
        before = (asked.refunded_cents or 0) if asked is not None else 0
        outcome = cancelled(operation, penalty_cents=before, details=booking.details)
        assert outcome.cancellation is not None
        outcome = replace(outcome, cancellation={**outcome.cancellation, "penaltyCents": 0})
        if asked is None or not asked.is_open:
            return outcome
        ended = asked.ended(RefundStatus.GRANTED, booking.total_cents, booking.now())
        return replace(
            outcome,
            details=to_json(replace(details, refund=ended)),
            events=(*outcome.events, decision_of(booking, details, ended)),
            store=lambda written: close(written, ended),
        )


def follow_request(booking: Booking, order: EsimOrder) -> None:
    """Alert staff, once each, of an open request that was granted in part or waits for too long. In a test environment there are
    none: it is declined.
    """
    asked, now = OrderDetails.of(booking).refund, booking.now()
    if asked is None or not asked.is_open:
        return
    if booking.environment == Environment.TEST:
        if now >= asked.requested_at + SIMULATED_PATIENCE:
            end_request(booking_id=booking.pk, client_ref=asked.client_ref, status=RefundStatus.DECLINED)
        return
    waiting = RefundRequest.objects.filter(booking=booking, client_ref=asked.client_ref, decided_at=None)
    if order.partly_refunded:
        if waiting.filter(supplier_says="").update(supplier_says=PARTLY, alerted_at=now):
            alert_staff(booking, "the supplier refunded a part")
    elif waiting.filter(alerted_at=None, due_at__lte=now).update(alerted_at=now):
        alert_staff(booking, "the supplier has not decided")


PARTLY = "partially_refunded"


def alert_staff(booking: Booking, what: str) -> None:
    alert(
        booking.supplier_name,
        AlertKind.REFUND_OPEN,
        f"{booking.reference} {booking.supplier_reference}: {what}",
    )


# --- The end of a request -------------------------------------------------------------------------------------------------
def end_request(
    *,
    booking_id: str,
    client_ref: str,
    status: RefundStatus,
    amount_cents: int = 0,
    decided_by: Actor | None = None,
    reason: str = "",
) -> None:
    """Grant or decline the open request, with its money, its events and its entry in the trail. What is granted in full cancels
    the order, as a refund that its supplier shows; a part leaves it as it is.

    Raises InvalidRequest for an amount that was not paid, Conflict where it was decided before, or the order is being cancelled.
    """
    environments = Booking.objects.values_list("account_id", "environment")
    with clocks.working_for(*environments.get(pk=booking_id)), transaction.atomic():
        booking = Booking.objects.select_for_update().get(pk=booking_id)
        asked = OrderDetails.of(booking).refund
        if asked is None or asked.client_ref != client_ref or not asked.is_open:
            raise Conflict("It was decided before.", ours=True)
        refuse_under_way(booking)
        if status == RefundStatus.GRANTED:
            refuse_unpaid(booking, amount_cents)
        if status == RefundStatus.GRANTED and amount_cents == booking.total_cents:
            grant_in_full(booking)
        else:
            grant_in_part(booking, asked.ended(status, amount_cents, booking.now()))
        if decided_by is not None:
            audit.record(
                account=booking.account_id,
                environment=booking.environment,
                action=AuditAction.REFUND_DECIDED,
                actor=decided_by,
                subject=Subject("booking", booking.pk, booking.reference),
                details={
                    "decision": status,
                    "refundCents": amount_cents,
                    "currency": booking.currency,
                    "reason": reason,
                },
            )
    logger.warning("%s: its refund request is %s", booking, status)


def refuse_unpaid(booking: Booking, amount_cents: int) -> None:
    if not 1 <= amount_cents <= booking.total_cents:
        raise InvalidRequest.field("amount", "must be above zero, and no more than was paid")


def grant_in_full(booking: Booking) -> None:
    try:
        with transaction.atomic():
            operation = reserve_supplier_cancellation(booking, reason=GRANTED)
    except IntegrityError as error:
        raise Conflict("The order is being changed at this moment.", ours=True) from error
    confirm(operation, None)


def grant_in_part(booking: Booking, ended: AskedRefund) -> None:
    """With nothing, where it is declined."""
    details, cents = OrderDetails.of(booking), ended.refunded_cents
    booking.details = to_json(replace(details, refund=ended))
    save_change(booking, "details", now=ended.decided_at)
    close(booking, ended)
    facts = [decision_of(booking, details, ended)]
    if cents:
        operation = Operation.objects.get(client_ref=ended.client_ref)
        operation.booking = booking
        refund(
            account_id=booking.account_id,
            environment=booking.environment,
            amount_cents=cents,
            currency=booking.currency,
            reference=ended.client_ref,
            trace=trace_of(operation, f"Refund of a part of {booking.reference}"),
        )
        facts.insert(0, Fact(PAYMENT_REFUNDED, {"refundCents": cents, "currency": booking.currency}))
    emit_events(booking, "", tuple(facts))


def decision_of(booking: Booking, details: OrderDetails, ended: AskedRefund) -> Fact:
    return Fact(
        ESIM_REFUND_DECIDED,
        {
            "orderId": booking.pk,
            "iccid": details.profile.iccid if details.profile else None,
            "decision": ended.status,
            "refundedCents": ended.refunded_cents,
            "currency": booking.currency,
        },
    )


def close(booking: Booking, ended: AskedRefund) -> None:
    """End the row that staff see. Call it in the transaction that ends the request."""
    RefundRequest.objects.filter(booking=booking, client_ref=ended.client_ref).update(
        status=ended.status, refunded_cents=ended.refunded_cents, decided_at=ended.decided_at
    )
