"""Their local times as instants: by the clock of the destination."""

from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo

from apps.transfers.suppliers.base import Place
from apps.transfers.suppliers.clocks import clock_at
from apps.transfers.suppliers.hotelbeds.points import GPS, coordinates

ALWAYS, NEVER = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
"""What the ends of the calendar stand for, which no clock can count beyond."""


def clock_told(pickup_information: object) -> tzinfo:
    """By the ends as they are repeated in an order."""
    told = pickup_information if isinstance(pickup_information, Mapping) else {}
    return clock_at(_place(told.get("to")), _place(told.get("from")))


def instant(written: object, clock: tzinfo) -> datetime | None:
    """`2027-02-02T14:30:00` at that place, in UTC; None for what is no time."""
    try:
        moment = datetime.fromisoformat(written) if isinstance(written, str) else None
    except ValueError:
        return None
    if moment is None:
        return None
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=clock)).astimezone(UTC)
    except OverflowError:  # 9999-12-31 west of Greenwich, 0001-01-01 east of it
        return NEVER if moment.year > 1 else ALWAYS


def _place(told: object) -> Place:
    point = told if isinstance(told, Mapping) else {}
    kind, code = str(point.get("type")), point.get("code")
    place = coordinates(code) if kind == GPS else None
    if place is not None:
        return Place("GEO", latitude=place[0], longitude=place[1])
    return Place(kind, str(code))
