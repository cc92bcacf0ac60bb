"""A wallet with its recent spending, from which its runway is foretold: one statement, however long the history is.

What was spent in an hour is what was available at its beginning, less what was available at its end, plus what came in meanwhile.
So each hour costs one search in the index of the ledger's pages, and no lines are summed but top-ups and adjustments.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any

from django.db.models import JSONField
from django.db.models.expressions import RawSQL

from apps.ledger.models import Wallet
from apps.ledger.runway import Runway, Spending, foretell
from apps.ledger.selectors import Balance

DAYS = 28
RECENT_HOLDS = 100
"""The usual booking is the mean of this many of the newest holds."""

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
