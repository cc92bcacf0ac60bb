"""Offers: every vehicle that the party fits in, priced by the way it goes, the country and the hour.

A price depends on what is asked for and on nothing else, so the same search prices the same whenever it is made.
"""

from datetime import UTC, datetime, timedelta

from apps.suppliers.airports import distance_km
from apps.suppliers.errors import Expired
from apps.suppliers.simulation import draw, from_euro_cents
from apps.transfers.suppliers.base import (
    Pickup,
    Place,
    PolicyStep,
    TransferOffer,
    TransferSearch,
    Vehicle,
    WaitingTime,
)
from apps.transfers.suppliers.simulator.fleet import MODELS, Model, Steps
from apps.transfers.suppliers.simulator.geography import Spot, locate

NIGHT_PERCENT = 120  # from 22 to 6 o'clock
CHECK_IN = timedelta(hours=2)
STEP = 5  # every duration ends in 0 or 5


def search(request: TransferSearch, market_percent: int) -> list[TransferOffer]:
    """The offers for `request`, the cheapest first; none where it is too far to drive."""
    return _all(request, market_percent)[: request.limit]


def reprice(request: TransferSearch, offer: TransferOffer, market_percent: int) -> TransferOffer:
    """The same vehicle on the same way at the price now. Raises Expired when there is none such."""
    for current in _all(request, market_percent):
        if current.vehicle == offer.vehicle:
            return current
    raise Expired("the offer is unknown")


def is_ahead(request: TransferSearch, offer: TransferOffer, now: datetime) -> bool:
    """Whether the driver has yet to come."""
    start, _ = locate(request.start, request.end)
    return offer.pickup_at is not None and offer.pickup_at.replace(tzinfo=start.clock) > now


def road_km(start: Spot, end: Spot) -> int:
    """Roads are a quarter longer than the bird's way, and even next door one drives a kilometre."""
    return max(1, distance_km(start, end) * 5 // 4)


def drive_minutes(kilometres: int) -> int:
    """Twenty kilometres of town, sixty of country road, motorway for the rest; ten minutes to load."""
    town, country = min(kilometres, 20), min(max(0, kilometres - 20), 60)
    motorway = kilometres - town - country
    minutes = 10 + town * 60 // 35 + country * 60 // 70 + motorway * 60 // 95
    return -(-minutes // STEP) * STEP


def pickup_of(request: TransferSearch, duration_minutes: int) -> Pickup:
    """Towards an airport the pick-up is reckoned back from the departure, two hours of check-in included."""
    at = request.outbound
    if request.end.type == "IATA" and request.start.type != "IATA":
        at -= CHECK_IN + timedelta(minutes=duration_minutes)
    words = request.start.type, request.start.code, request.outbound
    phone = f"+999{draw(10**7, 10**8 - 1, 'phone', *words)}"  # no country has this code
    return Pickup(at, WAITING.get(request.start.type, WAITING["GEO"]), phone)


WAITING = {
    "IATA": "The driver waits in the arrivals hall with the lead passenger's name on a sign, 60 minutes for free.",
    "HOTEL": "The driver waits at the reception, 15 minutes for free.",
    "STATION": "The driver waits at the main exit with the lead passenger's name on a sign, 30 minutes for free.",
    "PORT": "The driver waits at the terminal's exit with the lead passenger's name on a sign, 45 minutes for free.",
    "GEO": "The driver waits at the address, 15 minutes for free.",
}
WAITING_MINUTES = {"IATA": 60, "HOTEL": 15, "STATION": 30, "PORT": 45, "GEO": 15}


def _all(request: TransferSearch, market_percent: int) -> list[TransferOffer]:
    start, end = locate(request.start, request.end)
    kilometres = road_km(start, end)
    found = [
        _offer(request, model, start, kilometres, market_percent)
        for model in MODELS
        if request.passengers.count <= model.seats
        and kilometres <= model.furthest_km
        and request.vehicle_class in (None, model.category)
    ]
    return sorted(found, key=lambda offer: offer.total_cents)


def _offer(
    request: TransferSearch, model: Model, start: Spot, kilometres: int, market_percent: int
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
    )


def _total(request: TransferSearch, model: Model, start: Spot, kilometres: int, market_percent: int) -> int:
    """What the party pays, in minor units of its currency."""
    euro_cents = model.base + model.per_km * kilometres
    for share in (
        draw(72, 138, "level", start.country),
        NIGHT_PERCENT if _at_night(request.outbound) else 100,
        draw(
            94,
            107,
            "day",
            model.category,
            _named(request.start),
            _named(request.end),
            request.outbound.date(),
        ),
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


def _at_night(outbound: datetime) -> bool:
    return not 6 <= outbound.hour < 22


def percent(cents: int, share: int) -> int:
    """`share` percent of `cents`, rounded half up."""
    return (cents * share + 50) // 100
