"""GET …/services and …/seat-maps: what an airline sells beside the fare, and what of it a partner has chosen.

What was listed is stored, because suppliers give a service another id with each read: a serviceId names what it was, and just
before it is bought the airline's latest list is asked for the same (`suppliers.base.on_sale`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.conf import settings

from apps.bookings.models import Booking
from apps.bookings.refusals import translated
from apps.common import clock
from apps.common.errors import Conflict, InvalidRequest, OfferExpired
from apps.common.ids import handle, new_id
from apps.flights.details import OrderDetails
from apps.flights.models import FlightServiceList
from apps.flights.selectors import ListedService, QuotedOffer, listed_services, quoted_offer
from apps.flights.suppliers.base import (
    SEAT,
    AddServices,
    ChosenService,
    FlightService,
    FlightSupplier,
    Passenger,
    SeatMap,
)
from apps.flights.suppliers.registry import flight_supplier
from apps.gateway.requests import Caller
from apps.keys.partner import Partner
from apps.suppliers.currency import kept_with
from apps.suppliers.http import all_within
from apps.suppliers.values import to_json

MOST_LISTED = 32**4
"""As many as a handle can number."""
IN_A_PLACE = 32**2
LEGS = "slices"
"""The entry of the `supplier_data` of an order's services that has the ids of its slices. No adapter reads it."""
STALE = (
    "This service is past its 20 minutes, or older than the order's last change; list the order's services again, with a new "
    "Idempotency-Key."
)


@dataclass(frozen=True, slots=True)
class Listed:
    """What was listed, under the row that keeps it. `slice_ids` are those of the offer or the order, in the places that the
    services name.
    """

    row_id: str
    services: Sequence[FlightService]
    slice_ids: tuple[str, ...]
    maps: Sequence[SeatMap] = ()


def service_id(row_id: str, place: int) -> str:
    return handle("service", row_id, *divmod(place, IN_A_PLACE))


# --- Listing ----------------------------------------------------------------------------------------------------------
def services_of_offer(*, caller: Caller, offer_id: str) -> Listed:
    """Raises OfferExpired, UpstreamError, UpstreamUnavailable."""
    quoted = quoted_offer(caller.partner, offer_id)
    caller.trigger.refuse_handle()
    with translated():
        sold = supplier_of(quoted, caller).services(quoted.offer)
    return _kept(caller.partner, quoted, sold)


def seat_maps_of_offer(*, caller: Caller, offer_id: str) -> Listed:
    """Raises as `services_of_offer` does."""
    quoted = quoted_offer(caller.partner, offer_id)
    caller.trigger.refuse_handle()
    with translated(), all_within(settings.SUPPLIER_CALL_SECONDS):
        maps = supplier_of(quoted, caller).seat_maps(quoted.offer)
    seats = [
        service
        for seat_map in maps
        for cabin in seat_map.cabins
        for row in cabin.rows
        for section in row
        for element in section
        for service in element.services
    ]
    return _kept(caller.partner, quoted, seats, maps)


def services_of_order(*, caller: Caller, booking: Booking) -> Listed:
    """What can be bought for an order that stands. Raises Conflict (409) for one that takes nothing more."""
    refuse_unless_open(booking)
    details, now = OrderDetails.of(booking), booking.now()
    with translated(), all_within(settings.SUPPLIER_CALL_SECONDS):
        supplier = flight_supplier(
            booking.environment, caller.trigger.at_supplier(), booking.exchange, named=booking.supplier_name
        )
        sold = supplier.order_services(addition_to(booking))
    ahead = [
        replace(one, supplier_data={**one.supplier_data, LEGS: legs_of(details, one)})
        for one in sold
        if one.currency == booking.currency and not has_left(details, one, now)
    ]
    slice_ids = tuple(known.slice_id for known in details.slices)
    lives_until = now + timedelta(minutes=settings.OFFER_MINUTES)
    row_id = _store(caller.partner, booking.id, ahead, now, lives_until)
    return Listed(row_id, ahead, slice_ids)


def supplier_of(quoted: QuotedOffer, caller: Caller) -> FlightSupplier:
    return flight_supplier(
        caller.partner.environment,
        caller.trigger.at_supplier(),
        exchange=kept_with(quoted.offer.supplier_data),
        named=quoted.supplier_name,
    )


def addition_to(booking: Booking, **more: object) -> AddServices:
    details = OrderDetails.of(booking)
    return AddServices(
        supplier_reference=booking.supplier_reference,
        passengers=details.passengers,
        slices=tuple(known.leg for known in details.slices),
        **more,  # type: ignore[arg-type]
    )


def _kept(
    partner: Partner, quoted: QuotedOffer, sold: list[FlightService], maps: Sequence[SeatMap] = ()
) -> Listed:
    until = quoted.offer.expires_at or quoted.expires_at
    row_id = _store(partner, quoted.id, sold[:MOST_LISTED], clock.now(partner), until)
    slice_ids = tuple(
        handle("slice", quoted.search_id, quoted.position, place) for place in range(len(quoted.offer.slices))
    )
    return Listed(row_id, sold[:MOST_LISTED], slice_ids, maps)


