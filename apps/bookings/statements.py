"""Three SQL statements of the booking path, written by hand because every order runs them.

The ORM writes one table per statement, and compiles each statement anew. A booking and its operation are inserted together and
ended together; between the two the call is marked.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import orjson
from django.db import connection
from django.db.models import Model

from apps.bookings.models import Booking, Operation
from apps.common.commits import RELAX
from apps.common.errors import IdempotencyKeyInProgress
from apps.gateway.idempotency import COMPLETE, STANDS, Claim

END = f"""
WITH ended AS (
    UPDATE bookings_operation SET state = 'confirmed', next_attempt_at = NULL, resolved_at = %(now)s
    WHERE id = %(operation)s AND state = %(state)s AND lease_token = %(token)s
    RETURNING booking_id
), answered AS ({COMPLETE})
UPDATE bookings_booking SET status = %(status)s, total_cents = %(total_cents)s,
       supplier_reference = %(supplier_reference)s, details = %(details)s::jsonb,
       cancellation = %(cancellation)s::jsonb, updated_at = %(now)s,
       watched_until = %(watched_until)s, next_news_at = %(next_news_at)s
FROM ended WHERE bookings_booking.id = ended.booking_id
RETURNING bookings_booking.id
"""  # noqa: S608


START_CALL = """
UPDATE bookings_operation SET state = 'calling', call_started_at = %(now)s, lease_until = %(lease_until)s,
       next_attempt_at = %(lease_until)s, prepared = %(prepared)s::jsonb
WHERE id = %(operation)s AND state = 'held' AND lease_token = %(token)s
RETURNING id
"""

NO_ANSWER = dict.fromkeys(
    (
        "claim",
        "claim_token",
        "answer_status",
        "answer_body",
        "answer_encrypted",
        "answer_resource",
        "answered_at",
    )
)


def insert_together(booking: Booking, operation: Operation, claim: Claim | None) -> None:
    """Insert both rows; the operation gets its id. Raises IdempotencyKeyInProgress where another call has the key by now.

    This commit does not wait for the disk. The next one, which marks the supplier call, does.
    """
    booking_columns, booking_marks, booking_values = _row(booking)
    columns, marks, values = _row(operation)
    with connection.cursor() as cursor:
        cursor.execute(
            f"WITH made AS (INSERT INTO bookings_booking ({booking_columns}) VALUES ({booking_marks})) "  # noqa: S608
            f"INSERT INTO bookings_operation ({columns}) VALUES ({marks}) RETURNING id, {STANDS}, {RELAX}",
            [*booking_values, *values, *((claim.record_id, claim.token) if claim else (None, None))],
        )
        operation.pk, stands, _ = cursor.fetchone()
    if claim is not None and not stands:
        raise IdempotencyKeyInProgress
    for row in (booking, operation):
        row._state.adding = False


def start_call(
    operation: Operation, *, now: datetime, lease_until: datetime, prepared: dict[str, Any]
) -> bool:
    """Mark that the supplier may be asked from now on. Returns False when the lease was lost."""
    with connection.cursor() as cursor:
        cursor.execute(
            START_CALL,
            {
                "now": now,
                "lease_until": lease_until,
                "prepared": orjson.dumps(prepared).decode(),
                "operation": operation.pk,
                "token": operation.lease_token,
            },
        )
        return cursor.fetchone() is not None


def end_together(booking: Booking, operation: Operation, completion: Mapping[str, Any] | None = None) -> bool:
    """Confirm the operation, write the booking as it stands in memory, and store the answer (`Caller.completion`).

    Returns False when the lease was lost.
    """
    details, cancellation = Booking._meta.get_field("details"), Booking._meta.get_field("cancellation")
    with connection.cursor() as cursor:
        cursor.execute(
            END,
            {
                **(completion or NO_ANSWER),
                "now": booking.updated_at,
                "operation": operation.pk,
                "state": operation.state,
                "token": operation.lease_token,
                "status": booking.status,
                "total_cents": booking.total_cents,
                "supplier_reference": booking.supplier_reference,
                "details": details.get_db_prep_save(booking.details, connection),
                "watched_until": booking.watched_until,
                "next_news_at": booking.next_news_at,
                "cancellation": cancellation.get_db_prep_save(booking.cancellation, connection),
            },
        )
        return cursor.fetchone() is not None


def _row(row: Model) -> tuple[str, str, list[Any]]:
    """Column names, placeholders and values of a row about to be inserted."""
    fields = [field for field in row._meta.concrete_fields if not (field.primary_key and row.pk is None)]
    values = [field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields]
    return ", ".join(f'"{field.column}"' for field in fields), ", ".join(["%s"] * len(fields)), values
