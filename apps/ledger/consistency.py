"""Recomputes every stored figure of the ledger from its entries, in one query each.

Each query lists differences, from one snapshot. A row is: account id, environment, what it is about, the stored figure, the
derived figure.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass

from django.db import connection, transaction

from apps.accounts.models import Account
from apps.accounts.terms import make_read_only, stop_sandbox
from apps.common.environments import Environment
from apps.common.progress import SILENT, Progress
from apps.ledger.months import STATEMENTS
from apps.ledger.spend_limits import DIFFERING as SPEND_LIMITS

# Every wallet's two figures are the sums of its entries.
WALLETS = """
WITH derived AS (
    SELECT t.wallet_id,
           sum(e.amount_cents) FILTER (WHERE e.bucket IN ('available', 'held')) AS balance_cents,
           sum(e.amount_cents) FILTER (WHERE e.bucket = 'held') AS held_cents
      FROM ledger_entry e JOIN ledger_transaction t ON t.id = e.transaction_id
     GROUP BY t.wallet_id
)
SELECT w.account_id, w.environment, figure.name, figure.stored, figure.derived
  FROM ledger_wallet w LEFT JOIN derived ON derived.wallet_id = w.id
       CROSS JOIN LATERAL (VALUES
           ('balance', w.balance_cents, coalesce(derived.balance_cents, 0)),
           ('held', w.held_cents, coalesce(derived.held_cents, 0))
       ) AS figure (name, stored, derived)
 WHERE figure.stored <> figure.derived
 ORDER BY w.id
"""

# The held amount of a wallet is the sum of its open holds.
OPEN_HOLDS = """
SELECT w.account_id, w.environment, 'open holds', w.held_cents, coalesce(sum(h.amount_cents), 0)
  FROM ledger_wallet w LEFT JOIN ledger_hold h ON h.wallet_id = w.id AND h.status = 'open'
 GROUP BY w.id
HAVING w.held_cents <> coalesce(sum(h.amount_cents), 0)
 ORDER BY w.id
"""

# The `hold` steps of a hold sum to its amount. Once it is resolved nothing of it is held any more, and what was captured went to
# sales.
HOLDS = """
WITH moved AS (
    SELECT t.hold_id AS id,
           sum(e.amount_cents) FILTER (WHERE e.bucket = 'held') AS held_cents,
           sum(e.amount_cents) FILTER (WHERE e.bucket = 'held' AND t.type = 'hold') AS amount_cents,
           sum(e.amount_cents) FILTER (WHERE e.bucket = 'sales') AS captured_cents
      FROM ledger_transaction t JOIN ledger_entry e ON e.transaction_id = t.id
     WHERE t.hold_id IS NOT NULL
     GROUP BY t.hold_id
)
SELECT w.account_id, w.environment, h.id || ' ' || figure.name, figure.stored, figure.derived
  FROM ledger_hold h JOIN ledger_wallet w ON w.id = h.wallet_id LEFT JOIN moved ON moved.id = h.id
       CROSS JOIN LATERAL (VALUES
           ('amount', h.amount_cents, coalesce(moved.amount_cents, 0)),
           ('held', CASE h.status WHEN 'open' THEN h.amount_cents ELSE 0 END, coalesce(moved.held_cents, 0)),
           ('captured', h.captured_cents, coalesce(moved.captured_cents, 0))
       ) AS figure (name, stored, derived)
 WHERE figure.stored <> figure.derived
 ORDER BY h.id
"""

# A transaction's figures are those of its entries, and its entries sum to zero.
TRANSACTIONS = """
WITH derived AS (
    SELECT t.id, t.account_id, t.environment, t.amount_cents, t.held_delta_cents,
           coalesce(sum(e.amount_cents) FILTER (WHERE e.bucket = 'available'), 0) AS available_cents,
           coalesce(sum(e.amount_cents) FILTER (WHERE e.bucket = 'held'), 0) AS held_cents,
           coalesce(sum(e.amount_cents) FILTER (WHERE e.currency = t.currency), 0) AS sum_cents,
           count(*) FILTER (WHERE e.currency <> t.currency) AS foreign_entries
      FROM ledger_transaction t LEFT JOIN ledger_entry e ON e.transaction_id = t.id
     GROUP BY t.id
)
SELECT derived.account_id, derived.environment, derived.id || ' ' || figure.name,
       figure.stored, figure.derived
  FROM derived CROSS JOIN LATERAL (VALUES
           ('amount', derived.amount_cents, derived.available_cents),
           ('held', derived.held_delta_cents, derived.held_cents),
           ('sum', 0, derived.sum_cents),
           ('foreign entries', 0, derived.foreign_entries)
       ) AS figure (name, stored, derived)
 WHERE figure.stored <> figure.derived
 ORDER BY derived.id
