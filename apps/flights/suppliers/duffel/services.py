"""Bags and seats at Duffel: what of their lists can be sold, what an order has of them, and what they are paid with.

Their ids are good until the next read of the offer or the order: a service is bought by the ids of the latest one, and found
again by what it is. Of what is listed, checked and carry-on bags and seats of one passenger are sold. Types that are not known
(they announce further ones), cover for cancellations, which is claimed by e-mail, and meals are ignored.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from apps.common import money
from apps.flights.suppliers.base import (
    CARRY_ON_BAG,
    CHECKED_BAG,
    SEAT,
    BookedService,
    ChosenService,
    FlightOffer,
    FlightService,
    OrderRequest,
    Passenger,
    Place,
    SeatCabin,
    SeatElement,
    SeatMap,
    Slice,
    price_of,
)
from apps.flights.suppliers.duffel.mapping import (
    KINDS,
    MOST_PIECES,
    UNREADABLE,
    Data,
    cents,
    places_of,
    text,
    whole,
    word,
)
from apps.suppliers.errors import ServiceGone

logger = logging.getLogger(__name__)

BAGS = {"checked": CHECKED_BAG, "carry_on": CARRY_ON_BAG}
SIZES = ("maximum_length_cm", "maximum_height_cm", "maximum_depth_cm")
CABINS = ("economy", "premium_economy", "business", "first")
LISTED, ON_MAP = "list", "map"
GONE = frozenset({"ancillary_service_not_available", "not_found"})
NOT_ADDED = frozenset({"unsupported_action", "order_not_changeable", "order_not_changeable_yet"})
ELEMENTS = frozenset(
    {
        SEAT,
        "bassinet",
        "empty",
        "exit_row",
        "lavatory",
        "galley",
        "closet",
        "stairs",
        "restricted_seat_general",
    }
)
NOT_SOLD = "restricted_seat_general"
"""A seat that cannot be bought: shown without services."""


# --- Whose it is, and on which flights --------------------------------------------------------------------------------
def party_of(offer: FlightOffer) -> dict[str, int]:
    """The place of each passenger in the party, by their id; of those who have a seat of their own. Whether infants on a lap are
    sold anything is not documented.
    """
    ids = [own_id for kind in KINDS if kind != "infant" for own_id in offer.supplier_data[kind].split()]
    return {own_id: place for place, own_id in enumerate(ids)}


def travellers_of(order: Data, passengers: Sequence[Passenger]) -> dict[str, int]:
    """The place among our order's passengers of each one with a seat, by their id: as the order's metadata has it, else by name
    and birthday. They take no two of one name in an order.
    """
    places = places_of(order) or _by_name(order, passengers)
    seated = {at for at, one in enumerate(passengers) if one.type != "infant"}
    return {own_id: at for own_id, at in places.items() if at in seated}


def _by_name(order: Data, passengers: Sequence[Passenger]) -> dict[str, int]:
    ours = {
        (one.first_name.casefold(), one.last_name.casefold(), one.date_of_birth.isoformat()): at
        for at, one in enumerate(passengers)
    }
    found = {}
    for theirs in order["passengers"]:
        name = str(theirs["given_name"]).casefold(), str(theirs["family_name"]).casefold(), theirs["born_on"]
        if name in ours:
            found[word(theirs["id"])] = ours[name]
    return found


def flights_of(slices: Iterable[Data]) -> dict[str, Place]:
    """The place of each flight, by its id: an order's ids are others than its offer's."""
    return {
        word(flight["id"]): (place, at)
        for place, part in enumerate(slices)
        for at, flight in enumerate(part["segments"])
    }


def flights_of_order(order: Data, slices: Sequence[Slice]) -> dict[str, Place]:
    """The same, with the slices at the places that they have in our order."""
    ours = {leg.supplier_id: place for place, leg in enumerate(slices)}
    return {
        word(flight["id"]): (ours[part["id"]], at)
        for part in order["slices"]
        if part["id"] in ours
        for at, flight in enumerate(part["segments"])
    }


# --- What is sold -----------------------------------------------------------------------------------------------------
def sold(
    listed: Any, passengers: Mapping[str, int], flights: Mapping[str, Place], currency: str
) -> Iterator[FlightService]:
    """Those of `available_services` that can be sold in this currency."""
    for data in listed or ():
        try:
            found = _service(data, passengers, flights)
        except UNREADABLE as error:
            logger.error("a service of duffel could not be read: %s", type(error).__name__)
            continue
        if found is not None and found.currency == currency:
            yield found


def _service(data: Data, passengers: Mapping[str, int], flights: Mapping[str, Place]) -> FlightService | None:
    """None for what is not sold: another type, for several passengers at once, for one without a seat."""
    kind, metadata = _kind(data), data.get("metadata") or {}
    if kind is None or len(data["passenger_ids"]) != 1 or data["passenger_ids"][0] not in passengers:
        return None
    own_id, currency = data["passenger_ids"][0], word(data["total_currency"])
    most = data.get("maximum_quantity")
    return FlightService(
        kind=kind,
        passenger=passengers[own_id],
        segments=tuple(sorted(flights[flight] for flight in data["segment_ids"])),
        total_cents=_price(data["total_amount"], currency),
        currency=currency,
        supplier_data={
            "id": word(data["id"]),
            "amount": word(data["total_amount"]),
            "traveller": own_id,
            "read": " ".join([LISTED, *(str(metadata.get(size)) for size in SIZES)]),
        },
        max_quantity=1 if kind == SEAT else most if type(most) is int and 0 < most < MOST_PIECES else 1,
        weight_kg=None if kind == SEAT else _weight(metadata),
        designator=word(metadata["designator"]) if kind == SEAT else None,
    )


def _kind(data: Data) -> str | None:
    if data.get("type") == "baggage":
        return BAGS.get(str((data.get("metadata") or {}).get("type")))
    return SEAT if data.get("type") == SEAT else None


def _weight(metadata: Data) -> int | None:
    told = metadata.get("maximum_weight_kg")
    return None if told is None else whole(told, MOST_PIECES)


def _price(amount: Any, currency: str) -> int:
    """Of nothing ("0.0") is free. Raises ValueError for a negative price."""
    found = cents(amount, currency)
    if found < 0:
        raise ValueError("a service at a negative price")
    return found


# --- Seat maps ----------------------------------------------------------------------------------------------------------
def seat_maps(
    maps: Iterable[Data], passengers: Mapping[str, int], flights: Mapping[str, Place], currency: str
) -> Iterator[SeatMap]:
    """Those that can be read, in the order of the flights; a flight may have none."""
    found = []
    for data in maps:
        try:
            flight = flights[data["segment_id"]]
            cabins = tuple(_cabin(cabin, flight, passengers, currency) for cabin in data["cabins"])
            found.append(SeatMap(flight, cabins))
        except UNREADABLE as error:
            logger.error("a seat map of duffel could not be read: %s", type(error).__name__)
    yield from sorted(found, key=lambda one: one.segment)


def _cabin(data: Data, flight: Place, passengers: Mapping[str, int], currency: str) -> SeatCabin:
    rows = tuple(
        tuple(
            tuple(_element(one, flight, passengers, currency) for one in _elements(section))
            for section in row["sections"]
        )
        for row in data["rows"]
    )
    cabin = data["cabin_class"]
    return SeatCabin(cabin if cabin in CABINS else CABINS[0], rows)


def _elements(section: Any) -> list[Data]:
    """None of a section that is an empty list instead of an object, as it was recorded."""
    found: list[Data] = section["elements"] if section else []
    return found


def _element(data: Data, flight: Place, passengers: Mapping[str, int], currency: str) -> SeatElement:
    kind = data.get("type") if data.get("type") in ELEMENTS else "empty"
    if kind not in (SEAT, NOT_SOLD):
        return SeatElement(str(kind))
    told = data.get("disclosures")
    disclosures = tuple(filter(None, map(text, told if isinstance(told, list) else ())))
    designator = text(data.get("designator"))
    services: tuple[FlightService, ...] = ()
    if kind == SEAT and designator is not None:
        services = tuple(_seats(data, designator, flight, passengers, currency))
    return SeatElement(SEAT, designator, disclosures, services)


def _seats(
    data: Data, designator: str, flight: Place, passengers: Mapping[str, int], currency: str
) -> Iterator[FlightService]:
    for one in data.get("available_services") or ():
        own_id = one["passenger_id"]
        if own_id in passengers and one["total_currency"] == currency:
            yield FlightService(
                kind=SEAT,
                passenger=passengers[own_id],
                segments=(flight,),
                total_cents=_price(one["total_amount"], currency),
                currency=currency,
                supplier_data={
                    "id": word(one["id"]),
                    "amount": word(one["total_amount"]),
                    "traveller": own_id,
                    "read": ON_MAP,
                },
                designator=designator,
            )


def of_maps(maps: Iterable[SeatMap]) -> Iterator[FlightService]:
    for seat_map in maps:
        for cabin in seat_map.cabins:
            for row in cabin.rows:
                for section in row:
                    for element in section:
                        yield from element.services


def is_on_map(one: ChosenService) -> bool:
    return one.service.supplier_data["read"] == ON_MAP


# --- What is bought -----------------------------------------------------------------------------------------------------
def ordered(chosen: Iterable[ChosenService]) -> list[Data]:
    return [{"id": one.service.supplier_data["id"], "quantity": one.quantity} for one in chosen]


def amount_of(chosen: Iterable[ChosenService], currency: str, fare: str = "0") -> str:
    """What is to be paid: the sum of their own amounts, which no conversion of ours has touched."""
    total = Decimal(fare)
    for one in chosen:
        total += Decimal(one.service.supplier_data["amount"]) * one.quantity
    return f"{total:.{money.exponent(currency)}f}"


def with_services(body: Data, request: OrderRequest) -> Data:
    """The body of an order, with the services and the price of all."""
    kept = request.offer.supplier_data
    amount = amount_of(request.services, kept["currency"], kept["amount"])
    (payment,) = body["payments"]
    return {**body, "services": ordered(request.services), "payments": [{**payment, "amount": amount}]}


def addition(chosen: Sequence[ChosenService], currency: str) -> Data:
    """The body that adds them to an order. The guide's prose says `services`; its body and the official client `add_services`."""
    if not price_of(chosen):
        return {
            "add_services": ordered(chosen)
        }  # not documented; a change that costs nothing is confirmed so
    payment = {"type": "balance", "amount": amount_of(chosen, currency), "currency": currency}
    return {"add_services": ordered(chosen), "payment": payment}


