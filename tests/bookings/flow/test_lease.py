"""A process acts on an operation only while it is what the process believes, and only under its own lease."""

import uuid
from collections.abc import Callable

import pytest

from apps.bookings.flow import call, lease
from apps.bookings.flow.lease import LeaseLost, advance, renew_lease, take_lease
from apps.bookings.flow.recover import recover_due
from apps.bookings.flow.settle import fail
from apps.bookings.models import Operation
from apps.common import clock
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import OutcomeUnknown
from tests.bookings.books import events, funds, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.scripted_flights import ScriptedFlights

pytestmark = pytest.mark.usefixtures("still_clock")


@pytest.fixture
def uncertain(shop: FlightShop, supplier: ScriptedFlights) -> Operation:
    supplier.spoil("book", OutcomeUnknown(), accepted=True)
    shop.order(shop.offer())
    return latest()


@pytest.mark.parametrize("belief", [{"state": "calling"}, {"lease_token": uuid.uuid4()}])
def test_a_wrong_belief_changes_nothing(
    uncertain: Operation, onboarded: Onboarded, belief: dict[str, object]
) -> None:
    before = funds(onboarded)
    for name, value in belief.items():
        setattr(uncertain, name, value)
    with pytest.raises(LeaseLost):
        advance(uncertain, to="confirmed")
    with pytest.raises(LeaseLost):
        fail(uncertain, failure="Rejected")
    assert (latest().state, latest().booking.status, funds(onboarded)) == ("uncertain", "pending", before)


@pytest.mark.parametrize("belief", [{"state": "calling"}, {"lease_token": uuid.uuid4()}])
def test_without_the_lease_no_call_begins(
    shop: FlightShop, supplier: ScriptedFlights, belief: dict[str, object]
) -> None:
    supplier.spoil("reprice", RuntimeError("died"))
    shop.order(shop.offer())
    held = latest()
    if "state" in belief:
        Operation.objects.update(**belief)
    else:
        held.lease_token = uuid.uuid4()
    with pytest.raises(LeaseLost):
        lease.mark_calling(held, {})
    assert (latest().state, latest().call_started_at) == (belief.get("state", "held"), None)


def test_a_lease_is_taken_once_and_only_after_it_ended(
    uncertain: Operation, move_clock: Callable[..., None]
) -> None:
    rival = latest()
    assert (take_lease(uncertain), take_lease(rival), take_lease(latest())) == (True, False, False)
    move_clock(seconds=46)
    assert take_lease(latest()) is True


def test_a_lease_is_renewed_by_its_owner_while_it_runs_and_not_after(
    uncertain: Operation, move_clock: Callable[..., None]
) -> None:
    assert take_lease(uncertain)
    mine = {"state": uncertain.state, "token": uncertain.lease_token}
    for other in ({**mine, "state": "calling"}, {**mine, "token": uuid.uuid4()}):
        assert renew_lease(uncertain.pk, **other) is None
    assert renew_lease(uncertain.pk + 1, **mine) is None
    move_clock(seconds=44)
    until = renew_lease(uncertain.pk, **mine)
    assert (until, until) == (latest().lease_until, latest().next_attempt_at)
    assert until is not None
    assert (until - clock.now()).total_seconds() == pytest.approx(45, abs=0.001)
    move_clock(seconds=46)
    assert renew_lease(uncertain.pk, **mine) is None
    assert latest().lease_until == until


def test_an_answer_that_comes_after_recovery_confirmed_is_the_same_booking(
    shop: FlightShop, supplier: ScriptedFlights, move_clock: Callable[..., None]
) -> None:
    """The process was paused after the airline accepted; recovery settled meanwhile."""
    real = call.record

    def late(*args: object, **kwargs: object) -> object:
        move_clock(seconds=46)
        assert recover_due() == 1
        return real(*args, **kwargs)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(call, "record", late)
        reply = shop.order(shop.offer(), "paused-order")
    assert (reply.status, reply.body["status"]) == (201, "ticketed")
    assert reply.body == shop.read(reply.body["id"])
    assert events() == ["booking.confirmed"]
    assert violations(supplier.report()) == []


def test_a_process_paused_before_its_call_does_not_call(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, move_clock: Callable[..., None]
) -> None:
    def paused() -> None:
        move_clock(seconds=46)
        assert recover_due() == 1

    supplier.meanwhile("reprice", paused)
    reply = shop.order(shop.offer())
    assert (reply.status, reply.error_type) == (503, "upstream_unavailable")
    assert reply.error["message"] == LeaseLost.default_message
    assert (latest().state, latest().failure, supplier.calls("book")) == ("failed", "NeverCalled", 0)
    assert funds(onboarded) == (BALANCE_CENTS, 0)


def test_a_process_paused_after_marking_its_call_does_not_call(
    shop: FlightShop,
    supplier: ScriptedFlights,
    onboarded: Onboarded,
    move_clock: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def paused(*args: object) -> None:
        lease.mark_calling(*args)  # type: ignore[arg-type]
        for seconds in (121, 61):
            move_clock(seconds=seconds)
            recover_due()

    monkeypatch.setattr(call, "mark_calling", paused)
    assert shop.order(shop.offer()).status == 503
    assert (latest().state, supplier.calls("book")) == ("failed", 0)
    assert funds(onboarded) == (BALANCE_CENTS, 0)
    assert violations(supplier.report()) == []


def test_a_booking_made_after_it_was_given_up_is_an_alarm(
    shop: FlightShop,
    supplier: ScriptedFlights,
    move_clock: Callable[..., None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A process stopped for minutes between marking the call and making it: nothing can undo the call, so staff must."""

    def stopped() -> None:
        for seconds in (121, 61):
            move_clock(seconds=seconds)
            recover_due()
        assert latest().state == "failed"

    supplier.meanwhile("book", stopped)
    assert shop.order(shop.offer()).status == 503
    assert "was given up, yet the supplier confirmed it: cancel it there" in caplog.text
    assert [text.partition(":")[0] for text in violations(supplier.report())] == ["lost", "released"]
