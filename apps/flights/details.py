"""A flight order's own part of its booking row, typed, and what of it names travellers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from apps.bookings.models import Booking
from apps.bookings.travellers import FORGOTTEN, Details, Travellers, opened
from apps.common.money import Cents
from apps.flights.itinerary import OrderSlice, ScheduleChange, named, with_what_is_known
from apps.flights.rules import Gap, penalty_steps
from apps.flights.suppliers.base import (
    Baggage,
    BookedService,
    ChosenService,
    Conditions,
    FlightOffer,
    FlightOrder,
    IssuedDocument,
    Passenger,
    Slice,
)
from apps.suppliers.results import AirlineCredit, PenaltyStep, PenaltySteps
from apps.suppliers.values import from_json


@dataclass(frozen=True, slots=True)
class OrderChange:
    """A confirmed change. `settled` turns true when its money has moved."""

    change_id: str
    difference_cents: Cents
    currency: str
    settled: bool
    settled_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class OrderService:
    """A bag or a seat of the order. `passenger` is the place among the order's passengers, None if unknown. `segments`:
    the flights, each by its slice's id and its place in the slice. `supplier_id` and `traveller` are the supplier's names.
    """

    service_id: str | None
    kind: str
    passenger: int | None
    segments: tuple[tuple[str, int], ...]
    quantity: int
    total_cents: Cents
    weight_kg: int | None = None
    designator: str | None = None
    supplier_id: str = ""
    traveller: str = ""

    def is_same(self, booked: BookedService) -> bool:
        """Whether it is this one, under whatever name and on whatever flight."""
        return (self.kind, self.traveller, self.quantity, self.designator) == (
            booked.kind,
            booked.traveller,
            booked.quantity,
            booked.designator,
        )


@dataclass(frozen=True, slots=True)
class OrderDetails:
    """`airline_total_cents`: the airline's total, which need not be the partner's. None until there is one.

    `pay_by` and `price_guaranteed_until` are of an order on hold (`Booking.pay_by` reads the former); `hold_reminded`: the
    partner was notified that the hold is about to end.
    """

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
    airline_total_cents: Cents | None = None
    schedule_changes: tuple[ScheduleChange, ...] = ()
    fare_brand: str | None = None
    baggage: tuple[Baggage, ...] = ()
    conditions_url: str | None = None
    documents: tuple[IssuedDocument, ...] = ()
    services: tuple[OrderService, ...] = ()
    services_lost: tuple[OrderService, ...] = ()
    """Those that a change cost the travellers."""
    pay_by: datetime | None = None
    price_guaranteed_until: datetime | None = None
    hold_reminded: bool = False
    airline_credits: tuple[AirlineCredit, ...] = ()

    @classmethod
    def of(cls, booking: Booking) -> "OrderDetails":
        return from_json(cls, opened(booking))

    @property
    def ends_at(self) -> datetime:
        """When the journey is over."""
        return max(known.leg.arrival_at for known in self.slices)

    def penalty_steps(self, total_cents: int) -> PenaltySteps | None:
        """What cancelling costs of the partner's total."""
        return penalty_steps(
            self.conditions,
            [known.leg for known in self.slices],
            total_cents=total_cents,
            airline_total_cents=self.airline_total_cents,
        )

    def steps_of(self, booking: Booking) -> PenaltySteps | None:
        """What cancelling the order costs its partner: nothing while it is on hold, because nothing is paid."""
        if booking.status == Booking.ON_HOLD:
            return (PenaltyStep(None, 0),)
        return self.penalty_steps(booking.total_cents)

    def gap(self, slice_id: str) -> Gap | None:
        """The place in the itinerary that this slice would leave; None where the order has no such slice."""
        removed = next((known for known in self.slices if known.slice_id == slice_id), None)
        return Gap(self.slices, removed) if removed is not None else None

    def ticketed(self, order: FlightOrder) -> "OrderDetails":
        """With what the supplier issued for the offer. Fare details that it no longer gives stay as they were offered."""
        issued = self._issued(order, named(order.slices, self.slices))
        return replace(
            issued, fare_brand=order.fare_brand or self.fare_brand, baggage=order.baggage or self.baggage
        )

    def held(self, order: FlightOrder, offer: FlightOffer) -> "OrderDetails":
        """With the order on hold that the supplier made, until when the offer said where the order does not say."""
        return replace(
            self.ticketed(order),
            pay_by=order.pay_by or offer.pay_by,
            price_guaranteed_until=order.price_guaranteed_until,
        )

    def reissued(
        self, order: FlightOrder, *, removed: str, added: Slice, new_slice_id: str
    ) -> "OrderDetails":
        """With what the supplier issued after a change. The slice `removed` is gone; the leg `added` has the id that the
        partner received.
        """
        kept = [known for known in self.slices if known.slice_id != removed]
        slices = named(order.slices, kept, added=added, promised=new_slice_id)
        issued = self._issued(order, slices)
        if not order.slices or not (self.services or order.services):
            return issued  # an airline that lists no legs has not changed them
        services, lost = services_now(self.services, order.services, slices)
        return replace(issued, services=services, services_lost=(*self.services_lost, *lost))

    def with_services(self, chosen: Sequence[ChosenService], order: FlightOrder) -> "OrderDetails":
        """With what was bought for the order that stands; cancelling it then costs what the airline says now."""
        known = {one.supplier_id for one in self.services}
        fresh = [one for one in order.services if one.supplier_id not in known]
        return replace(
            self,
            conditions=order.conditions,
            ticket_numbers=order.ticket_numbers or self.ticket_numbers,
            documents=order.documents or self.documents,
            airline_total_cents=order.total_cents,
            services=(*self.services, *bought(chosen, self.slices, fresh)),
        )

    def flown_as(self, order: FlightOrder, now: datetime) -> "OrderDetails":
        """With what the airline changed by itself, and whether it can be changed now. What it no longer says stays as it is.

        Its new `schedule_changes` are those that the order had not yet; each is to be reported once.
        """
        known = self.schedule_changes
        slices, schedule_changes = with_what_is_known(self.slices, known, order, now)
        return replace(
            self,
            pnr=order.pnr or self.pnr,
            ticket_numbers=order.ticket_numbers or self.ticket_numbers,
            documents=order.documents or self.documents,
            slices=slices,
            conditions=replace(self.conditions, changeable=order.conditions.changeable),
            schedule_changes=schedule_changes,
            pay_by=order.pay_by or self.pay_by,
            price_guaranteed_until=order.price_guaranteed_until,
        )

    def new_schedule_changes(self, before: "OrderDetails") -> tuple[ScheduleChange, ...]:
        """Those that `before` had not."""
        return self.schedule_changes[len(before.schedule_changes) :]

    def _issued(self, order: FlightOrder, slices: tuple[OrderSlice, ...]) -> "OrderDetails":
        return replace(
            self,
            pnr=order.pnr,
            ticket_numbers=order.ticket_numbers,
            documents=order.documents,
            conditions=order.conditions,
            slices=slices,
            airline_total_cents=order.total_cents,
            schedule_changes=tuple(change.seen_beside(slices) for change in self.schedule_changes),
            fare_brand=order.fare_brand,
            baggage=order.baggage,
        )


