"""Many rows out of one, by SQL: what a listing or a claim costs when a partner has been here for years."""

from typing import Any

BOOKINGS = """
INSERT INTO bookings_booking ({columns})
SELECT {values} FROM bookings_booking model, generate_series(1, %(count)s) n WHERE model.id = %(model)s
"""
OTHER_VALUES = {
    "id": "'hbk_' || lpad(n::text, 26, '0')",
    "reference": "'N-' || n",
    "external_reference": "'trip-' || n",
    "status": "(ARRAY['cancelled', 'failed', 'pending', 'confirmed', 'confirmed'])[1 + mod(n, 5)]",
    "created_at": "model.created_at - n * interval '1 second'",
}
KEYS = """
INSERT INTO gateway_idempotencyrecord
       (account_id, environment, key, fingerprint, state, lease_token, lease_until, status, body, encrypted, resource,
        created_at, completed_at)
SELECT account_id, environment, 'trip-' || n, md5(n::text) || md5('f' || n), 'done', gen_random_uuid(), created_at, 201, '{}',
       false, '', created_at, created_at
FROM bookings_booking, generate_series(1, %(count)s) n WHERE id = %(model)s
"""


def multiply(cursor: Any, model: str, count: int) -> None:
    """`count` more bookings like `model`, a second apart, each a fifth of another status; and as many answered keys."""
    cursor.execute("SELECT column_name FROM information_schema.columns WHERE table_name = 'bookings_booking'")
    columns = [str(name) for (name,) in cursor.fetchall()]
    values = ", ".join(OTHER_VALUES.get(name, f"model.{name}") for name in columns)
    parameters = {"count": count, "model": model}
    cursor.execute(BOOKINGS.format(columns=", ".join(columns), values=values), parameters)
    cursor.execute(KEYS, parameters)
    cursor.execute("ANALYZE bookings_booking")
    cursor.execute("ANALYZE gateway_idempotencyrecord")
