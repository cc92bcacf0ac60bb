"""What travellers are shown of a fare beside its price: its brand, its taxes, its baggage, and what it does to the climate."""

from collections.abc import Sequence

from apps.flights.suppliers.base import Baggage, Passengers, Slice
from apps.flights.suppliers.simulator.fares import Fare, percent
from apps.suppliers import airports
from apps.suppliers.simulation import draw

LOWEST_TAX, HIGHEST_TAX = 12, 31  # percent of the total
GRAMS_PER_KM = 86  # of one traveller in economy class
SPACE = {"economy": 100, "premium_economy": 150, "business": 290, "first": 400}
"""What a seat takes of a plane, in percent."""


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
    kilometres = sum(_kilometres(leg) for leg in slices)
    grams = kilometres * GRAMS_PER_KM * (passengers.adults + passengers.children)
    return percent(grams, SPACE.get(cabin, 100)) // 1_000


def _kilometres(leg: Slice) -> int:
    found = [(airports.find(one.origin), airports.find(one.destination)) for one in leg.segments]
    return sum(airports.distance_km(here, there) for here, there in found if here and there)
