"""Who flies, in which plane, and from which terminal: the same each time, and nothing that any airline has announced."""

from apps.flights.suppliers.simulator.carriers import CARRIERS, Carrier
from apps.suppliers.airports import Airport
from apps.suppliers.simulation import draw

REGIONAL_KM, SHORT_KM, MEDIUM_KM = 700, 4_500, 7_500
FLEETS = (
    (REGIONAL_KM, ("ATR 72-600", "Embraer E190", "Airbus A220-300")),
    (SHORT_KM, ("Airbus A320", "Airbus A320neo", "Airbus A321", "Boeing 737-800")),
    (MEDIUM_KM, ("Airbus A321LR", "Airbus A330-900", "Boeing 787-8")),
)
LONG_HAUL = ("Airbus A350-900", "Boeing 777-300ER", "Boeing 787-9")
FLOWN_BY_PARTNERS = 14
"""In percent: of the flights that a carrier sells, which a compatriot flies."""


def operator(carrier: Carrier, flight_number: str, distance: int) -> Carrier:
    """Mostly the carrier itself."""
    if draw(0, 99, "operator", flight_number) >= FLOWN_BY_PARTNERS:
        return carrier
    partners = [
        one
        for one in CARRIERS
        if one.country == carrier.country and one != carrier and (one.long_haul or distance <= SHORT_KM)
    ]
    return partners[draw(0, len(partners) - 1, "partner", flight_number)] if partners else carrier


def aircraft(operator: Carrier, flight_number: str, distance: int) -> str:
    fleet = next((planes for reach, planes in FLEETS if distance <= reach), LONG_HAUL)
    return fleet[draw(0, len(fleet) - 1, "aircraft", operator.code, flight_number)]


def terminal(operator: Carrier, airport: Airport) -> str | None:
    """All flights of a carrier use one at an airport; a third of the airports have no more than one, and give it no name."""
    terminals = draw(0, 5, "terminals", airport.code)
    if terminals < 2:
        return None
    return str(draw(1, terminals, "terminal", operator.code, airport.code))
