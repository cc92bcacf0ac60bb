"""A backlog of settlements out of one, by SQL: confirmed transfers of many partners whose money is held and not captured yet."""

from collections.abc import Sequence
from typing import Any

# A copy is the model's row as JSON with other values laid over it, so that a new column needs nothing here.
COPY = """
INSERT INTO {table}
SELECT (jsonb_populate_record(NULL::{table}, to_jsonb(model) || jsonb_build_object({other}))).*
  FROM {model}, places
"""
PLACES = """
CREATE TEMPORARY TABLE places ON COMMIT DROP AS
SELECT n, (n - 1) / cardinality(w.ids) + 1 AS place, wallet.id AS wallet_id, wallet.account_id,
       wallet.balance_cents, wallet.held_cents, wallet.moved_at, lpad(n::text, 12, '0') AS name
  FROM (SELECT %(wallets)s::bigint[] AS ids) w, generate_series(1, %(count)s) n
  JOIN ledger_wallet wallet ON wallet.id = (%(wallets)s::bigint[])[1 + mod(n - 1, cardinality(%(wallets)s::bigint[]))]
"""
LATER = "places.moved_at + places.place * interval '1 microsecond'"
HELD = "places.held_cents + places.place * model.amount_cents"
OWED = "bookings_settlement owed ON owed.id = %(model)s"
COPIES: Sequence[tuple[str, str, dict[str, str]]] = (
    (
        "bookings_booking",
        "bookings_booking model JOIN " + OWED + " AND owed.booking_id = model.id",
        {
            "id": "'tord_' || places.name",
            "reference": "'B-' || places.n",
            "account_id": "places.account_id",
            "external_reference": "NULL",
            "next_news_at": "NULL",
        },
    ),
    (
        "ledger_hold",
        "ledger_hold model JOIN " + OWED + " AND owed.hold_id = model.id",
        {
            "id": "'hold_' || places.name",
            "reference": "'B-' || places.n",
            "wallet_id": "places.wallet_id",
            "created_at": LATER,
        },
    ),
    (
        "bookings_operation",
        "bookings_operation model JOIN " + OWED + " AND owed.operation_id = model.id",
        {
            "id": "%(base)s::bigint + places.n",
            "booking_id": "'tord_' || places.name",
            "client_ref": "'B-' || places.n",
            "hold_id": "'hold_' || places.name",
            "idempotency_record_id": "NULL",
        },
    ),
    (
        "ledger_transaction",
        "ledger_transaction model JOIN " + OWED + " AND model.hold_id = owed.hold_id AND model.type = 'hold'",
        {
            "id": "'led_' || places.name",
            "hold_id": "'hold_' || places.name",
            "reference": "'B-' || places.n",
            "booking_reference": "'B-' || places.n",
            "wallet_id": "places.wallet_id",
            "account_id": "places.account_id",
            "created_at": LATER,
            "held_after_cents": "places.held_cents + places.place * model.held_delta_cents",
            "available_after_cents": "places.balance_cents - places.held_cents - places.place * model.held_delta_cents",
        },
    ),
    (
        "ledger_entry",
        "ledger_entry model JOIN ledger_transaction t ON t.id = model.transaction_id AND t.type = 'hold' JOIN "
        + OWED
        + " AND t.hold_id = owed.hold_id",
        {
            "id": "%(base)s::bigint + 2 * places.n + (model.bucket = 'held')::int",
            "transaction_id": "'led_' || places.name",
        },
    ),
    (
        "bookings_settlement",
        "bookings_settlement model",
        {
            "id": "%(base)s::bigint + places.n",
            "operation_id": "%(base)s::bigint + places.n",
            "booking_id": "'tord_' || places.name",
            "hold_id": "'hold_' || places.name",
            "created_at": "model.created_at + places.n * interval '1 millisecond'",
            "next_attempt_at": "model.next_attempt_at - interval '1 hour' + places.n * interval '1 millisecond'",
        },
    ),
)
HOLD_ALL = """
UPDATE ledger_wallet wallet
   SET held_cents = wallet.held_cents + held.cents, moved_at = held.moved_at
  FROM (SELECT wallet_id, count(*) * %(cents)s::bigint AS cents, max(moved_at + place * interval '1 microsecond') AS moved_at
          FROM places GROUP BY wallet_id) held
 WHERE wallet.id = held.wallet_id
"""
NUMBERED = ["bookings_operation", "bookings_settlement", "ledger_entry"]
"""Tables whose ids are numbers. The copies have those after the highest."""
BASE = "SELECT max(nextval(pg_get_serial_sequence(name, 'id'))) FROM unnest(%(tables)s::text[]) AS name"
SEQUENCES = """
SELECT setval(pg_get_serial_sequence(name, 'id'), %(base)s::bigint + 3 * %(count)s::bigint)
  FROM unnest(%(tables)s::text[]) AS name
"""


def owe(cursor: Any, *, model: int, wallets: list[int], count: int) -> None:
    """`count` more settlements like `model`, due since an hour ago, by turns of these wallets, which must hold the money.

    In one transaction. Nothing else may have moved in the wallets' accounts but what their rows say.
    """
    cursor.execute("SELECT amount_cents FROM bookings_settlement WHERE id = %(model)s", {"model": model})
    (cents,) = cursor.fetchone()
    cursor.execute(BASE, {"tables": NUMBERED})
    (base,) = cursor.fetchone()
    cursor.execute(PLACES, {"wallets": wallets, "count": count})
    for table, source, other in COPIES:
        values = ", ".join(f"'{column}', {value}" for column, value in other.items())
        where = "" if "owed.id" in source else " WHERE model.id = %(model)s"
        statement = COPY.format(table=table, model=source, other=values) + where
        cursor.execute(statement, {"model": model, **({"base": base} if "%(base)s" in statement else {})})
    cursor.execute(HOLD_ALL, {"cents": cents})
    cursor.execute(SEQUENCES, {"base": base, "count": count, "tables": NUMBERED})
