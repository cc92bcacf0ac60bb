"""What was booked, in words: the facts on the page of a booking, and one line of it for the lists."""

import json
from collections.abc import Collection, Iterator
from datetime import date, datetime

from apps.bookings.models import Booking, Product
from apps.bookings.travellers import is_redacted, with_keys
from apps.esim.details import OrderDetails as EsimDetails
from apps.flights.details import OrderDetails as FlightDetails
from apps.flights.details import OrderService
from apps.flights.suppliers.base import CARRY_ON_BAG, CHECKED_BAG, SEAT, TICKET, Passenger
from apps.hotels.details import StayDetails
from apps.hotels.presenters import remarks_of
from apps.hotels.suppliers.base import LocalCharge, remarks_in
from apps.portal.templatetags.portal import amount
from apps.suppliers.results import AirlineCredit
from apps.suppliers.values import UndecodableError
from apps.transfers.details import OrderDetails as TransferDetails
from apps.transfers.presenters import settlement_json
from apps.transfers.suppliers.base import Pickup, Place


def line_of(booking: Booking) -> str:
    """Where, when and who: `Pousada do Carmo, Lisbon · 28–30 Dec 2026 · Ada Byron +1`. Without names once they are erased."""
    where, when, names = parts_of(booking)
    who = f"{names[0]} +{len(names) - 1}" if len(names) > 1 else "".join(names)
    return " · ".join(part for part in (where, when, who) if part)


def parts_of(booking: Booking) -> "Line":
    """The parts of its line; empty ones where the details cannot be read."""
    line = {
        Product.HOTEL: line_of_stay,
        Product.FLIGHT: line_of_flight,
        Product.TRANSFER: line_of_transfer,
        Product.ESIM: line_of_esim,
    }[Product(booking.product)]
    try:
        where, when, names = line(booking)
    except UndecodableError:  # its own page says so; a list continues
        return "", "", []
    return where, when, [] if is_redacted(booking) else names


def lines_of(account_id: str, environment: str, references: Collection[str]) -> dict[str, str]:
    """The line of each booking by its reference, in one statement; none for a reference that is not one of a booking."""
    named = {reference for reference in references if reference}
    if not named:
        return {}
    mine = Booking.objects.filter(account_id=account_id, environment=environment, reference__in=named)
    return {booking.reference: line_of(booking) for booking in with_keys(mine)}


Line = tuple[str, str, list[str]]
"""Where, when, and the names of the travellers, the lead first."""


def line_of_stay(booking: Booking) -> Line:
    stay = StayDetails.of(booking)
    names = [f"{guest.first_name} {guest.last_name}" for guest in stay.guests]
    return f"{stay.hotel.name}, {stay.hotel.city}", days(stay.check_in, stay.check_out), names


def line_of_flight(booking: Booking) -> Line:
    order = FlightDetails.of(booking)
    legs = [each.leg for each in order.slices]
    route, ends = "", ""
    for leg in legs:
        route += f" → {leg.destination}" if leg.origin == ends else f", {leg.origin} → {leg.destination}"
        ends = leg.destination
    when = days(legs[0].departure_at.date(), legs[-1].departure_at.date()) if legs else ""
    return route.removeprefix(", "), when, [full_name(each) for each in order.passengers]


def line_of_transfer(booking: Booking) -> Line:
    order = TransferDetails.of(booking)
    search, lead = order.search, order.lead_passenger
    way = "→" if search.inbound is None else "⇄"
    where, when = (
        f"{place_name(search.start)} {way} {place_name(search.end)}",
        f"{search.outbound:%-d %b %Y, %H:%M}",
    )
    if search.inbound is not None:
        when += f", back {search.inbound:%-d %b %Y, %H:%M}"
    return where, when, [f"{lead.first_name} {lead.last_name}"]


def line_of_esim(booking: Booking) -> Line:
    order = EsimDetails.of(booking)
    return f"Top-up, {order.plan.name}" if order.top_up_of else order.plan.name, "", []


