"""Account statements: what a wallet did in a calendar month, equal to its ledger to the unit.

A month runs from its first day, 00:00 UTC, to the next month's, by each transaction's own timestamp. It closes an hour after its
end, which is longer than any transaction of it can take to commit. Its figures are then stored once, with a hash of its lines: by
beat, or by its first reader. The lines themselves stay where they are, because the ledger is append-only; `check_ledger` computes
figures and hash again.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db.models import QuerySet, Subquery

from apps.accounts.models import Account
from apps.common import clock, sql
from apps.common.errors import NotFound
from apps.ledger.models import LedgerTransaction, MonthStatement
from apps.ledger.selectors import balance_of, ledger_of

CLOSES_AFTER = timedelta(hours=1)
MONTH = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")
MOST_LINES = 1_000
"""How many lines the JSON of a statement has; its CSV has all."""

# What the ledger says of the months in `asked` (account_id, environment, begins, ends). One row each. A line's hash covers all
# that a partner reads of it. The hashes of a month are hashed again in their order, which needs 32 bytes a line.
DERIVED = """
SELECT asked.account_id, asked.environment, asked.begins,
       coalesce(before.cents, 0)::bigint AS opening_cents,
       coalesce(coalesce(last.cents, before.cents), 0)::bigint AS closing_cents,
       coalesce(coalesce(last.held_cents, before.held_cents), 0)::bigint AS held_cents,
       month.top_ups_cents, month.captured_cents, month.refunded_cents, month.adjustments_cents,
       month.line_count, month.digest
  FROM asked
  LEFT JOIN LATERAL (
       SELECT available_after_cents + held_after_cents AS cents, held_after_cents AS held_cents
         FROM ledger_transaction t
        WHERE t.account_id = asked.account_id AND t.environment = asked.environment AND t.created_at < asked.begins
        ORDER BY t.created_at DESC, t.id DESC LIMIT 1) AS before ON true
  LEFT JOIN LATERAL (
       SELECT available_after_cents + held_after_cents AS cents, held_after_cents AS held_cents
         FROM ledger_transaction t
        WHERE t.account_id = asked.account_id AND t.environment = asked.environment
          AND t.created_at >= asked.begins AND t.created_at < asked.ends
        ORDER BY t.created_at DESC, t.id DESC LIMIT 1) AS last ON true
 CROSS JOIN LATERAL (
       SELECT coalesce(sum(amount_cents) FILTER (WHERE type = 'top_up'), 0)::bigint AS top_ups_cents,
              coalesce(-sum(held_delta_cents) FILTER (WHERE type = 'capture'), 0)::bigint AS captured_cents,
              coalesce(sum(amount_cents) FILTER (WHERE type = 'refund'), 0)::bigint AS refunded_cents,
              coalesce(sum(amount_cents) FILTER (WHERE type = 'adjustment'), 0)::bigint AS adjustments_cents,
              count(*) AS line_count,
              encode(sha256(coalesce(string_agg(sha256(convert_to(jsonb_build_array(
                  id, type, currency, amount_cents, held_delta_cents, available_after_cents, held_after_cents,
                  booking_type, booking_reference, key_id, description,
                  (extract(epoch FROM created_at) * 1000000)::bigint)::text, 'UTF8')), ''::bytea
                  ORDER BY created_at, id), ''::bytea)), 'hex') AS digest
         FROM ledger_transaction t
        WHERE t.account_id = asked.account_id AND t.environment = asked.environment
          AND t.created_at >= asked.begins AND t.created_at < asked.ends) AS month
"""

OF_ONE = f"""
WITH asked AS (SELECT %(account_id)s::text AS account_id, %(environment)s::text AS environment,
                      %(begins)s::timestamptz AS begins, %(ends)s::timestamptz AS ends)
{DERIVED}"""

# Written once: a second writer writes nothing.
CLOSE = f"""
WITH asked AS (SELECT %(account_id)s::text AS account_id, %(environment)s::text AS environment,
                      %(begins)s::timestamptz AS begins, %(ends)s::timestamptz AS ends),
derived AS ({DERIVED})
INSERT INTO ledger_statement (account_id, environment, month, currency, opening_cents, top_ups_cents, captured_cents,
       refunded_cents, adjustments_cents, closing_cents, held_cents, line_count, digest, closed_at)
SELECT account_id, environment, %(month)s::date, %(currency)s::text, opening_cents, top_ups_cents, captured_cents,
       refunded_cents, adjustments_cents, closing_cents, held_cents, line_count, digest, %(now)s::timestamptz
  FROM derived
    ON CONFLICT (account_id, environment, month) DO NOTHING
