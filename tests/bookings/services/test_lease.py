"""A process acts on an operation only while it is what the process believes, and only under its own lease."""

import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest

from apps.bookings.flow import call, lease
from apps.bookings.flow.lease import LeaseLost, advance, renew_lease, take_lease
from apps.bookings.flow.recover import recover_due
from apps.bookings.flow.settle import confirm, fail
from apps.bookings.models import Operation
from apps.common import clock
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import OutcomeUnknown
from tests.bookings.books import events, funds, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.bookings.rows import a_booking, an_operation
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


def test_a_confirmation_without_the_lease_moves_no_money(
    uncertain: Operation, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    before = funds(onboarded)
    result = supplier.find_order(uncertain.client_ref, None)
    uncertain.lease_token = uuid.uuid4()
    with pytest.raises(LeaseLost):
        confirm(uncertain, result)
    assert (latest().state, latest().booking.status, funds(onboarded)) == ("uncertain", "pending", before)
    assert events() == []


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


def test_a_lease_is_over_at_the_instant_it_ends(
    uncertain: Operation, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert take_lease(uncertain)
    ends = uncertain.lease_until
    mine = {"state": uncertain.state, "token": uncertain.lease_token}
    monkeypatch.setattr(clock, "_database_now", lambda: ends - timedelta(microseconds=1))
    assert take_lease(latest()) is False
    monkeypatch.setattr(clock, "_database_now", lambda: ends)
    assert renew_lease(uncertain.pk, **mine) is None
    assert take_lease(latest()) is True


@pytest.fixture
def pair(onboarded: Onboarded) -> tuple[Operation, Operation]:
    """Two operations alike in everything that is not their own, with a lease that has ended."""
    mine = an_operation(a_booking(onboarded.test_key), state="uncertain")
    other = an_operation(a_booking(onboarded.test_key), state="uncertain", lease_token=mine.lease_token)
    return mine, other


@pytest.mark.parametrize("change", ["advance", "take", "renew"])
def test_a_change_of_state_is_of_one_operation(pair: tuple[Operation, Operation], change: str) -> None:
    mine, other = pair
    if change == "renew":
        Operation.objects.update(lease_until=clock.now() + timedelta(seconds=5))
    before, others = (Operation.objects.filter(pk=one.pk).values().get() for one in pair)
    if change == "advance":
        advance(mine, to="review", lookups=7)
        assert (mine.state, mine.lookups) == ("review", 7)
    elif change == "take":
        assert take_lease(mine)
    else:
        assert renew_lease(mine.pk, state=mine.state, token=mine.lease_token)
    assert Operation.objects.filter(pk=mine.pk).values().get() != before
    assert Operation.objects.filter(pk=other.pk).values().get() == others


def test_whoever_takes_a_lease_knows_it_as_it_was_stored(pair: tuple[Operation, Operation]) -> None:
    mine, _ = pair
    before = mine.lease_token
    assert take_lease(mine)
    stored = Operation.objects.get(pk=mine.pk)
    assert mine.lease_token == stored.lease_token != before
    assert mine.lease_until == stored.lease_until == stored.next_attempt_at
    assert (stored.lease_until - clock.now()).total_seconds() == pytest.approx(45, abs=0.001)


@pytest.mark.parametrize(
    "belief", [{"state": "calling"}, {"lease_token": uuid.UUID(int=7)}], ids=["state", "token"]
)
def test_a_lease_is_not_taken_on_a_wrong_belief(
    pair: tuple[Operation, Operation], belief: dict[str, object]
) -> None:
    mine, _ = pair
    for name, value in belief.items():
        setattr(mine, name, value)
    assert take_lease(mine) is False


def test_a_call_is_marked_in_memory_as_it_is_stored(pair: tuple[Operation, Operation]) -> None:
    mine, _ = pair
    Operation.objects.filter(pk=mine.pk).update(state="held")
    lease.mark_calling(mine, {"price": 7})
    stored = Operation.objects.get(pk=mine.pk)
    names = ("state", "call_started_at", "lease_until", "next_attempt_at", "prepared")
    assert [getattr(mine, name) for name in names] == [getattr(stored, name) for name in names]
    assert (stored.state, stored.prepared) == ("calling", {"price": 7})
    assert stored.call_started_at is not None
    assert stored.lease_until - stored.call_started_at == timedelta(seconds=45)


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


def test_a_dearer_price_learnt_after_recovery_gave_up_holds_nothing(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, move_clock: Callable[..., None]
) -> None:
    offer = shop.offer()

    def paused() -> None:
        supplier.ask(120)
        move_clock(seconds=46)
        recover_due()

    supplier.meanwhile("reprice", paused)
    assert shop.order(offer, maxTotalCents=2 * offer["totalCents"]).status == 503
    assert funds(onboarded) == (BALANCE_CENTS, 0)
    assert supplier.calls("book") == 0


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


@pytest.mark.parametrize("left", [45, 10, 0])
def test_suppliers_are_asked_for_nine_tenths_of_what_is_left(
    monkeypatch: pytest.MonkeyPatch, left: int
) -> None:
    now = clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: now)
    operation = Operation(lease_until=now + timedelta(seconds=left))
    assert lease.seconds_to_ask(operation) == pytest.approx(0.9 * left)


def test_every_change_of_state_is_one_statement(
    uncertain: Operation, django_assert_num_queries: Callable[..., object]
) -> None:
    with django_assert_num_queries(1):  # type: ignore[attr-defined]
        advance(uncertain, to="review")
    with django_assert_num_queries(1):  # type: ignore[attr-defined]
        lease.take_lease(uncertain)