def service_days(booking: Booking) -> tuple[date | None, date | None]:
    """The local dates on which what was booked begins and ends; None for an eSIM, and where the details cannot be read."""
    try:
        if booking.product == Product.HOTEL:
            stay = StayDetails.of(booking)
            return stay.check_in, stay.check_out
        if booking.product == Product.FLIGHT:
            legs = [each.leg for each in FlightDetails.of(booking).slices]
            return legs[0].departure_at.date(), legs[-1].arrival_at.date()
        if booking.product == Product.TRANSFER:
            order = TransferDetails.of(booking)
            return order.search.outbound.date(), order.last_day
    except (UndecodableError, IndexError):
        pass
    return None, None


def days(first: date, last: date) -> str:
    """`28–30 Dec 2026`, `28 Dec 2026 – 2 Jan 2027`: no month or year twice."""
    until = f"{last:%-d %b %Y}"
    if first == last:
        return until
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{until}"
    return f"{first:%-d %b} – {until}" if first.year == last.year else f"{first:%-d %b %Y} – {until}"


Facts = list[tuple[str, str]]
COPIED = frozenset({"Hotel's number", "PNR", "Tickets", "Added to the eSIM of", "ICCID"})


def facts_of(booking: Booking) -> Facts:
    """Pairs of label and value. The first pair says what was booked. Empty values are left out."""
    facts = {
        Product.HOTEL: of_stay,
        Product.FLIGHT: of_flight,
        Product.TRANSFER: of_transfer,
        Product.ESIM: of_esim,
    }[Product(booking.product)]
    return [(label, value) for label, value in facts(booking) if value]


def of_stay(booking: Booking) -> Facts:
    stay = StayDetails.of(booking)
    return [
        ("Hotel", f"{stay.hotel.name}, {stay.hotel.street}, {stay.hotel.city}"),
        ("Phone", stay.desk.hotel_phone or ""),
        ("Stay", f"{stay.check_in:%d %b %Y} to {stay.check_out:%d %b %Y}"),
        ("Room", f"{stay.room_name}, {stay.board.name}"),
        ("Guests", ", ".join(f"{guest.first_name} {guest.last_name}" for guest in stay.guests)),
        ("Hotel's number", stay.confirmation_code or ""),
        ("Comes with it", ", ".join(perk["name"] for perk in json.loads(stay.perks))),
        ("Paid at the hotel", ", ".join(charge_in_words(charge) for charge in stay.pay_at_hotel)),
        *(
            (remark.kind.replace("_", " ").capitalize(), remark.text)
            for remark in remarks_in(remarks_of(stay))
        ),
    ]


def charge_in_words(charge: LocalCharge) -> str:
    return f"{charge.description} {amount(charge.amount_cents, charge.currency)} {charge.currency}"


def of_flight(booking: Booking) -> Facts:
    order = FlightDetails.of(booking)
    legs = [each.leg for each in order.slices]
    return [
        (
            "Flight",
            " · ".join(
                f"{leg.origin} → {leg.destination}, {leg.departure_at:%d %b %Y, %H:%M}, local" for leg in legs
            ),
        ),
        ("Carrier", f"{order.carrier_name} ({order.carrier}), {order.cabin.replace('_', ' ')}"),
        ("Passengers", ", ".join(full_name(each) for each in order.passengers)),
        ("Identity documents", "; ".join(identity_in_words(order))),
        ("Loyalty accounts", "; ".join(accounts_in_words(order))),
        ("Bags and seats", "; ".join(service_in_words(each, order) for each in order.services)),
        ("Lost in a change", "; ".join(service_in_words(each, order) for each in order.services_lost)),
        ("PNR", order.pnr or ""),
        ("Tickets", ", ".join(order.ticket_numbers)),
        ("Airline credit", "; ".join(credit_in_words(each, order) for each in order.airline_credits)),
        ("Receipts (EMD)", ", ".join(each.number for each in order.documents if each.type != TICKET)),
    ]


