"""The timetable: real airlines, the routes they fly, which flights leave on a day and when they arrive."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from functools import lru_cache, partial
from itertools import pairwise

from apps.flights.suppliers.base import (
    FREE_WIFI,
    MIXED_WIFI,
    NO_WIFI,
    PAID_WIFI,
    Amenities,
    Segment,
    Slice,
    Stop,
)
from apps.suppliers import airports
from apps.suppliers.airports import Airport, distance_km
from apps.suppliers.simulation import draw, shuffled

EUROPE = "AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LT LU LV MT NL NO PL PT RO RS SE SI SK"
SOUTH_EAST_ASIA = "BN ID KH LA MM MY PH SG TH VN"
REGIONS = tuple(frozenset(countries.split()) for countries in (EUROPE, SOUTH_EAST_ASIA))
COMMUTER_KM, SHORT_KM, MEDIUM_KM = 700, 4_500, 7_500
FLEETS = (
    (COMMUTER_KM, ("ATR 72-600", "Embraer E190", "Airbus A220-300")),
    (SHORT_KM, ("Airbus A320", "Airbus A320neo", "Airbus A321", "Boeing 737-800")),
    (MEDIUM_KM, ("Airbus A321LR", "Airbus A330-900", "Boeing 787-8")),
)
LONG_HAUL = ("Airbus A350-900", "Boeing 777-300ER", "Boeing 787-9")
FLOWN_BY_PARTNERS = 14
"""In percent: of the flights that a carrier sells, which a compatriot flies."""
NEAREST_KM = 60  # closer airports serve the same city: no flights between them
REGIONAL_KM = 5_500  # beyond it only long-haul carriers go, and only from or to a hub
ROAMING_KM = 4_000
FARTHEST_KM = 15_500
WORTH_CONNECTING_KM = 500
MOST_DIRECT = 4
MOST_SERVICES = 6
FEWEST = 3
BEST_CONNECTING = 9
SHORTEST_LEG_KM = 200  # of a connection
CRUISE_KM_PER_HOUR = 800
FIRST_DEPARTURE = 6 * 60  # minutes after local midnight
LAST_DEPARTURE = 21 * 60
STOPS_FROM_KM = 6_500
STOP_PERCENT = 15
"""Of the flights that are as far: they land once on the way, under the same number."""
DETOUR_PERCENT = 108
STOP_MINUTES = 60
STEP = 5  # every time in a timetable ends in 0 or 5


@dataclass(frozen=True, slots=True)
class Carrier:
    """`hubs`: where it connects, the greatest first. One that `roams` flies anywhere within its region."""

    code: str
    name: str
    country: str
    hubs: tuple[str, ...]
    long_haul: bool = True
    roams: bool = False


def region_of(country: str) -> frozenset[str]:
    """The countries between which a roaming carrier of `country` flies; at least its own."""
    return next((region for region in REGIONS if country in region), frozenset({country}))


def _network(code: str, name: str, country: str, hubs: str, **more: bool) -> Carrier:
    return Carrier(code, name, country, tuple(hubs.split()), **more)


_regional = partial(_network, long_haul=False)
_low_cost = partial(_network, long_haul=False, roams=True)

CARRIERS = (
    # Europe
    _network("LH", "Lufthansa", "DE", "FRA MUC"),
    _network("DE", "Condor", "DE", "FRA"),
    _low_cost("EW", "Eurowings", "DE", "DUS CGN HAM"),
    _network("BA", "British Airways", "GB", "LHR LGW"),
    _network("VS", "Virgin Atlantic", "GB", "LHR MAN"),
    _low_cost("U2", "easyJet", "GB", "LGW LTN BRS"),
    _network("EI", "Aer Lingus", "IE", "DUB"),
    _low_cost("FR", "Ryanair", "IE", "DUB STN BGY"),
    _network("AF", "Air France", "FR", "CDG ORY"),
    _low_cost("TO", "Transavia France", "FR", "ORY NTE"),
    _network("KL", "KLM", "NL", "AMS"),
    _low_cost("HV", "Transavia", "NL", "AMS RTM"),
    _network("SN", "Brussels Airlines", "BE", "BRU"),
    _regional("LG", "Luxair", "LU", "LUX"),
    _network("LX", "SWISS", "CH", "ZRH GVA"),
    _network("OS", "Austrian Airlines", "AT", "VIE"),
    _network("IB", "Iberia", "ES", "MAD"),
    _low_cost("VY", "Vueling", "ES", "BCN AGP"),
    _network("UX", "Air Europa", "ES", "MAD"),
    _network("TP", "TAP Air Portugal", "PT", "LIS OPO"),
    _network("AZ", "ITA Airways", "IT", "FCO LIN"),
    _network("SK", "SAS", "DK", "CPH ARN OSL"),
    _low_cost("DY", "Norwegian", "NO", "OSL BGO CPH"),
    _network("AY", "Finnair", "FI", "HEL"),
    _network("FI", "Icelandair", "IS", "KEF"),
    _network("LO", "LOT Polish Airlines", "PL", "WAW"),
    _low_cost("W6", "Wizz Air", "HU", "BUD OTP WAW"),
    _regional("OK", "Czech Airlines", "CZ", "PRG"),
    _regional("BT", "airBaltic", "LV", "RIX TLL VNO"),
    _regional("RO", "TAROM", "RO", "OTP"),
    _regional("FB", "Bulgaria Air", "BG", "SOF"),
    _regional("OU", "Croatia Airlines", "HR", "ZAG SPU"),
    _regional("JU", "Air Serbia", "RS", "BEG"),
    _regional("A3", "Aegean Airlines", "GR", "ATH SKG"),
    _regional("KM", "KM Malta Airlines", "MT", "MLA"),
    _network("TK", "Turkish Airlines", "TR", "IST"),
    _regional("PC", "Pegasus Airlines", "TR", "SAW"),
    # The Middle East and Central Asia
    _network("EK", "Emirates", "AE", "DXB"),
    _network("EY", "Etihad Airways", "AE", "AUH"),
    _network("QR", "Qatar Airways", "QA", "DOH"),
    _network("SV", "Saudia", "SA", "JED RUH"),
    _network("GF", "Gulf Air", "BH", "BAH"),
    _network("KU", "Kuwait Airways", "KW", "KWI"),
    _network("WY", "Oman Air", "OM", "MCT"),
    _network("RJ", "Royal Jordanian", "JO", "AMM"),
    _regional("ME", "Middle East Airlines", "LB", "BEY"),
    _network("LY", "El Al", "IL", "TLV"),
    _regional("J2", "Azerbaijan Airlines", "AZ", "GYD"),
    _regional("KC", "Air Astana", "KZ", "ALA NQZ"),
    _network("HY", "Uzbekistan Airways", "UZ", "TAS"),
    # Africa
    _network("MS", "EgyptAir", "EG", "CAI"),
    _network("AT", "Royal Air Maroc", "MA", "CMN"),
    _regional("TU", "Tunisair", "TN", "TUN"),
    _regional("AH", "Air Algérie", "DZ", "ALG"),
    _network("ET", "Ethiopian Airlines", "ET", "ADD"),
    _network("KQ", "Kenya Airways", "KE", "NBO"),
    _network("WB", "RwandAir", "RW", "KGL"),
    _network("SA", "South African Airways", "ZA", "JNB"),
    _regional("FA", "FlySafair", "ZA", "JNB CPT"),
    _regional("P4", "Air Peace", "NG", "LOS ABV"),
    _regional("HF", "Air Côte d'Ivoire", "CI", "ABJ"),
    _network("MK", "Air Mauritius", "MU", "MRU"),
    # North America
    _network("DL", "Delta Air Lines", "US", "ATL DTW MSP SLC JFK SEA"),
    _network("AA", "American Airlines", "US", "DFW CLT ORD MIA PHX LAX"),
    _network("UA", "United Airlines", "US", "ORD DEN IAH EWR SFO IAD"),
    _regional("WN", "Southwest Airlines", "US", "DAL MDW LAS BWI"),
    _network("B6", "JetBlue", "US", "JFK BOS FLL"),
    _network("AS", "Alaska Airlines", "US", "SEA PDX"),
    _network("HA", "Hawaiian Airlines", "US", "HNL"),
    _network("AC", "Air Canada", "CA", "YYZ YUL YVR"),
    _network("WS", "WestJet", "CA", "YYC"),
    _network("AM", "Aeroméxico", "MX", "MEX"),
    _regional("Y4", "Volaris", "MX", "GDL TIJ MEX"),
    # Central and South America, the Caribbean
    _regional("CM", "Copa Airlines", "PA", "PTY"),
    _network("AV", "Avianca", "CO", "BOG"),
    _network("LA", "LATAM Airlines", "CL", "SCL LIM"),
    _network("JJ", "LATAM Airlines Brasil", "BR", "GRU BSB"),
    _regional("G3", "GOL", "BR", "GRU GIG"),
    _network("AR", "Aerolíneas Argentinas", "AR", "EZE AEP"),
    _regional("BW", "Caribbean Airlines", "TT", "POS"),
    # South and East Asia
    _network("AI", "Air India", "IN", "DEL BOM"),
    _regional("6E", "IndiGo", "IN", "DEL BLR BOM"),
    _network("PK", "Pakistan International Airlines", "PK", "ISB KHI"),
    _network("UL", "SriLankan Airlines", "LK", "CMB"),
    _network("BG", "Biman Bangladesh Airlines", "BD", "DAC"),
    _regional("RA", "Nepal Airlines", "NP", "KTM"),
    _network("CA", "Air China", "CN", "PEK"),
    _network("MU", "China Eastern Airlines", "CN", "PVG"),
    _network("CZ", "China Southern Airlines", "CN", "CAN"),
    _network("CX", "Cathay Pacific", "HK", "HKG"),
    _network("CI", "China Airlines", "TW", "TPE"),
    _network("BR", "EVA Air", "TW", "TPE"),
    _network("NH", "ANA", "JP", "HND NRT"),
    _network("JL", "Japan Airlines", "JP", "HND NRT"),
    _network("KE", "Korean Air", "KR", "ICN"),
    _network("OZ", "Asiana Airlines", "KR", "ICN"),
    # South-East Asia and Oceania
    _network("SQ", "Singapore Airlines", "SG", "SIN"),
    _low_cost("TR", "Scoot", "SG", "SIN"),
    _network("TG", "Thai Airways", "TH", "BKK"),
    _network("MH", "Malaysia Airlines", "MY", "KUL"),
    _low_cost("AK", "AirAsia", "MY", "KUL"),
    _network("VN", "Vietnam Airlines", "VN", "SGN HAN"),
    _network("GA", "Garuda Indonesia", "ID", "CGK"),
    _network("PR", "Philippine Airlines", "PH", "MNL"),
    _network("QF", "Qantas", "AU", "SYD MEL BNE PER"),
    _regional("VA", "Virgin Australia", "AU", "BNE SYD MEL"),
    _network("NZ", "Air New Zealand", "NZ", "AKL"),
    _network("FJ", "Fiji Airways", "FJ", "NAN"),
)


LOW_COST = frozenset(carrier.code for carrier in CARRIERS if carrier.roams)


def operator_of(carrier: Carrier, flight_number: str, distance: int) -> Carrier:
    """Mostly the carrier itself."""
    if draw(0, 99, "operator", flight_number) >= FLOWN_BY_PARTNERS:
        return carrier
    partners = [
        one
        for one in CARRIERS
        if one.country == carrier.country and one != carrier and (one.long_haul or distance <= SHORT_KM)
    ]
    return partners[draw(0, len(partners) - 1, "partner", flight_number)] if partners else carrier


def aircraft_of(operator: Carrier, flight_number: str, distance: int) -> str:
    fleet = next((planes for reach, planes in FLEETS if distance <= reach), LONG_HAUL)
    return fleet[draw(0, len(fleet) - 1, "aircraft", operator.code, flight_number)]


SMALL = frozenset(FLEETS[0][1])
PITCHES = {"economy": (28, 32), "premium_economy": (36, 40), "business": (60, 78), "first": (78, 86)}
"""From one seat to the next, in inches."""


@lru_cache(maxsize=4096)
def _amenities(operator: str, aircraft: str, cabin: str) -> Amenities | None:
    """A carrier's planes of a type are alike. One carrier in eight says nothing about them."""
    if draw(0, 7, "amenities", operator) == 0:
        return None
    wifi = draw(0, 3, "wifi", operator, aircraft)
    pitch = draw(*PITCHES[cabin], "pitch", operator, aircraft, cabin)
    return Amenities(
        wifi=NO_WIFI if aircraft in SMALL else (NO_WIFI, PAID_WIFI, FREE_WIFI, MIXED_WIFI)[wifi],
        power=aircraft not in SMALL and (cabin != "economy" or draw(0, 1, "power", operator, aircraft) == 1),
        seat_pitch=str(pitch),
        legroom="more" if cabin != "economy" else "less" if pitch < 30 else "standard",
    )


