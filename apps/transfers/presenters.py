"""Transfers on the wire: plain dicts, for no serializer is as quick."""

from datetime import datetime
from decimal import Decimal

from apps.bookings.models import Booking
from apps.bookings.presenters import OfferSteps, booking_json, steps_of_booking, withheld_json
from apps.common.clock import rfc3339
from apps.common.ids import handle
from apps.common.money import with_markup
from apps.suppliers import airports
from apps.transfers.details import RELEASED, BoughtExtra, FundsState, OrderDetails
from apps.transfers.rules import ride_steps, service_of_offer
from apps.transfers.selectors import QuotedSearch
from apps.transfers.suppliers.base import (
    DIRECTIONS,
    Extra,
    Operator,
    Pickup,
    Place,
    PolicyStep,
    TransferOffer,
    TransferSearch,
    Vehicle,
    WaitingTime,
    WayBack,
)

Journey = list[dict[str, object]]
"""What the legs of every offer of a search have in common, by leg."""


def search_json(search: QuotedSearch) -> dict[str, object]:
    """The answer to a search. From the same row it is the same to the byte, so replays need no copy."""
    steps = OfferSteps(since=search.created_at, now=search.created_at)
    journey = journey_json(search.request)
    return {
        "id": search.id,
        "createdAt": rfc3339(search.created_at),
        "offers": [
            offer_json(offer, handle("quote", search.id, place), search, steps, journey)
            for place, offer in enumerate(search.offers)
        ],
        "withheld": withheld_json(search.withheld),
    }


def offer_json(
    offer: TransferOffer, quote_id: str, search: QuotedSearch, steps: OfferSteps, journey: Journey
) -> dict[str, object]:
    assert offer.expires_at is not None
    terms = ride_steps(
        offer.cancellation_policy,
        service_of_offer(search.request, offer).begins_at,
        offer.total_cents,
        certain=offer.policy_is_certain,
    )
    return {
        "quoteId": quote_id,
        "vehicle": vehicle_json(offer.vehicle),
        "durationMinutes": offer.duration_minutes,
        "totalCents": offer.total_cents,
        "currency": offer.currency,
        "priceBasis": "net",
        "suggestedRetailCents": with_markup(offer.total_cents, search.markup_bp),
        "cancellationPolicy": policy_json(offer.cancellation_policy, offer.currency),
        "cancellationSteps": steps.json(terms, offer.total_cents, offer.currency),
        "remarks": list(offer.remarks),
        "waitingTimes": waiting_json(offer.waiting_times),
        "expiresAt": rfc3339(offer.expires_at),
        "legs": [
            {**common, **leg_json(leg)}
            for common, leg in zip(journey, legs_of(offer, offer.pickup_at), strict=False)
        ],
        "extras": [extra_json(extra, offer.currency) for extra in offer.extras],
    }


def journey_json(search: TransferSearch) -> Journey:
    start, end = place_json(search.start), place_json(search.end)
    legs: Journey = [{"direction": DIRECTIONS[0], "from": start, "to": end, "at": local(search.outbound)}]
    if search.inbound is not None:
        legs.append({"direction": DIRECTIONS[1], "from": end, "to": start, "at": local(search.inbound)})
    return legs


def legs_of(what: TransferOffer | OrderDetails, pickup_at: datetime | None) -> list[WayBack]:
    """The legs of an offer or an order, all in one form."""
    first = WayBack(what.vehicle, what.duration_minutes, pickup_at, what.remarks, what.waiting_times)
    return [first] if what.back is None else [first, what.back]


def leg_json(leg: WayBack) -> dict[str, object]:
    return {
        "pickupAt": local(leg.pickup_at) if leg.pickup_at else None,
        "vehicle": vehicle_json(leg.vehicle),
        "durationMinutes": leg.duration_minutes,
        "remarks": list(leg.remarks),
        "waitingTimes": waiting_json(leg.waiting_times),
    }


def extra_json(extra: Extra, currency: str) -> dict[str, object]:
    return {
        "code": extra.code,
        "name": extra.name,
        "totalCents": extra.unit_cents,
        "currency": currency,
        "minQuantity": extra.min_quantity,
        "maxQuantity": extra.max_quantity,
        "directions": list(extra.directions),
    }


def bought_json(extra: BoughtExtra, currency: str) -> dict[str, object]:
    return {
        "code": extra.code,
        "name": extra.name,
        "quantity": extra.quantity,
        "totalCents": extra.total_cents,
        "currency": currency,
        "directions": list(extra.directions),
    }


