"""POST /v1/flights/orders/{id}/schedule-changes/{changeId}/accept: the traveller flies as the airline has moved the flight.

It moves no money. An answer that is lost is looked up at the supplier, which knows whether the change is accepted.
"""

from dataclasses import replace
from datetime import datetime

from apps.bookings.flow.cancel import refuse_unless_standing
from apps.bookings.flow.claim import carry_out
from apps.bookings.flow.reserve import reserve_modification
from apps.bookings.handlers import Outcome, Prepared
from apps.bookings.models import Booking, Operation, OperationKind
from apps.common.errors import Conflict, NotFound, OfferExpired
from apps.flights.details import OrderDetails
from apps.flights.itinerary import ACCEPT, ACCEPTED, OPEN, SUPERSEDED, ScheduleChange
from apps.flights.services.airline_changes import schedule_changed_event
from apps.flights.services.book import FlightHandler
from apps.flights.suppliers.base import FlightOrder
from apps.gateway.requests import Caller
from apps.suppliers.values import to_json


def accept_schedule_change(*, caller: Caller, booking: Booking, change_id: str) -> Booking:
    """Accept what the airline moved. Raises NotFound, Conflict (accepted, overtaken, not standing), OfferExpired (too late), 502,
    503.
    """

    def begin() -> Operation:
        change = acceptable(booking, change_id)
        return reserve_modification(
            caller=caller,
            booking=booking,
            kind=OperationKind.ACCEPT,
            request={"changeId": change_id, "supplierId": change.supplier_id},
            amount_cents=0,
            refuse=lambda locked: refuse_now(locked, change_id),
        )

    return carry_out(caller=caller, begin=begin)


def refuse_now(booking: Booking, change_id: str) -> None:
    acceptable(booking, change_id)


def acceptable(booking: Booking, change_id: str) -> ScheduleChange:
    """The change, if it can be accepted now. Raises as `accept_schedule_change` does."""
    if booking.status == Booking.ON_HOLD:
        raise Conflict("The order is on hold: pay it first.", ours=True)
    change = next((c for c in OrderDetails.of(booking).schedule_changes if c.change_id == change_id), None)
    if change is None:
        raise NotFound("This order has no such schedule change.", ours=True)
    refuse_unless_standing(booking)
    if change.status == ACCEPTED:
        raise Conflict("This schedule change was already accepted.", ours=True)
    if change.status == SUPERSEDED:
        raise Conflict("A later change of the same flights took the place of this one.", ours=True)
    refuse_late(change, booking.now())
    if ACCEPT not in change.available_actions:
        raise Conflict("The airline does not take an acceptance of this change.", ours=True)
    return change


def refuse_late(change: ScheduleChange, now: datetime) -> None:
    """Raises OfferExpired (410) once the airline's time to answer is over, or the flight has left."""
    if change.respond_by is not None and now >= change.respond_by:
        raise OfferExpired("The airline's time to accept this change is over.", ours=True)
    if any(now >= known.leg.departure_at for known in change.after):
        raise OfferExpired("The flight of this change has left.", ours=True)


class AcceptScheduleChange(FlightHandler):
    """The operation that accepts what an airline changed."""

    kind = OperationKind.ACCEPT

    def prepare(self, operation: Operation) -> Prepared:
        """There is no price to ask."""
        return Prepared(0)

    def call(self, operation: Operation, fault: str) -> FlightOrder:
        return self.supplier(operation, fault).accept_change(
            operation.client_ref, operation.booking.supplier_reference, operation.request["supplierId"]
        )

    def find(self, operation: Operation) -> FlightOrder | None:
        return self.supplier(operation).find_acceptance(
            operation.client_ref, operation.booking.supplier_reference, operation.request["supplierId"]
        )

    def outcome(self, operation: Operation, result: FlightOrder) -> Outcome:
        """The order as the supplier has it now. Schedule changes made in the meantime are reported here."""
        booking = operation.booking
        now = booking.now()
        before = OrderDetails.of(booking)
        accepted = with_acceptance(before, operation.request["changeId"], now)
        details = accepted.flown_as(result, now)
        events = map(schedule_changed_event, details.new_schedule_changes(accepted))
        return Outcome(
            status=booking.status,
            details=to_json(details),
            total_cents=booking.total_cents,
            supplier_reference=booking.supplier_reference,
            watched_until=details.ends_at,
            events=tuple(events),
        )


def with_acceptance(details: OrderDetails, change_id: str, now: datetime) -> OrderDetails:
    changes = tuple(
        replace(change, status=ACCEPTED, accepted_at=now)
        if change.change_id == change_id and change.status == OPEN
        else change
        for change in details.schedule_changes
    )
    return replace(details, schedule_changes=changes)
