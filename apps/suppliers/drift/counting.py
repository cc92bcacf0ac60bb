"""Counts differences, by supplier, call, field and kind: at most `MOST_PATHS` rows a supplier."""

import logging
from collections.abc import Iterable
from typing import Any

from django.db import Error, connection, transaction

from apps.common import clock
from apps.suppliers.drift.shapes import Difference

logger = logging.getLogger(__name__)

MOST_PATHS = 500
# One statement, so that processes do not need to agree; a new row only where there is room for one.
COUNT = """
INSERT INTO suppliers_supplierdrift (supplier, call, path, kind, is_read, count, first_at, last_at)
SELECT one.*, 1, %(now)s, %(now)s
FROM (VALUES (%(supplier)s::varchar, %(call)s::varchar, %(path)s::varchar, %(kind)s::varchar, %(is_read)s))
    AS one (supplier, call, path, kind, is_read)
WHERE (SELECT count(*) FROM suppliers_supplierdrift AS kept WHERE kept.supplier = one.supplier) < %(most)s
   OR EXISTS (SELECT FROM suppliers_supplierdrift AS kept
              WHERE (kept.supplier, kept.call, kept.path, kept.kind) = (one.supplier, one.call, one.path, one.kind))
ON CONFLICT (supplier, call, path, kind)
DO UPDATE SET last_at = EXCLUDED.last_at, is_read = EXCLUDED.is_read, count = suppliers_supplierdrift.count + 1
"""


def count(supplier: str, call: str, differences: Iterable[Difference]) -> None:
    """Each of them once more. It never fails: nobody waits for it."""
    common = {"supplier": supplier, "call": call, "now": clock.now(), "most": MOST_PATHS}
    rows: list[dict[str, Any]] = [
        {**common, "path": one.path, "kind": one.kind, "is_read": one.is_read}
        for one in sorted(differences, key=lambda one: (one.path, one.kind))
    ]
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.executemany(COUNT, rows)
    except Error:
        logger.exception("What differs in the answers of %s could not be counted", supplier)
