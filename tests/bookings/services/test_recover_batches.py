"""Which operations the recovery worker takes, when, and what holds it up."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from apps.bookings.flow import recover
from apps.bookings.flow.recover import claim_due, look_up, recover_due
from apps.bookings.models import Booking, Operation
from apps.common import clock
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import OutcomeUnknown
from tests.bookings.books import events, funds, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.locks import locked
from tests.support.scripted_flights import ScriptedFlights

pytestmark = pytest.mark.usefixtures("still_clock")

MoveClock = Callable[..., None]


def test_nothing_is_looked_up_before_it_is_due(
    unheard: Operation, supplier: ScriptedFlights, move_clock: MoveClock
) -> None:
    move_clock(seconds=9)
    assert (recover_due(), supplier.calls("find_order")) == (0, 0)
    move_clock(seconds=2)
    assert (recover_due(), supplier.calls("find_order")) == (1, 1)
    assert recover_due() == 0


def test_an_operation_never_called_is_released_once_its_lease_ends(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, move_clock: MoveClock
) -> None:
    supplier.spoil("reprice", RuntimeError("died"))
    shop.order(shop.offer(), externalReference="PO-1")
    move_clock(seconds=44)
    assert recover_due() == 0
    move_clock(seconds=2)
    assert recover_due() == 1
    assert (latest().state, latest().failure, latest().booking.status) == ("failed", "NeverCalled", "failed")
    assert funds(onboarded) == (BALANCE_CENTS, 0)
    assert shop.order(shop.offer(), externalReference="PO-1").status == 201


def test_one_failing_row_does_not_hold_up_the_others(
    shop: FlightShop, supplier: ScriptedFlights, move_clock: MoveClock
) -> None:
    offer = shop.offer()
    supplier.spoil("book", OutcomeUnknown(), accepted=True, times=3)
    for _ in range(3):
        shop.order(offer)
    supplier.spoil("find_order", RuntimeError("one answer cannot be read"))
    move_clock(seconds=11)
    assert recover_due() == 3
    assert sorted(Operation.objects.values_list("state", flat=True)) == [
        "confirmed",
        "confirmed",
        "uncertain",
    ]


def test_a_batch_takes_the_longest_due_first(
    shop: FlightShop, supplier: ScriptedFlights, move_clock: MoveClock
) -> None:
    offer = shop.offer()
    supplier.spoil("book", OutcomeUnknown(), times=3)
    for _ in range(3):
        shop.order(offer)
        move_clock(seconds=1)
    first, second, _ = Operation.objects.order_by("id")
    move_clock(seconds=20)
    assert [op.pk for op in claim_due(2)] == [first.pk, second.pk]
    assert len(claim_due(20)) == 1  # those two are leased now
    assert claim_due(20) == []


@pytest.mark.django_db(transaction=True)
def test_workers_share_the_work_and_wait_neither_for_each_other_nor_for_a_booking_in_use(
    shop: FlightShop, supplier: ScriptedFlights, move_clock: MoveClock
) -> None:
    offer = shop.offer()
    supplier.spoil("book", OutcomeUnknown(), times=3)
    for _ in range(3):
        shop.order(offer)
    first, second, third = Operation.objects.order_by("id")
    move_clock(seconds=11)
    with locked(Operation.objects.filter(pk=first.pk)), locked(Booking.objects.filter(pk=second.booking_id)):
        assert [operation.pk for operation in claim_due(20)] == [second.pk, third.pk]
    assert [operation.pk for operation in claim_due(20)] == [first.pk]


def test_what_is_due_under_a_running_lease_is_left_to_whoever_has_it(
    unheard: Operation, supplier: ScriptedFlights
) -> None:
    Operation.objects.update(next_attempt_at=clock.now(), lease_until=clock.now() + timedelta(seconds=5))
    assert claim_due(20) == []


def test_slow_answers_leave_the_rest_of_a_batch_to_whoever_comes_next(
    shop: FlightShop, supplier: ScriptedFlights, move_clock: MoveClock
) -> None:
    offer = shop.offer()
    supplier.spoil("book", OutcomeUnknown(), times=3, accepted=True)
    for _ in range(3):
        shop.order(offer)
    move_clock(seconds=11)
    supplier.meanwhile("find_order", lambda: move_clock(seconds=46))
    assert (recover_due(), supplier.calls("find_order")) == (1, 1)
    assert recover_due() == 2
    assert set(Operation.objects.values_list("state", flat=True)) == {"confirmed"}
    assert violations(supplier.report()) == []


def test_once_the_time_of_a_run_is_over_the_next_batch_is_left_to_the_next_run(
    shop: FlightShop, supplier: ScriptedFlights, move_clock: MoveClock
) -> None:
    offer = shop.offer()
    supplier.spoil("book", OutcomeUnknown(), times=2, accepted=True)
    for _ in range(2):
        shop.order(offer)
    move_clock(seconds=11)
    assert (recover_due(1, seconds=0), supplier.calls("find_order")) == (1, 1)
    assert recover_due() == 1


def test_a_look_up_whose_lease_was_taken_changes_nothing(
    unheard: Operation, supplier: ScriptedFlights, move_clock: MoveClock
) -> None:
    move_clock(seconds=11)
    (mine,) = claim_due(1)
    move_clock(seconds=46)
    (theirs,) = claim_due(1)
    with pytest.raises(recover.LeaseLost):  # type: ignore[attr-defined]
        look_up(mine)
    assert (latest().state, events()) == ("uncertain", [])
    assert look_up(theirs)
    assert (latest().state, events()) == ("confirmed", ["booking.confirmed"])
