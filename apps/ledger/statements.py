"""The SQL that moves money. Each verb is one statement, so that a step costs one round trip and one short lock.

Written by hand because the ORM would need five statements under the same lock. Prepared, one is much faster. Each has the same
three parts:

1. `wallet`: the wallet's row, locked first, then the hold's where there is one. A statement that waited for the lock reads the
row as it is after the wait, so conditions are decided by the present balance.

2. `step`: the rows to write; none where a condition refuses. `amount_cents` is the change of what is available,
`held_delta_cents` the change of what is held; the balance of the two goes to the counter bucket or comes from it.

3. `_write`: the transaction, its entries, the wallet's new figures. A repeated (type, reference) writes nothing. PostgreSQL
starts every node of a plan again with each execution, so this has few: no window, no sort, and a sum only where there can be
two steps (`_write_two`). The total is one row by its form: for two rows PostgreSQL would rather read all wallets than look two
up.

`holding_covered` and `resolving` are these parts without a beginning and an end, for a longer statement of code that reserves
or settles in the same trip. `once` is what must have happened in it before the wallet is locked. Such a statement is a
transaction of its own, which is never rolled back: so it looks before it writes whether the money can move (`LOOKING`,
`RESOLVABLE`).

FOR NO KEY UPDATE is the weakest lock that makes two verbs wait for each other; foreign keys do not wait for it. Every parameter
is cast, because with server-side binding PostgreSQL must be able to infer its type.
"""

from apps.common.sql import LongStatement

_TRANSACTION = """INSERT INTO ledger_transaction (
        id, wallet_id, account_id, environment, currency, type, reference, hold_id, amount_cents,
        held_delta_cents, available_after_cents, held_after_cents, created_at,
        booking_type, booking_reference, key_id, request_id, operation_id, description)"""
_TRACE = """%(booking_type)s::text, %(booking_reference)s::text, %(key_id)s::text, %(request_id)s::text,
           %(operation_id)s::text, %(description)s::text"""
_WRITTEN = (
    """RETURNING id, wallet_id, hold_id, reference, currency, amount_cents, held_delta_cents, created_at"""
)

_LOCKED_COLUMNS = """
           w.id, w.account_id, w.environment, w.currency, w.held_cents,
           w.balance_cents - w.held_cents AS available_cents, w.limits_at,
           greatest(%(now)s::timestamptz, w.moved_at + interval '1 microsecond') AS at"""


# The status is the partner's, also where the wallet is of a test environment that is stored under an account row of its own. A
# test environment may be stopped by itself.
_ACTIVE = "COALESCE(partner.status, a.status) = 'active' AND sandbox.stopped_at IS NULL"
_WALLET_WITH_ACCOUNT = """ledger_wallet w JOIN accounts_account a ON a.id = w.account_id
      LEFT JOIN accounts_account partner ON partner.id = a.sandbox_of_id
      LEFT JOIN accounts_sandbox sandbox ON sandbox.account_id = w.account_id AND w.environment = 'test'"""


def _wallet_of_account() -> str:
    return f"""
wallet AS MATERIALIZED (
    SELECT {_LOCKED_COLUMNS}, {_ACTIVE} AS active
      FROM {_WALLET_WITH_ACCOUNT}
     WHERE w.account_id = %(account_id)s::text AND w.environment = %(environment)s::text
       FOR NO KEY UPDATE OF w
)"""  # noqa: S608


def _wallet_alone(once: str) -> str:
    """The wallet of an account that was looked at already."""
    return f"""
wallet AS MATERIALIZED (
    SELECT {_LOCKED_COLUMNS}
      FROM ledger_wallet w
     WHERE w.account_id = %(account_id)s::text AND w.environment = %(environment)s::text AND {once}
       FOR NO KEY UPDATE OF w
)"""  # noqa: S608


def _wallet_of_hold(once: str = "true") -> str:
    return f"""
wallet AS MATERIALIZED (
    SELECT {_LOCKED_COLUMNS}, h.id AS hold_id, h.amount_cents AS hold_cents, h.status AS hold_status
      FROM ledger_hold h JOIN ledger_wallet w ON w.id = h.wallet_id
     WHERE h.id = %(hold_id)s::text AND {once}
       FOR NO KEY UPDATE OF w, h
)"""  # noqa: S608


_ONCE = "ON CONFLICT (type, reference) DO NOTHING"
_AFTER = "wallet.available_cents + step.amount_cents"


