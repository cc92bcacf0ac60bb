"""That a row which is made of whole values is the one that Django would make, and can be stored."""

import uuid
from datetime import UTC, datetime
from typing import Any

import pytest

from apps.bookings.models import Booking, Operation
from apps.common.whole_rows import new_row

NOW = datetime(2026, 11, 23, tzinfo=UTC)
OPERATION: dict[str, Any] = {
    "booking_id": "hbk_1",
    "kind": "book",
    "client_ref": "H-1",
    "lease_token": uuid.UUID(int=1),
    "lease_until": NOW,
    "created_at": NOW,
}


def columns(row: Booking | Operation) -> dict[str, object]:
    return {name: value for name, value in vars(row).items() if name != "_state"}


def test_it_has_what_django_gives_it() -> None:
    booking: dict[str, Any] = {"id": "hbk_1", "product": "hotel", "created_at": NOW, "updated_at": NOW}
    assert columns(new_row(Booking, **booking)) == columns(Booking(**booking))
    assert columns(new_row(Operation, **OPERATION)) == columns(Operation(**OPERATION))


def test_what_is_made_anew_is_shared_by_no_two_rows() -> None:
    first, second = new_row(Operation, **OPERATION), new_row(Operation, **OPERATION)
    first.request["maxTotalCents"] = 1
    assert (second.request, new_row(Operation, **OPERATION).request) == ({}, {})


def test_it_is_not_stored_yet_and_names_no_column_that_there_is_not() -> None:
    assert new_row(Operation, **OPERATION)._state.adding
    with pytest.raises(TypeError, match="Operation has no column bookings"):
        new_row(Operation, bookings="hbk_1")
