"""Orders whose end nobody knows: what the recovery worker makes of the supplier's answers."""

from collections.abc import Callable

import pytest

from apps.bookings.flow.recover import recover_due
from apps.bookings.handlers import Accepted
from apps.bookings.models import Operation
from apps.common import clock
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import Unavailable
from tests.bookings.books import events, funds, hold_of, latest, seconds_to_next
from tests.bookings.conftest import BALANCE_CENTS
from tests.support.invariants import violations
from tests.support.scripted_flights import ScriptedFlights

pytestmark = pytest.mark.usefixtures("still_clock")

MoveClock = Callable[..., None]


def test_what_the_supplier_has_is_settled_as_a_request_would(
    unheard: Operation, supplier: ScriptedFlights, onboarded: Onboarded, move_clock: MoveClock
) -> None:
    move_clock(seconds=11)
    recover_due()
    operation = latest()
    assert (operation.state, operation.booking.status) == ("confirmed", "ticketed")
    assert funds(onboarded) == (BALANCE_CENTS - operation.amount_cents, 0)
    assert events() == ["booking.confirmed"]
    assert violations(supplier.report()) == []


# After how many seconds the supplier says "not found" → what is made of it, and when it is asked again.
NOT_FOUND = [
    ([11], "uncertain", 109),
    ([11, 109], "uncertain", 60),
    ([121], "uncertain", 60),
    ([121, 30], "uncertain", 30),
    ([121, 59], "uncertain", 1),
    ([121, 30, 30], "failed", None),
    ([121, 60], "failed", None),
    ([11, 109, 60], "failed", None),
    ([3600], "uncertain", 60),
    ([3600, 3600], "failed", None),
]


@pytest.mark.parametrize(("waits", "state", "next_seconds"), NOT_FOUND)
def test_not_found_counts_twice_a_minute_apart_and_not_in_the_first_two_minutes(
    lost: Operation,
    supplier: ScriptedFlights,
    onboarded: Onboarded,
    move_clock: MoveClock,
    waits: list[int],
    state: str,
    next_seconds: int | None,
) -> None:
    for wait in waits:
        move_clock(seconds=wait)
        operation = latest()
        Operation.objects.update(next_attempt_at=clock.now())  # a partner's retry may look before it is due
        assert recover_due() == 1
    operation = latest()
    assert operation.state == state
    if next_seconds is None:
        assert (operation.failure, operation.next_attempt_at) == ("NotFoundAtSupplier", None)
        assert (operation.booking.status, hold_of(operation).status) == ("failed", "released")
        assert funds(onboarded) == (BALANCE_CENTS, 0)
    else:
        assert seconds_to_next(operation) == next_seconds
        assert (operation.booking.status, hold_of(operation).status) == ("pending", "open")


def test_the_second_not_found_may_come_after_unanswered_look_ups(
    lost: Operation, supplier: ScriptedFlights, move_clock: MoveClock
) -> None:
    move_clock(seconds=121)
    recover_due()
    supplier.spoil("find_order", Unavailable())
    move_clock(seconds=61)
    recover_due()
    assert latest().state == "uncertain"
    move_clock(hours=1)
    recover_due()
    assert latest().state == "failed"


def test_found_after_a_first_not_found_is_confirmed(
    unheard: Operation, supplier: ScriptedFlights, move_clock: MoveClock
) -> None:
    supplier.hide(1)
    move_clock(seconds=121)
    recover_due()
    assert latest().first_not_found_at is not None
    move_clock(seconds=61)
    recover_due()
    assert latest().state == "confirmed"
    assert violations(supplier.report()) == []


def test_a_silent_supplier_is_asked_ever_more_rarely(
    unheard: Operation, supplier: ScriptedFlights, move_clock: MoveClock
) -> None:
    supplier.spoil("find_order", Unavailable(), times=8)
    waits = [seconds_to_next(unheard)]
    for _ in range(7):
        move_clock(seconds=waits[-1] + 1)
        assert recover_due() == 1
        waits.append(seconds_to_next(latest()))
    assert waits == [10, 10, 30, 120, 600, 3600, 3600, 3600]
    assert latest().lookups == 7


def test_what_the_supplier_accepted_and_not_yet_delivered_waits_as_pending(
    unheard: Operation, supplier: ScriptedFlights, move_clock: MoveClock
) -> None:
    supplier.spoil("find_order", Accepted("sim_1"))
    move_clock(seconds=11)
    recover_due()
    assert (latest().state, latest().booking.status, latest().lookups) == ("uncertain", "pending", 1)
    move_clock(seconds=31)
    recover_due()
    assert latest().state == "confirmed"