"""

# Each transaction begins where the one before it ended: none is missing, and none was inserted later.
CHAIN = """
WITH chained AS (
    SELECT id, account_id, environment, available_after_cents, held_after_cents,
           amount_cents + lag(available_after_cents, 1, 0::bigint) OVER chain AS available_cents,
           held_delta_cents + lag(held_after_cents, 1, 0::bigint) OVER chain AS held_cents
      FROM ledger_transaction WINDOW chain AS (PARTITION BY wallet_id ORDER BY created_at)
)
SELECT account_id, environment, id || ' ' || figure.name, figure.stored, figure.derived
  FROM chained CROSS JOIN LATERAL (VALUES
           ('available after', available_after_cents, available_cents),
           ('held after', held_after_cents, held_cents)
       ) AS figure (name, stored, derived)
 WHERE figure.stored <> figure.derived
 ORDER BY id
"""

# No booking was refunded more than was captured for it, and nothing was refunded for none.
REFUNDS = """
WITH booking AS (
    SELECT account_id, environment, booking_reference,
           coalesce(sum(amount_cents) FILTER (WHERE type = 'refund'), 0) AS refunded_cents,
           coalesce(-sum(held_delta_cents) FILTER (WHERE type = 'capture'), 0) AS captured_cents
      FROM ledger_transaction
     GROUP BY account_id, environment, booking_reference
)
SELECT account_id, environment, coalesce(booking_reference, 'no booking') || ' refunded', refunded_cents, captured_cents
  FROM booking WHERE refunded_cents > captured_cents
 ORDER BY booking_reference
"""

QUERIES = {
    "wallets": WALLETS,
    "open holds": OPEN_HOLDS,
    "holds": HOLDS,
    "transactions": TRANSACTIONS,
    "chain": CHAIN,
    "refunds": REFUNDS,
    "statements": STATEMENTS,
    "spend limits": SPEND_LIMITS,
}


CHECK_MINUTES = 30


@dataclass(frozen=True, slots=True)
class Difference:
    """One stored figure that differs from the entries. `check` is the name of the query that found it."""

    check: str
    account_id: str
    environment: str
    subject: str
    stored_cents: int
    derived_cents: int


def check_ledger(*, progress: Progress = SILENT) -> list[Difference]:
    """All differences; none where the ledger is right. Takes no lock, and is exact while bookings continue."""
    found: list[Difference] = []
    progress.expect(len(QUERIES))
    for check, query in QUERIES.items():
        progress.note(check)
        found.extend(_differences(check, query))
        progress.advance()
    return found


def _differences(check: str, query: str) -> Iterator[Difference]:
    """What `query` finds. It reads the whole ledger, so it may take longer than a request may."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL statement_timeout = '{CHECK_MINUTES}min'")
        cursor.execute(query)
        rows = cursor.fetchall()
    return (Difference(check, *row[:3], *map(int, row[3:])) for row in rows)


logger = logging.getLogger(__name__)


def nightly_check(*, progress: Progress = SILENT) -> list[Difference]:
    """Check the ledger, and make every account whose live figures differ read-only until staff have looked; where those of a test
    environment differ, that one alone.

    Called by beat, and by `manage.py check_ledger --stop-accounts` where there is no broker. A suspended account stays suspended.
    """
    differences = check_ledger(progress=progress)
    for difference in differences:
        logger.critical(
            "Ledger differs: %s of %s (%s), %s: stored %d, derived %d",
            difference.check,
            difference.account_id,
            difference.environment,
            difference.subject,
            difference.stored_cents,
            difference.derived_cents,
        )
    for account_id, environment in sorted({(each.account_id, each.environment) for each in differences}):
        if environment == Environment.TEST:
            stop_sandbox(account_id=account_id)
        else:
            make_read_only(account=Account.objects.get(pk=account_id))
    return differences
