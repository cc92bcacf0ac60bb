"""Who flies from here to there: directly, or through an airport where the carrier is at home."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from apps.flights.suppliers.simulator.carriers import CARRIERS, Carrier, region_of
from apps.suppliers import airports
from apps.suppliers.airports import Airport, distance_km
from apps.suppliers.simulation import draw, shuffled

NEAREST_KM = 60  # closer airports serve the same city: nobody flies between them
REGIONAL_KM = 5_500  # beyond it only long-haul carriers go, and only from or to a hub
ROAMING_KM = 4_000
FARTHEST_KM = 15_500
WORTH_CONNECTING_KM = 500
MOST_DIRECT = 4
MOST_SERVICES = 6
FEWEST = 3
BEST_CONNECTING = 9
SHORTEST_LEG_KM = 200  # of a connection


@dataclass(frozen=True, slots=True)
class Path:
    """One daily service: who, over which airports. `frequency` tells those on one path apart."""

    carrier: Carrier
    stops: tuple[Airport, ...]
    frequency: int = 0

    @property
    def legs_km(self) -> list[int]:
        return [distance_km(here, there) for here, there in pairwise(self.stops)]


@lru_cache(maxsize=4096)
def paths(origin: Airport, destination: Airport) -> tuple[Path, ...]:
    """Every daily service, three at least; none within a city."""
    if distance_km(origin, destination) < NEAREST_KM:
        return ()
    direct = [Path(carrier, (origin, destination)) for carrier in _direct_carriers(origin, destination)]
    wished = draw(2, MOST_DIRECT, "frequencies", origin.code, destination.code)
    found = _repeated(direct, wished)
    if not direct or distance_km(origin, destination) >= WORTH_CONNECTING_KM:
        found += _connecting(origin, destination)[: MOST_SERVICES - len(found)]
    return tuple(found if len(found) >= FEWEST else _repeated(found, FEWEST))


def _repeated(services: list[Path], count: int) -> list[Path]:
    """`count` services a day, each path in turn."""
    if not services:
        return []
    turns = [(services[n % len(services)], n // len(services)) for n in range(count)]
    return [Path(path.carrier, path.stops, frequency) for path, frequency in turns]


def _direct_carriers(origin: Airport, destination: Airport) -> list[Carrier]:
    """Those at home at one end first, then compatriots and the roaming ones; far away only the former."""
    distance = distance_km(origin, destination)
    if distance > FARTHEST_KM:
        return []
    ends = {origin.code, destination.code}
    candidates = [c for c in CARRIERS if _may_fly(c, origin, destination, distance)]
    at_home = [c for c in candidates if ends & set(c.hubs)]
    others = [c for c in candidates if not ends & set(c.hubs)] if distance <= REGIONAL_KM else []
    words = ("carriers", origin.code, destination.code)
    return (shuffled(at_home, *words) + shuffled(others, *words))[:MOST_DIRECT]


def _may_fly(carrier: Carrier, origin: Airport, destination: Airport, distance: int) -> bool:
    if distance > REGIONAL_KM and not carrier.long_haul:
        return False
    countries = {origin.country, destination.country}
    if carrier.roams:
        return distance <= ROAMING_KM and countries <= region_of(carrier.country)
    return carrier.country in countries


def _connecting(origin: Airport, destination: Airport) -> list[Path]:
    """One-stop services in chance order, out of those with the smallest detours."""
    through = [Path(carrier, (origin, hub, destination)) for carrier, hub in _hubs()]
    flown = sorted(filter(_connects, through), key=lambda path: (sum(path.legs_km), path.carrier.code))
    longest = distance_km(origin, destination) * 1.35 + 400
    sensible = [path for path in flown if sum(path.legs_km) <= longest and _at_home(path)]
    best = sensible[:BEST_CONNECTING] or flown[:FEWEST]
    return shuffled(best, "connections", origin.code, destination.code)


def _connects(path: Path) -> bool:
    farthest = FARTHEST_KM if path.carrier.long_haul else REGIONAL_KM
    return all(SHORTEST_LEG_KM <= leg <= farthest for leg in path.legs_km)


def _at_home(path: Path) -> bool:
    """Within a country only its own carriers connect."""
    countries = {path.stops[0].country, path.stops[-1].country}
    return len(countries) > 1 or countries == {path.carrier.country}


@lru_cache(maxsize=1)
def _hubs() -> tuple[tuple[Carrier, Airport], ...]:
    connecting = [carrier for carrier in CARRIERS if not carrier.roams]
    found = [(carrier, airports.find(code)) for carrier in connecting for code in carrier.hubs]
    return tuple((carrier, hub) for carrier, hub in found if hub is not None)
