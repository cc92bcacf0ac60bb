"""What the clocks show at the ends of a journey."""

from datetime import timedelta, timezone, tzinfo

from apps.suppliers import airports
from apps.transfers.suppliers.base import Place, TransferSearch

EARLIEST = timezone(timedelta(hours=14))
"""Where nobody knows the place, what is to happen by a local time happens when it can first be that time on Earth."""


def clock_of(search: TransferSearch) -> tzinfo:
    """By the place that one drives to, or else by the one that one comes from."""
    return clock_at(search.end, search.start)


def clock_at(*places: Place) -> tzinfo:
    """The first one that is known."""
    return next((clock for clock in map(_clock, places) if clock is not None), EARLIEST)


def _clock(place: Place) -> tzinfo | None:
    if place.type == "IATA":
        airport = airports.find(place.code or "")
        return airport.clock if airport else None
    if place.latitude is not None and place.longitude is not None:
        return airports.nearest(round(place.latitude), round(place.longitude)).clock
    towns = airports.of_town(place.town, place.country) if place.town else []
    return towns[0].clock if towns else None