def vehicle_json(vehicle: Vehicle) -> dict[str, object]:
    return {
        "class": vehicle.category,
        "description": vehicle.description,
        "maxPassengers": vehicle.max_passengers,
        "maxBags": vehicle.max_bags,
    }


def policy_json(steps: tuple[PolicyStep, ...], currency: str) -> list[dict[str, object]]:
    return [
        {
            "from": rfc3339(step.starts_at) if step.starts_at else None,
            "amountCents": step.amount_cents,
            "currency": currency,
        }
        for step in steps
    ]


def waiting_json(times: tuple[WaitingTime, ...]) -> list[dict[str, object]]:
    return [{"who": time.who, "minutes": time.minutes} for time in times]


def order_json(booking: Booking) -> dict[str, object]:
    details = OrderDetails.of(booking)
    search, lead = details.search, details.lead_passenger
    own = {
        "orderId": booking.id,
        "quoteId": details.quote_id,
        "settlement": settlement_json(booking, details.settlement),
        "from": place_json(search.start),
        "to": place_json(search.end),
        "outbound": local(search.outbound),
        "passengers": {
            "adults": search.passengers.adults,
            "children": search.passengers.children,
            "infants": search.passengers.infants,
        },
        "vehicle": vehicle_json(details.vehicle),
        "durationMinutes": details.duration_minutes,
        "leadPassenger": {
            "firstName": lead.first_name,
            "lastName": lead.last_name,
            "email": lead.email,
            "phone": lead.phone,
        },
        "flightNumber": details.flight_number,
        "inbound": local(search.inbound) if search.inbound else None,
        "inboundFlightNumber": details.inbound_flight_number,
        "notes": details.notes,
        "cancellationPolicy": policy_json(details.cancellation_policy, booking.currency),
        "cancellationSteps": steps_of_booking(booking, details.penalty_steps(booking.total_cents)),
        "remarks": list(details.remarks),
        "waitingTimes": waiting_json(details.waiting_times),
        "pickup": pickup_json(details.pickup) if details.pickup else None,
        "operator": operator_json(details.operator) if details.operator else None,
        "legs": ordered_legs(details),
        "extras": [bought_json(extra, booking.currency) for extra in details.extras],
    }
    return booking_json(booking, own)


def ordered_legs(details: OrderDetails) -> Journey:
    pickups = (details.pickup, details.back_pickup)
    numbers = (details.flight_number, details.inbound_flight_number)
    quoted = legs_of(details, None)
    return [
        {
            **common,
            **leg_json(leg),
            "pickupAt": local(pickup.at) if pickup and pickup.at else None,
            "flightNumber": number,
            "pickup": pickup_json(pickup) if pickup else None,
            "operator": operator_json(details.operator) if details.operator else None,
        }
        for common, leg, pickup, number in zip(
            journey_json(details.search), quoted, pickups, numbers, strict=False
        )
    ]


def settlement_json(booking: Booking, settlement: FundsState) -> dict[str, object]:
    """A failed order's funds were released with the failure, whatever its details still say."""
    if booking.status == Booking.FAILED:
        settlement = settlement.resolved(RELEASED, booking.total_cents, booking.updated_at)
    return {
        "funds": settlement.funds,
        "amountCents": settlement.amount_cents,
        "currency": booking.currency,
        "resolvedAt": rfc3339(settlement.resolved_at) if settlement.resolved_at else None,
    }


def place_json(place: Place) -> dict[str, object]:
    """As it was searched for; an airport with its name and town where the partner gave none."""
    airport = airports.find(place.code or "") if place.type == "IATA" else None
    return {
        "type": place.type,
        "code": place.code,
        "name": place.name or (airport.name if airport else None),
        "address": place.address,
        "town": place.town or (airport.city if airport else None),
        "country": place.country or (airport.country if airport else None),
        "zip": place.zip,
        "latitude": degrees(place.latitude),
        "longitude": degrees(place.longitude),
    }


def pickup_json(pickup: Pickup) -> dict[str, object]:
    return {
        "at": local(pickup.at) if pickup.at else None,
        "instructions": pickup.instructions,
        "emergencyPhone": pickup.emergency_phone,
    }


def operator_json(operator: Operator) -> dict[str, object]:
    return {
        "name": operator.name,
        "vatNumber": operator.vat_number or None,
        "invoiceCompany": operator.invoice_company or None,
    }


def local(moment: datetime) -> str:
    """A local date-time, without offset."""
    return moment.replace(tzinfo=None).isoformat(timespec="seconds")


def degrees(value: Decimal | None) -> float | None:
    return None if value is None else float(value)
