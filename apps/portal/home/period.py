"""The period that Home looks back: whole hours, the running one included, so that a list counts the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from apps.common import zones
from apps.gateway.request_log.selectors import Hour

HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Period:
    """`name` is that in the address; each point of its chart stands for `hours_a_point`."""

    name: str
    label: str
    hours: int
    hours_a_point: int

    def begins(self, now: datetime) -> datetime:
        running = now.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
        return running - HOUR * (self.hours - 1)


PERIODS = {
    period.name: period
    for period in (
        Period("24h", "24 h", 24, 1),
        Period("7d", "7 d", 7 * 24, 6),
        Period("30d", "30 d", 30 * 24, 24),
    )
}


def period_called(name: str) -> Period:
    """The last 24 hours for what is none."""
    return PERIODS.get(name, PERIODS["24h"])


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the period: its calls and errors, its label in full and as it stands at the axis."""

    label: str
    short: str
    calls: int
    errors: int


def parts_of(hours: Sequence[Hour], period: Period) -> list[Part]:
    """`hours` end with the running one, and are at least as many as the period's."""
    chosen, length = hours[-period.hours :], period.hours_a_point
    return [part_of(chosen[number : number + length]) for number in range(0, len(chosen), length)]


def part_of(hours: Sequence[Hour]) -> Part:
    begins, ends = zones.local(hours[0].begins), zones.local(hours[-1].begins + HOUR)
    day = f"{begins.day} {begins:%b}"
    until = f"{ends:%H:%M}" if ends.date() == begins.date() else f"{ends.day} {ends:%b}, {ends:%H:%M}"
    return Part(
        label=f"{day}, {begins:%H:%M} to {until}",
        short=f"{begins:%H:%M}" if len(hours) == 1 else day,
        calls=sum(hour.calls for hour in hours),
        errors=sum(hour.errors for hour in hours),
    )
