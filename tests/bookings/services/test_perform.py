"""The steps of a supplier call: the price, the mark, the call, and what is written of its end."""

import dataclasses
import uuid
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import orjson
import pytest

from apps.bookings import handlers
from apps.bookings.flow import call
from apps.bookings.flow.call import Ending, StillUnderWay
from apps.bookings.flow.lease import LeaseLost
from apps.bookings.flow.settle import fail
from apps.bookings.handlers import Accepted, Prepared
from apps.bookings.models import Booking, Operation
from apps.bookings.refusals import NEVER_CALLED
from apps.common import clock, errors
from apps.gateway.requests import Caller
from apps.gateway.sandbox import PENDING, Trigger
from apps.keys import authentication
from apps.ledger.models import LedgerTransaction
from apps.ledger.services.hold import hold
from apps.ledger.services.raise_hold import raise_hold
from apps.ledger.services.release import release
from apps.ledger.trace import NOTHING
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers import errors as supplier_errors
from apps.suppliers.vendors import Lookups, Vendor
from apps.webhooks.models import Event
from tests.bookings.books import events, funds, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.bookings.rows import a_booking, an_operation
from tests.bookings.services.settling import ended


class Desk:
    """A handler of flights. It says what it costs, and notes its calls and in how many seconds they were to end."""

    product, kind = "flight", "book"

    def __init__(self) -> None:
        self.vendors: dict[str, Vendor[Any]] = {"simulator": Vendor("simulator", object)}
        self.price_cents = 1_000
        self.calls: list[tuple[str, str]] = []
        self.meanwhile: Callable[[], object] = lambda: None

    def prepare(self, operation: Operation) -> Prepared:
        self.calls.append(("prepare", ""))
        self.meanwhile()
        return Prepared(self.price_cents, {"price": self.price_cents})

    def call(self, operation: Operation, fault: str) -> str:
        self.calls.append(("call", fault))
        return "their booking"


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    desk = Desk()
    monkeypatch.setattr(handlers, "_handlers", {("flight", "book"): desk})
    monkeypatch.setattr(call, "confirm", lambda operation, result, caller: (operation, result, caller))
    return desk


@pytest.fixture
def caller(onboarded: Onboarded) -> Caller:
    return Caller(authentication.look_up(onboarded.test_secret), "req_1")


@pytest.fixture
def reserved(onboarded: Onboarded) -> Operation:
    """An operation with 10.00 EUR held for it, before its supplier is asked."""
    until = clock.now() + timedelta(seconds=45)
    operation = an_operation(a_booking(onboarded.test_key, status="pending"), lease_until=until)
    hold(
        hold_id=operation.hold_id,
        account_id=onboarded.account.id,
        environment="test",
        amount_cents=1_000,
        currency="EUR",
        reference=operation.client_ref,
        trace=NOTHING,
    )
    return operation


def test_the_price_is_asked_then_the_call_is_marked_and_made(
    desk: Desk, reserved: Operation, caller: Caller
) -> None:
    assert call.perform(reserved, caller=caller) == (reserved, "their booking", caller)
    assert desk.calls == [("prepare", ""), ("call", "")]
    assert (latest().state, latest().prepared) == ("calling", {"price": 1_000})


@pytest.mark.parametrize(("lookups", "in_a_thread"), [(None, False), (Lookups((30,), 60), True)])
def test_a_real_suppliers_call_is_one_that_the_request_may_leave(
    desk: Desk,
    reserved: Operation,
    caller: Caller,
    monkeypatch: pytest.MonkeyPatch,
    lookups: Lookups | None,
    in_a_thread: bool,
) -> None:
    desk.vendors["simulator"] = Vendor("simulator", object, lookups=lookups)
    left: list[Operation] = []

    def within_wait(operation: Operation, call: Ending, *, settle: Callable[[Ending], None]) -> object:
        left.append(operation)
        settle(lambda: "late")
        return call()

    monkeypatch.setattr(call, "within_wait", within_wait)
    ends: list[tuple[object, object]] = []
    monkeypatch.setattr(call, "confirm", lambda operation, result, caller: ends.append((result, caller)))
    call.perform(reserved, caller=caller)
    assert left == [reserved] * in_a_thread
    assert ends == [*([("late", None)] if in_a_thread else []), ("their booking", caller)]


