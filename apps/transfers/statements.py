"""The SQL that stores a transfer search and reads it again.

Written by hand because the ORM takes several times as long to compile these as PostgreSQL to run them, and every order waits for
the last. `request`, `offers` and `withheld` are JSON text on both ways.
"""

# A part of the statement that bills the search (`apps/gateway/billing.py`).
STORE = """
INSERT INTO transfers_transfersearch
       (id, account_id, environment, supplier_name, markup_bp, request, offers, withheld, created_at, expires_at)
VALUES (%(id)s, %(account)s, %(environment)s, %(supplier_name)s, %(markup_bp)s, %(request)s, %(offers)s, %(withheld)s,
        %(created_at)s, %(expires_at)s)
"""

SEARCH = """
SELECT id, created_at, expires_at, markup_bp, request, offers, withheld FROM transfers_transfersearch WHERE id = %s
"""

# NULL for an offer that the search did not find.
QUOTED = """
SELECT offers -> %(position)s::int, request, supplier_name FROM transfers_transfersearch
WHERE id = %(search)s AND account_id = %(account)s AND environment = %(environment)s AND expires_at > %(now)s
"""