def amenities_of(flight: Segment, cabin: str) -> Amenities | None:
    return _amenities(flight.operating_carrier or flight.carrier, flight.aircraft or "", cabin)


def conditions_of_carriage(carrier: str) -> str:
    """No real address: the simulator's airlines publish nothing."""
    return f"https://{carrier.lower()}.example/conditions-of-carriage"


def terminal_of(operator: Carrier, airport: Airport) -> str | None:
    """All flights of a carrier use one at an airport; a third of the airports have no more than one, and give it no name."""
    terminals = draw(0, 5, "terminals", airport.code)
    if terminals < 2:
        return None
    return str(draw(1, terminals, "terminal", operator.code, airport.code))


@dataclass(frozen=True, slots=True)
class Path:
    """One daily service: who, over which airports. `frequency` distinguishes those on one path."""

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


def slices(origin: Airport, destination: Airport, day: date, max_connections: int | None) -> list[Slice]:
    """The day's itineraries with so many connections at most, in the order of their departure."""
    flights = _timetable(origin, destination, day)
    return [f for f in flights if max_connections is None or len(f.segments) - 1 <= max_connections]


def block_minutes(distance: int) -> int:
    """From gate to gate: cruising, and 30 to 40 minutes of taxi, climb and approach; in steps of five."""
    minutes = distance * 60 // CRUISE_KM_PER_HOUR + 30 + min(10, distance // 500)
    return -(-minutes // STEP) * STEP


def local(instant: datetime, airport: Airport) -> datetime:
    """`instant` as the airport's clocks show it, with the offset that holds there and then."""
    shown = instant.astimezone(airport.clock)
    offset = shown.utcoffset()
    assert offset is not None
    return shown.replace(tzinfo=timezone(offset))


@lru_cache(maxsize=2048)
def _timetable(origin: Airport, destination: Airport, day: date) -> tuple[Slice, ...]:
    """All itineraries of a day; the same every day by the local clocks."""
    services = paths(origin, destination)
    found = [_slice(path, day, _departure(path, n, len(services))) for n, path in enumerate(services)]
    return tuple(sorted(found, key=lambda one: (one.departure_at, one.segments[0].flight_number)))


def _departure(path: Path, position: int, count: int) -> int:
    """Minutes after local midnight: the services of a route are spread over the day."""
    window = (LAST_DEPARTURE - FIRST_DEPARTURE) // count // STEP * STEP
    codes = [stop.code for stop in path.stops]
    within = draw(0, window - STEP, "departure", path.carrier.code, *codes, path.frequency)
    return FIRST_DEPARTURE + position * window + within // STEP * STEP


def _slice(path: Path, day: date, departure: int) -> Slice:
    segments: list[Segment] = []
    origin = path.stops[0]
    leaves = datetime.combine(day, time(departure // 60, departure % 60), origin.clock).astimezone(UTC)
    for here, there in pairwise(path.stops):
        segment = _segment(path, here, there, leaves)
        segments.append(segment)
        leaves = segment.arrival_at + _layover(path, there)
    first, last = segments[0], segments[-1]
    return Slice(
        supplier_id="",
        origin=first.origin,
        destination=last.destination,
        departure_at=first.departure_at,
        arrival_at=last.arrival_at,
        duration_minutes=(last.arrival_at - first.departure_at) // timedelta(minutes=1),
        segments=tuple(segments),
    )


def _segment(path: Path, origin: Airport, destination: Airport, leaves: datetime) -> Segment:
    distance = distance_km(origin, destination)
    minutes = block_minutes(distance)
    flight_number = _flight_number(path, origin, destination)
    operator = operator_of(path.carrier, flight_number, distance)
    on_the_way = stop_of(flight_number, origin, destination, distance)
    stops: tuple[Stop, ...] = ()
    if on_the_way is not None:
        distance = distance_km(origin, on_the_way) + distance_km(on_the_way, destination)
        first = block_minutes(distance_km(origin, on_the_way))
        minutes = first + STOP_MINUTES + block_minutes(distance_km(on_the_way, destination))
        stops = (_stop(on_the_way, leaves + timedelta(minutes=first)),)
    return Segment(
        origin=origin.code,
        destination=destination.code,
        departure_at=local(leaves, origin),
        arrival_at=local(leaves + timedelta(minutes=minutes), destination),
        carrier=path.carrier.code,
        carrier_name=path.carrier.name,
        flight_number=flight_number,
        duration_minutes=minutes,
        operating_carrier=operator.code,
        operating_carrier_name=None if operator == path.carrier else operator.name,
        aircraft=aircraft_of(operator, flight_number, distance),
        origin_terminal=terminal_of(operator, origin),
        destination_terminal=terminal_of(operator, destination),
        operating_flight_number=own_number(path.carrier, operator, flight_number),
        distance_km=distance,
        stops=stops,
    )


def own_number(carrier: Carrier, operator: Carrier, flight_number: str) -> str | None:
    """The operator's number of a flight that another carrier sells."""
    if operator == carrier:
        return None
    return f"{operator.code}{draw(1_000, 8_999, 'own', operator.code, flight_number)}"


def stop_of(flight_number: str, origin: Airport, destination: Airport, distance: int) -> Airport | None:
    """Where a long flight lands on the way; mostly nowhere."""
    if distance < STOPS_FROM_KM or draw(0, 99, "stop", flight_number) >= STOP_PERCENT:
        return None
    ends = (origin, destination)
    hubs = dict.fromkeys(hub for _, hub in _hubs())
    near = [
        hub
        for hub in hubs
        if all(distance_km(hub, end) * 4 >= distance for end in ends)
        and sum(distance_km(hub, end) for end in ends) * 100 <= distance * DETOUR_PERCENT
    ]
    return near[draw(0, len(near) - 1, "stop at", flight_number)] if near else None


def _stop(airport: Airport, lands: datetime) -> Stop:
    goes_on = lands + timedelta(minutes=STOP_MINUTES)
    return Stop(airport.code, local(lands, airport), local(goes_on, airport), STOP_MINUTES)


def _layover(path: Path, hub: Airport) -> timedelta:
    steps = draw(11, 40, "layover", path.carrier.code, path.stops[0].code, hub.code, path.frequency)
    return timedelta(minutes=steps * STEP)


def _flight_number(path: Path, origin: Airport, destination: Airport) -> str:
    """The carrier's code and two or three digits, apart for each of a day's services on one path."""
    stops = [stop.code for stop in path.stops]
    number = draw(1, 98, "flight", path.carrier.code, origin.code, destination.code, *stops)
    return f"{path.carrier.code}{number * 10 + path.frequency + 1}"
