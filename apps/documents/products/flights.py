"""What a document says of a flight order: legs, passengers, tickets, bags and seats."""

from collections.abc import Iterator
from datetime import date

from apps.documents.common import Draft, Subject, airport_city
from apps.documents.data import Point, Row, Section, Span, Table, rows, table
from apps.documents.words import Words, joined
from apps.flights.details import OrderDetails, OrderService
from apps.flights.suppliers.base import CARRY_ON_BAG, CHECKED_BAG, SEAT, TICKET, Passenger, Segment, Slice
from apps.suppliers import airports
from apps.suppliers.results import AirlineCredit

CABINS = frozenset({"economy", "premium_economy", "business", "first"})
KINDS = frozenset({"adult", "child", "infant"})


def draft(about: Subject) -> Draft:
    w, booking = about.words, about.booking
    order = OrderDetails.of(booking)
    legs = [known.leg for known in order.slices]
    first = airports.find(legs[0].origin) if legs else None
    sections = [leg_section(w, number, leg, len(legs)) for number, leg in enumerate(legs, 1)]
    return Draft(
        subject=route(legs),
        bought=joined((route(legs), order.carrier_name, *(w.short_day(day) for day in ends(legs)))),
        lines=(joined((order.carrier_name, order.fare_brand), " · "),),
        references=rows((w("pnr"), order.pnr or "")),
        sections=(
            *sections,
            Section(w("passengers"), tables=passenger_table(about, order)),
            Section(w("baggage"), tables=(*included_table(w, order), *service_table(w, order))),
        ),
        desk=(Section(w("carriage"), rows=rows((order.carrier_name, order.conditions_url or ""))),),
        steps=order.steps_of(booking),
        zone=first.clock if first is not None else None,
        names=tuple(map(full_name, order.passengers)),
        taxes=taxes(about),
        closing=w("flight_closing"),
        begins_at=legs[0].departure_at.replace(tzinfo=None) if legs else None,
        ends_on=legs[-1].arrival_at.date() if legs else None,
        credits=tuple(
            Row(joined((w("credits"), named(order, one.passenger)), ", "), credit(w, one))
            for one in order.airline_credits
        ),
    )


def route(legs: list[Slice]) -> str:
    """`Lisbon – New York – Lisbon`. A leg that begins elsewhere than the last one ended stands by itself."""
    text, at = "", ""
    for leg in legs:
        text += "" if leg.origin == at else f"{', ' if text else ''}{airport_city(leg.origin)}"
        text += f" – {airport_city(leg.destination)}"
        at = leg.destination
    return text


def ends(legs: list[Slice]) -> list[date]:
    days = [leg.departure_at.date() for leg in legs]
    return [*dict.fromkeys((days[0], days[-1]))] if days else []


def leg_section(w: Words, number: int, leg: Slice, legs: int) -> Section:
    where = f"{airport_city(leg.origin)} ({leg.origin}) – {airport_city(leg.destination)} ({leg.destination})"
    return Section(
        f"{number}. {where}" if legs > 1 else where,
        spans=tuple(segment_span(w, segment) for segment in leg.segments),
        notes=(w("flight_times"),) if number == legs else (),
    )


def segment_span(w: Words, segment: Segment) -> Span:
    operator = segment.operator
    stops = ", ".join(airport_city(stop.airport) for stop in segment.stops)
    return Span(
        Point(
            "",
            w.day(segment.departure_at.date()),
            f"{segment.departure_at:%H:%M}",
            *airport(w, segment.origin, segment.origin_terminal),
        ),
        Point(
            "",
            w.day(segment.arrival_at.date()),
            f"{segment.arrival_at:%H:%M}",
            *airport(w, segment.destination, segment.destination_terminal),
        ),
        title=joined((f"{segment.carrier_name} {segment.flight_number}", cabin(w, segment.cabin)), " · "),
        middle=w.minutes(segment.duration_minutes),
        detail=joined(
            (
                w("operated_by", airline=operator[1]) if operator and operator[0] != segment.carrier else "",
                w("stop_at", places=stops) if stops else "",
                segment.aircraft,
            ),
            " · ",
        ),
    )


