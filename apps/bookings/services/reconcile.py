"""The reconciliation worker: moves, once, the money that is owed later (a transfer's capture, the credit of a cheaper change)."""

import logging

from django.db import transaction

from apps.accounts import clocks
from apps.bookings.handlers import handler_for
from apps.bookings.ledger_trace import trace_of
from apps.bookings.models import Booking, Settlement, SettlementAction
from apps.bookings.services.settle import emit_events
from apps.gateway.periodic import ITSELF, Tally
from apps.ledger.services.capture import capture
from apps.ledger.services.refund import refund
from apps.webhooks.services.emit import Fact

logger = logging.getLogger(__name__)

BATCH = 100


def settle_owed(batch: int = BATCH, *, tally: Tally | None = None) -> int:
    """Settle up to `batch` of what is owed, the oldest first. Returns how many were settled.

    `tally` is told of a failure: it is a fault of this service.
    """
    tally = tally or Tally()
    owed = list(
        Settlement.objects.filter(settled_at=None).order_by("created_at").values_list("pk", flat=True)[:batch]
    )
    settled = 0
    for pk in owed:
        try:
            settled += settle(pk)
        except Exception as error:
            logger.exception("settlement %s failed; it is tried again", pk)
            tally.failed(ITSELF, error)
    return settled


def settle(pk: int) -> bool:
    """Settle one. Returns False when another worker was first. Locks the booking, then the wallet, as a cancellation does."""
    settlement = Settlement.objects.select_related("operation", "booking").get(pk=pk)
    owner = settlement.booking
    with clocks.working_for(owner.account_id, owner.environment), transaction.atomic():
        booking = Booking.objects.select_for_update().get(pk=settlement.booking_id)
        settlement.operation.booking = booking
        settlement.settled_at = booking.now()
        if not Settlement.objects.filter(pk=pk, settled_at=None).update(settled_at=settlement.settled_at):
            return False
        move(settlement, booking)
        booking.details = dict(handler_for(settlement.operation).settled(booking, settlement))
        booking.updated_at = settlement.settled_at
        booking.save(update_fields=["details", "updated_at"])
    return True


def move(settlement: Settlement, booking: Booking) -> None:
    """Capture what is held; or credit what is owed, and tell the partner with an event."""
    operation = settlement.operation
    if settlement.action == SettlementAction.CAPTURE:
        capture(
            hold_id=settlement.hold_id,
            amount_cents=settlement.amount_cents,
            trace=trace_of(operation, f"Payment for {booking.reference}"),
        )
        return
    refund(
        account_id=booking.account_id,
        environment=booking.environment,
        amount_cents=settlement.amount_cents,
        currency=booking.currency,
        reference=operation.client_ref,
        trace=trace_of(operation, f"Credit for a cheaper change of {booking.reference}"),
    )
    data = {"refundCents": settlement.amount_cents, "currency": booking.currency}
    emit_events(booking, operation.request_id, (Fact("payment.refunded", data),))
