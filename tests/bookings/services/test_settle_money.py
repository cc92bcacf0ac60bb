"""What the end of an operation moves at once, and what it owes."""

from datetime import datetime, timedelta

import pytest

from apps.accounts.models import Sandbox
from apps.bookings.flow.settle import captured_cents, move_money, owe
from apps.bookings.handlers import Outcome
from apps.bookings.models import Operation, Settlement
from apps.bookings.statements import end_together
from apps.common import clock
from apps.onboarding.services.onboard_partner import Onboarded
from tests.bookings.books import funds, hold_of
from tests.bookings.conftest import BALANCE_CENTS
from tests.bookings.services.settling import HELD, an_operation_with_funds, ended, moved


def settle(operation: Operation, outcome: Outcome) -> None:
    """End the operation, and move all that the outcome moves."""
    captured = captured_cents(operation, outcome)
    assert end_together(operation.booking, operation, capture_cents=captured) is True
    move_money(operation, outcome)


@pytest.mark.parametrize(
    ("outcome", "available", "held", "status"),
    [
        ({}, -HELD, HELD, "open"),
        ({"capture_cents": HELD}, -HELD, 0, "captured"),
        ({"capture_cents": 900}, -900, 0, "captured"),
        ({"capture_cents": 0}, 0, 0, "captured"),
    ],
)
def test_of_the_operations_hold_that_is_captured_which_the_outcome_names(
    calling: Operation,
    onboarded: Onboarded,
    outcome: dict[str, int],
    available: int,
    held: int,
    status: str,
) -> None:
    settle(calling, ended(**outcome))
    assert (funds(onboarded), hold_of(calling).status) == ((BALANCE_CENTS + available, held), status)
    if outcome:
        step = moved()
        assert (step.operation_id, step.description) == (
            calling.client_ref,
            f"Booking {calling.booking.reference}",
        )


def test_an_operation_without_a_hold_captures_nothing(calling: Operation, onboarded: Onboarded) -> None:
    calling.hold_id = ""
    settle(calling, ended(capture_cents=0))
    assert funds(onboarded) == (BALANCE_CENTS - HELD, HELD)


@pytest.mark.parametrize(
    ("keeps", "status", "available"), [(0, "released", 0), (300, "captured", -300), (HELD, "captured", -HELD)]
)
def test_a_hold_of_an_earlier_operation_ends_with_what_is_kept_of_it(
    calling: Operation, onboarded: Onboarded, keeps: int, status: str, available: int
) -> None:
    """A transfer that is cancelled before it was captured: what was owed of it is owed no more."""
    other = an_operation_with_funds(onboarded)
    for operation in (calling, other):
        owe(operation, ended(capture_later=True))
    cancelling = Operation(kind="cancel", booking=calling.booking, client_ref="F-7-X7", request_id="req_2")
    move_money(cancelling, ended(release_hold_id=calling.hold_id, release_keeps_cents=keeps))
    assert (hold_of(calling).status, hold_of(other).status) == (status, "open")
    assert funds(onboarded) == (BALANCE_CENTS - HELD + available, HELD)
    assert list(Settlement.objects.filter(settled_at=None)) == [other.settlement]
    step = moved()
    assert (step.operation_id, step.request_id) == ("F-7-X7", "req_2")
    assert step.description == f"Cancellation of {calling.booking.reference}"


def test_what_was_settled_before_keeps_its_date(calling: Operation) -> None:
    owe(calling, ended(capture_later=True))
    before = clock.now() - timedelta(days=3)
    Settlement.objects.update(settled_at=before)
    move_money(calling, ended(release_hold_id=calling.hold_id))
    assert Settlement.objects.get().settled_at == before


def test_a_refund_gives_back_what_was_captured_of_the_booking(
    calling: Operation, onboarded: Onboarded
) -> None:
    settle(calling, ended(capture_cents=HELD))
    cancelling = Operation(kind="cancel", booking=calling.booking, client_ref="F-7-X7", request_id="req_2")
    move_money(cancelling, ended(refund_cents=700))
    assert funds(onboarded) == (BALANCE_CENTS - 300, 0)
    step = moved()
    assert (step.type, step.amount_cents, step.reference, step.request_id) == (
        "refund",
        700,
        "F-7-X7",
        "req_2",
    )
    assert (step.booking_reference, step.description) == (
        calling.booking.reference,
        f"Refund for {calling.booking.reference}",
    )


@pytest.mark.parametrize(
    ("outcome", "action", "cents"),
    [({"capture_later": True}, "capture", 900), ({"credit_later_cents": 250}, "credit", 250)],
)
def test_what_moves_later_is_owed(
    calling: Operation, outcome: dict[str, int], action: str, cents: int
) -> None:
    owe(calling, ended(**outcome))
    owed = Settlement.objects.get()
    assert (owed.operation, owed.booking, owed.settled_at) == (calling, calling.booking, None)
    assert (owed.action, owed.amount_cents) == (action, cents)
    assert owed.hold_id == (calling.hold_id if action == "capture" else "")


def test_what_is_owed_dates_from_the_time_of_its_environment_and_is_due_in_real_time(
    calling: Operation, onboarded: Onboarded, clock_stands_still: datetime
) -> None:
    ahead = timedelta(days=3)
    Sandbox.objects.create(
        account=onboarded.account, owner=onboarded.account, name="Sandbox", clock_offset=ahead
    )
    owe(calling, ended(capture_later=True))
    owed = Settlement.objects.get()
    assert (owed.created_at, owed.next_attempt_at) == (clock_stands_still + ahead, clock_stands_still)


def test_where_all_moves_at_once_nothing_is_owed(calling: Operation) -> None:
    owe(calling, ended(capture_cents=HELD))
    assert not Settlement.objects.exists()
