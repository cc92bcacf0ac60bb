"""Orders whose end nobody knows: what the recovery worker makes of the supplier's answers."""

import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from apps.bookings.flow import recover
from apps.bookings.flow.lease import LeaseLost
from apps.bookings.flow.recover import claim_due, look_up, recover_due
from apps.bookings.handlers import Accepted
from apps.bookings.models import Booking, Operation
from apps.common import clock
from apps.flights.suppliers import registry
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import OutcomeUnknown, Unavailable
from apps.suppliers.models import SupplierAlert
from apps.suppliers.vendors import Lookups, Vendor
from tests.bookings.books import events, funds, hold_of, latest, seconds_to_next
from tests.bookings.conftest import BALANCE_CENTS
from tests.bookings.rows import a_booking, an_operation
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.locks import locked
from tests.support.scripted_flights import ScriptedFlights

pytestmark = pytest.mark.usefixtures("still_clock")
MoveClock = Callable[..., None]
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


At = Callable[..., None]
CALLED = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> At:
    """`at(seconds=120)`: so long after the call, to the microsecond."""

    def stand(**since: float) -> None:
        monkeypatch.setattr(clock, "_database_now", lambda: CALLED + timedelta(**since))

    stand()
    return stand


@pytest.fixture
def called(onboarded: Onboarded, at: At) -> Operation:
    """An operation whose supplier was asked, and never answered."""
    booking = a_booking(onboarded.test_key, status="pending")
    return an_operation(booking, state="uncertain", call_started_at=CALLED, hold_id="")


class Answers:
    """What the look-ups find, and how patiently each was made."""

    def __init__(self) -> None:
        self.next: object = None
        self.patience: list[bool] = []
        self.written: list[object] = []

    def find(self, operation: Operation, *, patiently: bool) -> object:
        self.patience.append(patiently)
        if isinstance(self.next, Exception):
            raise self.next
        return self.next


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Answers:
    answers = Answers()
    monkeypatch.setattr(recover, "find", answers.find)
    monkeypatch.setattr(recover, "confirm", lambda operation, result: answers.written.append(result))
    return answers


def test_who_lost_the_lease_during_the_look_up_keeps_no_reference(
    called: Operation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stood still after the answer, and its successor has ended the operation."""

    def taken_over(operation: Operation, *, patiently: bool) -> object:
        Operation.objects.update(state="failed", lease_token=uuid.UUID(int=7))
        Booking.objects.update(status="failed")
        raise Accepted("their-7")

    monkeypatch.setattr(recover, "find", taken_over)
    before = Booking.objects.values().get() | {"status": "failed"}
    with pytest.raises(LeaseLost):
        look_up(called)
    assert Booking.objects.values().get() == before


def test_a_not_found_of_before_the_supplier_had_it_does_not_count(
    called: Operation, answers: Answers, at: At
) -> None:
    """It was wrong, as the next one may be: two are asked for anew."""
    told: list[tuple[str, datetime | None]] = []
    for seconds, answer in ((120, None), (150, Accepted("their-7")), (180, None), (240, None)):
        at(seconds=seconds)
        answers.next = answer
        look_up(called)
        told.append((latest().state, latest().first_not_found_at))
    assert told == [
        ("uncertain", CALLED + timedelta(seconds=120)),
        ("uncertain", None),
        ("uncertain", CALLED + timedelta(seconds=180)),
        ("failed", CALLED + timedelta(seconds=180)),
    ]


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


def test_after_a_day_staff_take_over_and_the_funds_stay_held(
    unheard: Operation,
    supplier: ScriptedFlights,
    onboarded: Onboarded,
    move_clock: MoveClock,
    caplog: pytest.LogCaptureFixture,
) -> None:
    supplier.spoil("find_order", Unavailable(), times=2)
    move_clock(hours=23, minutes=59)
    recover_due()
    assert latest().state == "uncertain"
    move_clock(hours=1)
    recover_due()
    operation = latest()
    assert (operation.state, operation.next_attempt_at) == ("review", None)
    assert "handed over to staff" in caplog.text
    assert funds(onboarded)[1] == operation.amount_cents
    move_clock(days=30)
    assert recover_due() == 0
    assert violations(supplier.report()) == []


@pytest.mark.parametrize(("name", "alerts"), [("acme", 1), ("simulator", 0)])
@pytest.mark.parametrize("answer", ["nothing there", "none"])
def test_staff_are_told_of_what_a_real_supplier_may_still_have(
    lost: Operation,
    supplier: ScriptedFlights,
    move_clock: MoveClock,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    alerts: int,
    answer: str,
) -> None:
    """Given up after two "not found", or silent for a day."""
    lookups = Lookups(at=(30,), give_up_after=60)
    monkeypatch.setitem(registry.VENDORS, "acme", Vendor("acme", lambda: supplier, lookups=lookups))
    Booking.objects.update(supplier_name=name)
    if answer == "none":
        supplier.spoil("find_order", Unavailable(), times=2)
    for _ in range(2):
        move_clock(hours=25)
        recover_due()
    assert latest().state == ("review" if answer == "none" else "failed")
    told = SupplierAlert.objects.values_list("supplier", "kind", "detail")
    assert list(told) == [("acme", "unresolved", latest().client_ref)] * alerts


@pytest.mark.parametrize("broken", ["find_order", "record"])
def test_what_breaks_recovery_itself_is_handed_over_too(
    unheard: Operation,
    supplier: ScriptedFlights,
    move_clock: MoveClock,
    monkeypatch: pytest.MonkeyPatch,
    broken: str,
) -> None:
    def crash(*args: object, **kwargs: object) -> None:
        raise ValueError("an answer that nobody foresaw")

    if broken == "record":
        monkeypatch.setattr("apps.bookings.flow.settle.end_together", crash)
    else:
        supplier.spoil("find_order", ValueError("an answer that nobody foresaw"), times=2)
    move_clock(seconds=11)
    recover_due()
    assert (latest().state, seconds_to_next(latest()), hold_of(latest()).status) == ("uncertain", 10, "open")
    move_clock(hours=24)
    recover_due()
    assert (latest().state, latest().next_attempt_at, hold_of(latest()).status) == ("review", None, "open")