"""  # noqa: S608

# For check_ledger: a stored statement whose figures or lines differ from the ledger's.
STATEMENTS = f"""
WITH asked AS (
    SELECT account_id, environment, month::timestamp AT TIME ZONE 'UTC' AS begins,
           (month + interval '1 month') AT TIME ZONE 'UTC' AS ends
      FROM ledger_statement
), derived AS ({DERIVED})
SELECT s.account_id, s.environment, to_char(s.month, 'YYYY-MM') || ' ' || figure.name, figure.stored, figure.derived
  FROM ledger_statement s
  JOIN derived d ON d.account_id = s.account_id AND d.environment = s.environment
   AND d.begins = s.month::timestamp AT TIME ZONE 'UTC'
 CROSS JOIN LATERAL (VALUES
       ('opening', s.opening_cents, d.opening_cents),
       ('top-ups', s.top_ups_cents, d.top_ups_cents),
       ('captured', s.captured_cents, d.captured_cents),
       ('refunded', s.refunded_cents, d.refunded_cents),
       ('adjustments', s.adjustments_cents, d.adjustments_cents),
       ('closing', s.closing_cents, d.closing_cents),
       ('held', s.held_cents, d.held_cents),
       ('lines', s.line_count, d.line_count),
       ('changed lines', 0, (s.digest <> d.digest)::int::bigint)
   ) AS figure (name, stored, derived)
 WHERE figure.stored <> figure.derived
 ORDER BY s.account_id, s.environment, s.month
"""  # noqa: S608

GROUPS = """
SELECT booking_type, key_id,
       coalesce(-sum(held_delta_cents) FILTER (WHERE type = 'capture'), 0)::bigint,
       coalesce(sum(amount_cents) FILTER (WHERE type = 'refund'), 0)::bigint
  FROM ledger_transaction
 WHERE account_id = %(account_id)s AND environment = %(environment)s
   AND created_at >= %(begins)s AND created_at < %(ends)s AND type IN ('capture', 'refund')
 GROUP BY booking_type, key_id
"""

# Wallets without a stored statement of a month.
UNCLOSED = """
SELECT w.account_id, w.environment, w.currency
  FROM ledger_wallet w JOIN accounts_account a ON a.id = w.account_id
 WHERE a.created_at < %(ends)s
   AND NOT EXISTS (SELECT FROM ledger_statement s WHERE s.account_id = w.account_id
                      AND s.environment = w.environment AND s.month = %(month)s::date)
 ORDER BY w.id
"""


@dataclass(frozen=True, slots=True)
class Month:
    """A calendar month in UTC; `ends` is the first instant of the next."""

    first: date

    @property
    def name(self) -> str:
        return f"{self.first:%Y-%m}"

    @property
    def begins(self) -> datetime:
        return datetime(self.first.year, self.first.month, 1, tzinfo=UTC)

    @property
    def ends(self) -> datetime:
        return self.next.begins

    @property
    def next(self) -> "Month":
        return Month((self.first + timedelta(days=31)).replace(day=1))

    @property
    def previous(self) -> "Month":
        return Month((self.first - timedelta(days=1)).replace(day=1))

    def is_closed(self, now: datetime) -> bool:
        return now >= self.ends + CLOSES_AFTER


def month_of(instant: datetime) -> Month:
    return Month(instant.astimezone(UTC).date().replace(day=1))


@dataclass(frozen=True, slots=True)
class Figures:
    """A statement's sums, in minor units of `currency`. opening + top-ups − captured + refunded + adjustments = closing."""

    currency: str
    opening_cents: int
    top_ups_cents: int
    captured_cents: int
    refunded_cents: int
    adjustments_cents: int
    closing_cents: int
    held_cents: int
    line_count: int
    digest: str


@dataclass(frozen=True, slots=True)
class Group:
    """What was captured and refunded for one product, or by one key; None: for no booking, or by no key."""

    name: str | None
    captured_cents: int
    refunded_cents: int


@dataclass(frozen=True, slots=True)
class Statement:
    month: Month
    closed: bool
    figures: Figures
    by_product: list[Group]
    by_key: list[Group]


def last_closed(now: datetime) -> Month:
    """The month that closed last."""
    return month_of(now - CLOSES_AFTER).previous


def months_of(account_id: str, environment: str, now: datetime) -> list[Month]:
    """The months from the account's first to the one of `now`, newest first."""
    first_line = Subquery(ledger_of(account_id, environment).reverse().values("created_at")[:1])
    opened, first = Account.objects.values_list("created_at", first_line).get(pk=account_id)
    oldest, month = month_of(min(opened, first or opened)), month_of(now)
    found = []
    while month.first >= oldest.first:
        found.append(month)
        month = month.previous
    return found


