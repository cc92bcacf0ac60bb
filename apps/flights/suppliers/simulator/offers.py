"""Offers: a search's itineraries in three kinds of fare, each re-priced from itself alone, in minor units.

A price depends on what is requested and on nothing else, so the same request prices the same whenever it is made.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from apps.flights.suppliers.base import (
    KNOWN_TRAVELER,
    PASSPORT,
    PRICE,
    REDRESS,
    TAX_ID,
    AppliedFare,
    Baggage,
    Conditions,
    FlightOffer,
    FlightSearch,
    Passengers,
    PrivateFare,
    SearchSlice,
    Segment,
    Slice,
    SliceConditions,
    leaves_within,
    order_of,
)
from apps.flights.suppliers.simulator import catalogue
from apps.suppliers import airports, cities
from apps.suppliers.errors import Expired
from apps.suppliers.results import Found, Withheld
from apps.suppliers.simulation import draw, from_euro_cents, percent
from apps.suppliers.values import replaced

CABINS = {"economy": 100, "premium_economy": 165, "business": 330, "first": 520}
WEEKDAYS = (98, 92, 92, 100, 114, 102, 116)  # Monday to Sunday
MONTHS = (90, 91, 96, 102, 101, 108, 124, 122, 101, 97, 92, 117)
CHILD = 75
INFANT = 10
LOWEST_TAX, HIGHEST_TAX = 12, 31  # percent of the total
GRAMS_PER_KM = 86  # of one traveller in economy class
SPACE = {"economy": 100, "premium_economy": 150, "business": 290, "first": 400}
"""What a seat takes of a plane, in percent."""
MOST_OFFERS = 20
MOST_FLIGHTS = 18  # of one slice: three times what one pair of airports has
CORPORATE_CODE, CORPORATE = "SBX10", 90
"""The code that every airline has an agreement under, and the price by it, in percent. Other codes earn nothing."""
HELD_DAYS = 2
"""An order may be held until the end of the second day after the search (UTC)."""
GUARANTEED_DAYS = 1
"""As long the price stays as it was, where an airline guarantees it for less long than it holds the seats."""
NO_HOLD_PERCENT = 25
SHORT_GUARANTEE_PERCENT = 25
"""Of the airlines."""
BEFORE_ALL = datetime.min.replace(tzinfo=UTC)


NOTHING_INCLUDED = SliceConditions(False, False, False)


@dataclass(frozen=True, slots=True)
class Fare:
    """A kind of fare. In percent: `price` of LIGHT's, `change` of the slice, `penalty` of the total."""

    code: str
    price: int
    refundable: bool
    changeable: bool
    penalty: int = 100
    change: int = 0
    checked: int = 0
    """Pieces of checked baggage."""
    included: SliceConditions = NOTHING_INCLUDED
    """On each slice."""
    document: bool = False
    """Whether it demands an identity document of every passenger."""

    def conditions(self, total_cents: int) -> Conditions:
        return Conditions(self.refundable, self.changeable, percent(total_cents, self.penalty))


LIGHT = Fare("light", price=100, refundable=False, changeable=False)
CLASSIC = Fare(
    "classic",
    price=118,
    refundable=False,
    changeable=True,
    change=12,
    checked=1,
    included=SliceConditions(True, False, None),
)
FLEX = Fare(
    "flex",
    price=145,
    refundable=True,
    changeable=True,
    penalty=20,
    change=6,
    checked=2,
    included=SliceConditions(True, True, True),
)
BASIC = Fare("basic", price=91, refundable=False, changeable=False, document=True)
"""Of low-cost carriers that cross a border, beside the others."""
SOLD = (LIGHT, CLASSIC, FLEX)
FARES = {fare.code: fare for fare in (BASIC, *SOLD)}


