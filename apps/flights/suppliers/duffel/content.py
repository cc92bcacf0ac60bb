"""What of a Duffel offer partners see. `documented_offer.txt` has all of its fields."""

from pathlib import Path

from apps.flights.suppliers.duffel.client import NAME
from apps.suppliers.content import Content, documented_in

SEGMENT = "slices[].segments[]"
BAGGAGE = f"{SEGMENT}.passengers[]"

SHOWN = {
    "expires_at": "expiresAt, 20 minutes after the search at most",
    "total_amount": "totalCents",
    "total_currency": "the currency of totalCents, or what it is converted from",
    "base_amount": "baseCents",
    "base_currency": "baseCents is null where it is another currency than the total's",
    "tax_amount": "taxCents",
    "tax_currency": "taxCents is null where it is another currency than the total's",
    "total_emissions_kg": "co2Kg",
    "payment_requirements.requires_instant_payment": "holdable",
    "payment_requirements.payment_required_by": "payBy; without it, holdable is false",
    "payment_requirements.price_guarantee_expires_at": "priceGuaranteedUntil",
    "passenger_identity_documents_required": "requirements.identityDocument",
    "supported_passenger_identity_document_types": "requirements.documentTypes",
    "supported_loyalty_programmes": "loyaltyProgrammes",
    "owner.name": "carrier.name",
    "owner.iata_code": "carrier.code",
    "owner.conditions_of_carriage_url": "carrier.conditionsOfCarriageUrl, if it is an https address",
    "conditions.refund_before_departure": "conditions.refundable, conditions.penaltyCents",
    "conditions.change_before_departure.allowed": "conditions.changeable",
    "slices[].conditions.change_before_departure.allowed": "conditions.changeable, which one slice's word is enough for",
    "slices[].conditions.advance_seat_selection": "slices.conditions.advanceSeatSelection",
    "slices[].conditions.priority_boarding": "slices.conditions.priorityBoarding",
    "slices[].conditions.priority_check_in": "slices.conditions.priorityCheckIn",
    "private_fares[].type": "privateFares.type",
    "private_fares[].corporate_code": "privateFares.corporateCode",
    "slices[].duration": "slices.durationMinutes",
    "slices[].fare_brand_name": "fareBrand",
    "slices[].origin.iata_code": "slices.origin",
    "slices[].destination.iata_code": "slices.destination",
    f"{SEGMENT}.departing_at": "segments.departureAt",
    f"{SEGMENT}.arriving_at": "segments.arrivalAt",
    f"{SEGMENT}.duration": "segments.durationMinutes",
    f"{SEGMENT}.origin_terminal": "segments.originTerminal",
    f"{SEGMENT}.destination_terminal": "segments.destinationTerminal",
    f"{SEGMENT}.origin.iata_code": "segments.origin",
    f"{SEGMENT}.origin.time_zone": "the offset of segments.departureAt",
    f"{SEGMENT}.destination.iata_code": "segments.destination",
    f"{SEGMENT}.destination.time_zone": "the offset of segments.arrivalAt",
    f"{SEGMENT}.aircraft.name": "segments.aircraft",
    f"{SEGMENT}.marketing_carrier.name": "segments.carrier.name",
    f"{SEGMENT}.marketing_carrier.iata_code": "segments.carrier.code, and the beginning of segments.flightNumber",
    f"{SEGMENT}.marketing_carrier_flight_number": "segments.flightNumber",
    f"{SEGMENT}.operating_carrier.name": "segments.operatingCarrier.name",
    f"{SEGMENT}.operating_carrier.iata_code": "segments.operatingCarrier.code",
    f"{SEGMENT}.operating_carrier_flight_number": "segments.operatingFlightNumber",
    f"{SEGMENT}.distance": "segments.distanceKm",
    f"{SEGMENT}.stops[].airport.iata_code": "segments.stops.airport",
    f"{SEGMENT}.stops[].airport.time_zone": "the offset of segments.stops.arrivalAt and .departureAt",
    f"{SEGMENT}.stops[].arriving_at": "segments.stops.arrivalAt",
    f"{SEGMENT}.stops[].departing_at": "segments.stops.departureAt",
    f"{SEGMENT}.stops[].duration": "segments.stops.durationMinutes",
    f"{BAGGAGE}.cabin_class": "segments.cabin, the lowest of all passengers'",
    f"{BAGGAGE}.cabin.amenities.wifi": "segments.amenities.wifi",
    f"{BAGGAGE}.cabin.amenities.power": "segments.amenities.power",
    f"{BAGGAGE}.cabin.amenities.seat.pitch": "segments.amenities.seatPitch",
    f"{BAGGAGE}.cabin.amenities.seat.legroom": "segments.amenities.legroom",
    f"{BAGGAGE}.passenger_id": "whose baggage it is",
    f"{BAGGAGE}.baggages[].type": "baggage.cabin or baggage.checked",
    f"{BAGGAGE}.baggages[].quantity": "baggage.cabin, baggage.checked",
    "passengers[].type": "baggage.passengerType",
    "passengers[].age": "baggage.passengerType",
}