def _write(counter_bucket: str = "NULL", repeated: str = _ONCE, after: str = _AFTER) -> str:
    """The part that writes one step. `counter_bucket` is an expression; NULL between held and available."""
    return f"""
, written AS (
    {_TRANSACTION}
    SELECT step.id, wallet.id, wallet.account_id, wallet.environment, wallet.currency,
           step.type, step.reference, step.hold_id, step.amount_cents, step.held_delta_cents,
           {after}, wallet.held_cents + step.held_delta_cents, wallet.at,
           {_TRACE}
      FROM wallet CROSS JOIN step
    {repeated}
    {_WRITTEN}
), {_entries(counter_bucket)}, moved AS (
    UPDATE ledger_wallet w
       SET balance_cents = w.balance_cents + written.amount_cents + written.held_delta_cents,
           held_cents = w.held_cents + written.held_delta_cents,
           moved_at = written.created_at
      FROM written
     WHERE w.id = written.wallet_id
)"""  # noqa: S608


def _write_two() -> str:
    """The same for a capture with the release of the rest: `so_far` is what the steps up to this one change."""
    return f"""
, written AS (
    {_TRANSACTION}
    SELECT step.id, wallet.id, wallet.account_id, wallet.environment, wallet.currency,
           step.type, step.reference, step.hold_id, step.amount_cents, step.held_delta_cents,
           wallet.available_cents + step.amount_cents, wallet.held_cents + step.held_so_far_cents,
           wallet.at + step.number * interval '1 microsecond',
           {_TRACE}
      FROM wallet CROSS JOIN step
    {_ONCE}
    {_WRITTEN}
), {_entries("'sales'")}, moved AS (
    UPDATE ledger_wallet w
       SET balance_cents = w.balance_cents + total.balance_cents,
           held_cents = w.held_cents + total.held_cents,
           moved_at = total.at
      FROM (SELECT max(wallet_id) AS wallet_id, sum(amount_cents + held_delta_cents) AS balance_cents,
                   sum(held_delta_cents) AS held_cents, max(created_at) AS at
              FROM written HAVING count(*) > 0) AS total
     WHERE w.id = total.wallet_id
)"""  # noqa: S608


def _entries(counter_bucket: str) -> str:
    return f"""entries AS (
    INSERT INTO ledger_entry (transaction_id, bucket, amount_cents, currency)
    SELECT written.id, leg.bucket, leg.amount_cents, written.currency
      FROM written CROSS JOIN LATERAL (VALUES
               ('available', written.amount_cents),
               ('held', written.held_delta_cents),
               ({counter_bucket}, -(written.amount_cents + written.held_delta_cents))
           ) AS leg (bucket, amount_cents)
     WHERE leg.amount_cents <> 0
)"""  # noqa: S608


# Parameters beside those of `execute`: type, reference, account_id, environment, currency, amount_cents,
# counter_bucket.
MOVE = f"""WITH {_wallet_of_account()}, step AS (
    SELECT %(transaction_id)s::text AS id, %(type)s::text AS type,
           %(reference)s::text AS reference, NULL::text AS hold_id,
           %(amount_cents)s::bigint AS amount_cents, 0::bigint AS held_delta_cents
      FROM wallet
     WHERE wallet.currency = %(currency)s::text
       AND wallet.available_cents + %(amount_cents)s::bigint >= 0
){_write("%(counter_bucket)s::text")}
SELECT wallet.currency, wallet.available_cents, wallet.active, EXISTS (SELECT FROM written) FROM wallet"""  # noqa: S608


_COVERS = "active AND currency = %(currency)s::text AND available_cents >= %(amount_cents)s::bigint"


# Spend limits of a key. A hold looks at them before it locks anything (`SPENT` of the row `limits` or `look`): so what is above
# a limit is refused without a write. The row itself is locked and changed last, after the wallet's: a hold that waited sees
# there what the holds before it have used, and where that leaves too little, the row violates OVERSPENT and all of the
# statement fails; the next attempt looks again. The figures are the latest day's and its month's; an earlier day's count for
# nothing.
_DAY = "({at} AT TIME ZONE 'UTC')::date"
_NOW = _DAY.format(at="%(now)s::timestamptz")
SPENT = "per_booking_cents, per_day_cents, per_month_cents, day_used_cents, month_used_cents, approval_above_cents"


def _used(today: str) -> tuple[str, str]:
    """What is used by now of the day's and of the month's limit."""
    return (
        f"CASE WHEN s.day >= {today} THEN s.day_cents ELSE 0 END",
        f"CASE WHEN s.day >= date_trunc('month', {today}::timestamp)::date THEN s.month_cents ELSE 0 END",
    )


def _fits(added: str, day_used: str = "day_used_cents", month_used: str = "month_used_cents") -> str:
    """Whether a hold of `amount_cents`, `added` of which is not counted yet, is within the limits. NULL limits nothing."""
    return f"""(%(amount_cents)s::bigint = 0 OR (%(amount_cents)s::bigint <= per_booking_cents IS NOT FALSE
       AND ({day_used}) + {added} <= per_day_cents IS NOT FALSE
       AND ({month_used}) + {added} <= per_month_cents IS NOT FALSE))"""


