"""What a document says of a ride: what a driver's desk asks for, and who provides it."""

from dataclasses import dataclass
from datetime import datetime

from apps.documents.common import Draft, Subject, party
from apps.documents.data import Point, Section, Span, rows
from apps.documents.words import Words, joined
from apps.suppliers import airports
from apps.transfers.details import OrderDetails
from apps.transfers.presenters import legs_of
from apps.transfers.rules import clock_at, leads_to_departure
from apps.transfers.suppliers.base import (
    Operator,
    Pickup,
    Place,
    TransferSearch,
    WayBack,
)


@dataclass(frozen=True, slots=True)
class Leg:
    """One way of the journey, as a search of its own, with what is known of it."""

    title: str
    search: TransferSearch
    ride: WayBack
    pickup: Pickup | None
    flight_number: str | None


def legs_of_order(order: OrderDetails) -> list[Leg]:
    rides = legs_of(order, None)
    titles = ("ride",) if len(rides) == 1 else ("way_there", "way_back")
    pickups = (order.pickup, order.back_pickup)
    numbers = (order.flight_number, order.inbound_flight_number)
    return [Leg(*one) for one in zip(titles, order.search.legs, rides, pickups, numbers, strict=False)]


def draft(about: Subject) -> Draft:
    w, booking = about.words, about.booking
    order = OrderDetails.of(booking)
    search, lead = order.search, order.lead_passenger
    who, legs = search.passengers, legs_of_order(order)
    name = joined((lead.first_name, lead.last_name), " ")
    route = f"{place_name(search.start)} – {place_name(search.end)}"
    days = dict.fromkeys(w.short_day(leg.search.outbound.date()) for leg in legs)
    extras = "\n".join(f"{extra.quantity} × {extra.name}" for extra in order.extras)
    return Draft(
        subject=route,
        bought=joined((route, *days)),
        references=rows((w("supplier_number"), booking.supplier_reference)),
        sections=(
            *(leg_section(w, leg) for leg in legs),
            Section(
                w("passengers"),
                rows=rows(
                    (
                        w("passengers"),
                        party(w, adults=who.adults, children=who.children, infants=who.infants),
                    ),
                    (w("lead"), name),
                    (w("phone"), lead.phone),
                    (w("extras"), extras),
                ),
            ),
        ),
        desk=(
            Section(w("notes"), notes=(order.notes,) if order.notes else ()),
            Section(
                w("remarks"), notes=tuple(dict.fromkeys(text for leg in legs for text in leg.ride.remarks))
            ),
            Section(w("provider"), notes=provider(w, order.operator, booking.supplier_reference)),
        ),
        steps=order.penalty_steps(booking.total_cents),
        zone=clock_at(search.start, search.end),
        names=(name,),
        begins_at=(order.pickup.at if order.pickup else None) or search.outbound,
        ends_on=order.last_day,
    )


def leg_section(w: Words, leg: Leg) -> Section:
    pickup = leg.pickup
    instructions = pickup.instructions if pickup else ""
    return Section(
        w(leg.title),
        spans=(span(w, leg),),
        rows=rows(
            (w("vehicle"), leg.ride.vehicle.description),
            (w("flight_number"), leg.flight_number or ""),
            (w("finding"), "\n".join((*filter(None, (instructions,)), *waiting(w, leg)))),
            (w("emergency"), pickup.emergency_phone or "" if pickup else ""),
        ),
    )


def span(w: Words, leg: Leg) -> Span:
    """The pick-up at its time. Where that is not known: at the time of the arrival that was searched for, and on the way to a
    departure the drop-off stands with its time.
    """
    search = leg.search
    at = leg.pickup.at if leg.pickup else None
    departs = leads_to_departure(search.start, search.end)
    return Span(
        point(w, "pick_up", search.start, at or (None if departs else search.outbound)),
        point(w, "drop_off", search.end, search.outbound if departs and at is None else None),
        middle=w.minutes(leg.ride.duration_minutes or 0),
    )


def point(w: Words, label: str, place: Place, at: datetime | None) -> Point:
    name = place_name(place)
    address = place.address if place.address != name else ""
    return Point(
        w(label),
        w.day(at.date()) if at else "",
        f"{at:%H:%M}" if at else "",
        name,
        joined((address, joined((place.zip, place.town), " "), w.country(place.country))),
    )


def place_name(place: Place) -> str:
    found = airports.find(place.code or "") if place.type == "IATA" else None
    if found is not None and not place.name:
        city = "" if found.city.casefold() in found.name.casefold() else found.city
        return f"{joined((city, found.name))} ({found.code})"
    spot = f"{place.latitude}, {place.longitude}" if place.latitude is not None else ""
    return place.name or place.address or spot or place.code or ""


def waiting(w: Words, leg: Leg) -> list[str]:
    return [
        w(f"waiting_{time.who}", minutes=f"{time.minutes} min")
        for time in leg.ride.waiting_times
        if time.who in ("driver", "customer")
    ]


def provider(w: Words, operator: Operator | None, reference: str) -> tuple[str, ...]:
    """The sentence that the supplier asks vouchers to have."""
    if operator is None or not operator.name:
        return ()
    vat = f" ({w('vat', number=operator.vat_number)})" if operator.vat_number else ""
    company = f"{operator.invoice_company or operator.name}{vat}"
    return operator.name, w("payable_by", company=company, reference=reference)
