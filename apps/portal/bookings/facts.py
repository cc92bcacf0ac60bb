"""What was booked, in a few lines by which a person recognises the booking, for each product."""

from apps.bookings.models import Booking, Product
from apps.esim.details import OrderDetails as EsimDetails
from apps.flights.details import OrderDetails as FlightDetails
from apps.hotels.details import StayDetails
from apps.transfers.details import OrderDetails as TransferDetails
from apps.transfers.presenters import settlement_json
from apps.transfers.suppliers.base import Place

Facts = list[tuple[str, str]]
COPIED = frozenset({"Hotel's number", "PNR", "Tickets", "Added to the eSIM of", "ICCID"})
"""The labels of those that one copies, to paste them elsewhere."""


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
        ("Hotel", f"{stay.hotel.name}, {stay.hotel.city}"),
        ("Stay", f"{stay.check_in:%d %b %Y} to {stay.check_out:%d %b %Y}"),
        ("Room", f"{stay.room_name}, {stay.board.name}"),
        ("Guests", ", ".join(f"{guest.first_name} {guest.last_name}" for guest in stay.guests)),
        ("Hotel's number", stay.confirmation_code or ""),
    ]


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
        ("Passengers", ", ".join(f"{each.first_name} {each.last_name}" for each in order.passengers)),
        ("PNR", order.pnr or ""),
        ("Tickets", ", ".join(order.ticket_numbers)),
    ]


def of_transfer(booking: Booking) -> Facts:
    order = TransferDetails.of(booking)
    search, lead = order.search, order.lead_passenger
    return [
        ("Transfer", f"{place_name(search.start)} → {place_name(search.end)}"),
        ("Time", f"{search.outbound:%d %b %Y, %H:%M}, local"),
        ("Vehicle", order.vehicle.description),
        ("Lead passenger", f"{lead.first_name} {lead.last_name}"),
        ("Flight", order.flight_number or ""),
        ("Funds", str(settlement_json(booking, order.settlement)["funds"]).replace("_", " ")),
    ]


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
