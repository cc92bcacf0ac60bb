"""Many rows out of the few that two bookings left, by SQL: the large tables of release 1.1.0, in a deployment's proportions.

A copy has every column of its model but those named here, so each row obeys the tables' checks. Within a copied booking all rows
name each other. Money moves as it does in the service: each copy holds and captures its amount, and the wallets' figures follow.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

FIRST_ID = 1_000_000
"""Where a table numbers its rows, copies begin here. Whoever fills has written fewer."""
CHUNK = 20_000
LOGGED = 3
"""Calls that are logged of a booking."""
HOTELS = 4
"""So many of five bookings are hotels', the fifth a transfer."""
LOGGED_DAYS = 29

NAME = "lpad(p.n::text, 20, '0')"
OF_BOOKING = f"left(m.booking_id, strpos(m.booking_id, '_')) || '010000' || {NAME}"
REFERENCE = "left({}, 2) || lpad(p.n::text, 9, '0')"
WHEN = f"now() - interval '{LOGGED_DAYS} days' * (1 - p.n / %(total)s::float)"
"""The newest copy is of now."""


@dataclass(frozen=True)
class Copy:
    """`source`: the models, as FROM takes them; `m` is their row, `rank` its place among several. `of` says which bookings."""

    table: str
    source: str
    other: Mapping[str, str]
    of: str = "true"


def _model(table: str, which: str, *, most: int = 1000) -> str:
    return f"(SELECT *, row_number() OVER (ORDER BY id) AS rank FROM {table} WHERE {which} ORDER BY id LIMIT {most}) m"


_HOLD = "(SELECT hold_id FROM bookings_operation WHERE booking_id = %(booking)s)"
_TRANSACTIONS = f"(SELECT id FROM ledger_transaction WHERE hold_id = {_HOLD})"
_EVENT = "(SELECT id FROM webhooks_event WHERE booking_id = %(booking)s ORDER BY created_at, id LIMIT 1)"
_DELIVERY = f"(SELECT id FROM webhooks_delivery WHERE event_id = {_EVENT} ORDER BY id LIMIT 1)"
_CAPTURED = "(m.type = 'capture')::int"