# A hold above what may be held without approval is made where its operation awaits just that (`awaits`), and no other is made
# so: the caller learns from what was seen which it is, and tries again. `limits_at` shows limits that were set in the meantime.
_AS_AWAITED = "(%(amount_cents)s::bigint > approval_above_cents IS TRUE) = %(awaits)s::boolean"

_DAY_USED, _MONTH_USED = _used(_NOW)
_LIMITS = f"""w.limits_at, s.per_booking_cents, s.per_day_cents, s.per_month_cents, s.approval_above_cents,
           {_DAY_USED} AS day_used_cents, {_MONTH_USED} AS month_used_cents"""
_LIMITS_OF_WALLET = "LEFT JOIN ledger_spendlimit s ON s.key_id = %(key_id)s::text AND s.wallet_id = w.id"


def _limits(wallet: str) -> str:
    """The limits as they are before the wallet is locked."""
    return f"""
limits AS MATERIALIZED (
    SELECT {_LIMITS} FROM {wallet}
), """  # noqa: S608


def _unless_changed(limits: str) -> str:
    """The balance after a hold. It is below zero, which OVERDRAWN refuses, where limits were set while the statement waited."""
    return f"""CASE WHEN wallet.limits_at IS DISTINCT FROM (SELECT limits_at FROM {limits}) THEN -1 ELSE {_AFTER} END"""  # noqa: S608


def _spend() -> str:
    on_day = _DAY.format(at="written.created_at")
    day_used, month_used = _used(on_day)
    return f""", spent AS (
    UPDATE ledger_spendlimit s
       SET day = greatest(s.day, {on_day}),
           day_cents = CASE WHEN {_fits("written.held_delta_cents", day_used, month_used)}
                            THEN {day_used} + written.held_delta_cents ELSE -1 END,
           month_cents = {month_used} + written.held_delta_cents
      FROM written
     WHERE s.key_id = %(key_id)s::text AND s.wallet_id = written.wallet_id
)"""  # noqa: S608


# Parameters: hold_id (of the hold to be), reference, account_id, environment, currency, amount_cents, awaits.
def _holding(wallet: str, *, where: str, repeated: str, limits: str) -> str:
    return f"""{wallet}, step AS (
    SELECT %(transaction_id)s::text AS id, 'hold' AS type,
           %(reference)s::text AS reference, %(hold_id)s::text AS hold_id,
           -%(amount_cents)s::bigint AS amount_cents, %(amount_cents)s::bigint AS held_delta_cents
      FROM wallet
     WHERE {where}
){_write(repeated=repeated, after=_unless_changed(limits))}, held AS (
    INSERT INTO ledger_hold (id, wallet_id, amount_cents, status, captured_cents, reference, created_at)
    SELECT hold_id, wallet_id, held_delta_cents, 'open', 0, reference, created_at FROM written
){_spend()}"""  # noqa: S608


_WITHIN = f"(SELECT {_fits('%(amount_cents)s::bigint')} AND {_AS_AWAITED} FROM limits)"  # noqa: S608
HOLD = LongStatement(f"""WITH {
    _limits(
        f"ledger_wallet w {_LIMITS_OF_WALLET}"
        " WHERE w.account_id = %(account_id)s::text AND w.environment = %(environment)s::text"
    )
}{_holding(_wallet_of_account(), where=f"{_COVERS} AND {_WITHIN}", repeated=_ONCE, limits="limits")}
SELECT wallet.currency, wallet.available_cents, wallet.active, EXISTS (SELECT FROM written), {SPENT}
  FROM wallet CROSS JOIN limits""")  # noqa: S608


LOOKING = f"""
look AS MATERIALIZED (
    SELECT currency, available_cents, active, limits_at, {SPENT},
           {_COVERS} AND (%(hold_id)s::text = '' OR {_fits("%(amount_cents)s::bigint")} AND {_AS_AWAITED}) AS covers
      FROM (SELECT w.currency, w.balance_cents - w.held_cents AS available_cents, {_ACTIVE} AS active, {_LIMITS}
              FROM {_WALLET_WITH_ACCOUNT} {_LIMITS_OF_WALLET}
             WHERE w.account_id = %(account_id)s::text AND w.environment = %(environment)s::text) AS wallet
)"""  # noqa: S608
"""The wallet before it is locked, and whether it and the limits of the key cover a hold."""


def holding_covered(once: str) -> str:
    """A hold where `look` covers it. It fails, and with it the whole statement, where the hold cannot be made after all:

    funds that went between the look and the lock violate OVERDRAWN, what the key may spend OVERSPENT, a repeated reference
    REPEATED.
    """
    return _holding(_wallet_alone(once), where="true", repeated="", limits="look")