def slice_total(
    flight: Slice, *, cabin: str, fare: Fare, passengers: Passengers, currency: str, market_percent: int = 100
) -> int:
    """What all passengers together pay for one slice, in minor units of `currency`."""
    euro_cents = percent(percent(_euro_cents(flight, cabin), fare.price), market_percent)
    adult = from_euro_cents(euro_cents, currency)
    child, infant = percent(adult, CHILD), percent(adult, INFANT)
    return passengers.adults * adult + passengers.children * child + passengers.infants * infant


def _euro_cents(flight: Slice, cabin: str) -> int:
    """An adult's cheapest fare on this flight and day, one way, in euro cents."""
    day = flight.departure_at.date()
    cents = _by_distance(_distance(flight))
    for share in (
        CABINS.get(cabin, 100),
        100 if len(flight.segments) == 1 else 87,
        _by_day(day),
        *(draw(93, 109, "flight", segment.flight_number) for segment in flight.segments),
        draw(95, 106, "day", flight.segments[0].flight_number, day),
    ):
        cents = percent(cents, share)
    return cents


def _by_distance(kilometres: int) -> int:
    """Twenty-five euros for going at all, six cents a kilometre for the first 3,000 and four for the rest."""
    return 2_500 + 6 * min(kilometres, 3_000) + 4 * max(0, kilometres - 3_000)


def _by_day(day: date) -> int:
    return percent(WEEKDAYS[day.weekday()], MONTHS[day.month - 1])


def _distance(part: Slice | Segment) -> int:
    origin, destination = airports.find(part.origin), airports.find(part.destination)
    assert origin is not None
    assert destination is not None
    return airports.distance_km(origin, destination)


def brand(fare: Fare, cabin: str) -> str:
    """Such as `Premium Economy Light`."""
    return f"{cabin.replace('_', ' ')} {fare.code}".title()


def tax_cents(total_cents: int, slices: Sequence[Slice]) -> int:
    """By the airports that the journey touches; the rest of the total is fare."""
    return percent(total_cents, draw(LOWEST_TAX, HIGHEST_TAX, "tax", *(leg.origin for leg in slices)))


def baggage(fare: Fare, passengers: Passengers) -> tuple[Baggage, ...]:
    """Infants have no seat to put a bag under."""
    allowed = {
        "adult": (passengers.adults, 1, fare.checked),
        "child": (passengers.children, 1, fare.checked),
        "infant": (passengers.infants, 0, min(1, fare.checked)),
    }
    return tuple(Baggage(kind, cabin, checked) for kind, (count, cabin, checked) in allowed.items() if count)


def co2_kg(slices: Sequence[Slice], cabin: str, passengers: Passengers) -> int:
    """Of all who have a seat."""
    kilometres = sum(_distance(segment) for leg in slices for segment in leg.segments)
    grams = kilometres * GRAMS_PER_KM * (passengers.adults + passengers.children)
    return percent(grams, SPACE.get(cabin, 100)) // 1_000


def search(request: FlightSearch, market_percent: int, now: datetime = BEFORE_ALL) -> Found[FlightOffer]:
    """The offers for `request`, the best first; none if no airline flies there or an airport is unknown. Like the cache of some
    suppliers it also lists what has left by now, after the others and whatever the limit.
    """
    found = _all(replace(request, limit=0, sort=PRICE), market_percent, now.date())
    ahead = [offer for offer in found if offer.slices[0].departure_at > now]
    left = [offer for offer in found if offer.slices[0].departure_at <= now]
    limit = min(request.limit, MOST_OFFERS)
    if request.sort == PRICE:
        return Found(_selected(ahead, limit) + left, found.withheld)
    return Found(sorted(ahead, key=order_of(request.sort))[:limit] + left, found.withheld)


def seated(leg: Slice, cabin: str) -> Slice:
    """The leg in this cabin."""
    segments = tuple(
        replaced(one, cabin=cabin, amenities=catalogue.amenities_of(one, cabin)) for one in leg.segments
    )
    return replace(leg, segments=segments)


def under(fare: Fare, leg: Slice) -> Slice:
    """The leg with what the fare includes on it. Built in full: `replace` takes four times as long."""
    return Slice(
        leg.supplier_id,
        leg.origin,
        leg.destination,
        leg.departure_at,
        leg.arrival_at,
        leg.duration_minutes,
        leg.segments,
        fare.included,
    )


