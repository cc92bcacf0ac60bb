"""Rows that the statements of the booking path are tried on, and what is stored after them."""

import uuid
from datetime import UTC, datetime
from typing import Any

from django.db.models import QuerySet

from apps.bookings.models import Booking, Operation
from apps.common import clock
from apps.common.ids import new_id
from apps.keys.models import ApiKey
from apps.ledger.models import new_hold_id

AT = datetime(2026, 11, 20, 12, tzinfo=UTC)
LATER = datetime(2026, 11, 20, 13, tzinfo=UTC)
MINE, OTHER = uuid.UUID(int=6), uuid.UUID(int=7)
"""Leases. The bystanders' are the same as ours, so that it is not the lease alone that tells the rows apart."""


def stored() -> list[dict[str, Any]]:
    """All rows, as they are."""
    tables: list[QuerySet[Any]] = [Booking.objects.order_by("pk"), Operation.objects.order_by("pk")]
    return [dict(row) for table in tables for row in table.values()]


def others(*own: Booking | Operation) -> list[dict[str, Any]]:
    """All rows but these."""
    return [row for row in stored() if row["id"] not in {one.pk for one in own}]


def begun(key: ApiKey) -> tuple[Booking, Operation]:
    """Rows about to be inserted."""
    booking = Booking(
        id=new_id("ford"),
        product="flight",
        account_id=key.account_id,
        environment="test",
        key=key,
        reference="F-22222222",
        total_cents=1_000,
        currency="EUR",
        supplier_name="simulator",
        details={"seats": 2},
        created_at=AT,
        updated_at=AT,
    )
    now = clock.now()
    operation = Operation(
        booking=booking,
        kind="book",
        client_ref="F-22222222",
        amount_cents=1_000,
        hold_id=new_hold_id(),
        key_id=key.id,
        lease_token=uuid.uuid4(),
        lease_until=now,
        next_attempt_at=now,
        created_at=booking.created_at,
    )
    return booking, operation
