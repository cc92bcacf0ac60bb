"""POST /v1/flights/orders/{id}/services: bags for an order that stands. What they cost is held before the airline is asked.

No supplier knows a purchase by a reference of ours. What the order has is noted before, so that a look-up after a lost answer can
compare; it is never bought again.
"""

from collections.abc import Sequence

from apps.bookings.flow.claim import carry_out
from apps.bookings.flow.reserve import reserve_modification
from apps.bookings.handlers import Changed, Outcome, Prepared, changed_event
from apps.bookings.models import Booking, Operation, OperationKind
from apps.bookings.refusals import refuse_above, refuse_dearer
from apps.common.errors import OfferExpired
from apps.flights.details import OrderDetails
from apps.flights.services.book import SERVICES, FlightHandler, services_in
from apps.flights.services.list_services import (
    Wanted,
    addition_to,
    chosen_for_order,
    refuse_other_legs,
    refuse_unless_open,
)
from apps.flights.suppliers.base import AddServices, FlightOrder, price_of
from apps.gateway.requests import Caller
from apps.suppliers.values import to_json


def add_services(
    *, caller: Caller, booking: Booking, wanted: Sequence[Wanted], max_total_cents: int | None
) -> Booking:
    """Buy them. Raises Conflict (the order takes nothing more), InvalidRequest, OfferExpired, PriceChanged, ServiceUnavailable,
    InsufficientFunds, 502, 503.
    """

    def begin() -> Operation:
        refuse_unless_open(booking)
        chosen = chosen_for_order(caller.partner, booking, wanted)

        def refuse_now(locked: Booking) -> None:
            refuse_unless_open(locked)
            refuse_other_legs(locked, chosen)

        total = price_of(chosen)
        caller.trigger.refuse_handle(OfferExpired)
        caller.trigger.refuse_payment(total_cents=total, currency=booking.currency)
        refuse_above(max_total_cents, quoted_cents=total, currency=booking.currency)
        return reserve_modification(
            caller=caller,
            booking=booking,
            kind=OperationKind.SERVICES,
            request={
                SERVICES: to_json(chosen),
                "quotedTotalCents": total,
                "maxTotalCents": max_total_cents,
            },
            amount_cents=total,
            refuse=refuse_now,
        )

    return carry_out(caller=caller, begin=begin)


class BuyServices(FlightHandler):
    """The operation that adds bags to an order."""

    kind = OperationKind.SERVICES

    def prepare(self, operation: Operation) -> Prepared:
        """The bags as they are sold now, and what the order has before. Raises PriceChanged above what the partner allows."""
        chosen = services_in(operation.request)
        now, before = self.supplier(operation).prepare_services(
            addition_to(operation.booking, services=chosen)
        )
        total = price_of(now)
        refuse_dearer(
            total, quoted_cents=price_of(chosen), max_total_cents=operation.request["maxTotalCents"]
        )
        return Prepared(total, {SERVICES: to_json(now), "before": list(before)})

    def call(self, operation: Operation, fault: str) -> FlightOrder:
        return self.supplier(operation, fault).add_services(self.addition(operation))

    def find(self, operation: Operation) -> FlightOrder | None:
        return self.supplier(operation).find_services(self.addition(operation))

    def addition(self, operation: Operation) -> AddServices:
        """As it was stored before the airline was asked."""
        return addition_to(
            operation.booking,
            services=services_in(operation.prepared),
            before=tuple(operation.prepared["before"]),
            client_ref=operation.client_ref,
        )

    def outcome(self, operation: Operation, result: FlightOrder) -> Outcome:
        booking = operation.booking
        chosen = services_in(operation.prepared)
        cost = price_of(chosen)
        details = OrderDetails.of(booking).with_services(chosen, result)
        total = booking.total_cents + cost
        changed = changed_event(booking, Changed.SERVICES, total_cents=total, difference_cents=cost)
        return Outcome(
            status=booking.status,
            details=to_json(details),
            total_cents=total,
            supplier_reference=booking.supplier_reference,
            capture_cents=cost if operation.hold_id else None,
            watched_until=details.ends_at,
            events=(changed,),
        )
