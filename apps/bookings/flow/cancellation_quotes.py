"""Cancellation quotes, the same for every product: what cancelling costs now, promised for some minutes. No money moves.

A booking has one quote at a time: a newer one takes its place. The supplier's own quote is kept with it, and used at the
cancellation for as long as the supplier keeps it.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from apps.bookings.flow.call import refusal
from apps.bookings.flow.cancel import PAID, refuse_unless_cancellable
from apps.bookings.handlers import QUOTE, CostNow, cancel_handler_for
from apps.bookings.models import OPEN_STATES, Booking, CancellationQuote, Operation, OperationKind
from apps.common.errors import Conflict
from apps.common.ids import new_id
from apps.suppliers.errors import SupplierError
from apps.suppliers.http import all_within
from apps.suppliers.values import to_json


@dataclass(frozen=True, slots=True)
class QuotedCancellation:
    quote_id: str
    cost: CostNow
    currency: str
    expires_at: datetime


def quote_cancellation(booking: Booking, fault: str = "") -> QuotedCancellation:
    """Raises Conflict for a booking that does not stand, is over, is being changed, or that its supplier gives no price for; 502
    and 503. `fault` is what a sandbox trigger asks of the simulator.
    """
    refuse_unless_cancellable(booking)
    refuse_under_way(booking)
    handler = cancel_handler_for(booking)
    assert handler is not None
    operation = Operation(booking=booking, kind=OperationKind.CANCEL, client_ref=booking.reference)
    try:
        with all_within(settings.SUPPLIER_CALL_SECONDS):
            cost = handler.cost_now(operation, fault)
    except SupplierError as error:
        raise refusal(error, operation) from error
    now = booking.now()
    ends = (now + timedelta(minutes=settings.OFFER_MINUTES), handler.next_step(booking, now), cost.expires_at)
    quoted = QuotedCancellation(
        new_id("cq"), cost, booking.currency, min(at for at in ends if at is not None)
    )
    keep(booking, quoted, now)
    return quoted


def refuse_under_way(booking: Booking) -> None:
    """Raises Conflict (409): a new quote of the supplier would void the one that a cancellation goes by."""
    if booking.operations.filter(state__in=OPEN_STATES).exists():
        raise Conflict("Another operation on this booking is in progress.", ours=True, bookingId=booking.id)


def keep(booking: Booking, quoted: QuotedCancellation, now: datetime) -> None:
    row = CancellationQuote(
        booking=booking,
        quote_id=quoted.quote_id,
        penalty_cents=quoted.cost.penalty_cents,
        quote={QUOTE: to_json(quoted.cost.quote), PAID: booking.paid_cents},
        created_at=now,
        expires_at=quoted.expires_at,
    )
    CancellationQuote.objects.bulk_create(
        [row],
        update_conflicts=True,
        unique_fields=["booking"],
        update_fields=["quote_id", "penalty_cents", "quote", "created_at", "expires_at"],
    )
