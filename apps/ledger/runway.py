"""How long a balance lasts: a forecast from what was spent hour by hour. Times are those of the environment.

The pace is that of whole weeks, so that each weekday is in each once: a line through their logarithms says what this week
spends and how it grows from week to week. Within a day the pace follows the hours of the history, within a week its weekdays.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any

from django.db.models import JSONField
from django.db.models.expressions import RawSQL

from apps.ledger.models import Wallet
from apps.ledger.selectors import Balance

HOUR = timedelta(hours=1)
DAY_HOURS, WEEK_HOURS = 24, 168
HORIZON = timedelta(days=30)
"""Nothing is said about later."""
LEAST_HOURS = 24
"""From less than a day nothing is foretold."""
SLOWEST, FASTEST = 0.6, 1.6
"""Bounds of the growth from week to week: what is beyond was a campaign or an outage, and does not continue for ever."""
DAYS = 28
"""How much history is read."""
RECENT_HOLDS = 100
"""The usual booking is the mean of this many of the newest holds."""


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


# A wallet with its recent spending is one statement, however long the history is: what was spent in an hour is what was available
# at its beginning, less what was available at its end, plus what came in meanwhile. So each hour costs one search in the index of
# the ledger's pages, and no lines are summed but top-ups and adjustments.
#
# The last closing is that of the hour that runs now, as of its beginning. Instants are seconds since 1970.
_LINES = """FROM ledger_transaction line
             WHERE line.account_id = ledger_wallet.account_id AND line.environment = ledger_wallet.environment"""
OUTLOOK = f"""
WITH asked AS (SELECT %s::timestamptz AS first, %s::timestamptz AS last, %s::timestamptz AS held_since)
SELECT jsonb_build_object(
    'closings', (
        SELECT jsonb_agg((
            SELECT available_after_cents {_LINES} AND line.created_at < hour.begins
             ORDER BY line.created_at DESC, line.id DESC LIMIT 1) ORDER BY hour.begins)
          FROM generate_series(asked.first, asked.last, interval '1 hour') AS hour (begins)),
    'inflows', (
        SELECT coalesce(jsonb_agg(jsonb_build_array(hour, cents)), '[]') FROM (
            SELECT floor(extract(epoch FROM line.created_at - asked.first) / 3600)::int AS hour,
                   sum(line.amount_cents)::bigint AS cents
              {_LINES} AND line.type IN ('top_up', 'adjustment')
               AND line.created_at >= asked.first AND line.created_at < asked.last
             GROUP BY 1) AS inflow),
    'usual', (
        SELECT jsonb_build_array(round(avg(-amount_cents))::bigint, min(-amount_cents)) FROM (
            SELECT amount_cents {_LINES} AND line.type = 'hold'
             ORDER BY line.created_at DESC, line.id DESC LIMIT {RECENT_HOLDS}) AS held),
    'held_long', (
        SELECT jsonb_build_array(count(*), coalesce(sum(amount_cents), 0)::bigint, extract(epoch FROM min(created_at)))
          FROM ledger_hold
         WHERE wallet_id = ledger_wallet.id AND status = 'open' AND created_at < asked.held_since))
  FROM asked"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class OpenHolds:
    """Funds that are held, and since when the oldest of them are."""

    count: int
    amount_cents: int
    oldest_at: datetime | None


@dataclass(frozen=True)
class Outlook:
    """A wallet at `now`, the time of its environment."""

    balance: Balance
    now: datetime
    spending: Spending
    usual_cents: int = 0
    """The mean of the newest holds; 0 before the first."""
    least_cents: int = 0
    """The smallest of them."""
    warn_below_cents: int | None = None
    """What its people chose: they are warned when less is available."""
    held_long: OpenHolds = OpenHolds(0, 0, None)
    """What has been held for as long as was asked for: for bookings that are not resolved, or transfers that are not captured."""

    @cached_property
    def runway(self) -> Runway | None:
        return foretell(
            self.spending,
            available_cents=self.balance.available_cents,
            usual_cents=self.usual_cents,
            now=self.now,
        )

    @property
    def is_empty(self) -> bool:
        """Whether it cannot pay for the smallest of the latest bookings."""
        return bool(self.usual_cents) and self.balance.available_cents < max(1, self.least_cents)

    @property
    def is_low(self) -> bool:
        """Whether less is available than its people want to be warned at."""
        return self.warn_below_cents is not None and self.balance.available_cents < self.warn_below_cents


def outlook_of(
    account_id: str, environment: str, now: datetime, *, currency: str, held_for: timedelta
) -> Outlook:
    """One statement. `currency` is the account's; without a wallet nothing is there, in that."""
    last = now.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    first = last - timedelta(days=DAYS)
    read = RawSQL(OUTLOOK, [first, last, now - held_for], JSONField())  # noqa: S611 - no word of it comes from outside
    wallets = Wallet.objects.filter(account_id=account_id, environment=environment)
    for wallet in wallets.annotate(outlook=read):
        balance = Balance(wallet.currency, wallet.balance_cents, wallet.held_cents)
        return _outlook(balance, wallet.warn_below_cents, wallet.outlook, now, first)
    return Outlook(Balance(currency, 0, 0), now, Spending(first, []))


def _outlook(
    balance: Balance, warn_below_cents: int | None, read: dict[str, Any], now: datetime, first: datetime
) -> Outlook:
    mean, least = read["usual"]
    count, cents, oldest = read["held_long"]
    return Outlook(
        balance=balance,
        now=now,
        spending=Spending(first, _spent(read["closings"], dict(read["inflows"]))),
        usual_cents=mean or 0,
        least_cents=least or 0,
        warn_below_cents=warn_below_cents,
        held_long=OpenHolds(
            count, cents, datetime.fromtimestamp(oldest, UTC) if oldest is not None else None
        ),
    )


def _spent(closings: list[int | None], inflows: dict[int, int]) -> list[int]:
    """Hour by hour, from what was available at each beginning; before the first line of the ledger nothing was."""
    available = [closing or 0 for closing in closings]
    return [
        available[hour] - available[hour + 1] + inflows.get(hour, 0) for hour in range(len(available) - 1)
    ]
