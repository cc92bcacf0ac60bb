"""What the simulated company sells: every vehicle that the party fits in, priced by distance, country and hour.

A price depends on the request and on nothing else, so the same search prices the same whenever it is made. Between them the
vehicles carry every party up to 48, and have every shape of cancellation policy on any day.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import cos, radians, sin
from zoneinfo import ZoneInfo

from apps.suppliers import airports
from apps.suppliers.airports import Airport, distance_km
from apps.suppliers.errors import Expired
from apps.suppliers.simulation import draw, from_euro_cents, percent
from apps.transfers.rules import leads_to_departure
from apps.transfers.suppliers.base import (
    Extra,
    Pickup,
    Place,
    PolicyStep,
    TransferOffer,
    TransferSearch,
    Vehicle,
    WaitingTime,
)
from apps.transfers.suppliers.trips import joined

Steps = tuple[tuple[int | None, int], ...]
"""(hours before the pick-up, percent of the price); None hours: from the booking on."""

NOTHING_BACK: Steps = ((None, 100),)
FREE_UNTIL_THE_DAY_BEFORE: Steps = ((24, 100),)
A_FEE_THEN_ALL: Steps = ((None, 20), (24, 100))
FALLING: Steps = ((168, 30), (72, 60), (24, 100))

NIGHT_PERCENT = 120  # from 22 to 6 o'clock
RETURN_PERCENT = 93
"""What both ways cost of twice the price of one."""
EXTRAS = (
    ("CST", "Child seat, 9 to 18 kg", 900, 2),
    ("BST", "Booster seat, 15 to 36 kg", 600, 2),
    ("XBG", "Extra suitcase", 500, 3),
    ("PRM", "Pram", 700, 1),
)
"""Beside a vehicle of one's own: code, name, euro cents for one of it and one way, how many."""
CHECK_IN, BOARDING = timedelta(hours=2), timedelta(minutes=15)
STEP = 5  # every duration ends in 0 or 5
KM_PER_DEGREE = 111.2
NEARBY_KM = {"HOTEL": (4, 38), "STATION": (3, 24), "PORT": (6, 42)}
HOMES = ["LIS", "BCN", "FCO", "LHR", "DXB", "BKK", "SYD", "JFK"]
WAITING = {
    "IATA": "The driver waits in the arrivals hall with the lead passenger's name on a sign, 60 minutes for free.",
    "HOTEL": "The driver waits at the reception, 15 minutes for free.",
    "STATION": "The driver waits at the main exit with the lead passenger's name on a sign, 30 minutes for free.",
    "PORT": "The driver waits at the terminal's exit with the lead passenger's name on a sign, 45 minutes for free.",
    "GEO": "The driver waits at the address, 15 minutes for free.",
}
WAITING_MINUTES = {"IATA": 60, "HOTEL": 15, "STATION": 30, "PORT": 45, "GEO": 15}


@dataclass(frozen=True, slots=True)
class Model:
    """A kind of vehicle. In euro cents: `base` for coming at all, `per_km`. A shared one asks its price of every head."""

    category: str
    names: tuple[str, ...]
    seats: int
    bags: int
    base: int
    per_km: int
    policy: Steps
    furthest_km: int = 3_200
    shared: bool = False


