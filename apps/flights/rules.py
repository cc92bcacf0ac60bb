"""The rules of the trade for itineraries: when they take place, who flies as what, which leg may take another's place. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import pairwise, product

from apps.bookings.trade_rules import Service, age_objection, lost_from
from apps.common.errors import Conflict, InvalidRequest
from apps.flights.itinerary import OrderSlice
from apps.flights.suppliers.base import (
    PASSPORT,
    TAX_ID,
    Conditions,
    FlightOffer,
    Passenger,
    Passengers,
    SearchSlice,
    Slice,
)
from apps.suppliers import airports, cities
from apps.suppliers.results import PenaltyStep, PenaltySteps


def flown(legs: Iterable[Slice]) -> Service:
    """When an itinerary takes place: from its first departure to its last arrival."""
    legs = tuple(legs)
    begins_at = min(leg.departure_at for leg in legs).astimezone(UTC)
    return Service(begins_at, begins_at, max(leg.arrival_at for leg in legs).astimezone(UTC))


def last_day(legs: Iterable[Slice]) -> date:
    """The day on which the last leg departs, at its airport: airlines count ages on it for the whole journey."""
    return max(legs, key=lambda leg: leg.departure_at).departure_at.date()


def penalty_steps(
    conditions: Conditions, legs: Sequence[Slice], *, total_cents: int, airline_total_cents: int | None = None
) -> PenaltySteps | None:
    """The fare's penalty until the first departure, all of the total from then on: conditions say what comes back before
    departure. None if the airline does not provide it.

    `airline_total_cents`: the airline's own total, where it is another one. Of what the partner paid beyond it nothing comes
    back.
    """
    penalty = conditions.penalty_cents
    if penalty is None or not legs:
        return None
    if not conditions.refundable:
        penalty = total_cents
    elif airline_total_cents is not None:
        penalty = max(penalty, total_cents - (airline_total_cents - penalty))
    before = PenaltyStep(None, min(penalty, total_cents))
    return lost_from(flown(legs).begins_at, [before], total_cents)


# --- The slices of a search -----------------------------------------------------------------------------------------------
MOST_GROUND_KM = 2_000
"""How far apart the end of a slice and the beginning of the next may lie in different countries: a day or two over land."""
FASTEST_KM_PER_HOUR = 1_000


def slice_objections(slices: Sequence[SearchSlice]) -> Iterator[tuple[int, str, str]]:
    """Which slice cannot follow the one before it: its place, its field and why.

    An open jaw (arrive in Barcelona, leave from Madrid) is one journey. What lies further apart, or repeats the slice before it,
    is taken for a mistake.
    """
    for place, (before, asked) in enumerate(pairwise(slices), start=1):
        if (asked.origin, asked.destination) == (before.origin, before.destination):
            yield place, "origin", "must not repeat the slice before it, without a way back between them"
        elif not _joined(before.destination, asked.origin):
            yield (
                place,
                "origin",
                "must be in the country where the slice before it ends, or within "
                f"{MOST_GROUND_KM:,} km of there; search for journeys that are further apart separately",
            )
        if _latest_departure(asked) <= _earliest_arrival(before):
            yield place, "departureDate", "must not be before the slice before it can have arrived"


def _joined(arrived: str, leaves: str) -> bool:
    ends = product(cities.airports_at(arrived), cities.airports_at(leaves))
    return any(
        here.country == there.country or airports.distance_km(here, there) <= MOST_GROUND_KM
        for here, there in ends
    )


def _latest_departure(asked: SearchSlice) -> datetime:
    """The last moment of its day, or of its window, at any of its airports."""
    ends = asked.window.latest if asked.window else time(23, 59)
    return max(
        datetime.combine(asked.departure_date, ends, airport.clock).astimezone(UTC)
        for airport in cities.airports_at(asked.origin)
    )


def _earliest_arrival(asked: SearchSlice) -> datetime:
    """Of an aeroplane that leaves as early as it may, and flies straight there."""
    begins = asked.window.earliest if asked.window else time(0, 0)
    ends = product(cities.airports_at(asked.origin), cities.airports_at(asked.destination))
    return min(
        datetime.combine(asked.departure_date, begins, here.clock).astimezone(UTC)
        + timedelta(hours=airports.distance_km(here, there) / FASTEST_KM_PER_HOUR)
        for here, there in ends
    )


def age_objections(passengers: Iterable[Passenger], day: date) -> list[dict[str, str]]:
    """`details` of a 400 about passengers whose age on `day` is not that of their type."""
    found = [
        (place, age_objection(passenger.type, passenger.age_on(day), day))
        for place, passenger in enumerate(passengers)
    ]
    return [
        {"field": f"passengers.{place}.dateOfBirth", "message": message}
        for place, message in found
        if message
    ]


def seats_of_party(passengers: Sequence[Passenger], party: Passengers, day: date) -> list[int]:
    """Which of the `passengers` of an order has each place in the party that was searched for: the adults, the children and the
    infants, each in the order in which the order has them. A child takes the first free place of their age on `day`, where
    ages were searched for. There are as many of each kind as were searched for.
    """
    places = {
        "adult": list(range(party.adults)),
        "child": list(range(party.adults, party.adults + party.children)),
        "infant": list(range(party.adults + party.children, party.adults + party.children + party.infants)),
    }
    ages = dict(zip(places["child"], party.children_ages, strict=False))
    found = [0] * len(passengers)
    for at, passenger in enumerate(passengers):
        free = places[passenger.type]
        fitting = [place for place in free if ages.get(place) == passenger.age_on(day)]
        place = (fitting or free)[0]
        free.remove(place)
        found[place] = at
    return found


# --- Identity documents --------------------------------------------------------------------------------------------------
IDENTIFYING = (PASSPORT, TAX_ID)
"""The types that identify a person. The others are programme numbers, sent in addition to one of these."""


def travelled_until(legs: Iterable[Slice]) -> date:
    """The last day on which anybody is on the way, at the place: documents are valid through it."""
    return max(at.date() for leg in legs for at in (leg.departure_at, leg.arrival_at))


def document_objections(passengers: Iterable[Passenger], offer: FlightOffer) -> list[dict[str, str]]:
    """`details` of a 400 about documents that the offer does not take, that expire on the way, or that are missing: an offer that
    demands one demands it of every passenger, infants included.
    """
    found: list[tuple[str, str]] = []
    for place, passenger in enumerate(passengers):
        if not passenger.identity_documents and not offer.document_required:
            continue
        path = f"passengers.{place}.identityDocuments"
        for at, document in enumerate(passenger.identity_documents):
            if document.type not in offer.document_types:
                found.append((f"{path}.{at}.type", f"must be {_taken(offer.document_types)} for this offer"))
        day = travelled_until(offer.slices)
        found += [
            (f"{path}.{at}.expiresOn", f"must not be before {day}, the last day of the journey")
            for at in expired_by(passenger, day)
        ]
        demanded = [kind for kind in offer.document_types if kind in IDENTIFYING] or offer.document_types
        if offer.document_required and all(one.type not in demanded for one in passenger.identity_documents):
            found.append((path, f"must have {_taken(demanded)}: this offer demands it of every passenger"))
    return [{"field": path, "message": message} for path, message in found]


def account_objections(passengers: Iterable[Passenger], offer: FlightOffer) -> list[dict[str, str]]:
    """`details` of a 400 about accounts of programmes that the offer does not take: suppliers drop them without a word."""
    taken = " or ".join(offer.loyalty_programmes) or "left out, because no accounts are taken"
    return [
        {
            "field": f"passengers.{place}.loyaltyAccounts.{at}.airline",
            "message": f"must be {taken} for this offer",
        }
        for place, passenger in enumerate(passengers)
        for at, account in enumerate(passenger.loyalty_accounts)
        if account.airline not in offer.loyalty_programmes
    ]


def expired_by(passenger: Passenger, day: date) -> list[int]:
    """The indexes of the documents that are no longer valid on `day`."""
    return [
        at
        for at, one in enumerate(passenger.identity_documents)
        if one.expires_on is not None and one.expires_on < day
    ]


def _taken(types: Iterable[str]) -> str:
    return " or ".join(types) or "left out, because no documents are taken"


# --- A leg in place of another -------------------------------------------------------------------------------------------
class Gap:
    """The place in an itinerary that one leg leaves: between the leg before it and the leg after it, where there are any."""

    def __init__(self, slices: Iterable[OrderSlice], removed: OrderSlice) -> None:
        in_order = sorted(slices, key=lambda known: known.leg.departure_at)
        at = in_order.index(removed)
        self.removed = removed.leg
        self.before = in_order[at - 1].leg if at else None
        self.after = in_order[at + 1].leg if at + 1 < len(in_order) else None
        self.others = [known.leg for known in in_order if known is not removed]

    def refuse_flown(self, now: datetime) -> None:
        """Raises Conflict (409) once the leg has departed."""
        if self.removed.departure_at <= now:
            raise Conflict("This slice has departed; it can no longer be changed.", ours=True)

    def refuse_other_route(self, origin: str, destination: str) -> None:
        """Raises InvalidRequest (400) at `add` unless each end stays where it was, or joins the neighbouring leg."""
        leaves = {self.removed.origin, self.before.destination if self.before else origin}
        arrives = {self.removed.destination, self.after.origin if self.after else destination}
        if origin not in leaves or destination not in arrives:
            raise InvalidRequest.field(
                "add",
                "must keep the route of the slice that it replaces, "
                f"{self.removed.origin} to {self.removed.destination}, or join the slices before and after it",
            )

    def refuse_other_day(self, origin: str, destination: str, day: date) -> None:
        """Raises InvalidRequest (400) for a day that is over when the leg before it arrives, or that begins once the leg after it
        has departed.
        """
        zone = clock_of(origin, self.removed.departure_at)
        opens = datetime.combine(day, time(), zone)
        closes = datetime.combine(day + timedelta(days=1), time(), zone)
        if self.before is not None and closes <= self.before.arrival_at:
            raise InvalidRequest.field(
                "add.departureDate", "must not be before the arrival of the slice before it"
            )
        if self.after is not None and opens >= self.after.departure_at:
            raise InvalidRequest.field(
                "add.departureDate", "must not be after the departure of the slice after it"
            )

    def takes(self, leg: Slice) -> bool:
        """Whether `leg` leaves after the leg before it has arrived, and arrives before the leg after it departs."""
        after_before = self.before is None or self.before.arrival_at <= leg.departure_at
        before_after = self.after is None or leg.arrival_at <= self.after.departure_at
        return after_before and before_after

    def refuse_other_ages(self, passengers: Iterable[Passenger], added: date) -> None:
        """Raises Conflict (409) where the change would move the last leg to a day when a passenger has outgrown their type."""
        day = max([added, *(leg.departure_at.date() for leg in self.others)])
        if age_objections(passengers, day):
            raise Conflict(
                f"The last slice would depart on {day}, when a passenger is not of the age of their type.",
                ours=True,
            )

    def refuse_expired_documents(self, passengers: Iterable[Passenger], *added: date) -> None:
        """Raises Conflict (409) if after the change the journey ends on a day when a passenger's document is no longer valid."""
        day = max([*added, *(at.date() for leg in self.others for at in (leg.departure_at, leg.arrival_at))])
        if any(expired_by(passenger, day) for passenger in passengers):
            raise Conflict(
                f"The journey would end on {day}, when a passenger's document is no longer valid.", ours=True
            )


def clock_of(code: str, otherwise: datetime) -> tzinfo | None:
    """The airport's own clock; the offset of `otherwise` for an airport that we do not know."""
    airport = airports.find(code)
    return airport.clock if airport else otherwise.tzinfo
