"""Flights on the wire: plain dicts, for no serializer is as quick and twenty offers are many."""

from collections.abc import Iterable
from datetime import datetime
from itertools import count

from apps.bookings.models import Booking
from apps.bookings.presenters import (
    OfferSteps,
    booking_json,
    credit_json,
    steps_of_booking,
    withheld_json,
)
from apps.bookings.travellers import is_redacted
from apps.common.clock import rfc3339
from apps.common.ids import handle, handles
from apps.common.money import with_markup
from apps.flights.details import OrderChange, OrderDetails, OrderService
from apps.flights.itinerary import OPEN, ScheduleChange
from apps.flights.rules import penalty_steps
from apps.flights.selectors import QuotedOffer, QuotedSearch
from apps.flights.services.change import new_slice_id
from apps.flights.services.change_options import FoundOptions
from apps.flights.services.list_services import Listed, service_id
from apps.flights.suppliers.base import (
    Amenities,
    Baggage,
    ChangeOption,
    Conditions,
    FlightOffer,
    IdentityDocument,
    SeatElement,
    Segment,
    Slice,
    SliceConditions,
    Stop,
)


def search_json(search: QuotedSearch) -> dict[str, object]:
    """The answer to a search. From the same row it is the same to the byte, so replays need no copy."""
    steps = OfferSteps(since=search.created_at, now=search.created_at)
    return {
        "id": search.id,
        "createdAt": rfc3339(search.created_at),
        "offers": [
            offer_json(offer, search.id, place, search.markup_bp, steps)
            for place, offer in enumerate(search.offers)
        ],
        "withheld": withheld_json(search.withheld),
    }


def offer_json(
    offer: FlightOffer, search_id: str, place: int, markup_bp: int, steps: OfferSteps
) -> dict[str, object]:
    """`place`: of the offer in its search."""
    assert offer.expires_at is not None
    return {
        "offerId": handle("offer", search_id, place),
        "totalCents": offer.total_cents,
        "currency": offer.currency,
        "priceBasis": "net",
        "suggestedRetailCents": with_markup(offer.total_cents, markup_bp),
        "expiresAt": rfc3339(offer.expires_at),
        "carrier": seller_json(offer),
        "cabin": offer.cabin,
        "conditions": conditions_json(offer.conditions),
        "cancellationSteps": steps.json(
            penalty_steps(offer.conditions, offer.slices, total_cents=offer.total_cents),
            offer.total_cents,
            offer.currency,
        ),
        "fareBrand": offer.fare_brand,
        "baseCents": offer.base_cents,
        "taxCents": offer.tax_cents,
        "co2Kg": offer.co2_kg,
        "baggage": [baggage_json(one) for one in offer.baggage],
        "privateFares": [
            {"type": fare.type, "corporateCode": fare.corporate_code} for fare in offer.private_fares
        ],
        "holdable": offer.pay_by is not None,
        "priceGuaranteedUntil": instant_json(offer.price_guaranteed_until),
        "payBy": instant_json(offer.pay_by),
        "requirements": {
            "identityDocument": "required" if offer.document_required else "none",
            "documentTypes": list(offer.document_types),
        },
        "loyaltyProgrammes": list(offer.loyalty_programmes),
        "slices": [
            slice_json(leg, handle("slice", search_id, place, position))
            for position, leg in enumerate(offer.slices)
        ],
    }


def repriced_json(quoted: QuotedOffer, previous_total_cents: int, now: datetime) -> dict[str, object]:
    steps = OfferSteps(since=quoted.searched_at, now=now)
    return {
        **offer_json(quoted.offer, quoted.search_id, quoted.position, quoted.markup_bp, steps),
        "previousTotalCents": previous_total_cents,
        "priceChanged": quoted.offer.total_cents != previous_total_cents,
    }


def seller_json(sold: FlightOffer | OrderDetails) -> dict[str, object]:
    return {
        "code": sold.carrier,
        "name": sold.carrier_name,
        "conditionsOfCarriageUrl": sold.conditions_url,
    }


def conditions_json(conditions: Conditions) -> dict[str, object]:
    return {
        "refundable": conditions.refundable,
        "changeable": conditions.changeable,
        "penaltyCents": conditions.penalty_cents,
    }


def baggage_json(baggage: Baggage) -> dict[str, object]:
    return {"passengerType": baggage.passenger_type, "cabin": baggage.cabin, "checked": baggage.checked}


