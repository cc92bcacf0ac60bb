"""A flight order's own part of its booking row, typed; `apps.suppliers.codec` turns it into JSON and back."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from apps.bookings.models import Booking
from apps.common.ids import handle
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

    def ticketed(
        self, order: FlightOrder, new_slice_id: str = "", added: Slice | None = None
    ) -> "OrderDetails":
        """With what the supplier issued. Legs keep our ids as long as they keep theirs, or fly as they did; the leg that flies
        as `added` does, and what else is unknown here, is `new_slice_id`.
        """
        ids = [self._our_id(leg, position, added) for position, leg in enumerate(order.slices)]
        return replace(
            self,
            pnr=order.pnr,
            ticket_numbers=order.ticket_numbers,
            conditions=order.conditions,
            slices=tuple(
                OrderSlice(our_id, leg)
                for our_id, leg in zip(_each_its_own(ids, new_slice_id), order.slices, strict=True)
            ),
        )

    def _our_id(self, leg: Slice, position: int, added: Slice | None) -> str:
        """Empty for a leg that is new."""
        if self.pnr is None:  # the first issue: legs stand in the order of the offer
            return self.slices[position].slice_id
        for known in self.slices:
            if known.leg.supplier_id == leg.supplier_id:
                return known.slice_id
        if added is not None and flown(leg) == flown(added):
            return ""
        # A reissue may give every leg a new id of theirs.
        return next((known.slice_id for known in self.slices if flown(known.leg) == flown(leg)), "")


def flown(leg: Slice) -> tuple[str, str, datetime]:
    """Which flight a leg is, whatever its id."""
    return leg.origin, leg.destination, leg.departure_at


def _each_its_own(ids: list[str], new_slice_id: str) -> Iterator[str]:
    """The ids, the empty ones filled in; no two legs under one, or a partner would change another leg than it names."""
    given: set[str] = set()
    for position, our_id in enumerate(ids):
        own = our_id or new_slice_id
        own = own if own not in given else handle("slice", new_slice_id, position)
        given.add(own)
        yield own
