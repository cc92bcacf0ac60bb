"""Generated histories of bookings: each by a seed, of a kind that partners have."""

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

HOUR = timedelta(hours=1)
NOW = datetime(2026, 11, 19, 9, 20, tzinfo=UTC)
DAYS = 28
OFFICE = [0.1] * 7 + [0.6, 1.2, 1.8, 2.0, 1.9, 1.6, 1.7, 1.9, 1.9, 1.7, 1.4, 1.1, 0.9, 0.8, 0.6, 0.4, 0.2]
"""Few bookings at night."""


@dataclass(frozen=True, slots=True)
class Made:
    """A booking and what it costs, in minor units."""

    at: datetime
    cents: int


Rate = Callable[[datetime], float]
"""Bookings an hour."""


def steady(chance: random.Random) -> Rate:
    per_day = chance.uniform(20, 200)
    return lambda at: per_day / 24 * OFFICE[at.hour]


def growing(chance: random.Random) -> Rate:
    per_day, weekly = chance.uniform(20, 120), chance.uniform(1.15, 1.45)
    return lambda at: per_day / 24 * OFFICE[at.hour] * weekly ** ((at - NOW) / timedelta(weeks=1))


def by_weekday(chance: random.Random) -> Rate:
    per_day, weekend = chance.uniform(30, 200), chance.uniform(0.1, 0.5)
    return lambda at: per_day / 24 * OFFICE[at.hour] * (weekend if at.weekday() >= 5 else 1.2)


def bursting(chance: random.Random) -> Rate:
    """Now and then four hours with several times as many."""
    per_day = chance.uniform(30, 150)
    bursts = [
        (NOW + timedelta(hours=chance.uniform(-DAYS * 24, 5 * 24)), chance.uniform(2, 5)) for _ in range(8)
    ]

    def rate(at: datetime) -> float:
        more = max((times for began, times in bursts if began <= at < began + 4 * HOUR), default=1.0)
        return per_day / 24 * OFFICE[at.hour] * more

    return rate


KINDS = {"steady": steady, "growing": growing, "weekday": by_weekday, "bursts": bursting}


def bookings(rate: Rate, chance: random.Random, begins: datetime, ends: datetime) -> Iterator[Made]:
    """In their order: as many in each hour as chance has it at that rate, of 40 to 800 and seldom more."""
    typical = chance.uniform(8_000, 25_000)
    hour = begins
    while hour < ends:
        for at in sorted(hour + HOUR * chance.random() for _ in range(_poisson(rate(hour), chance))):
            yield Made(at, round(typical * math.exp(chance.gauss(0, 0.6))))
        hour += HOUR


def _poisson(mean: float, chance: random.Random) -> int:
    count, product = 0, chance.random()
    while product > math.exp(-mean):
        count, product = count + 1, product * chance.random()
    return count