def slice_json(leg: Slice, slice_id: str) -> dict[str, object]:
    ids = handles("segment", slice_id, range(len(leg.segments)))
    segments = [segment_json(one, name) for one, name in zip(leg.segments, ids, strict=True)]
    # Writing times is most of the work of a search's answer: an adapter's leg has those of its flights.
    same = leg.departure_at is leg.segments[0].departure_at and leg.arrival_at is leg.segments[-1].arrival_at
    return {
        "sliceId": slice_id,
        "origin": leg.origin,
        "destination": leg.destination,
        "departureAt": segments[0]["departureAt"] if same else leg.departure_at.isoformat(),
        "arrivalAt": segments[-1]["arrivalAt"] if same else leg.arrival_at.isoformat(),
        "durationMinutes": leg.duration_minutes,
        "segments": segments,
        "conditions": NO_CONDITIONS if leg.conditions is None else slice_conditions_json(leg.conditions),
    }


def slice_conditions_json(conditions: SliceConditions) -> dict[str, bool | None]:
    return {
        "advanceSeatSelection": conditions.advance_seat_selection,
        "priorityBoarding": conditions.priority_boarding,
        "priorityCheckIn": conditions.priority_check_in,
    }


NO_CONDITIONS = slice_conditions_json(SliceConditions())


def segment_json(segment: Segment, segment_id: str) -> dict[str, object]:
    """`segment_id` is made from the slice's id and the flight's place in it."""
    operator, amenities = segment.operator, segment.amenities
    return {
        "segmentId": segment_id,
        "origin": segment.origin,
        "destination": segment.destination,
        "departureAt": segment.departure_at.isoformat(),
        "arrivalAt": segment.arrival_at.isoformat(),
        "durationMinutes": segment.duration_minutes,
        "carrier": {"code": segment.carrier, "name": segment.carrier_name},
        "flightNumber": segment.flight_number,
        "operatingCarrier": None if operator is None else {"code": operator[0], "name": operator[1]},
        "aircraft": segment.aircraft,
        "originTerminal": segment.origin_terminal,
        "destinationTerminal": segment.destination_terminal,
        "operatingFlightNumber": segment.own_number,
        "cabin": segment.cabin,
        "distanceKm": segment.distance_km,
        "stops": [stop_json(stop) for stop in segment.stops] if segment.stops else [],
        "amenities": None if amenities is None else amenities_json(amenities),
    }


def stop_json(stop: Stop) -> dict[str, object]:
    return {
        "airport": stop.airport,
        "arrivalAt": stop.arrival_at.isoformat() if stop.arrival_at else None,
        "departureAt": stop.departure_at.isoformat() if stop.departure_at else None,
        "durationMinutes": stop.duration_minutes,
    }


def amenities_json(amenities: Amenities) -> dict[str, object]:
    return {
        "wifi": amenities.wifi,
        "power": amenities.power,
        "seatPitch": amenities.seat_pitch,
        "legroom": amenities.legroom,
    }


def order_json(booking: Booking) -> dict[str, object]:
    details = OrderDetails.of(booking)
    own = {
        "offerId": details.offer_id,
        "pnr": details.pnr,
        "ticketNumbers": list(details.ticket_numbers),
        "documents": []  # each names a passenger
        if is_redacted(booking)
        else [
            {"type": one.type, "number": one.number, "passenger": one.passenger} for one in details.documents
        ],
        "carrier": seller_json(details),
        "cabin": details.cabin,
        "conditions": conditions_json(details.conditions),
        "cancellationSteps": steps_of_booking(booking, details.steps_of(booking)),
        "payBy": instant_json(details.pay_by),
        "priceGuaranteedUntil": instant_json(details.price_guaranteed_until),
        "fareBrand": details.fare_brand,
        "baggage": [baggage_json(one) for one in details.baggage],
        "slices": [slice_json(known.leg, known.slice_id) for known in details.slices],
        "passengers": [
            {
                "title": passenger.title,
                "gender": passenger.gender,
                "firstName": passenger.first_name,
                "lastName": passenger.last_name,
                "dateOfBirth": passenger.date_of_birth.isoformat(),
                "type": passenger.type,
                "identityDocuments": [identity_json(one) for one in passenger.identity_documents],
                "loyaltyAccounts": [
                    {"airline": one.airline, "numberLastFour": one.number[-4:]}
                    for one in passenger.loyalty_accounts
                ],
            }
            for passenger in details.passengers
        ],
        "contact": {"email": details.email, "phone": details.phone},
        "airlineCredits": [credit_json(one) for one in details.airline_credits],
        "changes": [change_json(change) for change in details.changes],
        "scheduleChanges": [schedule_change_json(change) for change in details.schedule_changes],
        "services": [order_service_json(one, booking.currency) for one in details.services],
        "servicesLost": [order_service_json(one, booking.currency) for one in details.services_lost],
    }
    return booking_json(booking, own)


def identity_json(document: IdentityDocument) -> dict[str, object]:
    return {
        "type": document.type,
        "numberLastFour": document.number[-4:],
        "issuingCountry": document.issuing_country,
        "expiresOn": document.expires_on.isoformat() if document.expires_on else None,
    }