COPIES: Sequence[Copy] = (
    Copy(
        "bookings_booking",
        _model("bookings_booking", "id = %(booking)s"),
        {
            "id": f"left(m.id, strpos(m.id, '_')) || '010000' || {NAME}",
            "account_id": "p.account_id",
            "key_id": "p.key_id",
            "reference": REFERENCE.format("m.reference"),
            "external_reference": "'trip-' || p.n",
            "supplier_reference": "'S-' || md5(p.n::text)",
            "next_news_at": "NULL",
            "created_at": WHEN,
            "updated_at": WHEN,
        },
    ),
    Copy(
        "bookings_operation",
        _model("bookings_operation", "booking_id = %(booking)s"),
        {
            "id": f"{FIRST_ID} + p.n",
            "booking_id": OF_BOOKING,
            "client_ref": "'C' || p.n",
            "idempotency_record_id": f"{FIRST_ID} + p.n",
            "hold_id": f"'hold_010000' || {NAME}",
            "key_id": "p.key_id",
            "created_at": WHEN,
            "resolved_at": WHEN,
        },
    ),
    Copy(
        "bookings_settlement",
        _model("bookings_settlement", "booking_id = %(booking)s"),
        {
            "id": f"{FIRST_ID} + p.n",
            "operation_id": f"{FIRST_ID} + p.n",
            "booking_id": OF_BOOKING,
            "hold_id": f"'hold_010000' || {NAME}",
            "created_at": WHEN,
            "settled_at": WHEN,
        },
    ),
    Copy(
        "ledger_hold",
        _model("ledger_hold", f"id = {_HOLD}"),
        {
            "id": f"'hold_010000' || {NAME}",
            "wallet_id": "p.wallet_id",
            "reference": "'C' || p.n",
            "created_at": WHEN,
            "resolved_at": WHEN,
        },
    ),
    Copy(
        "ledger_transaction",
        _model("ledger_transaction", f"hold_id = {_HOLD}"),
        {
            "id": f"'led_01000' || {_CAPTURED} || {NAME}",
            "wallet_id": "p.wallet_id",
            "account_id": "p.account_id",
            "hold_id": f"'hold_010000' || {NAME}",
            "reference": "'C' || p.n",
            "booking_reference": REFERENCE.format("m.booking_reference"),
            "key_id": "p.key_id",
            "request_id": "gen_random_uuid()::text",
            "held_after_cents": f"p.held_cents + (1 - {_CAPTURED}) * p.cents",
            "available_after_cents": "p.balance_cents - p.held_cents - p.place * p.cents",
            "created_at": f"p.moved_at + (2 * p.place + {_CAPTURED}) * interval '1 microsecond'",
        },
    ),
    Copy(
        "ledger_entry",
        f"""(SELECT e.*, row_number() OVER (ORDER BY e.id) AS rank, t.type
               FROM ledger_entry e JOIN ledger_transaction t ON t.id = e.transaction_id
              WHERE t.id IN {_TRANSACTIONS}) m""",
        {
            "id": f"{FIRST_ID} + 4 * p.n + m.rank",
            "transaction_id": f"'led_01000' || {_CAPTURED} || {NAME}",
        },
    ),
    Copy(
        "webhooks_event",
        _model("webhooks_event", f"id = {_EVENT}"),
        {
            "id": f"'evt_010000' || {NAME}",
            "account_id": "p.account_id",
            "booking_id": OF_BOOKING,
            "booking_reference": REFERENCE.format("m.booking_reference"),
            "request_id": "gen_random_uuid()::text",
            "created_at": WHEN,
        },
    ),
    Copy(
        "webhooks_delivery",
        _model("webhooks_delivery", f"id = {_DELIVERY}"),
        {
            "id": f"'whd_010000' || {NAME}",
            "event_id": f"'evt_010000' || {NAME}",
            "endpoint_id": "p.endpoint_id",
            "account_id": "p.account_id",
            "created_at": WHEN,
            "completed_at": WHEN,
        },
    ),
    Copy(
        "webhooks_attempt",
        _model("webhooks_attempt", f"delivery_id = {_DELIVERY}", most=1),
        {"id": f"{FIRST_ID} + p.n", "delivery_id": f"'whd_010000' || {NAME}", "attempted_at": WHEN},
    ),
    Copy(
        "gateway_loggedcall",
        _model(
            "gateway_loggedcall",
            "product = (SELECT product FROM gateway_loggedcall WHERE booking_id = %(booking)s LIMIT 1)",
            most=LOGGED,
        ),
        {
            "id": f"{FIRST_ID} + {LOGGED} * p.n + m.rank",
            "request_id": "gen_random_uuid()",
            "account_id": "p.account_id",
            "key_id": "p.key_id",
            "booking_id": f"CASE WHEN m.booking_id = '' THEN '' ELSE {OF_BOOKING} END",
            "booking_reference": f"CASE WHEN m.booking_id = '' THEN '' ELSE {REFERENCE.format('m.booking_reference')} END",
            "idempotency_key": "CASE WHEN m.idempotency_key = '' THEN '' ELSE gen_random_uuid()::text END",
            "created_at": WHEN,
        },
    ),
    Copy(
        "gateway_idempotencyrecord",
        _model(
            "gateway_idempotencyrecord",
            "id = (SELECT idempotency_record_id FROM bookings_operation WHERE booking_id = %(booking)s)",
        ),
        {
            "id": f"{FIRST_ID} + p.n",
            "account_id": "p.account_id",
            "key": "gen_random_uuid()::text",
            "created_at": "now() - interval '20 hours' * random()",
            "completed_at": "now() - interval '20 hours' * random()",
        },
        of="p.n %% 3 > 0",
    ),
)
ROWS_A_BOOKING = 16
"""Nearly: itself, an operation, a hold, two transactions of two entries each, a fifth of a settlement, an event, its delivery and
attempt, three logged calls, two thirds of an Idempotency-Key."""
TABLES = [copy.table for copy in COPIES]

