"""Times in the reader's zone. Django's current time zone is that zone while a page is made, and else UTC."""

from datetime import UTC, datetime, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.utils import timezone

NAME_OF_UTC = "UTC"
OTHER_NAMES_OF_UTC = frozenset(
    {"Etc/UTC", "Etc/UCT", "Etc/Universal", "Etc/Zulu", "UCT", "Universal", "Zulu"}
)
LONGEST_NAME = 64


@cache
def known_zones() -> frozenset[str]:
    """The IANA names. Reading the folders takes some milliseconds, so they are read once a process."""
    return frozenset(available_timezones())


def zone_called(name: str) -> ZoneInfo | None:
    """None for what no zone is called, as also a name that was given up since it was stored."""
    if name not in known_zones():
        return None
    return ZoneInfo(NAME_OF_UTC if name in OTHER_NAMES_OF_UTC else name)


def is_skipped(moment: datetime, zone: tzinfo) -> bool:
    """Whether no clock of the zone shows this local time, because they go forward over it."""
    return moment.replace(tzinfo=zone).astimezone(UTC).astimezone(zone).replace(tzinfo=None) != moment


def local(instant: datetime) -> datetime:
    return instant.astimezone(timezone.get_current_timezone())


def abbreviation(moment: datetime) -> str:
    """`CET`; `UTC+03` where a zone has no letters. `moment` has its zone."""
    name = moment.tzname() or NAME_OF_UTC
    return f"{NAME_OF_UTC}{name}" if name[0] in "+-" else name


def clock_words(instant: datetime) -> str:
    """`15:05 CET`, in the reader's zone."""
    here = local(instant)
    return f"{here:%H:%M} {abbreviation(here)}"


def day_and_time(instant: datetime, *, seconds: bool = False) -> str:
    """`20 Nov 2026, 15:03 CET`, in the reader's zone."""
    return _written(local(instant), seconds=seconds)


def exact_words(instant: datetime) -> str:
    """`20 Nov 2026, 15:03:22 CET · 14:03:22 UTC`; for readers in UTC that alone. The day is said again where it is another."""
    here, utc = local(instant), instant.astimezone(UTC)
    if str(here.tzinfo) == NAME_OF_UTC:
        return _written(utc, seconds=True)
    other = f"{utc:%H:%M:%S} UTC" if here.date() == utc.date() else _written(utc, seconds=True)
    return f"{_written(here, seconds=True)} · {other}"


def _written(moment: datetime, *, seconds: bool) -> str:
    clock = f"{moment:%H:%M:%S}" if seconds else f"{moment:%H:%M}"
    return f"{moment.day} {moment:%b %Y}, {clock} {abbreviation(moment)}"