@pytest.mark.parametrize(("kind", "left"), [("book", True), ("change", False)])
def test_only_what_books_is_left_pending(
    desk: Desk,
    reserved: Operation,
    caller: Caller,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    left: bool,
) -> None:
    monkeypatch.setattr(handlers, "_handlers", {("flight", kind): desk})
    reserved.kind = kind
    call.perform(reserved, caller=dataclasses.replace(caller, trigger=Trigger(PENDING)))
    assert desk.calls == [("prepare", ""), *([] if left else [("call", "")])]
    assert (latest().state == "uncertain") is left


def test_a_call_that_was_marked_too_long_ago_is_not_made(
    desk: Desk, reserved: Operation, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the very instant at which its lease ends, which is when recovery may take it."""
    now = clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: now)

    def marked(operation: Operation, prepared: object) -> None:
        operation.lease_until = now

    monkeypatch.setattr(call, "mark_calling", marked)
    with pytest.raises(LeaseLost):
        call.perform(reserved, caller=caller)
    assert desk.calls == [("prepare", "")]


def test_funds_that_were_given_up_meanwhile_buy_nothing(
    desk: Desk, reserved: Operation, caller: Caller, onboarded: Onboarded
) -> None:
    desk.price_cents = 1_001
    desk.meanwhile = lambda: release(hold_id=reserved.hold_id, trace=NOTHING)
    with pytest.raises(LeaseLost):
        call.perform(reserved, caller=caller)
    assert (desk.calls, latest().state) == ([("prepare", "")], "held")
    assert funds(onboarded) == (BALANCE_CENTS, 0)


@pytest.mark.parametrize(("price", "held"), [(999, 1_000), (1_000, 1_000), (1_001, 1_001)])
def test_a_hold_covers_the_price_and_never_shrinks(
    reserved: Operation, onboarded: Onboarded, price: int, held: int
) -> None:
    other = an_operation(a_booking(onboarded.test_key))
    call.cover(reserved, price)
    stored = Operation.objects.get(pk=reserved.pk)
    assert (reserved.amount_cents, stored.amount_cents) == (held, held)
    assert funds(onboarded) == (BALANCE_CENTS - held, held)
    assert Operation.objects.get(pk=other.pk).amount_cents == 1_000
    last = LedgerTransaction.objects.latest("created_at")
    assert last.description == (
        f"The price rose before {last.booking_reference} was booked" if price > 1_000 else ""
    )


def test_raising_a_hold_alters_no_other_operation(reserved: Operation, onboarded: Onboarded) -> None:
    other = a_booking(onboarded.test_key, status="pending")
    an_operation(other, state=reserved.state, lease_token=reserved.lease_token)
    call.cover(reserved, 1_001)
    assert [each.amount_cents for each in Operation.objects.order_by("pk")] == [1_001, 1_000]


@pytest.mark.parametrize("lost", [{"lease_token": uuid.UUID(int=7)}, {"state": "failed"}], ids=str)
def test_who_lost_the_lease_raises_no_hold(
    reserved: Operation, onboarded: Onboarded, lost: dict[str, Any]
) -> None:
    Operation.objects.update(**lost)
    with pytest.raises(LeaseLost):
        call.cover(reserved, 1_001)
    assert (latest().amount_cents, reserved.amount_cents) == (1_000, 1_000)
    assert funds(onboarded) == (BALANCE_CENTS - 1_000, 1_000)


def test_who_dies_as_the_hold_is_raised_leaves_hold_and_operation_alike(
    reserved: Operation, onboarded: Onboarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the partner would be told that less was released than was held."""

    def dies(**given: Any) -> None:
        raise_hold(**given)
        raise KeyboardInterrupt

    monkeypatch.setattr(call, "raise_hold", dies)
    with pytest.raises(KeyboardInterrupt):
        call.cover(reserved, 1_001)
    held = funds(onboarded)[1]
    fail(latest(), failure=NEVER_CALLED)
    told = orjson.loads(Event.objects.get(type="booking.rejected").payload)
    assert told["data"]["releasedCents"] == held
    assert funds(onboarded) == (BALANCE_CENTS, 0)


def test_nothing_is_raised_without_need(reserved: Operation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call, "raise_hold", pytest.fail)
    call.cover(reserved, 1_000)
    reserved.hold_id = ""
    call.cover(reserved, 1_001)
    assert reserved.amount_cents == 1_000


@pytest.mark.parametrize("end", [Accepted("their-7"), StillUnderWay()], ids=["accepted", "under way"])
def test_what_is_not_over_changes_nothing(reserved: Operation, end: Exception) -> None:
    def ending() -> object:
        raise end

    with pytest.raises(type(end)):
        call.call_supplier(reserved, ending, answered=True)
    assert latest().state == "held"


def test_what_is_delivered_later_is_answered_by_its_request(
    reserved: Operation, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    accepted = Accepted("their-7")
    taken: list[tuple[object, object]] = []
    monkeypatch.setattr(call, "accept", lambda operation, how, caller: taken.append((how, caller)))

    def ending() -> object:
        raise accepted

    call.conclude(reserved, ending, caller=caller)
    call.conclude_late(reserved, ending)
    assert taken == [(accepted, caller), (accepted, None)]


@pytest.mark.parametrize("state", ["confirmed", "failed", "uncertain"])
def test_without_the_lease_the_answer_is_what_its_new_owner_wrote(
    reserved: Operation,
    caller: Caller,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    state: str,
) -> None:
    given: list[object] = []

    def lost(operation: Operation, result: object, *, caller: Caller | None) -> None:
        given.append(caller)
        Operation.objects.update(state=state)
        Booking.objects.update(supplier_reference="as its owner wrote")
        raise LeaseLost

    monkeypatch.setattr(call, "confirm", lost)
    if state == "confirmed":
        booking = call.record(reserved, "their booking", caller=caller)
        assert booking.supplier_reference == "as its owner wrote"
    else:
        with pytest.raises(errors.UpstreamUnavailable) as told:
            call.record(reserved, "their booking", caller=caller)
        assert type(told.value) is errors.UpstreamUnavailable
    assert given == [caller]
    assert ("cancel it there" in caplog.text) == (state == "failed")


@pytest.mark.django_db(transaction=True)
def test_an_answer_that_cannot_be_stored_is_looked_up(
    calling: Operation,
    caller: Caller,
    onboarded: Onboarded,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The supplier has done it: the funds stay held."""
    desk = SimpleNamespace(
        vendors={"simulator": Vendor("simulator", object)},
        outcome=lambda operation, result: ended(supplier_reference=result),
    )
    monkeypatch.setattr(handlers, "_handlers", {("flight", "book"): desk})
    with pytest.raises(errors.UpstreamUnavailable):
        call.record(calling, "7" * 256, caller=caller)
    stored = latest()
    assert (stored.state, stored.booking.status) == ("uncertain", "pending")
    assert funds(onboarded) == (BALANCE_CENTS - 1_000, 1_000)
    assert "cannot be stored" in caplog.text


@pytest.mark.parametrize(
    ("error", "answered", "told"),
    [
        (supplier_errors.Rejected(), True, []),
        (supplier_errors.Rejected(), False, ["booking.rejected"]),
        (supplier_errors.Unavailable(), True, ["booking.rejected"]),
        (supplier_errors.Unavailable(), False, ["booking.rejected"]),
    ],
)
def test_who_was_not_answered_that_nothing_was_booked_gets_an_event(
    reserved: Operation, error: Exception, answered: bool, told: list[str]
) -> None:
    call.refused(reserved, error, answered=answered)
    assert events() == told


@pytest.mark.parametrize("kind", ["book", "change", "cancel", "accept"])
@pytest.mark.parametrize(
    ("error", "moot"),
    [
        (supplier_errors.NotPossible(), True),
        (supplier_errors.Missing(), True),
        (supplier_errors.Rejected(), False),
        (errors.Conflict(), False),
    ],
)
def test_what_cannot_be_cancelled_is_polled_soon(
    reserved: Operation, kind: str, error: Exception, moot: bool
) -> None:
    """It may be cancelled already."""
    later = clock.now() + timedelta(hours=1)
    Booking.objects.update(next_news_at=later)
    reserved.kind = kind
    assert isinstance(call.refused(reserved, error, answered=True), errors.GatewayError)
    assert (latest().state, latest().failure) == ("failed", type(error).__name__)
    due = Booking.objects.get().next_news_at
    assert due is not None
    assert (due < later) == (moot and kind in ("cancel", "accept"))
