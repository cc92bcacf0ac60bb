"""What a seat costs: by distance, cabin, flight and day, in one of three kinds of fare; in minor units.

A price depends on what is asked for and on nothing else, so the same request prices the same whenever it is
made, and an offer is re-priced from itself.
"""

from dataclasses import dataclass
from datetime import date

from apps.flights.suppliers.base import Conditions, Passengers, Slice
from apps.suppliers import airports
from apps.suppliers.simulation import draw, from_euro_cents


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

    def conditions(self, total_cents: int) -> Conditions:
        return Conditions(self.refundable, self.changeable, percent(total_cents, self.penalty))


LIGHT = Fare("light", price=100, refundable=False, changeable=False)
CLASSIC = Fare("classic", price=118, refundable=False, changeable=True, change=12, checked=1)
FLEX = Fare("flex", price=145, refundable=True, changeable=True, penalty=20, change=6, checked=2)
FARES = {fare.code: fare for fare in (LIGHT, CLASSIC, FLEX)}

CABINS = {"economy": 100, "premium_economy": 165, "business": 330, "first": 520}
WEEKDAYS = (98, 92, 92, 100, 114, 102, 116)  # Monday to Sunday
MONTHS = (90, 91, 96, 102, 101, 108, 124, 122, 101, 97, 92, 117)
CHILD = 75
INFANT = 10


def percent(cents: int, share: int) -> int:
    """`share` percent of `cents`, rounded half up."""
    return (cents * share + 50) // 100


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


def _distance(flight: Slice) -> int:
    origin, destination = airports.find(flight.origin), airports.find(flight.destination)
    assert origin is not None
    assert destination is not None
    return airports.distance_km(origin, destination)
