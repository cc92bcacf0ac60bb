"""What staff do about operations whose end nobody knows."""

import uuid
from collections.abc import Callable
from functools import partial

import pytest

from apps.accounts.models import User
from apps.bookings.handlers import Accepted, handler_for
from apps.bookings.models import Operation
from apps.bookings.services import resolve
from apps.bookings.services.lease import LeaseLost, take_lease
from apps.bookings.services.recover import recover_due
from apps.bookings.services.resolve import Finding, give_up, look_up_now, take_suppliers_word
from apps.common import clock
from apps.common.errors import Conflict, GatewayError, InvalidRequest
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import OutcomeUnknown, Unavailable
from tests.bookings.books import events, funds, hold_of, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.bookings.rows import a_booking, an_operation
from tests.factories.accounts import UserFactory
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.scripted_flights import ScriptedFlights
from tests.support.threads import all_at_once

MoveClock = Callable[..., None]
REASON = "Their desk says that it never arrived"


@pytest.fixture
def staff(db: None) -> User:
    return UserFactory(is_staff=True)


@pytest.fixture
def uncertain(shop: FlightShop, supplier: ScriptedFlights) -> Callable[[bool], Operation]:
    """An order without an answer; `accepted` tells whether the airline has it."""

    def make(accepted: bool) -> Operation:
        supplier.spoil("book", OutcomeUnknown(), accepted=accepted)
        assert shop.order(shop.offer()).status == 503
        return latest()

    return make


@pytest.fixture
def review(
    uncertain: Callable[[bool], Operation], supplier: ScriptedFlights, move_clock: MoveClock
) -> Callable[[bool], Operation]:
    """The same, after a day in which the airline was silent."""

    def make(accepted: bool) -> Operation:
        uncertain(accepted)
        supplier.spoil("find_order", Unavailable())
        move_clock(hours=25)
        recover_due()
        operation = latest()
        assert operation.state == "review"
        return operation

    return make


def reference_at(operation: Operation) -> str:
    """What the airline's own desk would say on the telephone."""
    found = handler_for(operation).find(operation)
    assert found is not None
    return str(found.supplier_reference)


def with_staff_still(operation: Operation) -> bool:
    """As it was: nothing is due, the lease is free, the funds are held."""
    now = latest()
    assert now.pk == operation.pk
    free = (now.state, now.next_attempt_at) == ("review", None) and now.lease_until <= clock.now()
    return free and hold_of(now).status == "open" and now.booking.status == "pending"


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
    with pytest.raises(Conflict, match="It stays with you"):
        take_suppliers_word(operation_id=operation.pk, supplier_reference=typed, resolved_by=staff)
    assert with_staff_still(operation)


