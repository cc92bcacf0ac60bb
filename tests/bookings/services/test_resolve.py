"""The steps of what staff do about operations whose end nobody knows."""

import uuid
from datetime import datetime, timedelta
from types import SimpleNamespace

import pytest

from apps.accounts import clocks
from apps.accounts.models import User
from apps.bookings import handlers
from apps.bookings.flow import resolve
from apps.bookings.flow.lease import LeaseLost
from apps.bookings.flow.resolve import Finding, give_up, look_up_now
from apps.bookings.models import Operation
from apps.common import clock
from apps.common.errors import Conflict
from apps.onboarding.services.onboard_partner import Onboarded
from tests.bookings.books import latest
from tests.bookings.rows import a_booking, an_operation
from tests.support.api import Api


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


@pytest.mark.parametrize("state", ["review", "uncertain"])
def test_the_supplier_is_asked_in_the_time_of_the_sandbox(
    with_us: Operation, staff: User, api: Api, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    """A page of the back office works for nobody: by the real time a simulated supplier has not delivered yet."""
    assert api.post("/sandbox/clock", {"advanceSeconds": 86_400}).status == 200
    asked: list[datetime] = []
    desk = SimpleNamespace(vendors={}, find=lambda operation: asked.append(clocks.now_here()))
    monkeypatch.setattr(handlers, "_handlers", {("flight", "book"): desk})
    Operation.objects.update(state=state)
    look_up_now(operation_id=with_us.pk, looked_up_by=staff)
    assert [at >= clock.now() + timedelta(hours=23) for at in asked] == [True]


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
    give_up(operation_id=with_us.pk, client_ref=with_us.client_ref, reason="It is lost", resolved_by=staff)
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
