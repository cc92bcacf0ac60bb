"""POST /v1/flights/orders/{id}/pay: an order on hold is paid and ticketed. Its price is held before the airline is asked.

The order is `pending` from the hold on, as a new booking is, until it is ticketed or on hold again.
"""

from dataclasses import replace

from apps.accounts.actors import Actor
from apps.accounts.models import AuditAction
from apps.bookings.flow.claim import carry_out
from apps.bookings.flow.members import for_member
from apps.bookings.flow.reserve import reserve_modification
from apps.bookings.handlers import Outcome, Prepared, confirmed_event
from apps.bookings.models import Booking, Operation, OperationKind
from apps.bookings.refusals import refuse_above, refuse_dearer
from apps.common.errors import Conflict, OfferExpired
from apps.flights.details import OrderDetails
from apps.flights.services.book import FlightHandler, issued, issued_unless_undone
from apps.flights.suppliers.base import FlightOrder, Payment
from apps.gateway.requests import Caller
from apps.keys.partner import Partner
from apps.suppliers.errors import Expired, Rejected
from apps.suppliers.values import from_json, to_json


def pay_order(*, caller: Caller, booking: Booking, max_total_cents: int | None) -> Booking:
    """Pay for an order on hold. Raises Conflict (not on hold, changed by its airline), OfferExpired (too late), PriceChanged,
    InsufficientFunds, 502, 503.
    """

    def begin() -> Operation:
        refuse_unless_payable(booking)
        total, currency = booking.total_cents, booking.currency
        caller.trigger.refuse_handle(OfferExpired.of_hold)
        caller.trigger.refuse_payment(total_cents=total, currency=currency)
        refuse_above(max_total_cents, quoted_cents=total, currency=currency)
        return reserve_modification(
            caller=caller,
            booking=booking,
            kind=OperationKind.PAY,
            request={"quotedTotalCents": total, "maxTotalCents": max_total_cents},
            amount_cents=total,
            refuse=refuse_unless_payable,
            status=Booking.PENDING,
            approval_until=lambda locked: OrderDetails.of(locked).pay_by,
        )

    return carry_out(caller=caller, begin=begin)


def pay_for_member(
    *, partner: Partner, booking: Booking, actor: Actor, max_total_cents: int, key: str
) -> Booking:
    """Pay in the portal, if it costs no more than `max_total_cents`. Raises what `for_member` and `pay_order` raise."""

    return for_member(
        partner=partner,
        booking=booking,
        actor=actor,
        key=key,
        operation="payFlightOrder",
        action=AuditAction.BOOKING_PAID,
        limit={"maxTotalCents": max_total_cents},
        refuse=refuse_unless_payable,
        act=lambda caller: pay_order(caller=caller, booking=booking, max_total_cents=max_total_cents),
    )


def refuse_unless_payable(booking: Booking) -> None:
    """Raises OfferExpired (410) once the time to pay is over, also where the order was cancelled for that, and Conflict (409) for
    an order that is not on hold.
    """
    pay_by = OrderDetails.of(booking).pay_by
    ended = booking.status in (Booking.ON_HOLD, Booking.CANCELLED)
    if ended and pay_by is not None and booking.now() >= pay_by:
        raise OfferExpired.of_hold()
    if booking.status == "ticketed":
        raise Conflict("The order is paid already.", ours=True)
    if booking.status != Booking.ON_HOLD:
        raise Conflict(f"The order is {booking.status}, not on hold.", ours=True)


class PayForFlight(FlightHandler):
    """The operation that pays for an order on hold."""

    kind = OperationKind.PAY

    def prepare(self, operation: Operation) -> Prepared:
        """The order's price at its airline now. Raises PriceChanged if it is above both the price last shown and the partner's
        limit, Expired once the time to pay is over.
        """
        booking = operation.booking
        pay_by = OrderDetails.of(booking).pay_by
        if pay_by is not None and booking.now() >= pay_by:
            raise Expired("the time to pay is over")
        payment = self.supplier(operation).prepare_payment(booking.supplier_reference)
        if payment.currency != booking.currency:
            raise Rejected(f"the order costs {payment.currency}, and {booking.currency} was agreed")
        refuse_dearer(
            payment.total_cents,
            quoted_cents=operation.request["quotedTotalCents"],
            max_total_cents=operation.request["maxTotalCents"],
        )
        return Prepared(payment.total_cents, {"payment": to_json(payment)})

    def call(self, operation: Operation, fault: str) -> FlightOrder:
        reference = operation.booking.supplier_reference
        return issued(
            self.supplier(operation, fault).pay(operation.client_ref, reference, self.payment(operation))
        )

    def find(self, operation: Operation) -> FlightOrder | None:
        reference = operation.booking.supplier_reference
        found = self.supplier(operation).find_payment(
            operation.client_ref, reference, self.payment(operation)
        )
        return issued_unless_undone(operation.booking, found)

    def outcome(self, operation: Operation, result: FlightOrder) -> Outcome:
        """The partner pays exactly what was paid for it: what was prepared."""
        total = min(self.payment(operation).total_cents, operation.amount_cents)
        ticketed = OrderDetails.of(operation.booking).ticketed(result)
        details = replace(ticketed, pay_by=None, price_guaranteed_until=None)
        return Outcome(
            status="ticketed",
            details=to_json(details),
            total_cents=total,
            supplier_reference=result.supplier_reference,
            capture_cents=total,
            watched_until=details.ends_at,
            events=(confirmed_event(operation, total),),
        )

    @staticmethod
    def payment(operation: Operation) -> Payment:
        """As it was stored before it was made."""
        return from_json(Payment, operation.prepared["payment"])
