"""What the clocks show at the ends of a journey."""

from datetime import timedelta, timezone, tzinfo

from apps.suppliers import airports
from apps.transfers.suppliers.base import Place, TransferSearch

TERMINALS = frozenset({"IATA", "STATION", "PORT"})
EARLIEST = timezone(timedelta(hours=14))
"""Where nobody knows the place, what is to happen by a local time happens when it can first be that time on Earth."""


def clock_of(search: TransferSearch) -> tzinfo:
    """By the place that one drives to, or else by the one that one comes from."""
    return clock_at(search.end, search.start)


def clock_at(*places: Place) -> tzinfo:
    """The first one that is known."""
    return next((clock for clock in map(_clock, places) if clock is not None), EARLIEST)


def leads_to_departure(start: Place, end: Place) -> bool:
    """Whether `outbound` is the time of a departure from `end`; else it is when the ride begins."""
    return end.type in TERMINALS and start.type not in TERMINALS


def clock_of_outbound(start: Place, end: Place) -> tzinfo:
    """That of the place whose clocks show `outbound`."""
    return clock_at(end, start) if leads_to_departure(start, end) else clock_at(start, end)


def _clock(place: Place) -> tzinfo | None:
    if place.type == "IATA":
        airport = airports.find(place.code or "")
        return airport.clock if airport else None
    towns = airports.of_town(place.town, place.country) if place.town and place.latitude is None else []
    return towns[0].clock if towns else airports.zone_at(place.latitude, place.longitude, place.country)
