"""The SQL that stores a hotel search and reads it again.

Written by hand because the ORM takes several times as long to compile these as PostgreSQL to run them, and would turn the
stored hotels into JSON text, and back, more often than once. `hotels`, `rooms` and `withheld` are JSON text on both ways.
"""

# A part of the statement that bills the search (`apps/gateway/billing.py`).
STORE = """
INSERT INTO hotels_hotelsearch
       (id, account_id, environment, supplier_name, markup_bp, check_in, check_out, rooms, hotels, withheld, created_at,
        expires_at)
VALUES (%(id)s, %(account)s, %(environment)s, %(supplier_name)s, %(markup_bp)s, %(check_in)s, %(check_out)s, %(rooms)s,
        %(hotels)s, %(withheld)s, %(created_at)s, %(expires_at)s)
"""

SEARCH = """
SELECT id, check_in, check_out, created_at, expires_at, markup_bp, hotels, withheld FROM hotels_hotelsearch WHERE id = %(search)s
"""

SEARCH_OF_ACCOUNT = f"""{SEARCH}
  AND account_id = %(account)s AND environment = %(environment)s AND created_at > %(kept_since)s
"""

# NULL for the rate of a hotel that the search did not find.
QUOTED = """
SELECT hotels -> %(hotel)s::int, check_in, check_out, rooms, markup_bp, supplier_name, created_at FROM hotels_hotelsearch
WHERE id = %(search)s AND account_id = %(account)s AND environment = %(environment)s AND expires_at > %(now)s
"""
