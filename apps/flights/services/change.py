"""POST /v1/flights/orders/{id}/change: reissue on a quoted option. What it costs is held before the airline is asked."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from apps.bookings.flow.claim import carry_out
from apps.bookings.flow.reserve import reserve_modification
from apps.bookings.handlers import Changed, Outcome, Prepared, changed_event
from apps.bookings.models import Booking, Operation, OperationKind, Settlement
from apps.common.errors import Conflict, OfferExpired, PriceChanged
from apps.common.ids import handle
from apps.flights.details import OrderChange, OrderDetails
from apps.flights.selectors import QuotedChange, quoted_change
from apps.flights.services.book import FlightHandler
from apps.flights.services.change_options import as_charged, refuse_unless_ticketed
from apps.flights.suppliers.base import ChangeOption, FlightOrder
from apps.gateway.requests import Caller
from apps.suppliers.values import from_json, to_json


def change_flight(*, caller: Caller, booking: Booking, change_id: str) -> Booking:
    """Confirm a change. Raises OfferExpired, Conflict (already confirmed, not changeable), InsufficientFunds, 502, 503."""

    def begin() -> Operation:
        refuse_confirmed(booking)
        quoted = quoted_change(caller.partner, booking, change_id)
        refuse_unless_fitting(booking, quoted)
        caller.trigger.refuse_handle(OfferExpired.of_change)
        caller.trigger.refuse_payment(
            total_cents=quoted.option.new_total_cents, currency=quoted.option.currency
        )
        return reserve_modification(
            caller=caller,
            booking=booking,
            kind=OperationKind.CHANGE,
            request={
                "changeId": change_id,
                "removedSliceId": quoted.slice_id,
                "option": to_json(quoted.option),
                "quotedTotalCents": quoted.option.new_total_cents,
            },
            amount_cents=max(0, quoted.option.difference_cents),
            refuse=lambda locked: refuse_now(locked, quoted),
        )

    def refuse_confirmed(booking: Booking) -> None:
        if any(change.change_id == change_id for change in OrderDetails.of(booking).changes):
            raise Conflict("This change was already confirmed.", ours=True)

    def refuse_now(booking: Booking, quoted: QuotedChange) -> None:
        refuse_confirmed(booking)
        refuse_unless_fitting(booking, quoted)

    return carry_out(caller=caller, begin=begin)


def refuse_unless_fitting(booking: Booking, quoted: QuotedChange) -> None:
    """Raises Conflict (409) for an order that is not ticketed, or that the option no longer fits: its slice has departed, another
    one was moved into its way, a passenger would be of another age or without a valid document. Raises OfferExpired where its
    slice is gone.
    """
    refuse_unless_ticketed(booking)
    details, leg = OrderDetails.of(booking), quoted.option.slice
    gap = details.gap(quoted.slice_id)
    if gap is None:
        raise OfferExpired.of_change()
    gap.refuse_flown(booking.now())
    if not gap.takes(leg):
        raise Conflict("The flight of this option overlaps another slice of the order by now.", ours=True)
    gap.refuse_other_ages(details.passengers, leg.departure_at.date())
    gap.refuse_expired_documents(details.passengers, leg.departure_at.date(), leg.arrival_at.date())


class ChangeFlight(FlightHandler):
    """The operation that reissues a ticket."""

    kind = OperationKind.CHANGE

    def prepare(self, operation: Operation) -> Prepared:
        """The option at its price now. It is stored before it is confirmed, because it carries what a look-up needs.

        Raises PriceChanged where it costs more than was quoted.
        """
        quoted = from_json(ChangeOption, operation.request["option"])
        booking = operation.booking
        option = self.supplier(operation).prepare_change(booking.supplier_reference, quoted)
        option = as_charged(booking, option)
        if option.difference_cents > quoted.difference_cents:
            raise PriceChanged(
                previous_total_cents=quoted.new_total_cents,
                current_total_cents=option.new_total_cents,
                currency=option.currency,
            )
        return Prepared(operation.amount_cents, {"option": to_json(option)})

    def call(self, operation: Operation, fault: str) -> FlightOrder:
        return self.supplier(operation, fault).change(
            operation.client_ref, operation.booking.supplier_reference, self.option(operation)
        )

    def find(self, operation: Operation) -> FlightOrder | None:
        return self.supplier(operation).find_change(
            operation.client_ref, operation.booking.supplier_reference, self.option(operation)
        )

    def outcome(self, operation: Operation, result: FlightOrder) -> Outcome:
        """A cost is captured now. A saving is owed, and the reconciliation worker pays it.

        The new total is what the partner has paid after that, whatever the airline says that it charged: more can never be
        refunded. So a saving is at most what was paid, although an airline that charged us more for the order may return more.
        """
        booking, option = operation.booking, self.option(operation)
        now = booking.now()
        difference = max(option.difference_cents, -booking.total_cents)
        owed = max(0, -difference)
        change = OrderChange(
            change_id=operation.request["changeId"],
            difference_cents=difference,
            currency=option.currency,
            settled=owed == 0,
            settled_at=None if owed else now,
            created_at=now,
        )
        details = OrderDetails.of(booking).reissued(
            result,
            removed=operation.request["removedSliceId"],
            added=option.slice,
            new_slice_id=new_slice_id(change.change_id),
        )
        total = booking.total_cents + difference
        changed = changed_event(booking, Changed.LEGS, total_cents=total, difference_cents=difference)
        return Outcome(
            status="ticketed",
            details=to_json(replace(details, changes=(*details.changes, change))),
            total_cents=total,
            supplier_reference=result.supplier_reference,
            capture_cents=max(0, difference) if operation.hold_id else None,
            credit_later_cents=owed,
            watched_until=details.ends_at,
            events=(changed,),
        )

    def settled(self, booking: Booking, settlement: Settlement) -> Mapping[str, Any]:
        """Sets the change's `settled` to true."""
        change_id = settlement.operation.request["changeId"]
        details = OrderDetails.of(booking)
        changes = tuple(
            replace(change, settled=True, settled_at=settlement.settled_at)
            if change.change_id == change_id
            else change
            for change in details.changes
        )
        settled: Mapping[str, Any] = to_json(replace(details, changes=changes))
        return settled

    @staticmethod
    def option(operation: Operation) -> ChangeOption:
        """As it was stored before it was confirmed."""
        return from_json(ChangeOption, operation.prepared["option"])


def new_slice_id(change_id: str) -> str:
    """The id of the leg that a change brings. It contains the change's own unique part, so it is known before the airline
    answers.
    """
    return handle("slice", change_id)
