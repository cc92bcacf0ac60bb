"""A flight order's own part of its booking row, typed; `apps.suppliers.codec` turns it into JSON and back."""

from dataclasses import dataclass, replace
from datetime import datetime

from apps.bookings.models import Booking
from apps.flights.suppliers.base import Conditions, FlightOrder, Passenger, Slice
from apps.suppliers.codec import from_json


@dataclass(frozen=True, slots=True)
class OrderSlice:
    """A leg of the itinerary under the id that partners know it by."""

    slice_id: str
    leg: Slice


@dataclass(frozen=True, slots=True)
class OrderChange:
    """A confirmed change. `settled` turns true when its money has moved."""

    change_id: str
    difference_cents: int
    currency: str
    settled: bool
    settled_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class OrderDetails:
    offer_id: str
    carrier: str
    carrier_name: str
    cabin: str
    slices: tuple[OrderSlice, ...]
    conditions: Conditions
    passengers: tuple[Passenger, ...]
    email: str
    phone: str
    pnr: str | None = None
    ticket_numbers: tuple[str, ...] = ()
    changes: tuple[OrderChange, ...] = ()

    @classmethod
    def of(cls, booking: Booking) -> "OrderDetails":
        return from_json(cls, booking.details)

    def ticketed(self, order: FlightOrder, new_slice_id: str = "") -> "OrderDetails":
        """With what the supplier issued. Legs keep our ids as long as they keep theirs; a leg unknown here is `new_slice_id`."""
        return replace(
            self,
            pnr=order.pnr,
            ticket_numbers=order.ticket_numbers,
            conditions=order.conditions,
            slices=tuple(
                OrderSlice(self._our_id(leg, position) or new_slice_id, leg)
                for position, leg in enumerate(order.slices)
            ),
        )

    def _our_id(self, leg: Slice, position: int) -> str:
        if self.pnr is None:  # the first issue: legs stand in the order of the offer
            return self.slices[position].slice_id
        known = {known.leg.supplier_id: known.slice_id for known in self.slices}
        return known.get(leg.supplier_id, "")