def _store(
    partner: Partner, subject: str, sold: Sequence[FlightService], now: datetime, until: datetime
) -> str:
    row_id = new_id("fsl")
    if sold:
        FlightServiceList.objects.create(
            id=row_id,
            account_id=partner.account_id,
            environment=partner.environment,
            subject=subject,
            services=to_json(sold),
            created_at=now,
            expires_at=until,
        )
    return row_id


# --- What an order takes ------------------------------------------------------------------------------------------------
def refuse_unless_open(booking: Booking) -> None:
    """Raises Conflict (409) unless the order is ticketed, with a flight ahead."""
    if booking.status != "ticketed":
        raise Conflict(f"The order is {booking.status}, not ticketed.", ours=True)
    now = booking.now()
    if all(known.leg.departure_at <= now for known in OrderDetails.of(booking).slices):
        raise Conflict("The flights of this order have departed; nothing can be added to it.", ours=True)


def has_left(details: OrderDetails, service: FlightService, now: datetime) -> bool:
    """Whether it is of a slice that has departed, or that the order no longer has."""
    return any(
        leg >= len(details.slices) or details.slices[leg].leg.departure_at <= now
        for leg, _ in service.segments
    )


def legs_of(details: OrderDetails, service: FlightService) -> str:
    """The ids of the slices that it is for."""
    return " ".join(details.slices[leg].slice_id for leg, _ in service.segments if leg < len(details.slices))


def refuse_other_legs(booking: Booking, chosen: Sequence[ChosenService]) -> None:
    """Raises OfferExpired (410) for a bag of a slice that a change has replaced since it was listed."""
    details = OrderDetails.of(booking)
    if any(one.service.supplier_data.get(LEGS) != legs_of(details, one.service) for one in chosen):
        raise OfferExpired(STALE, ours=True)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the partner wants, by its id."""

    service_id: str
    quantity: int


def chosen_for_order(
    partner: Partner, booking: Booking, wanted: Sequence[Wanted]
) -> tuple[ChosenService, ...]:
    """Raises InvalidRequest (400), OfferExpired (410) for a list that is too old, Conflict (409) for a flight that has left."""
    details, now = OrderDetails.of(booking), booking.now()
    listed = listed_services(partner, [one.service_id for one in wanted], booking.id)
    places = range(len(details.passengers))
    chosen = chosen_services(wanted, listed, details.passengers, places, "order")
    if any(one.expires_at <= now for one in listed.values()):
        raise OfferExpired(STALE, ours=True)
    refuse_other_legs(booking, chosen)
    if any(has_left(details, one.service, now) for one in chosen):
        raise Conflict("The flight of this service has departed.", ours=True)
    return chosen


def chosen_services(
    wanted: Sequence[Wanted],
    listed: Mapping[str, ListedService],
    passengers: Sequence[Passenger],
    places: Sequence[int],
    subject: str,
) -> tuple[ChosenService, ...]:
    """The wanted services as they were listed; `places` are the order's passengers by the places that the services name.

    Raises InvalidRequest (400) at each one that cannot be bought, or not beside another one: a passenger has one seat on a flight
    and one bag of a kind (of which there may be several pieces: weights are alternatives), and a seat has one passenger.
    """
    details: list[dict[str, str]] = []
    chosen: list[ChosenService] = []
    taken: dict[tuple[object, ...], str] = {}
    named: set[str] = set()
    for at, one in enumerate(wanted):
        field = f"services.{at}.serviceId"
        found = listed.get(one.service_id)
        if one.service_id in named:
            details.append({"field": field, "message": "must be named once; give the number as its quantity"})
            continue
        named.add(one.service_id)
        if found is None:
            details.append({"field": field, "message": f"is not a service of this {subject}"})
            continue
        service = found.service
        if service.passenger >= len(places):
            details.append({"field": field, "message": "is of a passenger whom the order does not have"})
            continue
        passenger = places[service.passenger]
        if service.kind == SEAT and passengers[passenger].type == "infant":
            details.append({"field": field, "message": "is of an infant, who has no seat"})
        if one.quantity > service.max_quantity:
            message = f"must be at most {service.max_quantity}"
            details.append({"field": f"services.{at}.quantity", "message": message})
        if other := next((taken[key] for key in _claims(service) if key in taken), None):
            details.append({"field": field, "message": f"cannot be bought together with {other}"})
        taken |= dict.fromkeys(_claims(service), f"services.{at}")
        chosen.append(ChosenService(one.service_id, service, one.quantity, passenger))
    if details:
        raise InvalidRequest(details=details)
    return tuple(chosen)


def _claims(service: FlightService) -> Iterable[tuple[object, ...]]:
    """What can be sold only once: the passenger's place for such a thing on a flight; the seat."""
    for segment in service.segments:
        yield service.kind, service.passenger, segment
        if service.kind == SEAT:
            yield segment, service.designator