OURS = "an id of theirs: we keep it where an order needs it, partners have ids of ours"
DECIDES = "decides whether the offer can be sold here"
KNOWN = "follows from the airport's code"
PICTURE = "an address of a supplier's picture: partners show marks of their own"
NO_LOYALTY = "accounts of loyalty programmes are sent with the order, and not with the search"
TICKETS = "the conditions of the airline that issues the tickets are shown"
WHOLE = "an order is cancelled and changed as a whole; the terms of the whole offer are shown"

WITHHELD = {
    "id": OURS,
    "live_mode": "follows from the key",
    "available_services": "bags and seats are read by operations of their own; cover for cancellations is not sold",
    "partial": DECIDES,
    "created_at": "the search's own time is shown",
    "updated_at": "the price is asked again before an order",
    "owner.id": OURS,
    "owner.logo_lockup_url": PICTURE,
    "owner.logo_symbol_url": PICTURE,
    "conditions.change_before_departure.penalty_amount": "each change option says what it costs",
    "conditions.change_before_departure.penalty_currency": "each change option says what it costs",
    "allowed_passenger_identity_document_types": "the old name of the supported types, read where it comes alone",
    "private_fares[].tracking_reference": "not asked for: contracts by corporate and tour codes are",
    "passengers[].id": OURS,
    "passengers[].fare_type": "of leisure fares for kinds of travellers, which are not asked for",
    "passengers[].given_name": NO_LOYALTY,
    "passengers[].family_name": NO_LOYALTY,
    "passengers[].loyalty_programme_accounts": NO_LOYALTY,
    "slices[].id": OURS,
    "slices[].ngs_shelf": "a rank of fares for a display of their own; the fare's brand and terms are shown",
    "slices[].comparison_key": "groups offers of one answer for their own display",
    "slices[].origin_type": "of a city the airport of the first flight is shown",
    "slices[].destination_type": "of a city the airport of the last flight is shown",
    "slices[].origin": KNOWN,
    "slices[].destination": KNOWN,
    "slices[].conditions.refund_before_departure": WHOLE,
    "slices[].conditions.change_before_departure": WHOLE,
    f"{SEGMENT}.id": OURS,
    f"{SEGMENT}.origin": KNOWN,
    f"{SEGMENT}.destination": KNOWN,
    f"{SEGMENT}.aircraft.id": OURS,
    f"{SEGMENT}.aircraft.iata_code": "the aircraft's name says more",
    f"{SEGMENT}.marketing_carrier.id": OURS,
    f"{SEGMENT}.marketing_carrier.conditions_of_carriage_url": TICKETS,
    f"{SEGMENT}.operating_carrier.conditions_of_carriage_url": TICKETS,
    f"{SEGMENT}.marketing_carrier.logo_lockup_url": PICTURE,
    f"{SEGMENT}.marketing_carrier.logo_symbol_url": PICTURE,
    f"{SEGMENT}.operating_carrier.id": OURS,
    f"{SEGMENT}.operating_carrier.logo_lockup_url": PICTURE,
    f"{SEGMENT}.operating_carrier.logo_symbol_url": PICTURE,
    f"{SEGMENT}.stops[].id": OURS,
    f"{SEGMENT}.stops[].airport": KNOWN,
    f"{BAGGAGE}.cabin_class_marketing_name": "the fare's brand is shown",
    f"{BAGGAGE}.fare_basis_code": "a code of the airline's own tariff",
    f"{BAGGAGE}.cabin.amenities.seat.type": "words of each airline's own; the pitch and the legroom are shown",
    f"{BAGGAGE}.cabin.name": "the cabin's class twice",
    f"{BAGGAGE}.cabin.marketing_name": "the fare's brand is shown",
}

NOT_YET: dict[str, str] = {}

OFFER = Content(
    supplier=NAME,
    subject="offer",
    documented=documented_in(Path(__file__).with_name("documented_offer.txt")),
    shown=SHOWN,
    withheld=WITHHELD,
    not_yet=NOT_YET,
)
