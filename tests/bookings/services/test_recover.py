"""The steps of the recovery worker: what it believes, and until when it waits."""

import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apps.bookings.flow import recover
from apps.bookings.flow.lease import LeaseLost
from apps.bookings.flow.recover import (
    claim_due,
    keep_reference,
    look_up,
    not_found,
    put_off,
    recover_due,
    wait_anyway,
)
from apps.bookings.handlers import Accepted
from apps.bookings.models import Booking, Operation
from apps.common import clock
from apps.gateway.periodic import Tally
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import Unavailable
from tests.bookings.books import latest
from tests.bookings.rows import a_booking, an_operation
from tests.support.plans import read_as_the_table_lies

At = Callable[..., None]
CALLED = datetime(2026, 11, 20, 12, tzinfo=UTC)
TICK = timedelta(microseconds=1)


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


@pytest.mark.parametrize(
    ("answer", "answered", "failures", "reference"),
    [
        (Accepted("their-7"), {"", "simulator"}, {}, "their-7"),
        (ValueError("unreadable"), {""}, {"simulator": "ValueError: unreadable"}, ""),
    ],
    ids=["accepted", "unreadable"],
)
def test_a_run_keeps_what_the_supplier_said_and_tells_whether_it_could_be_read(
    called: Operation,
    answers: Answers,
    answer: Exception,
    answered: set[str],
    failures: dict[str, str],
    reference: str,
) -> None:
    answers.next, tally = answer, Tally()
    assert recover_due(tally=tally) == 1
    assert (tally.outcome.answered, tally.outcome.failures) == (answered, failures)
    assert (latest().lookups, latest().booking.supplier_reference) == (1, reference)


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


def test_what_the_supplier_took_on_is_known_by_its_reference_from_then_on(called: Operation, at: At) -> None:
    booking = called.booking
    for seconds, said, known, altered in (
        (10, "their-7", "their-7", 10),
        (20, "their-7", "their-7", 10),
        (30, "", "their-7", 10),
    ):
        at(seconds=seconds)
        keep_reference(booking, said)
        booking.refresh_from_db()
        assert (booking.supplier_reference, booking.updated_at) == (
            known,
            CALLED + timedelta(seconds=altered),
        )


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


def test_keeping_the_suppliers_reference_writes_nothing_else_of_the_booking(called: Operation) -> None:
    """The look-up takes its time, and others write the booking meanwhile."""
    booking = called.booking
    Booking.objects.update(details={"seats": 2})
    keep_reference(booking, "their-7")
    booking = Booking.objects.get()
    assert (booking.supplier_reference, booking.details) == ("their-7", {"seats": 2})


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
    read_as_the_table_lies()
    assert [claim_due(1)[0].pk for _ in range(2)] == [others[1].pk, called.pk]
    assert claim_due(1) == []


def test_a_run_goes_on_in_batches_until_nothing_is_due(called: Operation, answers: Answers) -> None:
    for _ in range(40):
        an_operation(a_booking(called.booking.key, status="pending"), hold_id="")
    Operation.objects.update(state="held")
    assert (recover_due(), recover_due()) == (41, 0)
    assert set(Operation.objects.values_list("state", "failure")) == {("failed", "NeverCalled")}