def month_named(account_id: str, environment: str, name: str, now: datetime) -> Month:
    """Raises NotFound for a malformed month, one before the account, and one that has not begun."""
    if MONTH.fullmatch(name):
        for month in months_of(account_id, environment, now):
            if month.name == name:
                return month
    raise NotFound


def statement_of(account_id: str, environment: str, month: Month, now: datetime) -> Statement:
    """The statement of a month that has begun. A closed month's is stored by its first read.

    Call it in one snapshot for a month that is not closed, and outside of one for a closed month.
    """
    (figures,) = figures_of(account_id, environment, [month], now)
    return Statement(month, month.is_closed(now), figures, *_groups(account_id, environment, month))


def figures_of(account_id: str, environment: str, months: Sequence[Month], now: datetime) -> list[Figures]:
    """The figures of some months that have begun, in their order, in one statement where all of them are stored.

    Closed months that are not stored yet are stored. Call it outside of a snapshot.
    """
    known = _stored(account_id, environment, [month.first for month in months])
    for month in months:
        if month.first not in known and month.is_closed(now):
            close_month(account_id, environment, month, now)
            known |= _stored(account_id, environment, [month.first])
    return [known.get(month.first) or derived(account_id, environment, month) for month in months]


def lines_of(account_id: str, environment: str, month: Month) -> QuerySet[LedgerTransaction]:
    """The lines of a month, in the order in which the money moved."""
    return (
        ledger_of(account_id, environment)
        .filter(created_at__gte=month.begins, created_at__lt=month.ends)
        .reverse()
    )


def derived(account_id: str, environment: str, month: Month) -> Figures:
    """The figures of a month as the ledger has them now."""
    row = sql.one_row(OF_ONE, _parameters(account_id, environment, month))
    assert row is not None
    opening, closing, held, top_ups, captured, refunded, adjustments, count, digest = row[3:]
    return Figures(
        balance_of(account_id, environment).currency,
        *(opening, top_ups, captured, refunded, adjustments, closing, held, count, digest),
    )


def close_month(account_id: str, environment: str, month: Month, now: datetime) -> None:
    """Store the figures of a closed month, once."""
    currency = balance_of(account_id, environment).currency
    known = {"month": month.first, "now": now, "currency": currency}
    sql.rows_changed(CLOSE, _parameters(account_id, environment, month) | known)


def close_last_month() -> int:
    """Store what every wallet did in the month that closed last. Called by beat; older months are stored by their first reader.

    By the real time: the clock of a test environment is never behind it.
    """
    now = clock.now()
    month = last_closed(now)
    unclosed = sql.all_rows(UNCLOSED, {"ends": month.ends, "month": month.first})
    for account_id, environment, _currency in unclosed:
        close_month(account_id, environment, month, now)
    return len(unclosed)


def _parameters(account_id: str, environment: str, month: Month) -> dict[str, Any]:
    return {
        "account_id": account_id,
        "environment": environment,
        "begins": month.begins,
        "ends": month.ends,
    }


def _stored(account_id: str, environment: str, firsts: list[date]) -> dict[date, Figures]:
    found = MonthStatement.objects.filter(account_id=account_id, environment=environment, month__in=firsts)
    return {row[0]: Figures(*row[1:]) for row in found.values_list("month", *Figures.__slots__)}


def _groups(account_id: str, environment: str, month: Month) -> tuple[list[Group], list[Group]]:
    rows = sql.all_rows(GROUPS, _parameters(account_id, environment, month))
    return tuple(_grouped(rows, column) for column in (0, 1))  # type: ignore[return-value]


def _grouped(rows: list[Any], column: int) -> list[Group]:
    sums: dict[str | None, tuple[int, int]] = {}
    for row in rows:
        captured, refunded = sums.get(row[column], (0, 0))
        sums[row[column]] = captured + row[2], refunded + row[3]
    named = sorted(sums.items(), key=lambda each: (each[0] is None, each[0] or ""))
    return [Group(name, *cents) for name, cents in named]


def all_lines(account_id: str, environment: str, month: Month) -> Iterator[LedgerTransaction]:
    """Every line of a month, read 1,000 at a time by key, so that memory and locks stay bounded."""
    lines = lines_of(account_id, environment, month)
    page = list(lines[:MOST_LINES])
    while page:
        yield from page
        if len(page) < MOST_LINES:
            return
        # Within a wallet no two lines have the same instant.
        page = list(lines.filter(created_at__gt=page[-1].created_at)[:MOST_LINES])