def full_name(passenger: Passenger) -> str:
    return f"{passenger.first_name} {passenger.last_name}"


def identity_in_words(order: FlightDetails) -> Iterator[str]:
    """Of each number the last four characters, as in the API."""
    for passenger in order.passengers:
        for one in passenger.identity_documents:
            until = f", valid until {one.expires_on:%d %b %Y}" if one.expires_on else ""
            kind = one.type.replace("_", " ")
            yield f"{full_name(passenger)}: {kind} ending {one.number[-4:]} ({one.issuing_country}){until}"


def accounts_in_words(order: FlightDetails) -> Iterator[str]:
    for passenger in order.passengers:
        for one in passenger.loyalty_accounts:
            yield f"{full_name(passenger)}: {one.airline} ending {one.number[-4:]}"


def credit_in_words(credit: AirlineCredit, order: FlightDetails) -> str:
    worth = f"{amount(credit.amount_cents, credit.currency)} {credit.currency}"
    until = f", until {credit.expires_on:%d %b %Y}" if credit.expires_on else ""
    return ", ".join(
        part for part in (worth + until, passenger_at(credit.passenger, order), credit.code) if part
    )


def passenger_at(place: int | None, order: FlightDetails) -> str:
    return full_name(order.passengers[place]) if place is not None and place < len(order.passengers) else ""


def service_in_words(service: OrderService, order: FlightDetails) -> str:
    weight = f" of {service.weight_kg} kg" if service.weight_kg else ""
    what = {
        SEAT: f"seat {service.designator or ''}".strip(),
        CHECKED_BAG: f"{service.quantity} × checked bag{weight}",
        CARRY_ON_BAG: f"{service.quantity} × carry-on bag{weight}",
    }.get(service.kind, service.kind.replace("_", " "))
    legs = {known.slice_id: known.leg for known in order.slices}
    flights = [
        legs[slice_id].segments[at].flight_number
        for slice_id, at in service.segments
        if slice_id in legs and at < len(legs[slice_id].segments)
    ]
    whose = passenger_at(service.passenger, order)
    return ", ".join(part for part in (what, whose, " and ".join(flights)) if part)


def of_transfer(booking: Booking) -> Facts:
    order = TransferDetails.of(booking)
    search, lead = order.search, order.lead_passenger
    return [
        ("Transfer", f"{place_name(search.start)} → {place_name(search.end)}"),
        ("Time", local(search.outbound)),
        ("Way back", local(search.inbound) if search.inbound else ""),
        ("Pick-up", pickup_in_words(order.pickup)),
        ("Pick-up on the way back", pickup_in_words(order.back_pickup)),
        ("Vehicle", order.vehicle.description),
        ("Extras", ", ".join(f"{extra.quantity} × {extra.name}" for extra in order.extras)),
        ("Lead passenger", f"{lead.first_name} {lead.last_name}"),
        ("Flight", order.flight_number or ""),
        ("Flight of the way back", order.inbound_flight_number or ""),
        ("Funds", str(settlement_json(booking, order.settlement)["funds"]).replace("_", " ")),
    ]


def local(at: datetime) -> str:
    return f"{at:%d %b %Y, %H:%M}, local"


def pickup_in_words(pickup: Pickup | None) -> str:
    if pickup is None:
        return ""
    return ". ".join(part for part in (local(pickup.at) if pickup.at else "", pickup.instructions) if part)


def of_esim(booking: Booking) -> Facts:
    order = EsimDetails.of(booking)
    of = order.top_up_of
    profile = order.profile.iccid if order.profile else ""
    return [
        ("Top-up" if of else "Plan", order.plan.name),
        ("Valid", f"{order.plan.validity_days} days"),
        ("Added to the eSIM of", of.order_id if of else ""),
        ("ICCID", of.iccid if of else profile),
    ]


def place_name(place: Place) -> str:
    return place.name or place.code or f"{place.latitude}, {place.longitude}"
