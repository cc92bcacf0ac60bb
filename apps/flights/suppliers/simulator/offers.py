"""Offers: a search's itineraries in three kinds of fare, each re-priced from itself alone."""

from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache

from apps.flights.suppliers.base import FlightOffer, FlightSearch, Passengers, Slice
from apps.flights.suppliers.simulator import shown, timetable
from apps.flights.suppliers.simulator.fares import FARES, FLEX, LIGHT, Fare, slice_total
from apps.suppliers import airports
from apps.suppliers.errors import Expired

MOST_OFFERS = 20


BEFORE_ALL = datetime.min.replace(tzinfo=UTC)


def search(request: FlightSearch, market_percent: int, now: datetime = BEFORE_ALL) -> list[FlightOffer]:
    """The offers for `request`, the cheapest first; none where nobody flies or an airport is unknown. Like the cache of some
    suppliers it also lists what has left by now, after the others and whatever the limit.
    """
    found = _all(replace(request, limit=0), market_percent)
    ahead = [offer for offer in found if offer.slices[0].departure_at > now]
    left = [offer for offer in found if offer.slices[0].departure_at <= now]
    return _selected(ahead, min(request.limit, MOST_OFFERS)) + left


@lru_cache(maxsize=256)
def _all(request: FlightSearch, market_percent: int) -> tuple[FlightOffer, ...]:
    """Whatever the limit. Remembered, because a sandbox is asked for the same flights again and again."""
    itineraries = _itineraries(request)
    priced = [
        _offer(request, slices, fare, market_percent) for slices in itineraries for fare in FARES.values()
    ]
    return tuple(sorted(priced, key=_rank))


def slice_totals(offer: FlightOffer, market_percent: int) -> tuple[int, ...]:
    """What each slice of `offer` costs now. Raises Expired when the offer is not one of ours."""
    fare = fare_of(offer)
    return tuple(
        slice_total(
            flight,
            cabin=offer.cabin,
            fare=fare,
            passengers=passengers_of(offer),
            currency=offer.currency,
            market_percent=market_percent,
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
    """One slice each; with a return date, each way out with a way back that leaves after its arrival."""
    origin, destination = airports.find(request.origin), airports.find(request.destination)
    if origin is None or destination is None:
        return []
    out = timetable.slices(origin, destination, request.departure_date, request.max_connections)
    if request.return_date is None:
        return [(slice_,) for slice_ in out]
    back = timetable.slices(destination, origin, request.return_date, request.max_connections)
    pairs = [(way, _way_back(way, back[n:] + back[:n])) for n, way in enumerate(out)]
    return [(way, return_) for way, return_ in pairs if return_ is not None]


def _way_back(out: Slice, candidates: list[Slice]) -> Slice | None:
    return next((back for back in candidates if back.departure_at > out.arrival_at), None)


def _offer(request: FlightSearch, slices: tuple[Slice, ...], fare: Fare, market_percent: int) -> FlightOffer:
    passengers = request.passengers
    total = sum(
        slice_total(
            flight,
            cabin=request.cabin,
            fare=fare,
            passengers=passengers,
            currency=request.currency,
            market_percent=market_percent,
        )
        for flight in slices
    )
    first = slices[0].segments[0]
    tax = shown.tax_cents(total, slices)
    return FlightOffer(
        total_cents=total,
        currency=request.currency,
        carrier=first.carrier,
        carrier_name=first.carrier_name,
        cabin=request.cabin,
        conditions=fare.conditions(total),
        slices=slices,
        expires_at=None,  # like a supplier that publishes no expiry: the service's own handle decides
        supplier_data={
            "fare": fare.code,
            "adults": str(passengers.adults),
            "children": str(passengers.children),
            "infants": str(passengers.infants),
        },
        fare_brand=shown.brand(fare, request.cabin),
        base_cents=total - tax,
        tax_cents=tax,
        co2_kg=shown.co2_kg(slices, request.cabin, passengers),
        baggage=shown.baggage(fare, passengers),
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
