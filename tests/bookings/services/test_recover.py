"""The recovery worker: when it looks, what it believes, when it gives up, and when it hands over."""

import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apps.bookings.handlers import Accepted
from apps.bookings.models import Booking, Operation
from apps.bookings.services import recover
from apps.bookings.services.lease import take_lease
from apps.bookings.services.recover import (
    claim_due,
    look_up,
    not_found,
    put_off,
    recover_due,
    wait_anyway,
)
from apps.common import clock
from apps.flights.suppliers import registry
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.alerts.models import SupplierAlert
from apps.suppliers.errors import OutcomeUnknown, Unavailable
from apps.suppliers.lookups import Lookups
from apps.suppliers.vendors import Vendor
from tests.bookings.books import events, funds, hold_of, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.bookings.rows import a_booking, an_operation, by_no_index
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.locks import locked
from tests.support.scripted_flights import ScriptedFlights

MoveClock = Callable[..., None]
At = Callable[..., None]
CALLED = datetime(2026, 11, 20, 12, tzinfo=UTC)
TICK = timedelta(microseconds=1)


@pytest.fixture
def lost(shop: FlightShop, supplier: ScriptedFlights) -> Operation:
    """An order that never reached the supplier, though nobody here knows."""
    supplier.spoil("book", OutcomeUnknown())
    assert shop.order(shop.offer()).status == 503
    return latest()


@pytest.fixture
def unheard(shop: FlightShop, supplier: ScriptedFlights) -> Operation:
    """An order that the supplier accepted, though nobody here knows."""
    supplier.spoil("book", OutcomeUnknown(), accepted=True)
    assert shop.order(shop.offer()).status == 503
    return latest()


def seconds_to_next(operation: Operation) -> int:
    assert operation.next_attempt_at is not None
    return round((operation.next_attempt_at - clock.now()).total_seconds())


def test_nothing_is_looked_up_before_it_is_due(
    unheard: Operation, supplier: ScriptedFlights, move_clock: MoveClock
) -> None:
    move_clock(seconds=9)
    assert (recover_due(), supplier.calls("find_order")) == (0, 0)
    move_clock(seconds=2)
    assert (recover_due(), supplier.calls("find_order")) == (1, 1)
    assert recover_due() == 0


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
        assert abs(seconds_to_next(operation) - next_seconds) <= 1
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


def test_what_staff_were_looking_up_as_their_process_died_is_not_given_up_for_them(
    lost: Operation, supplier: ScriptedFlights, onboarded: Onboarded, move_clock: MoveClock
) -> None:
    supplier.spoil("find_order", Unavailable())
    move_clock(hours=25)
    recover_due()
    operation = latest()
    assert (operation.state, take_lease(operation)) == ("review", True)
    Operation.objects.update(first_not_found_at=clock.now() - timedelta(hours=1))
    for _ in range(3):
        move_clock(hours=1)
        recover_due()
    operation = latest()
    assert (operation.state, operation.next_attempt_at, hold_of(operation).status) == ("review", None, "open")
    assert funds(onboarded)[1] == operation.amount_cents


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
        monkeypatch.setattr("apps.bookings.services.settle.end_together", crash)
    else:
        supplier.spoil("find_order", ValueError("an answer that nobody foresaw"), times=2)
    move_clock(seconds=11)
    recover_due()
    assert (latest().state, seconds_to_next(latest()), hold_of(latest()).status) == ("uncertain", 10, "open")
    move_clock(hours=24)
    recover_due()
    assert (latest().state, latest().next_attempt_at, hold_of(latest()).status) == ("review", None, "open")


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


def test_unresolved_operations_are_counted_by_age(unheard: Operation, move_clock: MoveClock) -> None:
    from apps.bookings.health import bookings

    none = {"newsLateSeconds": 0, "underAMinute": 0, "underAnHour": 0, "older": 0, "withStaff": 0}
    assert bookings() == {"status": "ok", **none, "underAMinute": 1}
    move_clock(minutes=2)
    assert bookings() == {"status": "ok", **none, "underAnHour": 1}
    move_clock(hours=1)
    assert bookings() == {"status": "degraded", **none, "older": 1}
    Operation.objects.update(state="review")
    assert bookings() == {"status": "degraded", **none, "withStaff": 1}
    assert latest().created_at < clock.now() - timedelta(hours=1)


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


@pytest.mark.parametrize(
    ("answer", "has_it", "lookups", "written"),
    [
        ("their booking", True, 0, ["their booking"]),
        (Accepted("their-7"), True, 1, []),
        (Unavailable(), False, 1, []),
        (None, False, 1, []),
    ],
)
def test_a_look_up_says_whether_the_supplier_has_it(
    called: Operation, answers: Answers, answer: object, has_it: bool, lookups: int, written: list[object]
) -> None:
    answers.next = answer
    assert look_up(called) is has_it
    assert (answers.written, answers.patience) == (written, [False])
    assert (latest().state, latest().lookups, called.lookups) == ("uncertain", lookups, lookups)


def test_the_worker_waits_for_a_slow_answer_as_a_partners_retry_cannot(
    called: Operation, answers: Answers
) -> None:
    recover.recover(called)
    look_up(called, patiently=True)
    look_up(called)
    assert answers.patience == [True, True, False]