@lru_cache(maxsize=256)
def _all(request: FlightSearch, market_percent: int, today: date) -> Found[FlightOffer]:
    """Whatever the limit. Remembered, because a sandbox is asked for the same flights again and again."""
    itineraries = [tuple(seated(leg, request.cabin) for leg in slices) for slices in _itineraries(request)]
    found = [(slices, accepted_by(slices)) for slices in itineraries]
    sold = [(slices, fare, accepts) for slices, accepts in found for fare in SOLD]
    demanding = [(slices, BASIC, accepts) for slices, accepts in found if accepts.sells_basic]
    if request.include_document_offers:
        sold, demanding = [*sold, *demanding], []
    priced = [holdable(_offer(request, *one, market_percent), today) for one in sold]
    return Found(sorted(priced, key=_rank), Withheld(documents_required=len(demanding)))


class Accepts(NamedTuple):
    """What the carriers of an itinerary take of travellers, and whether they sell the fare that demands a document."""

    document_types: tuple[str, ...]
    loyalty_programmes: tuple[str, ...]
    sells_basic: bool


def accepted_by(slices: Sequence[Slice]) -> Accepts:
    """Low-cost carriers have no programme, and take no document but with the fare that demands it. The first slice's decides."""
    ends = (airports.find(end) for leg in slices for end in (leg.origin, leg.destination))
    crosses_a_border = len({airport.country for airport in ends if airport is not None}) > 1
    sellers = dict.fromkeys(one.carrier for leg in slices for one in leg.segments)
    programmes = tuple(code for code in sellers if code not in catalogue.LOW_COST)
    if all(one.carrier in catalogue.LOW_COST for one in slices[0].segments):
        return Accepts((), programmes, crosses_a_border)
    return Accepts(
        (PASSPORT, KNOWN_TRAVELER, REDRESS) if crosses_a_border else (TAX_ID,), programmes, sells_basic=False
    )


def holdable(offer: FlightOffer, today: date) -> FlightOffer:
    """With the times until which it can be held, where its airline holds and its flight is not too near."""
    if today == BEFORE_ALL.date() or draw(0, 99, "hold", offer.carrier) < NO_HOLD_PERCENT:
        return offer
    pay_by = _end_of(today + timedelta(days=HELD_DAYS))
    if pay_by + timedelta(days=1) > offer.slices[0].departure_at:
        return offer
    short = draw(0, 99, "guarantee", offer.carrier) < SHORT_GUARANTEE_PERCENT
    guaranteed = _end_of(today + timedelta(days=GUARANTEED_DAYS)) if short else pay_by
    return replace(offer, pay_by=pay_by, price_guaranteed_until=guaranteed)


def _end_of(day: date) -> datetime:
    return datetime.combine(day + timedelta(days=1), time(), UTC)


def slice_totals(offer: FlightOffer, market_percent: int) -> tuple[int, ...]:
    """What each slice of `offer` costs now. Raises Expired when the offer is not one of ours."""
    fare = fare_of(offer)
    share = CORPORATE if offer.supplier_data.get("corporate_code") == CORPORATE_CODE else 100
    return tuple(
        percent(
            slice_total(
                flight,
                cabin=offer.cabin,
                fare=fare,
                passengers=passengers_of(offer),
                currency=offer.currency,
                market_percent=market_percent,
            ),
            share,
        )
        for flight in offer.slices
    )


def fare_of(offer: FlightOffer) -> Fare:
    try:
        return FARES[offer.supplier_data["fare"]]
    except KeyError as error:
        raise Expired("the offer is unknown") from error


def passengers_of(offer: FlightOffer) -> Passengers:
    data = offer.supplier_data
    return Passengers(int(data["adults"]), int(data["children"]), int(data["infants"]))


