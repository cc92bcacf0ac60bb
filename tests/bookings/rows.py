"""Rows as a test wants them, without the calls that would make them."""

import itertools
import uuid
from typing import Any

from apps.bookings.models import Booking, Operation, OperationKind, Product
from apps.common import clock
from apps.common.ids import new_id
from apps.keys.models import ApiKey

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
