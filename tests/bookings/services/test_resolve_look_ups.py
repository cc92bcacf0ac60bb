"""What staff find when they look up an operation whose end nobody knows."""

from collections.abc import Callable

import pytest

from apps.accounts.models import User
from apps.bookings.flow.lease import take_lease
from apps.bookings.flow.recover import recover_due
from apps.bookings.flow.resolve import Finding, look_up_now
from apps.bookings.handlers import Accepted
from apps.bookings.models import Operation
from apps.common.errors import Conflict, GatewayError
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import Unavailable
from tests.bookings.books import events, funds, hold_of, latest, with_staff_still
from tests.bookings.conftest import BALANCE_CENTS
from tests.support.invariants import violations
from tests.support.scripted_flights import ScriptedFlights
from tests.support.threads import all_at_once

pytestmark = pytest.mark.usefixtures("still_clock")

MoveClock = Callable[..., None]


def test_a_look_up_settles_what_the_supplier_has(
    review: Callable[[bool], Operation], staff: User, onboarded: Onboarded, supplier: ScriptedFlights
) -> None:
    operation = review(True)
    assert look_up_now(operation_id=operation.pk, looked_up_by=staff) == Finding.FOUND
    assert (latest().state, latest().booking.status) == ("confirmed", "ticketed")
    assert funds(onboarded) == (BALANCE_CENTS - operation.amount_cents, 0)
    assert events() == ["booking.confirmed"]
    assert look_up_now(operation_id=operation.pk, looked_up_by=staff) == Finding.OVER
    assert violations(supplier.report()) == []


def test_with_staff_not_found_decides_nothing_however_often(
    review: Callable[[bool], Operation], staff: User, move_clock: MoveClock
) -> None:
    operation = review(False)
    for _ in range(3):
        assert look_up_now(operation_id=operation.pk, looked_up_by=staff) == Finding.NOT_FOUND
        assert with_staff_still(operation)
        move_clock(hours=1)
        assert recover_due() == 0


@pytest.mark.parametrize(
    ("trouble", "finding"),
    [
        (Unavailable(), Finding.NO_ANSWER),
        (ValueError("an answer that nobody foresaw"), Finding.NO_ANSWER),
        (Accepted("sim_1"), Finding.UNDER_WAY),
    ],
    ids=str,
)
def test_without_an_answer_it_stays_with_staff(
    review: Callable[[bool], Operation],
    staff: User,
    supplier: ScriptedFlights,
    trouble: Exception,
    finding: Finding,
) -> None:
    operation = review(True)
    supplier.spoil("find_order", trouble)
    assert look_up_now(operation_id=operation.pk, looked_up_by=staff) == finding
    assert with_staff_still(operation)


@pytest.mark.parametrize(("accepted", "finding"), [(True, Finding.FOUND), (False, Finding.WAITING)])
def test_what_is_uncertain_is_looked_up_by_the_rules_of_recovery(
    uncertain: Callable[[bool], Operation], staff: User, accepted: bool, finding: Finding
) -> None:
    operation = uncertain(accepted)
    assert look_up_now(operation_id=operation.pk, looked_up_by=staff) == finding
    assert latest().state == ("confirmed" if accepted else "uncertain")


def test_looking_often_does_not_make_an_early_not_found_believed(
    uncertain: Callable[[bool], Operation], staff: User, move_clock: MoveClock
) -> None:
    operation = uncertain(False)
    for seconds in (0, 30, 80, 30):  # the first that counts is at 110 + 10 s, and the second a minute later
        move_clock(seconds=seconds)
        assert look_up_now(operation_id=operation.pk, looked_up_by=staff) == Finding.WAITING
    move_clock(seconds=60)
    assert look_up_now(operation_id=operation.pk, looked_up_by=staff) == Finding.NOT_FOUND
    assert (latest().state, hold_of(latest()).status) == ("failed", "released")


def test_what_cannot_be_written_goes_back_to_staff(
    review: Callable[[bool], Operation],
    staff: User,
    supplier: ScriptedFlights,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    operation = review(True)
    monkeypatch.setattr("apps.bookings.flow.settle.end_together", lambda *args, **more: 1 / 0)
    with pytest.raises(Conflict, match="could not be written"):
        look_up_now(operation_id=operation.pk, looked_up_by=staff)
    assert with_staff_still(operation)


def test_a_look_up_that_outlived_its_lease_writes_nothing(
    review: Callable[[bool], Operation], staff: User, supplier: ScriptedFlights, move_clock: MoveClock
) -> None:
    """The process was paused; the recovery worker found the lease over, and settled."""
    operation = review(True)

    def overtaken() -> None:
        move_clock(seconds=46)
        assert recover_due() == 1

    supplier.meanwhile("find_order", overtaken)
    with pytest.raises(GatewayError):
        look_up_now(operation_id=operation.pk, looked_up_by=staff)
    assert (latest().state, events()) == ("confirmed", ["booking.confirmed"])
    assert violations(supplier.report()) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("accepted", [True, False])
def test_staff_and_recovery_at_once_end_it_once(
    uncertain: Callable[[bool], Operation],
    staff: User,
    onboarded: Onboarded,
    supplier: ScriptedFlights,
    move_clock: MoveClock,
    accepted: bool,
) -> None:
    operation = uncertain(accepted)
    move_clock(seconds=130)
    recover_due()
    move_clock(seconds=61)

    def look() -> object:
        try:
            return look_up_now(operation_id=operation.pk, looked_up_by=staff)
        except GatewayError as refused:
            return refused.type

    all_at_once([look, recover_due, look, recover_due])
    ended = latest()
    assert ended.state == ("confirmed" if accepted else "failed")
    paid = ended.booking.total_cents if accepted else 0
    assert funds(onboarded) == (BALANCE_CENTS - paid, 0)
    assert events() == ["booking.confirmed" if accepted else "booking.rejected"]
    assert violations(supplier.report()) == []


@pytest.mark.parametrize("trouble", [None, ValueError("an answer that nobody foresaw")], ids=str)
def test_what_a_dead_look_up_leaves_goes_back_to_staff(
    review: Callable[[bool], Operation],
    supplier: ScriptedFlights,
    move_clock: MoveClock,
    trouble: Exception | None,
) -> None:
    review(False)
    for _ in range(2):
        assert take_lease(latest())  # and there the process ended
        if trouble is not None:
            supplier.spoil("find_order", trouble)
        move_clock(minutes=5)
        assert recover_due() == 1
        assert with_staff_still(latest())
        assert recover_due() == 0