def _itineraries(request: FlightSearch) -> list[tuple[Slice, ...]]:
    """Each flight of the first slice with one of every further slice, which leaves after the one before has arrived."""
    first, *further = (_flights(asked, request) for asked in request.slices)
    journeys = (_journey(flight, n, further) for n, flight in enumerate(first))
    return [journey for journey in journeys if journey is not None]


def _flights(asked: SearchSlice, request: FlightSearch) -> list[Slice]:
    """Between all airports of both ends, in the order of their departure. Of large cities a selection over the day."""
    pairs = product(cities.airports_at(asked.origin), cities.airports_at(asked.destination))
    found = [
        flight
        for origin, destination in pairs
        for flight in catalogue.slices(origin, destination, asked.departure_date, request.max_connections)
        if leaves_within(flight, asked.window)
        and request.takes_airlines(one.carrier for one in flight.segments)
    ]
    every = -(-len(found) // MOST_FLIGHTS) or 1
    return sorted(found, key=lambda flight: flight.departure_at)[::every]


def _journey(flight: Slice, rank: int, further: list[list[Slice]]) -> tuple[Slice, ...] | None:
    """`rank` spreads the journeys over the flights of each slice."""
    journey = [flight]
    for flights in further:
        in_turn = flights[rank:] + flights[:rank]
        following = next((one for one in in_turn if one.departure_at > journey[-1].arrival_at), None)
        if following is None:
            return None
        journey.append(following)
    return tuple(journey)


def _offer(
    request: FlightSearch, slices: tuple[Slice, ...], fare: Fare, accepts: Accepts, market_percent: int
) -> FlightOffer:
    passengers, first = request.passengers, slices[0].segments[0]
    applies = PrivateFare(first.carrier, CORPORATE_CODE) in (
        replace(fare, tour_code=None) for fare in request.private_fares
    )
    unpriced = FlightOffer(
        total_cents=0,
        currency=request.currency,
        carrier=first.carrier,
        carrier_name=first.carrier_name,
        cabin=request.cabin,
        conditions=fare.conditions(0),
        slices=tuple(under(fare, leg) for leg in slices),
        expires_at=None,  # like a supplier that publishes no expiry: the service's own handle decides
        supplier_data={
            "fare": fare.code,
            "adults": str(passengers.adults),
            "children": str(passengers.children),
            "infants": str(passengers.infants),
            **({"corporate_code": CORPORATE_CODE} if applies else {}),
        },
        fare_brand=brand(fare, request.cabin),
        conditions_url=catalogue.conditions_of_carriage(first.carrier),
        co2_kg=co2_kg(slices, request.cabin, passengers),
        baggage=baggage(fare, passengers),
        private_fares=(AppliedFare("corporate", CORPORATE_CODE),) if applies else (),
        document_required=fare.document,
        document_types=(PASSPORT,) if fare.document else accepts.document_types,
        loyalty_programmes=accepts.loyalty_programmes,
    )
    return at_price(unpriced, sum(slice_totals(unpriced, market_percent)))


def at_price(offer: FlightOffer, total_cents: int) -> FlightOffer:
    tax = tax_cents(total_cents, offer.slices)
    return replace(
        offer,
        total_cents=total_cents,
        base_cents=total_cents - tax,
        tax_cents=tax,
        conditions=fare_of(offer).conditions(total_cents),
    )


def _rank(offer: FlightOffer) -> tuple[int, str]:
    return offer.total_cents, "-".join(s.flight_number for slice_ in offer.slices for s in slice_.segments)


def _selected(offers: list[FlightOffer], limit: int) -> list[FlightOffer]:
    """The cheapest `limit`, among them (from two on) a light and a flexible fare: no limit hides a kind."""
    if len(offers) <= limit or limit < 2:
        return offers[:limit]
    kinds = [next(o for o in offers if o.supplier_data["fare"] == fare.code) for fare in (LIGHT, FLEX)]
    others = [offer for offer in offers if all(offer is not kind for kind in kinds)]
    return sorted([*kinds, *others[: limit - 2]], key=_rank)
