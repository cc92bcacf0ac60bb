"""What waits for staff, at the edges of an hour and of a day."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apps.bookings.models import Booking, Operation, Settlement
from apps.bookings.selectors import Waiting, held_long, stuck_operations, waiting_operations
from tests.bookings.rows import a_booking, an_operation
from tests.factories.keys import issued_key

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
TICK = timedelta(microseconds=1)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def booking(db: None) -> Booking:
    return a_booking(issued_key()[0])


def begun(booking: Booking, ago: timedelta, state: str, **columns: Any) -> Operation:
    return an_operation(booking, state=state, created_at=NOW - ago, **columns)


def owed(operation: Operation, ago: timedelta, **columns: Any) -> Settlement:
    return Settlement.objects.create(
        operation=operation,
        booking=operation.booking,
        amount_cents=1,
        created_at=NOW - ago,
        **{"action": "capture", "hold_id": operation.hold_id, **columns},
    )


@pytest.mark.parametrize("state", ["held", "calling", "uncertain", "review"])
@pytest.mark.parametrize(("ago", "long"), [(DAY, False), (DAY + TICK, True)])
def test_an_open_operation_holds_for_long_after_a_day(
    booking: Booking, state: str, ago: timedelta, long: bool
) -> None:
    operation = begun(booking, ago, state)
    assert list(held_long(NOW)) == [operation] * long


def test_without_a_hold_nothing_is_held(booking: Booking) -> None:
    operation = begun(booking, 2 * DAY, "calling", hold_id="")
    owed(operation, 2 * DAY)
    assert list(held_long(NOW)) == []


@pytest.mark.parametrize("state", ["confirmed", "failed"])
def test_what_is_over_holds_nothing_unless_it_is_owed(booking: Booking, state: str) -> None:
    operation = begun(booking, 2 * DAY, state)
    assert list(held_long(NOW)) == []
    owed(operation, 2 * DAY)
    assert list(held_long(NOW)) == [operation]


@pytest.mark.parametrize(("ago", "long"), [(DAY, False), (DAY + TICK, True)])
def test_what_is_owed_holds_for_long_after_a_day(booking: Booking, ago: timedelta, long: bool) -> None:
    operation = begun(booking, 2 * DAY, "confirmed")
    settlement = owed(operation, ago)
    assert list(held_long(NOW)) == [operation] * long
    settlement.settled_at = NOW
    settlement.save()
    assert list(held_long(NOW)) == []


@pytest.mark.parametrize(
    ("state", "stuck"),
    [
        ("held", False),
        ("calling", False),
        ("uncertain", True),
        ("review", True),
        ("confirmed", False),
        ("failed", False),
    ],
)
def test_what_is_uncertain_or_with_staff_is_stuck_at_once(booking: Booking, state: str, stuck: bool) -> None:
    operation = begun(booking, timedelta(0), state)
    assert list(stuck_operations(NOW)) == [operation] * stuck


def test_what_is_stuck_for_two_reasons_is_there_once(booking: Booking) -> None:
    operation = begun(booking, 2 * DAY, "uncertain")
    owed(operation, 2 * DAY)
    other = begun(a_booking(booking.key), 2 * DAY, "held")
    assert set(stuck_operations(NOW)) == {operation, other}
    assert stuck_operations(NOW).count() == 2


@pytest.mark.parametrize(
    ("state", "ago", "waiting"),
    [
        ("review", timedelta(0), Waiting(1, 0)),
        ("review", 2 * DAY, Waiting(1, 0)),
        ("uncertain", HOUR, Waiting(0, 0)),
        ("uncertain", HOUR + TICK, Waiting(0, 1)),
        ("held", 2 * DAY, Waiting(0, 0)),
        ("calling", 2 * DAY, Waiting(0, 0)),
        ("confirmed", 2 * DAY, Waiting(0, 0)),
    ],
)
def test_what_waits_is_counted_by_its_state_and_age(
    booking: Booking, state: str, ago: timedelta, waiting: Waiting
) -> None:
    begun(booking, ago, state)
    assert waiting_operations(NOW) == waiting