def booked(order: Data) -> tuple[BookedService, ...]:
    """What an order has. What cannot be read, or is of flights that it no longer has, is left out: the order stands all the
    same.
    """
    try:
        flights = flights_of(order["slices"])
    except UNREADABLE:
        return ()
    found = []
    listed = order.get("services")
    for data in listed if isinstance(listed, list) else ():
        try:
            one = _booked(data, flights)
        except UNREADABLE as error:
            logger.error("a service of an order of duffel could not be read: %s", type(error).__name__)
            continue
        if one is not None:
            found.append(one)
    return tuple(found)


def _booked(data: Data, flights: Mapping[str, Place]) -> BookedService | None:
    kind, metadata = _kind(data), data.get("metadata") or {}
    places = tuple(sorted(flights[flight] for flight in data["segment_ids"] if flight in flights))
    if kind is None or not places:
        return None
    quantity = data["quantity"]
    if type(quantity) is not int or not 0 < quantity < MOST_PIECES:
        raise ValueError("no quantity")
    return BookedService(
        supplier_id=word(data["id"]),
        traveller=word(data["passenger_ids"][0]),
        kind=kind,
        segments=places,
        quantity=quantity,
        total_cents=_price(data["total_amount"], word(data["total_currency"])),
        weight_kg=None if kind == SEAT else _weight(metadata),
        designator=text(metadata.get("designator")) if kind == SEAT else None,
    )


def gone(chosen: Sequence[ChosenService]) -> ServiceGone:
    """Where they do not say which of several: without a name."""
    return ServiceGone(chosen[0].name if len(chosen) == 1 else "")


def names_of(order: Data) -> set[str]:
    """Of all that an order has, whether we sell the like or not."""
    return {word(one["id"]) for one in order.get("services") or ()}


def has_bought(order: Data, chosen: Iterable[ChosenService], before: Iterable[str]) -> bool | None:
    """Whether the order has, beyond what it had before, all of these; None where it has only some."""
    known = set(before)
    fresh = Counter(
        (one.kind, one.traveller, one.quantity) for one in booked(order) if one.supplier_id not in known
    )
    wanted = Counter(
        (one.service.kind, one.service.supplier_data["traveller"], one.quantity) for one in chosen
    )
    if wanted <= fresh:
        return True
    return None if names_of(order) - known else False
