"""Their times, local and without offset, as ours; and their durations."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from apps.suppliers import airports

DURATION = re.compile(r"P(?:(\d{1,3})D)?(?:T(?:(\d{1,3})H)?(?:(\d{1,4})M)?(?:\d+(?:\.\d+)?S)?)?")


LONGEST_ZONE = 64
"""Of many slashes Python makes as many imports, one inside the other."""
MINUTE = timedelta(minutes=1)
YEARS = range(2000, 2200)
"""Of flights: further out a moment can be stored in one time zone, and no more be read in another."""


def local_time(text: str, airport: dict[str, Any]) -> datetime:
    """The airport's own time, with the offset that holds there and then. Raises ValueError."""
    naive = datetime.fromisoformat(text)
    if naive.year not in YEARS:
        raise ValueError(f"nobody flies in {naive.year}")
    offset = naive.utcoffset()
    if offset is not None:
        if offset % MINUTE:  # storage keeps whole minutes
            raise ValueError("an offset with a part of a minute")
        return naive
    at = naive.replace(tzinfo=_clock(airport))
    return datetime.fromisoformat(at.isoformat())  # the offset alone, as it will be read back from storage


def instant(text: str | None) -> datetime | None:
    """A point in time in UTC, which they mark with Z. Raises ValueError, or OverflowError for one that UTC's calendar has not."""
    if not text:
        return None
    at = datetime.fromisoformat(text)
    return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)


def minutes(duration: str | None, start: datetime, end: datetime) -> int:
    """`PT2H10M` as minutes; what lies between start and end where they do not say."""
    found = DURATION.fullmatch(duration) if isinstance(duration, str) else None
    if found is None or not any(found.groups()):
        return round((end - start).total_seconds() / 60)
    days, hours, rest = (int(part or 0) for part in found.groups())
    return (days * 24 + hours) * 60 + rest


def _clock(airport: dict[str, Any]) -> ZoneInfo:
    """As they name the zone, else as we know the airport; UTC for one that neither of us can place."""
    try:
        zone = airport.get("time_zone")
        if zone and len(zone) <= LONGEST_ZONE:
            return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, TypeError):
        pass
    except OSError:  # "Europe" is a directory of zones
        pass
    known = airports.find(str(airport.get("iata_code")))
    return known.clock if known else ZoneInfo("UTC")