def services_json(listed: Listed) -> dict[str, object]:
    return {
        "services": [
            {
                "serviceId": service_id(listed.row_id, place),
                "kind": one.kind,
                "passenger": one.passenger,
                **flights_json((listed.slice_ids[leg], at) for leg, at in one.segments),
                "totalCents": one.total_cents,
                "currency": one.currency,
                "maxQuantity": one.max_quantity,
                "weightKg": one.weight_kg,
                "designator": one.designator,
            }
            for place, one in enumerate(listed.services)
        ]
    }


def flights_json(flights: Iterable[tuple[str, int]]) -> dict[str, object]:
    """Each by its slice's id and its place in the slice."""
    flights = tuple(flights)
    return {
        "sliceIds": list(dict.fromkeys(slice_id for slice_id, _ in flights)),
        "segmentIds": [handle("segment", slice_id, at) for slice_id, at in flights],
    }


def seat_maps_json(listed: Listed) -> dict[str, object]:
    """The services are numbered as they were stored: by flight, row and seat."""
    numbers = count()

    def element_json(element: SeatElement) -> dict[str, object]:
        return {
            "type": element.type,
            "designator": element.designator,
            "disclosures": list(element.disclosures),
            "services": [
                {
                    "passenger": one.passenger,
                    "serviceId": service_id(listed.row_id, next(numbers)),
                    "totalCents": one.total_cents,
                    "currency": one.currency,
                }
                for one in element.services
            ],
        }

    return {
        "seatMaps": [
            {
                "segmentId": handle("segment", listed.slice_ids[seat_map.segment[0]], seat_map.segment[1]),
                "cabins": [
                    {
                        "cabin": cabin.cabin,
                        "rows": [
                            {"sections": [{"elements": list(map(element_json, part))} for part in row]}
                            for row in cabin.rows
                        ],
                    }
                    for cabin in seat_map.cabins
                ],
            }
            for seat_map in listed.maps
        ],
    }


def order_service_json(one: OrderService, currency: str) -> dict[str, object]:
    return {
        "serviceId": one.service_id,
        "kind": one.kind,
        "passenger": one.passenger,
        **flights_json(one.segments),
        "quantity": one.quantity,
        "totalCents": one.total_cents,
        "currency": currency,
        "weightKg": one.weight_kg,
        "designator": one.designator,
    }


def instant_json(instant: datetime | None) -> str | None:
    return rfc3339(instant) if instant is not None else None


def change_json(change: OrderChange) -> dict[str, object]:
    return {
        "changeId": change.change_id,
        "differenceCents": change.difference_cents,
        "currency": change.currency,
        "settled": change.settled,
        "settledAt": rfc3339(change.settled_at) if change.settled_at else None,
        "createdAt": rfc3339(change.created_at),
    }


def schedule_change_json(change: ScheduleChange) -> dict[str, object]:
    return {
        **moved_json(change),
        "status": change.status,
        "acceptedAt": rfc3339(change.accepted_at) if change.accepted_at else None,
        "availableActions": list(change.available_actions) if change.status == OPEN else [],
    }


def moved_json(change: ScheduleChange) -> dict[str, object]:
    """What the answer and the event of a schedule change have in common."""
    return {
        "changeId": change.change_id,
        "detectedAt": rfc3339(change.detected_at),
        "respondBy": rfc3339(change.respond_by) if change.respond_by else None,
        "before": [slice_json(known.leg, known.slice_id) for known in change.before],
        "after": [slice_json(known.leg, known.slice_id) for known in change.after],
    }


def options_json(found: FoundOptions) -> dict[str, object]:
    return {
        "orderId": found.search.booking_id,
        "options": [
            option_json(option, handle("change", found.search.id, at))
            for at, option in enumerate(found.options)
        ],
        "withheld": {
            "outOfOrder": found.out_of_order,
            "noLongerSold": found.withheld.no_longer_sold,
            "unsupported": found.withheld.unsupported,
            "unreadable": found.withheld.unreadable,
        },
    }


def option_json(option: ChangeOption, change_id: str) -> dict[str, object]:
    assert option.expires_at is not None
    return {
        "changeId": change_id,
        "differenceCents": option.difference_cents,
        "currency": option.currency,
        "newTotalCents": option.new_total_cents,
        "penaltyCents": option.penalty_cents,
        "expiresAt": rfc3339(option.expires_at),
        "slice": slice_json(option.slice, new_slice_id(change_id)),
    }


def changed_json(booking: Booking, change_id: str) -> dict[str, object]:
    """The answer to a confirmed change. `settled: false` means the money moves shortly, not that the call failed."""
    change = next(c for c in OrderDetails.of(booking).changes if c.change_id == change_id)
    return {
        "orderId": booking.id,
        "changeId": change_id,
        "status": "ticketed",
        "differenceCents": change.difference_cents,
        "currency": change.currency,
        "settled": change.settled,
        "order": order_json(booking),
    }
