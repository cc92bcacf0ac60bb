"""The SQL that stores a flight search and reads it again.

Written by hand because the ORM takes several times as long to compile these as PostgreSQL to run them, and every order waits for
the last. `offers`, `passengers` and `withheld` are JSON text on both ways.
"""

# A part of the statement that bills the search (`apps/gateway/billing.py`).
STORE = """
INSERT INTO flights_flightsearch
       (id, account_id, environment, supplier_name, markup_bp, passengers, offers, withheld, repriced, created_at, expires_at)
VALUES (%(id)s, %(account)s, %(environment)s, %(supplier_name)s, %(markup_bp)s, %(passengers)s, %(offers)s, %(withheld)s, '{}',
        %(created_at)s, %(expires_at)s)
"""

SEARCH = (
    "SELECT id, created_at, expires_at, markup_bp, offers, withheld FROM flights_flightsearch WHERE id = %s"
)

QUOTED = """
SELECT offers -> %(position)s::int, (repriced ->> (%(position)s::int)::text)::bigint, passengers, markup_bp,
       supplier_name, expires_at, created_at
FROM flights_flightsearch
WHERE id = %(search)s AND account_id = %(account)s AND environment = %(environment)s
  AND expires_at > %(now)s AND jsonb_array_length(offers) > %(position)s::int
"""
