"""How long a balance lasts: a forecast from what was spent hour by hour. Pure functions; times are those of the environment.

The pace is that of whole weeks, so that each weekday is in each once: a line through their logarithms says what this week
spends and how it grows from week to week. Within a day the pace follows the hours of the history, within a week its weekdays.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

HOUR = timedelta(hours=1)
DAY_HOURS, WEEK_HOURS = 24, 168
HORIZON = timedelta(days=30)
"""Nothing is said about later."""
LEAST_HOURS = 24
"""From less than a day nothing is foretold."""
SLOWEST, FASTEST = 0.6, 1.6
"""Bounds of the growth from week to week: what is beyond was a campaign or an outage, and does not go on for ever."""


@dataclass(frozen=True, slots=True)
class Spending:
    """Net spending of whole hours, oldest first, in minor units: holds less what was released or refunded, no top-ups."""

    begins: datetime
    """The first instant of the first hour, on the hour."""
    hours: Sequence[int]

    @property
    def ends(self) -> datetime:
        return self.begins + HOUR * len(self.hours)

    def active(self) -> "Spending":
        """Without the time before the first spending."""
        first = next((at for at, cents in enumerate(self.hours) if cents), len(self.hours))
        return Spending(self.begins + HOUR * first, self.hours[first:])


@dataclass(frozen=True, slots=True)
class Runway:
    """When the balance will be too small for the usual booking."""

    per_day_cents: int
    """This week's pace; the mean of all days where there are fewer than seven."""
    first_refusal_at: datetime | None
    """None: not within HORIZON."""


def foretell(spending: Spending, *, available_cents: int, usual_cents: int, now: datetime) -> Runway | None:
    """The runway at `now`; None where the history is too short, or nothing was spent of late.

    `usual_cents` is what a booking usually costs: the first one is refused when less than that is left.
    """
    history = spending.active()
    if len(history.hours) < LEAST_HOURS:
        return None
    pace = Pace.of(history)
    if pace.per_day <= 0:
        return None
    left = float(max(0, available_cents - usual_cents))
    return Runway(round(pace.per_day), pace.used_up_at(left, now))


@dataclass(frozen=True, slots=True)
class Pace:
    """What is spent at an instant: a mean, its growth, and the patterns of hours and weekdays, both 1.0 in the mean."""

    per_day: float
    growth: float
    """From one week to the next."""
    counted_from: datetime
    """The middle of the days that `per_day` is the mean of."""
    by_hour: Sequence[float]
    by_weekday: Sequence[float]

    @classmethod
    def of(cls, history: Spending) -> "Pace":
        weeks = _weeks(history)
        days = 7 if weeks else len(history.hours) // DAY_HOURS
        per_day, growth = _trend(weeks) if weeks else (sum(history.hours[-days * DAY_HOURS :]) / days, 1.0)
        whole = _latest(history, len(weeks) * WEEK_HOURS or days * DAY_HOURS)
        return cls(
            per_day=per_day,
            growth=growth,
            counted_from=history.ends - timedelta(days=days) / 2,
            by_hour=_by_hour(whole),
            by_weekday=_by_weekday(whole, len(weeks)),
        )

    def at(self, instant: datetime) -> float:
        """What is spent in an hour."""
        grown = self.growth ** ((instant - self.counted_from) / timedelta(weeks=1))
        pattern = self.by_hour[instant.hour] * self.by_weekday[instant.weekday()]
        return float(self.per_day / DAY_HOURS * grown * pattern)

    def used_up_at(self, left: float, now: datetime) -> datetime | None:
        """When `left` is spent; None where it lasts longer than HORIZON."""
        instant, until = now, now + HORIZON
        while instant < until:
            next_hour = instant.replace(minute=0, second=0, microsecond=0) + HOUR
            spent = self.at(instant) * ((next_hour - instant) / HOUR)
            if spent >= left:
                # Something is spent in each hour, however little.
                return instant + (next_hour - instant) * (left / spent)
            left -= spent
            instant = next_hour
        return None


def _latest(history: Spending, count: int) -> Spending:
    return Spending(history.ends - HOUR * count, history.hours[-count:])


def _weeks(history: Spending) -> list[int]:
    """The sums of the latest whole weeks, oldest first, back to one in which nothing was spent."""
    sums: list[int] = []
    for end in range(len(history.hours), WEEK_HOURS - 1, -WEEK_HOURS):
        week = sum(history.hours[end - WEEK_HOURS : end])
        if week <= 0:
            break
        sums.insert(0, week)
    return sums


def _trend(weeks: Sequence[int]) -> tuple[float, float]:
    """What the latest week spends a day, and the growth from week to week: the line of least squares through the logarithms."""
    logarithms = [math.log(week) for week in weeks]
    middle, mean = (len(weeks) - 1) / 2, sum(logarithms) / len(weeks)
    spread = sum((number - middle) ** 2 for number in range(len(weeks)))
    rise = sum((number - middle) * each for number, each in enumerate(logarithms)) / spread if spread else 0.0
    rise = min(max(rise, math.log(SLOWEST)), math.log(FASTEST))
    return math.exp(mean + rise * middle) / 7, math.exp(rise)


def _by_hour(history: Spending) -> list[float]:
    sums = [0.0] * DAY_HOURS
    for number, cents in enumerate(history.hours):
        sums[(history.begins + HOUR * number).hour] += cents
    return _patterned(sums, weight=len(history.hours) / DAY_HOURS)


def _by_weekday(history: Spending, weeks: int) -> list[float]:
    """Without a whole week, `weeks` is 0 and each weekday like the others."""
    sums = [0.0] * 7
    for number, cents in enumerate(history.hours):
        sums[(history.begins + HOUR * number).weekday()] += cents
    return _patterned(sums, weight=weeks)


def _patterned(sums: Sequence[float], *, weight: float) -> list[float]:
    """Each divided by the mean of all, so that the mean of the pattern is 1. The fewer periods there were (`weight`), the nearer
    to 1: one observation more, of no pattern.

    In an hour in which more came back than was spent, nothing is spent. The mean is of what is left, or the pattern would be
    above 1 in the mean and the balance used up too soon.
    """
    spent = [max(each, 0.0) for each in sums]
    mean = sum(spent) / len(spent)
    if mean <= 0:
        return [1.0] * len(spent)
    return [(each / mean * weight + 1.0) / (weight + 1.0) for each in spent]
