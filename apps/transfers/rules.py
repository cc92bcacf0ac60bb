"""The rules of the trade: by which clock a ride takes place, when it begins, and what cancelling it costs. Pure."""

from datetime import UTC, datetime, timedelta, timezone, tzinfo

from apps.bookings.trade_rules import Service, lost_from
from apps.suppliers import airports
from apps.suppliers.results import PenaltyStep, PenaltySteps
from apps.transfers.suppliers.base import Place, PolicyStep, TransferOffer, TransferSearch

TERMINALS = frozenset({"IATA", "STATION", "PORT"})
TIMETABLED = frozenset({"IATA", "STATION"})
"""From these one departs by a timetable. To a ship one is driven when one wishes."""
EARLIEST = timezone(timedelta(hours=14))
"""Where the place is unknown, what is to happen by a local time happens when it can first be that time on Earth."""


def clock_of(search: TransferSearch) -> tzinfo:
    """By the place that one drives to, or else by the one that one comes from."""
    return clock_at(search.end, search.start)


def clock_at(*places: Place) -> tzinfo:
    """The first one that is known."""
    return next((clock for clock in map(_clock, places) if clock is not None), EARLIEST)


def leads_to_departure(start: Place, end: Place) -> bool:
    """Whether `outbound` is the time of a departure from `end`; else it is when the ride begins."""
    return end.type in TIMETABLED and start.type not in TERMINALS


def clock_of_outbound(start: Place, end: Place) -> tzinfo:
    """That of the place whose clocks show `outbound`."""
    return clock_at(end, start) if leads_to_departure(start, end) else clock_at(start, end)


def _clock(place: Place) -> tzinfo | None:
    if place.type == "IATA":
        airport = airports.find(place.code or "")
        return airport.clock if airport else None
    towns = airports.of_town(place.town, place.country) if place.town and place.latitude is None else []
    return towns[0].clock if towns else airports.zone_at(place.latitude, place.longitude, place.country)


def driven(search: TransferSearch, pickup_at: datetime | None, minutes: int | None) -> Service:
    """Sold until the pick-up. From then on it is lost whole, and can no longer be cancelled.

    Where the supplier does not say when it picks up (`pickup_at`, local), that is when the travellers arrive; and on the way to a
    departure so long before it as one drives (`minutes`).
    """
    if pickup_at is not None:
        begins_at = pickup_at.replace(tzinfo=clock_at(search.start, search.end)).astimezone(UTC)
    else:
        begins_at = instant_of_outbound(search)
        if leads_to_departure(search.start, search.end):
            begins_at -= timedelta(minutes=minutes or 0)
    return Service(begins_at, begins_at, begins_at)


def service_of_offer(search: TransferSearch, offer: TransferOffer) -> Service:
    if offer.back is None:
        return driven(search, offer.pickup_at, offer.duration_minutes)
    there, back = search.legs
    return both_ways(
        driven(there, offer.pickup_at, offer.duration_minutes),
        driven(back, offer.back.pickup_at, offer.back.duration_minutes),
    )


def both_ways(there: Service, back: Service) -> Service:
    """A return journey: it begins with its first pick-up and is over with its last."""
    begins_at = min(there.begins_at, back.begins_at)
    return Service(begins_at, begins_at, max(there.ends_at, back.ends_at))


def instant_of_outbound(search: TransferSearch) -> datetime:
    """By the clocks that show it."""
    return search.outbound.replace(tzinfo=clock_of_outbound(search.start, search.end)).astimezone(UTC)


def ride_steps(
    policy: tuple[PolicyStep, ...], begins_at: datetime, total_cents: int, *, certain: bool
) -> PenaltySteps | None:
    """What cancelling costs by the supplier's policy, and all of it from the pick-up on. None for a policy that is only the worst
    that can be.
    """
    if not certain:
        return None
    steps = [PenaltyStep(step.starts_at, step.amount_cents) for step in policy]
    return lost_from(begins_at, steps, total_cents)