def test_a_call_whose_process_died_is_uncertain_before_the_supplier_is_asked(
    called: Operation, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    Operation.objects.update(state="calling")
    called.state = "calling"
    seen: list[str] = []
    monkeypatch.setattr(recover, "find", lambda *args, **kwargs: seen.append(latest().state))
    look_up(called)
    assert seen == ["uncertain"]


def test_the_first_not_found_that_counts_is_kept_and_believed_a_minute_later(
    called: Operation, at: At
) -> None:
    """To the microsecond: at 120 s, and at 180 s."""

    def told() -> tuple[str, float | None, float | None]:
        now = latest()
        since = [
            None if when is None else (when - CALLED).total_seconds()
            for when in (now.first_not_found_at, now.next_attempt_at)
        ]
        return now.state, since[0], since[1]

    at(seconds=120, microseconds=-1)
    not_found(called)
    assert told() == ("uncertain", None, 120)
    at(seconds=120)
    not_found(called)
    assert told() == ("uncertain", 120, 180)
    at(seconds=150)
    not_found(called)
    assert told() == ("uncertain", 120, 180)
    at(seconds=180, microseconds=-1)
    not_found(called)
    assert told() == ("uncertain", 120, 180)
    at(seconds=180)
    not_found(called)
    assert (told(), latest().failure) == (("failed", 120, None), "NotFoundAtSupplier")


def test_what_waits_a_day_and_no_longer_is_still_looked_up(called: Operation, at: At) -> None:
    at(hours=24)
    recover.wait(called)
    assert (latest().state, latest().lookups) == ("uncertain", 1)
    at(hours=24, microseconds=1)
    recover.wait(called)
    now = latest()
    assert (now.state, now.next_attempt_at, now.lookups) == ("review", None, 1)
    assert now.lease_until == clock.now()


@pytest.mark.parametrize("first", [None, CALLED])
def test_what_is_put_off_is_free_until_then(called: Operation, at: At, first: datetime | None) -> None:
    Operation.objects.update(lease_until=CALLED + timedelta(hours=1), first_not_found_at=CALLED, lookups=3)
    called.lookups = 3
    at(seconds=30)
    put_off(called, until=CALLED + timedelta(hours=2), first_not_found_at=first)
    now = latest()
    assert (now.state, now.lookups, now.first_not_found_at) == ("uncertain", 4, first)
    assert (now.lease_until, now.next_attempt_at) == (clock.now(), CALLED + timedelta(hours=2))


def test_without_an_answer_the_first_not_found_stays(called: Operation, at: At) -> None:
    at(seconds=130)
    not_found(called)
    at(seconds=140)
    recover.wait(called)
    assert latest().first_not_found_at == CALLED + timedelta(seconds=130)


@pytest.mark.parametrize(
    "changed",
    [{"state": "confirmed"}, {"state": "failed"}, {"state": "held"}, {"lease_token": uuid.UUID(int=7)}],
    ids=["confirmed", "failed", "held", "of another"],
)
def test_what_is_over_or_of_another_does_not_wait_for_a_recovery_that_broke(
    called: Operation, changed: dict[str, Any]
) -> None:
    Operation.objects.update(**changed)
    before = Operation.objects.values().get()
    wait_anyway(called)
    assert Operation.objects.values().get() == before


@pytest.mark.parametrize("state", ["calling", "uncertain"])
def test_only_what_broke_waits_for_it(called: Operation, state: str) -> None:
    other = an_operation(a_booking(called.booking.key), state=state, lease_token=called.lease_token)
    Operation.objects.filter(pk=called.pk).update(state=state)
    wait_anyway(called)
    assert dict(Operation.objects.values_list("pk", "lookups")) == {called.pk: 1, other.pk: 0}


@pytest.mark.parametrize(("due", "lease", "claimed"), [(0, 0, True), (1, 0, False), (0, 1, False)])
def test_an_operation_is_claimed_at_the_instant_that_it_is_due_and_free(
    called: Operation, due: int, lease: int, claimed: bool
) -> None:
    Operation.objects.update(next_attempt_at=CALLED + due * TICK, lease_until=CALLED + lease * TICK)
    assert [one.pk for one in claim_due(20)] == [called.pk] * claimed


def test_the_longest_due_comes_first_and_what_is_leased_takes_nobodys_place(called: Operation) -> None:
    others = [an_operation(a_booking(called.booking.key), state="uncertain") for _ in range(2)]
    for operation, due, lease in ((called, 2, 0), (others[0], 9, 1), (others[1], 5, 0)):
        Operation.objects.filter(pk=operation.pk).update(
            next_attempt_at=CALLED - due * TICK, lease_until=CALLED + lease * TICK
        )
    by_no_index()
    assert [claim_due(1)[0].pk for _ in range(2)] == [others[1].pk, called.pk]
    assert claim_due(1) == []


def test_a_run_takes_twenty(called: Operation, answers: Answers) -> None:
    for _ in range(20):
        an_operation(a_booking(called.booking.key, status="pending"), hold_id="")
    Operation.objects.update(state="held")
    assert (recover_due(), recover_due()) == (20, 1)
    assert set(Operation.objects.values_list("state", "failure")) == {("failed", "NeverCalled")}
