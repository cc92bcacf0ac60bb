"""What staff end by hand: on the supplier's word, or by giving it up."""

from collections.abc import Callable
from functools import partial

import pytest

from apps.accounts.models import User
from apps.bookings.flow.lease import take_lease
from apps.bookings.flow.recover import recover_due
from apps.bookings.flow.resolve import Finding, give_up, look_up_now, take_suppliers_word
from apps.bookings.handlers import Accepted, handler_for
from apps.bookings.models import Operation
from apps.common.errors import Conflict, GatewayError, InvalidRequest
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import Unavailable
from tests.bookings.books import events, funds, hold_of, latest, with_staff_still
from tests.bookings.conftest import BALANCE_CENTS
from tests.factories.accounts import UserFactory
from tests.support.invariants import violations
from tests.support.scripted_flights import ScriptedFlights
from tests.support.threads import all_at_once

pytestmark = pytest.mark.usefixtures("still_clock")
REASON = "Their desk says that it never arrived"


def reference_at(operation: Operation) -> str:
    """What the airline's own desk would say on the telephone."""
    found = handler_for(operation).find(operation)
    assert found is not None
    return str(found.supplier_reference)


def test_the_suppliers_word_is_taken_with_the_reference_that_it_gave(
    review: Callable[[bool], Operation], staff: User, onboarded: Onboarded, supplier: ScriptedFlights
) -> None:
    operation = review(True)
    told = reference_at(operation)
    take_suppliers_word(operation_id=operation.pk, supplier_reference=f" {told} ", resolved_by=staff)
    assert (latest().state, latest().booking.supplier_reference) == ("confirmed", told)
    assert funds(onboarded) == (BALANCE_CENTS - operation.amount_cents, 0)
    assert violations(supplier.report()) == []


@pytest.mark.parametrize("typed", ["made up", " "])
@pytest.mark.parametrize("accepted", [True, False])
def test_nothing_is_confirmed_that_the_supplier_does_not_answer(
    review: Callable[[bool], Operation], staff: User, accepted: bool, typed: str
) -> None:
    operation = review(accepted)
    with pytest.raises(Conflict, match="It remains assigned to you"):
        take_suppliers_word(operation_id=operation.pk, supplier_reference=typed, resolved_by=staff)
    assert with_staff_still(operation)


def test_what_is_given_up_frees_its_funds(
    review: Callable[[bool], Operation], staff: User, onboarded: Onboarded, supplier: ScriptedFlights
) -> None:
    operation = review(False)
    give_up(operation_id=operation.pk, client_ref=operation.client_ref, reason=REASON, resolved_by=staff)
    ended = latest()
    assert (ended.state, ended.failure, ended.booking.status) == ("failed", "GivenUpByStaff", "failed")
    assert (funds(onboarded), hold_of(ended).status) == ((BALANCE_CENTS, 0), "released")
    assert events() == ["booking.rejected"]
    assert violations(supplier.report()) == []


@pytest.mark.parametrize("trouble", [None, Accepted("sim_1")], ids=str)
def test_what_the_supplier_has_is_not_given_up(
    review: Callable[[bool], Operation], staff: User, supplier: ScriptedFlights, trouble: Exception | None
) -> None:
    operation = review(True)
    if trouble is not None:
        supplier.spoil("find_order", trouble)
    with pytest.raises(Conflict, match="reports that it has it"):
        give_up(operation_id=operation.pk, client_ref=operation.client_ref, reason=REASON, resolved_by=staff)
    assert with_staff_still(operation)


def test_giving_up_takes_the_right_reference_and_no_answer_from_a_silent_supplier(
    review: Callable[[bool], Operation], staff: User, supplier: ScriptedFlights
) -> None:
    operation = review(False)
    with pytest.raises(InvalidRequest, match="not its reference"):
        give_up(operation_id=operation.pk, client_ref="F-OTHER", reason=REASON, resolved_by=staff)
    assert with_staff_still(operation)
    supplier.spoil("find_order", Unavailable())
    give_up(operation_id=operation.pk, client_ref=operation.client_ref, reason=REASON, resolved_by=staff)
    assert latest().state == "failed"


def test_only_what_waits_for_staff_is_resolved_by_hand(
    uncertain: Callable[[bool], Operation], staff: User
) -> None:
    operation = uncertain(False)
    with pytest.raises(Conflict, match="not assigned to you"):
        give_up(operation_id=operation.pk, client_ref=operation.client_ref, reason=REASON, resolved_by=staff)
    with pytest.raises(Conflict, match="not assigned to you"):
        take_suppliers_word(operation_id=operation.pk, supplier_reference="x", resolved_by=staff)
    assert latest().state == "uncertain"


def test_nobody_looks_while_another_process_does(
    review: Callable[[bool], Operation], staff: User, supplier: ScriptedFlights
) -> None:
    operation = review(True)
    assert take_lease(latest())
    for act in (
        partial(look_up_now, looked_up_by=staff),
        partial(take_suppliers_word, supplier_reference="x", resolved_by=staff),
        partial(give_up, client_ref=operation.client_ref, reason=REASON, resolved_by=staff),
    ):
        with pytest.raises(Conflict, match="Another process"):
            act(operation_id=operation.pk)
    assert supplier.calls("find_order") == 1


@pytest.mark.django_db(transaction=True)
def test_two_of_the_staff_give_it_up_once(
    review: Callable[[bool], Operation], onboarded: Onboarded, supplier: ScriptedFlights
) -> None:
    operation = review(False)
    people = UserFactory.create_batch(4, is_staff=True)

    def end(person: User) -> str:
        try:
            give_up(
                operation_id=operation.pk, client_ref=operation.client_ref, reason=REASON, resolved_by=person
            )
        except GatewayError:
            return "too late"
        return "given up"

    ends = all_at_once([partial(end, person) for person in people])
    assert sorted(ends) == ["given up", *["too late"] * 3]
    assert funds(onboarded) == (BALANCE_CENTS, 0)
    assert violations(supplier.report()) == []


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


def test_what_cannot_be_written_goes_back_to_staff(
    review: Callable[[bool], Operation],
    staff: User,
    supplier: ScriptedFlights,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    operation = review(True)
    monkeypatch.setattr("apps.bookings.flow.settle.end_together", lambda *args, **more: 1 / 0)
    with pytest.raises(Conflict, match="could not be stored"):
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
