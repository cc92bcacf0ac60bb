"""Rows as a test wants them, without the calls that would make them."""

import itertools
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from apps.bookings.handlers import Outcome
from apps.bookings.models import Booking, Operation, OperationKind, Product
from apps.common import clock
from apps.common.ids import new_id
from apps.keys.models import ApiKey
from apps.ledger.models import LedgerTransaction, new_hold_id
from apps.ledger.money import NOTHING, hold
from apps.onboarding.partners import Onboarded

_numbers = itertools.count(1)


def a_booking(key: ApiKey, **columns: Any) -> Booking:
    """A ticketed order of the key's account and environment."""
    return Booking.objects.create(
        **{
            "id": new_id("ford"),
            "product": Product.FLIGHT,
            "account_id": key.account_id,
            "environment": key.environment,
            "key": key,
            "reference": f"F-{next(_numbers)}",
            "status": "ticketed",
            "total_cents": 1_000,
            "currency": "EUR",
            "supplier_name": "simulator",
            **columns,
        }
    )


def an_operation(booking: Booking, **columns: Any) -> Operation:
    """One that holds money and is due at once, with nobody's lease."""
    now = clock.now()
    return Operation.objects.create(
        **{
            "booking": booking,
            "kind": OperationKind.BOOK,
            "client_ref": f"C-{next(_numbers)}",
            "amount_cents": booking.total_cents,
            "hold_id": new_id("hold"),
            "lease_token": uuid.uuid4(),
            "lease_until": now,
            "next_attempt_at": now,
            **columns,
        }
    )


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


SOON = timedelta(seconds=5)
HELD = 1_000


def an_operation_with_funds(onboarded: Onboarded, **columns: object) -> Operation:
    operation = an_operation(
        a_booking(onboarded.test_key, status="pending", total_cents=HELD), request_id="req_1", **columns
    )
    hold(
        hold_id=operation.hold_id,
        account_id=operation.booking.account_id,
        environment="test",
        amount_cents=HELD,
        currency="EUR",
        reference=operation.client_ref,
        trace=NOTHING,
    )
    return operation


def ended(**columns: object) -> Outcome:
    """An outcome that moves no money of itself."""
    return Outcome(
        **{  # type: ignore[arg-type]
            "status": "confirmed",
            "details": {"seats": 2},
            "total_cents": 900,
            "supplier_reference": "their-7",
            **columns,
        }
    )


def moved() -> LedgerTransaction:
    """The last step of money."""
    return LedgerTransaction.objects.latest("created_at")