OVERDRAWN, REPEATED = "ledger_transaction_never_overdrawn", "ledger_transaction_once"
OVERSPENT = "spend_limit_not_exceeded"


def _give_back() -> str:
    """What is released counts no longer for the key that held it, where the figures are still those of the hold's day or month.

    The key is the one that the hold's own line in the ledger names: staff and workers release as well.
    """
    day = _DAY.format(at="resolved.created_at")
    return f"""given_back AS (
    UPDATE ledger_spendlimit s
       SET day_cents = CASE WHEN s.day = {day}
                            THEN greatest(s.day_cents - released_cents, 0) ELSE s.day_cents END,
           month_cents = CASE WHEN date_trunc('month', s.day::timestamp) = date_trunc('month', {day}::timestamp)
                              THEN greatest(s.month_cents - released_cents, 0) ELSE s.month_cents END
      FROM resolved
     WHERE released_cents > 0 AND s.wallet_id = resolved.wallet_id AND s.key_id = (
           SELECT t.key_id FROM ledger_transaction t WHERE t.type = 'hold' AND t.reference = resolved.reference)
)"""  # noqa: S608


# Parameters: hold_id, status (captured or released), captured_cents (NULL: all of it). A capture of less than
# was held releases the rest in a second step; a release has that second step alone.
def resolving(once: str = "true") -> str:
    return f"""{_wallet_of_hold(once)}, resolved AS (
    UPDATE ledger_hold h
       SET status = %(status)s::text,
           captured_cents = coalesce(%(captured_cents)s::bigint, wallet.hold_cents),
           resolved_at = wallet.at
      FROM wallet
     WHERE h.id = wallet.hold_id
       AND wallet.hold_status = 'open'
       AND wallet.hold_cents >= coalesce(%(captured_cents)s::bigint, wallet.hold_cents)
    RETURNING h.id, h.status, h.captured_cents, h.amount_cents - h.captured_cents AS released_cents,
              h.wallet_id, h.reference, h.created_at
), step AS (
    SELECT 0 AS number, %(transaction_id)s::text AS id, 'capture' AS type,
           resolved.id AS reference, resolved.id AS hold_id, 0::bigint AS amount_cents,
           -captured_cents AS held_delta_cents, -captured_cents AS held_so_far_cents
      FROM resolved WHERE status = 'captured'
     UNION ALL
    SELECT 1, %(release_transaction_id)s::text, 'release',
           resolved.id, resolved.id, released_cents, -released_cents, -captured_cents - released_cents
      FROM resolved WHERE status = 'released' OR released_cents > 0
){_write_two()}, {_give_back()}"""  # noqa: S608


RESOLVABLE = """(%(hold_id)s::text IS NULL OR EXISTS (
    SELECT FROM ledger_hold h WHERE h.id = %(hold_id)s::text
       AND (h.status <> 'open' OR h.amount_cents >= coalesce(%(captured_cents)s::bigint, h.amount_cents))))"""
"""What must be so before anything is written. It stays so: what a hold holds only rises, and no hold is deleted."""
RESOLVE = LongStatement(
    f"WITH {resolving()} SELECT wallet.hold_cents, EXISTS (SELECT FROM resolved) FROM wallet"  # noqa: S608
)

# Parameters: hold_id, amount_cents (what is to be held from now on).
_ADDED = "%(amount_cents)s::bigint - wallet.hold_cents"
_NEEDS_NONE = "%(amount_cents)s::bigint > approval_above_cents IS NOT TRUE"
RAISE = LongStatement(f"""WITH {
    _limits(
        f"ledger_hold h JOIN ledger_wallet w ON w.id = h.wallet_id {_LIMITS_OF_WALLET} WHERE h.id = %(hold_id)s::text"
    )
}{_wallet_of_hold()}, raised AS (
    UPDATE ledger_hold h SET amount_cents = %(amount_cents)s::bigint
      FROM wallet
     WHERE h.id = wallet.hold_id
       AND wallet.hold_status = 'open'
       AND wallet.hold_cents < %(amount_cents)s::bigint
       AND wallet.available_cents >= {_ADDED}
       AND (SELECT {_fits(_ADDED)} AND {_NEEDS_NONE} FROM limits)
    RETURNING h.id, h.amount_cents, h.amount_cents - wallet.hold_cents AS added_cents
), step AS (
    SELECT %(transaction_id)s::text AS id, 'hold' AS type,
           raised.id || ':' || raised.amount_cents AS reference, raised.id AS hold_id,
           -added_cents AS amount_cents, added_cents AS held_delta_cents
      FROM raised
){_write(after=_unless_changed("limits"))}{_spend()}
SELECT wallet.currency, wallet.available_cents, wallet.hold_cents, wallet.hold_status,
       EXISTS (SELECT FROM raised), {SPENT}
  FROM wallet CROSS JOIN limits""")  # noqa: S608