def test_what_cannot_be_written_goes_back_to_staff(
    review: Callable[[bool], Operation],
    staff: User,
    supplier: ScriptedFlights,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    operation = review(True)
    monkeypatch.setattr("apps.bookings.services.settle.end_together", lambda *args, **more: 1 / 0)
    with pytest.raises(Conflict, match="could not be written"):
        look_up_now(operation_id=operation.pk, looked_up_by=staff)
    assert with_staff_still(operation)


def test_what_is_given_up_frees_its_funds(
    review: Callable[[bool], Operation], staff: User, onboarded: Onboarded, supplier: ScriptedFlights
) -> None:
    operation = review(False)
    give_up(operation_id=operation.pk, client_ref=operation.client_ref, reason=REASON, resolved_by=staff)
    ended = latest()
    assert (ended.state, ended.failure, ended.booking.status) == ("failed", "GivenUpByStaff", "failed")
    assert (funds(onboarded), hold_of(ended).status) == ((BALANCE_CENTS, 0), "released")
    assert events() == []
    assert violations(supplier.report()) == []


@pytest.mark.parametrize("trouble", [None, Accepted("sim_1")], ids=str)
def test_what_the_supplier_has_is_not_given_up(
    review: Callable[[bool], Operation], staff: User, supplier: ScriptedFlights, trouble: Exception | None
) -> None:
    operation = review(True)
    if trouble is not None:
        supplier.spoil("find_order", trouble)
    with pytest.raises(Conflict, match="says that it has it"):
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
    with pytest.raises(Conflict, match="not with you"):
        give_up(operation_id=operation.pk, client_ref=operation.client_ref, reason=REASON, resolved_by=staff)
    with pytest.raises(Conflict, match="not with you"):
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
        with pytest.raises(Conflict, match="Somebody else"):
            act(operation_id=operation.pk)
    assert supplier.calls("find_order") == 1


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
    assert events() == ["booking.confirmed"] * accepted
    assert violations(supplier.report()) == []


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


@pytest.fixture
def with_us(onboarded: Onboarded) -> Operation:
    """An operation with staff, and no money in it."""
    return an_operation(
        a_booking(onboarded.test_key, status="pending"), state="review", next_attempt_at=None, hold_id=""
    )


def test_staff_wait_for_a_slow_answer(
    with_us: Operation, staff: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(resolve, "find", lambda operation, *, patiently: asked.append(patiently))
    monkeypatch.setattr(
        resolve, "look_up", lambda operation, *, patiently=False: bool(asked.append(patiently))
    )
    assert look_up_now(operation_id=with_us.pk, looked_up_by=staff) == Finding.NOT_FOUND
    Operation.objects.update(state="uncertain")
    assert look_up_now(operation_id=with_us.pk, looked_up_by=staff) == Finding.WAITING
    assert asked == [True, True]


def test_each_look_up_of_what_is_with_staff_is_counted(
    with_us: Operation, staff: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resolve, "find", lambda operation, *, patiently: None)
    for count in (1, 2):
        look_up_now(operation_id=with_us.pk, looked_up_by=staff)
        stored = latest()
        assert (stored.lookups, stored.state, stored.next_attempt_at) == (count, "review", None)
        assert stored.lease_until <= clock.now()


@pytest.mark.parametrize(
    ("state", "has_it", "finding"),
    [
        ("uncertain", True, Finding.UNDER_WAY),
        ("uncertain", False, Finding.WAITING),
        ("review", False, Finding.NO_ANSWER),
        ("confirmed", True, Finding.FOUND),
        ("failed", False, Finding.NOT_FOUND),
    ],
)
def test_what_recovery_made_of_it_is_told(
    with_us: Operation,
    staff: User,
    monkeypatch: pytest.MonkeyPatch,
    state: str,
    has_it: bool,
    finding: Finding,
) -> None:
    Operation.objects.update(state="uncertain")

    def looked(operation: Operation, *, patiently: bool) -> bool:
        operation.state = state
        return has_it

    monkeypatch.setattr(resolve, "look_up", looked)
    assert look_up_now(operation_id=with_us.pk, looked_up_by=staff) == finding


def test_what_was_never_called_is_over_as_recovery_ends_it(with_us: Operation, staff: User) -> None:
    Operation.objects.update(state="held")
    assert look_up_now(operation_id=with_us.pk, looked_up_by=staff) == Finding.NOT_FOUND
    assert (latest().state, latest().failure) == ("failed", "NeverCalled")
    assert look_up_now(operation_id=with_us.pk, looked_up_by=staff) == Finding.OVER


def test_a_look_up_of_recovery_that_breaks_waits_and_one_that_lost_its_lease_does_not(
    with_us: Operation, staff: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    Operation.objects.update(state="uncertain")
    trouble: Exception = KeyError("an answer that nobody foresaw")

    def looked(operation: Operation, *, patiently: bool) -> bool:
        raise trouble

    monkeypatch.setattr(resolve, "look_up", looked)
    assert look_up_now(operation_id=with_us.pk, looked_up_by=staff) == Finding.NO_ANSWER
    assert (latest().lookups, latest().next_attempt_at is None) == (1, False)
    trouble = LeaseLost()
    with pytest.raises(LeaseLost):
        look_up_now(operation_id=with_us.pk, looked_up_by=staff)
    assert latest().lookups == 1


def test_what_somebody_else_took_while_it_was_written_is_left_to_them(
    with_us: Operation, staff: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(operation: Operation, result: object) -> None:
        raise LeaseLost

    def broken(operation: Operation, result: object) -> None:
        Operation.objects.update(lease_token=uuid.UUID(int=7))
        raise KeyError("an answer that nobody foresaw")

    monkeypatch.setattr(resolve, "find", lambda operation, *, patiently: "their booking")
    monkeypatch.setattr(resolve, "confirm", lost)
    with pytest.raises(LeaseLost):
        look_up_now(operation_id=with_us.pk, looked_up_by=staff)
    Operation.objects.update(lease_until=clock.now())
    monkeypatch.setattr(resolve, "confirm", broken)
    with pytest.raises(Operation.DoesNotExist):
        look_up_now(operation_id=with_us.pk, looked_up_by=staff)
    assert latest().lookups == 0


def test_each_is_looked_up_by_its_own_number(
    with_us: Operation, staff: User, onboarded: Onboarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = an_operation(a_booking(onboarded.test_key), state="review", lease_token=with_us.lease_token)
    monkeypatch.setattr(resolve, "find", lambda operation, *, patiently: None)
    look_up_now(operation_id=with_us.pk, looked_up_by=staff)
    assert dict(Operation.objects.values_list("pk", "lookups")) == {with_us.pk: 1, other.pk: 0}
    give_up(operation_id=with_us.pk, client_ref=with_us.client_ref, reason=REASON, resolved_by=staff)
    assert dict(Operation.objects.values_list("pk", "state")) == {with_us.pk: "failed", other.pk: "review"}


def test_what_could_not_be_written_is_read_again_by_its_own_number(
    with_us: Operation, staff: User, onboarded: Onboarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = an_operation(a_booking(onboarded.test_key), state="review")

    def broken(operation: Operation, result: object) -> None:
        Operation.objects.update(lease_token=operation.lease_token)
        raise KeyError("an answer that nobody foresaw")

    monkeypatch.setattr(resolve, "find", lambda operation, *, patiently: "their booking")
    monkeypatch.setattr(resolve, "confirm", broken)
    with pytest.raises(Conflict, match="could not be written"):
        look_up_now(operation_id=with_us.pk, looked_up_by=staff)
    assert dict(Operation.objects.values_list("pk", "lookups")) == {with_us.pk: 1, other.pk: 0}