SHUTTLES = ("Shared shuttle bus", "Shared airport coach")
ECONOMY = ("Toyota Corolla or similar", "Skoda Octavia or similar", "VW Golf Estate or similar")
COMFORT = ("VW Passat or similar", "Toyota Camry or similar", "Ford Mondeo or similar")
BUSINESS = ("Mercedes-Benz E-Class or similar", "BMW 5 Series or similar", "Audi A6 or similar")
MINIVANS = ("VW Caravelle or similar", "Mercedes-Benz V-Class or similar", "Ford Tourneo or similar")
MINIBUSES = ("Mercedes-Benz Sprinter or similar", "Ford Transit Minibus or similar")
MODELS = (
    Model("shuttle", SHUTTLES, 48, 48, 450, 16, FREE_UNTIL_THE_DAY_BEFORE, furthest_km=300, shared=True),
    Model("economy", ECONOMY, 3, 3, 1_600, 105, FREE_UNTIL_THE_DAY_BEFORE),
    Model("comfort", COMFORT, 3, 3, 2_100, 128, A_FEE_THEN_ALL),
    Model("business", BUSINESS, 3, 3, 4_200, 195, NOTHING_BACK),
    Model("minivan", MINIVANS, 7, 7, 3_000, 150, A_FEE_THEN_ALL),
    Model("minibus", MINIBUSES, 16, 16, 6_500, 240, FALLING),
)


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on Earth, in degrees; `country` is ISO 3166 alpha-2, `zone` the IANA name of the local time."""

    latitude: float
    longitude: float
    country: str
    zone: str

    @property
    def clock(self) -> ZoneInfo:
        return ZoneInfo(self.zone)


def locate(start: Place, end: Place) -> tuple[Spot, Spot]:
    """Both ends. The same two places always lie at the same two spots."""
    first, second = _known(start), _known(end)
    anchor = first or second or _of(_home(start))
    return first or _near(anchor, start), second or _near(anchor, end)


def _known(place: Place) -> Spot | None:
    """Where a place lies that says so itself."""
    if place.type == "IATA":
        airport = airports.find(place.code or "")
        return _of(airport) if airport else None
    if place.latitude is not None and place.longitude is not None:
        latitude, longitude = float(place.latitude), float(place.longitude)
        area = airports.nearest(round(latitude), round(longitude))
        return Spot(latitude, longitude, area.country, area.zone)
    towns = airports.of_town(place.town, place.country) if place.town else []
    return _near(_of(towns[0]), place) if towns else None


def _near(anchor: Spot, place: Place) -> Spot:
    """Some kilometres away from `anchor`, in a direction of its own."""
    nearest, furthest = NEARBY_KM.get(place.type, (3, 30))
    words = place.type, place.code
    kilometres = draw(nearest * 10, furthest * 10, "distance", *words) / 10
    bearing = radians(draw(0, 359, "bearing", *words))
    # Near a pole a kilometre is many degrees of longitude.
    narrowing = max(0.05, cos(radians(anchor.latitude)))
    latitude = anchor.latitude + kilometres * cos(bearing) / KM_PER_DEGREE
    longitude = anchor.longitude + kilometres * sin(bearing) / KM_PER_DEGREE / narrowing
    return Spot(max(-90.0, min(90.0, latitude)), longitude, anchor.country, anchor.zone)


def _home(place: Place) -> Airport:
    """The area of a place that says nothing of where it lies."""
    airport = airports.find(HOMES[draw(0, len(HOMES) - 1, "home", place.type, place.code)])
    assert airport is not None
    return airport


def _of(airport: Airport) -> Spot:
    return Spot(airport.latitude, airport.longitude, airport.country, airport.zone)


def search(request: TransferSearch, market_percent: int) -> list[TransferOffer]:
    """The offers for `request`, the cheapest first; none where it is too far to drive."""
    return _all(request, market_percent)[: request.limit]


def reprice(request: TransferSearch, offer: TransferOffer, market_percent: int) -> TransferOffer:
    """The same vehicle on the same way at the price now. Raises Expired if it is gone."""
    for current in _all(request, market_percent):
        if current.vehicle == offer.vehicle:
            return current
    raise Expired("the offer is unknown")


def is_ahead(request: TransferSearch, offer: TransferOffer, now: datetime) -> bool:
    """Whether the driver has yet to come, the first time."""
    start, _ = locate(request.start, request.end)
    return offer.pickup_at is not None and offer.pickup_at.replace(tzinfo=start.clock) > now


def road_km(start: Spot, end: Spot) -> int:
    """Roads are a quarter longer than the bird's way, and even next door one drives a kilometre."""
    return max(1, distance_km(start, end) * 5 // 4)


def drive_minutes(kilometres: int) -> int:
    """Twenty kilometres of town, sixty of country road, motorway from there on; ten minutes to load."""
    town, country = min(kilometres, 20), min(max(0, kilometres - 20), 60)
    motorway = kilometres - town - country
    minutes = 10 + town * 60 // 35 + country * 60 // 70 + motorway * 60 // 95
    return -(-minutes // STEP) * STEP


def pickup_of(request: TransferSearch, duration_minutes: int) -> Pickup:
    """Towards an airport the pick-up is reckoned back from the departure, two hours of check-in included, and towards a station
    a quarter of an hour; towards a ship, and from one, it is when it is wished for.
    """
    at, start, end = request.outbound, request.start, request.end
    if end.type == "IATA" and start.type not in ("IATA", "PORT"):
        at -= CHECK_IN + timedelta(minutes=duration_minutes)
    elif end.type == "STATION" and leads_to_departure(start, end):
        at -= BOARDING + timedelta(minutes=duration_minutes)
    words = request.start.type, request.start.code, request.outbound
    phone = f"+999{draw(10**7, 10**8 - 1, 'phone', *words)}"  # no country has this code
    return Pickup(at, WAITING.get(request.start.type, WAITING["GEO"]), phone)


def _all(request: TransferSearch, market_percent: int) -> list[TransferOffer]:
    start, end = locate(request.start, request.end)
    kilometres = road_km(start, end)
    extras = _extras(request.currency, market_percent)
    found = [
        _offer(request, model, start, kilometres, market_percent, extras)
        if request.inbound is None
        else _both_ways(request, model, (start, end), kilometres, market_percent, extras)
        for model in MODELS
        if request.passengers.count <= model.seats
        and kilometres <= model.furthest_km
        and request.vehicle_class in (None, model.category)
    ]
    return sorted(found, key=lambda offer: offer.total_cents)


def _extras(currency: str, market_percent: int) -> tuple[Extra, ...]:
    return tuple(
        Extra(code, name, from_euro_cents(percent(euro_cents, market_percent), currency), most)
        for code, name, euro_cents, most in EXTRAS
    )


def _both_ways(
    request: TransferSearch,
    model: Model,
    spots: tuple[Spot, Spot],
    kilometres: int,
    market_percent: int,
    extras: tuple[Extra, ...],
) -> TransferOffer:
    there, back = (
        _offer(leg, model, start, kilometres, percent(market_percent, RETURN_PERCENT), extras)
        for leg, start in zip(request.legs, spots, strict=True)
    )
    return joined(there, back)


def _offer(
    request: TransferSearch,
    model: Model,
    start: Spot,
    kilometres: int,
    market_percent: int,
    extras: tuple[Extra, ...],
) -> TransferOffer:
    total = _total(request, model, start, kilometres, market_percent)
    words = _named(request.start), _named(request.end)
    vehicle = Vehicle(
        model.category,
        model.names[draw(0, len(model.names) - 1, "vehicle", model.category, *words)],
        model.seats,
        model.bags,
    )
    duration = drive_minutes(kilometres) + (20 if model.shared else 0)
    return TransferOffer(
        total_cents=total,
        currency=request.currency,
        vehicle=vehicle,
        duration_minutes=duration,
        cancellation_policy=_policy(model.policy, total, request.outbound.replace(tzinfo=start.clock)),
        expires_at=None,  # like a supplier that publishes no expiry: the service's own handle decides
        supplier_data={},
        waiting_times=(WaitingTime("driver", WAITING_MINUTES[request.start.type]),),
        policy_is_certain=True,
        pickup_at=pickup_of(request, duration).at,
        extras=() if model.shared else extras,
    )


def _total(request: TransferSearch, model: Model, start: Spot, kilometres: int, market_percent: int) -> int:
    """What the party pays, in minor units of its currency."""
    euro_cents = model.base + model.per_km * kilometres
    ends = _named(request.start), _named(request.end)
    for share in (
        draw(72, 138, "level", start.country),
        NIGHT_PERCENT if not 6 <= request.outbound.hour < 22 else 100,
        draw(94, 107, "day", model.category, *ends, request.outbound.date()),
        market_percent,
    ):
        euro_cents = percent(euro_cents, share)
    each = from_euro_cents(euro_cents, request.currency)
    return each * request.passengers.count if model.shared else each


def _policy(steps: Steps, total: int, outbound: datetime) -> tuple[PolicyStep, ...]:
    return tuple(
        PolicyStep(
            None if hours is None else outbound.astimezone(UTC) - timedelta(hours=hours),
            percent(total, share),
        )
        for hours, share in steps
    )


def _named(place: Place) -> tuple[object, ...]:
    return place.type, place.code, place.latitude, place.longitude