def airport(w: Words, code: str, terminal: str | None) -> tuple[str, str]:
    """The town with the code, then the airport's name with the terminal."""
    found = airports.find(code)
    name = found.name if found is not None else ""
    return f"{airport_city(code)} ({code})", joined((name, w("terminal", name=terminal) if terminal else ""))


def cabin(w: Words, name: str | None) -> str:
    return "" if not name else w(name) if name in CABINS else name.replace("_", " ")


def full_name(passenger: Passenger) -> str:
    return joined((passenger.first_name, passenger.last_name), " ")


def named(order: OrderDetails, place: int | None) -> str:
    known = place is not None and 0 <= place < len(order.passengers)
    return full_name(order.passengers[place]) if known else ""  # type: ignore[index]


def passenger_table(about: Subject, order: OrderDetails) -> tuple[Table, ...]:
    """Each with the tickets that are known to be theirs. Tickets of no certain traveller are on their own line."""
    w = about.words
    tickets = [one for one in order.documents if one.type == TICKET]
    theirs: dict[int | None, list[str]] = {}
    for one in tickets:
        known = one.passenger is not None and one.passenger < len(order.passengers)
        theirs.setdefault(one.passenger if known else None, []).append(one.number)
    if not tickets:
        theirs[None] = list(order.ticket_numbers)
    lines = [
        (full_name(one), w(one.type), ", ".join(theirs.get(at, [])))
        for at, one in enumerate(order.passengers)
    ]
    if theirs.get(None):
        lines.append(("", "", ", ".join(theirs[None])))
    return table((w("passenger"), w("kind"), w("tickets")), lines)


def included_table(w: Words, order: OrderDetails) -> tuple[Table, ...]:
    lines = [
        (
            w(one.passenger_type) if one.passenger_type in KINDS else one.passenger_type,
            joined(
                (
                    w.count("carry_on_bags", one.cabin) if one.cabin else "",
                    w.count("checked_bags", one.checked) if one.checked else "",
                )
            ),
        )
        for one in order.baggage
    ]
    return table((w("passenger"), w("included")), [line for line in lines if line[1]])


def service_table(w: Words, order: OrderDetails) -> tuple[Table, ...]:
    lines = [
        (named(order, one.passenger), service(w, one), ", ".join(flights_of(order, one)))
        for one in order.services
    ]
    return table((w("passenger"), w("booked"), w("flights")), lines)


def service(w: Words, one: OrderService) -> str:
    weight = f" ({one.weight_kg} kg)" if one.weight_kg else ""
    if one.kind == SEAT:
        return w("seat", number=one.designator or "").strip()
    if one.kind in (CHECKED_BAG, CARRY_ON_BAG):
        return w.count(f"{one.kind}s", one.quantity) + weight
    return one.kind.replace("_", " ")


def flights_of(order: OrderDetails, one: OrderService) -> Iterator[str]:
    legs = {known.slice_id: known.leg for known in order.slices}
    for slice_id, at in one.segments:
        if slice_id in legs and at < len(legs[slice_id].segments):
            yield legs[slice_id].segments[at].flight_number


def taxes(about: Subject) -> tuple[tuple[str, str], ...]:
    offer = about.quote.get("offer", {})
    cents, currency = offer.get("tax_cents"), offer.get("currency")
    return ((about.words("airline_taxes"), about.words.amount(cents, currency)),) if cents else ()


def credit(w: Words, one: AirlineCredit) -> str:
    until = w("valid_until", day=w.short_day(one.expires_on)) if one.expires_on else ""
    return joined((w.amount(one.amount_cents, one.currency), one.code, until))
