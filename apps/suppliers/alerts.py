"""Alerts staff about suppliers: in the log at once, and with a row that stays until they clear it.

Open ones are shown by /health/full, by /metrics and in the back office.
"""

import logging
from typing import Any

from django.db import Error, connection, transaction

from apps.common import clock
from apps.suppliers.models import WARNINGS

logger = logging.getLogger(__name__)

# One statement, so that two processes with the same fault make one row.
REMEMBER = """
INSERT INTO suppliers_supplieralert (supplier, kind, detail, first_at, last_at, count)
VALUES (%(supplier)s, %(kind)s, %(detail)s, %(now)s, %(now)s, 1)
ON CONFLICT (supplier, kind, detail) WHERE cleared_at IS NULL
DO UPDATE SET last_at = EXCLUDED.last_at, count = suppliers_supplieralert.count + 1
"""


def alert(supplier: str, kind: str, detail: str) -> None:
    """Raise the alert `kind` (one of AlertKind), or count it once more. It never fails: the call that met the fault continues.

    Use the same words for the same fault: numbers that differ each time belong into the log, not into `detail`.
    """
    level = logging.WARNING if kind in WARNINGS else logging.CRITICAL
    logger.log(level, "%s: %s: %s", supplier, kind, detail)
    row: dict[str, Any] = {"supplier": supplier, "kind": kind, "detail": detail[:255], "now": clock.now()}
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(REMEMBER, row)
    except Error:
        logger.exception("The alert could not be stored")