def bought(
    chosen: Iterable[ChosenService], slices: Sequence[OrderSlice], booked: Iterable[BookedService] = ()
) -> tuple[OrderService, ...]:
    """The chosen services as the order lists them, under the names that the supplier gave those that it has `booked`."""
    left, found = list(booked), []
    for one in chosen:
        service = one.service
        line = OrderService(
            service_id=one.name,
            kind=service.kind,
            passenger=one.passenger,
            segments=tuple((slices[leg].slice_id, at) for leg, at in service.segments),
            quantity=one.quantity,
            total_cents=service.total_cents * one.quantity,
            weight_kg=service.weight_kg,
            designator=service.designator,
            traveller=service.supplier_data.get("traveller", str(one.passenger)),
        )
        same = [it for it in left if line.is_same(it)]
        match = next((it for it in same if it.segments == service.segments), same[0] if same else None)
        if match is not None:
            left.remove(match)
            line = replace(line, supplier_id=match.supplier_id)
        found.append(line)
    return tuple(found)


def services_now(
    known: Sequence[OrderService], booked: Iterable[BookedService], slices: Sequence[OrderSlice]
) -> tuple[tuple[OrderService, ...], tuple[OrderService, ...]]:
    """The services as the airline has them after a change, and those of the `known` that it no longer has. They are found by the
    airline's names, else by what they are. What it has beyond them is listed at its price.
    """
    left, lines = list(known), []
    passengers = {one.traveller: one.passenger for one in known}
    booked = list(booked)
    names = {one.supplier_id for one in booked}
    for one in booked:
        same_name = (line for line in left if line.supplier_id == one.supplier_id)
        renamed = (line for line in left if line.supplier_id not in names and line.is_same(one))
        line = next(same_name, None) or next(renamed, None)
        segments = tuple((slices[leg].slice_id, at) for leg, at in one.segments)
        if line is None:
            line = OrderService(
                service_id=None,
                kind=one.kind,
                passenger=passengers.get(one.traveller),
                segments=segments,
                quantity=one.quantity,
                total_cents=one.total_cents,
                traveller=one.traveller,
            )
        else:
            left.remove(line)
        lines.append(
            replace(
                line,
                segments=segments,
                supplier_id=one.supplier_id,
                weight_kg=one.weight_kg or line.weight_kg,
                designator=one.designator or line.designator,
            )
        )
    return tuple(lines), tuple(left)


def ends_at(details: Details) -> datetime:
    return datetime.fromisoformat(details["slices"][-1]["leg"]["arrival_at"])


def last_names(details: Details) -> list[str]:
    return [passenger["last_name"] for passenger in details.get("passengers", ())]


TRAVELLERS = Travellers(
    details={"passengers": [], "email": FORGOTTEN, "phone": FORGOTTEN, "airline_credits": []},
    answer={
        "passengers": [],
        "documents": [],
        "airlineCredits": [],
        "contact": {"email": FORGOTTEN, "phone": FORGOTTEN},
    },
    ends_at=ends_at,
    last_names=last_names,
)
