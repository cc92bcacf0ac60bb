"""Bags and seats of the simulated airlines: what each sells, where it sits, what it costs. The same whenever it is asked.

Bags of four weights are alternatives, for all flights of a slice. One carrier has no seat maps (`WITHOUT_MAPS`), one sells its
bags only once the order stands (`BAGS_LATER`), and one seat of every map is gone when it is ordered (`TAKEN_MEANWHILE`).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from apps.flights.suppliers.base import (
    CARRY_ON_BAG,
    CHECKED_BAG,
    SEAT,
    BookedService,
    ChosenService,
    FlightOffer,
    FlightService,
    SeatCabin,
    SeatElement,
    SeatMap,
    Segment,
    Slice,
)
from apps.flights.suppliers.simulator import catalogue
from apps.flights.suppliers.simulator.offers import passengers_of
from apps.suppliers.errors import PriceChanged, ServiceGone
from apps.suppliers.simulation import draw, from_euro_cents, percent

WITHOUT_MAPS = frozenset({"TO"})
BAGS_LATER = frozenset({"U2"})
LOW_COST = frozenset(carrier.code for carrier in catalogue.CARRIERS if carrier.roams)
TAKEN_MEANWHILE = "7C"
CHECKED = {15: 2_400, 20: 3_100, 23: 3_600, 32: 6_900}
"""Euro cents by kilograms, for a slice."""
MOST_OF_A_WEIGHT = {15: 3, 20: 3, 23: 3, 32: 1}
CARRY_ON_KG, CARRY_ON = 10, 1_500
LONG_MINUTES = 360
NARROW, WIDE = ("ABC", "DEF"), ("ABC", "DEFG", "HJK")
NARROW_FRONT, WIDE_FRONT = ("AC", "DF"), ("AC", "DG", "HK")
ROWS = {"first": 2, "business": 8, "premium_economy": 12, "economy": 20}
EXIT_ROW, FRONT_ROWS, FREE_FROM = 10, 3, 16
FRONT, EXIT, STANDARD = 1_800, 2_600, 900  # euro cents
OCCUPIED = 35  # in a hundred
ADULTS_ONLY = "Passenger must be an adult"
LEGROOM = "Extra legroom"


# --- Bags -----------------------------------------------------------------------------------------------------------
def of_offer(offer: FlightOffer, market_percent: int) -> list[FlightService]:
    """Bags, for everybody who has a seat."""
    party = passengers_of(offer)
    seated = range(party.adults + party.children)
    wanted = [
        (place, passenger)
        for place, leg in enumerate(offer.slices)
        if leg.segments[0].carrier not in BAGS_LATER
        for passenger in seated
    ]
    return list(bags(offer.slices, wanted, offer.currency, market_percent))


def bags(
    slices: Sequence[Slice], wanted: Iterable[tuple[int, int]], currency: str, market_percent: int
) -> Iterator[FlightService]:
    """For each slice and passenger that is `wanted`."""
    for place, passenger in wanted:
        leg = slices[place]
        flights = tuple((place, at) for at in range(len(leg.segments)))
        if leg.segments[0].carrier in LOW_COST:
            price = _price(CARRY_ON, currency, market_percent)
            yield FlightService(CARRY_ON_BAG, passenger, flights, price, currency, {}, 1, CARRY_ON_KG)
        for weight, cents in CHECKED.items():
            price, most = _price(cents, currency, market_percent), MOST_OF_A_WEIGHT[weight]
            yield FlightService(CHECKED_BAG, passenger, flights, price, currency, {}, most, weight)


def _price(euro_cents: int, currency: str, market_percent: int) -> int:
    return from_euro_cents(percent(euro_cents, market_percent), currency) if euro_cents else 0


# --- Seats ----------------------------------------------------------------------------------------------------------
def seat_maps(offer: FlightOffer, market_percent: int) -> list[SeatMap]:
    return [
        SeatMap((place, at), (_cabin(offer, (place, at), segment, market_percent),))
        for place, leg in enumerate(offer.slices)
        for at, segment in enumerate(leg.segments)
        if segment.carrier not in WITHOUT_MAPS
    ]


def seats_of(maps: Iterable[SeatMap]) -> Iterator[FlightService]:
    for seat_map in maps:
        for cabin in seat_map.cabins:
            for row in cabin.rows:
                for section in row:
                    for element in section:
                        yield from element.services


def _cabin(offer: FlightOffer, flight: tuple[int, int], segment: Segment, market_percent: int) -> SeatCabin:
    front = offer.cabin in ("first", "business")
    is_long = segment.duration_minutes >= LONG_MINUTES
    letters = (WIDE_FRONT if is_long else NARROW_FRONT) if front else (WIDE if is_long else NARROW)
    rows = [_facilities("galley", "lavatory", len(letters))]
    for row in range(1, ROWS[offer.cabin] + 1):
        if row == EXIT_ROW:
            rows.append(tuple((SeatElement("exit_row"),) for _ in letters))
        rows.append(
            tuple(
                tuple(_seat(offer, flight, segment, row, letter, market_percent) for letter in section)
                for section in letters
            )
        )
    rows.append(_facilities("lavatory", "lavatory", len(letters)))
    return SeatCabin(offer.cabin, tuple(rows))


def _facilities(left: str, right: str, sections: int) -> tuple[tuple[SeatElement, ...], ...]:
    between = ((SeatElement("empty"),),) * (sections - 2)
    return ((SeatElement(left),), *between, (SeatElement(right),))


def _seat(
    offer: FlightOffer, flight: tuple[int, int], segment: Segment, row: int, letter: str, market_percent: int
) -> SeatElement:
    designator = f"{row}{letter}"
    day = segment.departure_at.date()
    occupied = draw(0, 99, "seat", segment.flight_number, day, designator) < OCCUPIED
    at_exit = row == EXIT_ROW
    disclosures = (ADULTS_ONLY, LEGROOM) if at_exit else ()
    if occupied and designator != TAKEN_MEANWHILE:
        return SeatElement(SEAT, designator, disclosures)
    party = passengers_of(offer)
    price = _price(_seat_cents(offer.cabin, row), offer.currency, market_percent)
    services = tuple(
        FlightService(SEAT, passenger, (flight,), price, offer.currency, {}, designator=designator)
        for passenger in range(party.adults + (0 if at_exit else party.children))
    )
    return SeatElement(SEAT, designator, disclosures, services)


def _seat_cents(cabin: str, row: int) -> int:
    """In euros. The rear of the plane is free, and so is every seat of the front cabins."""
    if cabin in ("first", "business") or row >= FREE_FROM:
        return 0
    if row == EXIT_ROW:
        return EXIT
    return FRONT if row <= FRONT_ROWS else STANDARD


# --- What was bought ------------------------------------------------------------------------------------------------
def refuse_taken(chosen: Iterable[ChosenService]) -> None:
    """Raises ServiceGone for the seat that always is."""
    for one in chosen:
        if one.service.designator == TAKEN_MEANWHILE:
            raise ServiceGone(one.name)


def refuse_dearer(now_cents: int, agreed_cents: int) -> None:
    if now_cents > agreed_cents:
        raise PriceChanged(now_cents)


def booked(chosen: Iterable[ChosenService], reference: str, sequence: int) -> tuple[BookedService, ...]:
    """As the order has them, each under an id that no other ever had."""
    return tuple(
        BookedService(
            supplier_id=f"{reference.replace('sim', 'ser')}_{sequence}{place}",
            traveller=str(one.passenger),
            kind=one.service.kind,
            segments=one.service.segments,
            quantity=one.quantity,
            total_cents=one.service.total_cents * one.quantity,
            weight_kg=one.service.weight_kg,
            designator=one.service.designator,
        )
        for place, one in enumerate(chosen)
    )


def carried_over(services: Iterable[BookedService], removed: int, added: Slice) -> Iterator[BookedService]:
    """Once another slice has taken the place of the one at `removed`: its bags go with it, its seats are lost."""
    for one in services:
        if all(slice_place != removed for slice_place, _ in one.segments):
            yield one
        elif one.kind != SEAT:
            flights = tuple((removed, at) for at in range(len(added.segments)))
            yield replace(one, segments=flights)