# Every partner's wallet in turn; `place` counts within the wallet, from 1.
PLACES = """
CREATE TEMPORARY TABLE places AS
SELECT n, (n - %(first)s) / w.many + 1 AS place, w.wallet_id, w.account_id, w.key_id, w.endpoint_id,
       w.balance_cents, w.held_cents, w.moved_at, held.amount_cents AS cents
  FROM generate_series(%(first)s::bigint, %(last)s::bigint) n
  JOIN (SELECT row_number() OVER (ORDER BY wallet.id) - 1 AS turn, count(*) OVER () AS many, wallet.id AS wallet_id,
               wallet.account_id, balance_cents, held_cents, moved_at, endpoint.id AS endpoint_id,
               (SELECT min(id) FROM keys_apikey WHERE account_id = wallet.account_id AND environment = 'test') AS key_id
          FROM ledger_wallet wallet JOIN webhooks_endpoint endpoint
            ON endpoint.account_id = wallet.account_id AND endpoint.environment = wallet.environment
         WHERE wallet.environment = 'test') w ON w.turn = (n - %(first)s) %% w.many,
       (SELECT amount_cents FROM bookings_operation WHERE booking_id = %(booking)s) held
"""
PAID = """
UPDATE ledger_wallet wallet SET balance_cents = balance_cents - paid.cents, moved_at = paid.moved_at
  FROM (SELECT wallet_id, sum(cents) AS cents, max(moved_at + (2 * place + 1) * interval '1 microsecond') AS moved_at
          FROM places GROUP BY wallet_id) paid
 WHERE wallet.id = paid.wallet_id
"""
ON = "SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) FROM {table}))"
UNTIED = """
SELECT conrelid::regclass::text, a.attname, confrelid::regclass::text, f.attname
  FROM pg_constraint c
  JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = conkey[1]
  JOIN pg_attribute f ON f.attrelid = confrelid AND f.attnum = confkey[1]
 WHERE contype = 'f' AND conrelid::regclass::text = ANY (%s)
"""


def fill(cursor: Any, hotel: str, transfer: str, rows: int, told: Callable[[str], None]) -> int:
    """About `rows` rows together; the bookings that this makes. `cursor` is a superuser's, and commits by itself.

    Keys are not looked up row by row: `untied` does that for all rows at once.
    """
    bookings = max(5, rows // ROWS_A_BOOKING)
    columns = {table: _columns(cursor, table) for table in TABLES}
    cursor.execute("SET session_replication_role = replica")
    cursor.execute("SET synchronous_commit = off")
    hotels = bookings * HOTELS // (HOTELS + 1)
    for model, first, last in ((hotel, 1, hotels), (transfer, hotels + 1, bookings)):
        for begin in range(first, last + 1, CHUNK):
            _copy(cursor, columns, {
                "booking": model,
                "first": begin,
                "last": min(begin + CHUNK - 1, last),
                "total": bookings,
            })  # fmt: skip
            told(f"{min(begin + CHUNK - 1, last):,} of {bookings:,} bookings")
    for table in TABLES:
        if "id" in columns[table] and columns[table]["id"] in {"bigint", "integer"}:
            cursor.execute(ON.format(table=table))
    cursor.execute("RESET session_replication_role")
    cursor.execute("VACUUM ANALYZE")
    return bookings


def untied(cursor: Any) -> list[str]:
    """Foreign keys of the filled tables that lead nowhere: `table.column`."""
    cursor.execute(UNTIED, [TABLES])
    found = []
    for table, column, other, key in cursor.fetchall():
        cursor.execute(
            f"SELECT count(*) FROM {table} t WHERE {column} IS NOT NULL"
            f" AND NOT EXISTS (SELECT FROM {other} o WHERE o.{key} = t.{column})"
        )
        if cursor.fetchone()[0]:
            found.append(f"{table}.{column}")
    return found


def _copy(cursor: Any, columns: Mapping[str, Mapping[str, str]], told: Mapping[str, object]) -> None:
    cursor.execute("BEGIN")
    cursor.execute(PLACES, told)
    for copy in COPIES:
        names = list(columns[copy.table])
        values = ", ".join(copy.other.get(name, f"m.{name}") for name in names)
        statement = (
            f"INSERT INTO {copy.table} ({', '.join(names)}) SELECT {values} FROM {copy.source},"
            f" places p WHERE {copy.of} ORDER BY p.n"
        )
        cursor.execute(statement, told)
    cursor.execute(PAID)
    cursor.execute("DROP TABLE places")
    cursor.execute("COMMIT")


def _columns(cursor: Any, table: str) -> dict[str, str]:
    cursor.execute(
        "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = %s ORDER BY ordinal_position",
        [table],
    )
    return dict(cursor.fetchall())
