"""Every end that a supplier call can have, before the booking and in it: the answer, the states, the money."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings

from apps.bookings import handlers
from apps.bookings.handlers import Accepted, Prepared
from apps.bookings.models import Booking, Operation
from apps.bookings.services import perform
from apps.bookings.services.lease import LeaseLost
from apps.bookings.services.long_calls import Ending, StillUnderWay
from apps.bookings.services.perform import NO_LONGER_SOLD, refusal
from apps.common import clock, errors
from apps.gateway.call import Caller
from apps.keys import authentication
from apps.ledger.models import LedgerTransaction
from apps.ledger.services.hold import hold
from apps.ledger.services.release import release
from apps.ledger.trace import NOTHING
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers import errors as supplier_errors
from apps.suppliers.lookups import Lookups
from apps.suppliers.vendors import Vendor
from tests.bookings.books import events, funds, hold_of, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.bookings.rows import a_booking, an_operation
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.scripted_flights import ScriptedFlights

CERTAIN = [
    (supplier_errors.Expired(), 410, "offer_expired", "Expired"),
    (supplier_errors.Rejected(), 502, "upstream_error", "Rejected"),
    (supplier_errors.InvalidField("notes", "is too long"), 400, "invalid_request", "InvalidField"),
    (supplier_errors.Unavailable(), 503, "upstream_unavailable", "Unavailable"),
    (supplier_errors.Missing(), 410, "offer_expired", "Missing"),
    (supplier_errors.NotPossible("closed"), 409, "conflict", "NotPossible"),
]
UNCLEAR = [supplier_errors.OutcomeUnknown("reset"), RuntimeError("the adapter has a bug")]


def test_an_order_is_held_for_called_once_and_captured(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    offer = shop.offer()
    reply = shop.order(offer, externalReference="PO-1")
    total = offer["totalCents"]
    assert (reply.status, reply.body["status"], reply.body["totalCents"]) == (201, "ticketed", total)
    operation = latest()
    hold = hold_of(operation)
    assert (operation.state, operation.failure, operation.next_attempt_at) == ("confirmed", "", None)
    assert (operation.booking.id, operation.booking.external_reference) == (reply.body["id"], "PO-1")
    assert (hold.status, hold.amount_cents, hold.captured_cents) == ("captured", total, total)
    assert funds(onboarded) == (BALANCE_CENTS - total, 0)
    assert (supplier.calls("reprice"), supplier.calls("book"), supplier.open_transactions) == (1, 1, [])
    assert events() == ["booking.confirmed"]
    assert violations(supplier.report()) == []


@pytest.mark.parametrize("method", ["reprice", "book"])
@pytest.mark.parametrize(("error", "status", "type", "failure"), CERTAIN)
def test_a_certain_refusal_frees_the_funds_before_the_answer(
    shop: FlightShop,
    supplier: ScriptedFlights,
    onboarded: Onboarded,
    method: str,
    error: Exception,
    status: int,
    type: str,
    failure: str,
) -> None:
    offer = shop.offer()
    supplier.spoil(method, error)
    reply = shop.order(offer)
    assert (reply.status, reply.error_type) == (status, type)
    operation = latest()
    assert (operation.state, operation.failure, operation.next_attempt_at) == ("failed", failure, None)
    assert (operation.booking.status, hold_of(operation).status) == ("failed", "released")
    assert funds(onboarded) == (BALANCE_CENTS, 0)
    assert events() == []
    assert violations(supplier.report()) == []


@pytest.mark.parametrize("method", ["reprice", "book"])
def test_a_price_that_rose_is_answered_with_both_prices_and_books_nothing(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, method: str
) -> None:
    offer = shop.offer()
    supplier.meanwhile(method, lambda: supplier.ask(110))
    reply = shop.order(offer)
    assert (reply.status, reply.error_type) == (409, "price_changed")
    assert reply.error["previousTotalCents"] == offer["totalCents"]
    assert reply.error["currentTotalCents"] > offer["totalCents"]
    assert reply.error["currency"] == "EUR"
    assert funds(onboarded) == (BALANCE_CENTS, 0)
    assert supplier.report()["writes"] == []
    assert violations(supplier.report()) == []


@pytest.mark.parametrize("error", UNCLEAR)
@pytest.mark.parametrize("accepted", [True, False])
def test_an_unclear_end_keeps_the_funds_and_is_looked_up_soon(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, error: Exception, accepted: bool
) -> None:
    offer = shop.offer()
    supplier.spoil("book", error, accepted=accepted)
    reply = shop.order(offer)
    assert (reply.status, reply.error_type) == (503, "upstream_unavailable")
    operation = latest()
    assert (operation.state, operation.booking.status) == ("uncertain", "pending")
    assert hold_of(operation).status == "open"
    assert funds(onboarded) == (BALANCE_CENTS - offer["totalCents"], offer["totalCents"])
    assert operation.lease_until <= clock.now()
    wait = operation.next_attempt_at - clock.now()
    assert timedelta(seconds=settings.LOOKUP_BACKOFF_SECONDS[0] - 2) < wait <= timedelta(seconds=10)


def test_an_adapter_that_breaks_before_the_call_costs_nothing_in_the_end(
    shop: FlightShop, supplier: ScriptedFlights
) -> None:
    supplier.spoil("reprice", RuntimeError("the adapter has a bug"))
    reply = shop.order(shop.offer())
    assert (reply.status, reply.error_type) == (500, "internal_error")
    assert (latest().state, supplier.calls("book")) == ("held", 0)


def test_a_dearer_price_within_max_total_is_held_and_captured_exactly(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    offer = shop.offer()
    supplier.ask(110)
    reply = shop.order(offer, maxTotalCents=2 * offer["totalCents"])
    total = reply.body["totalCents"]
    assert reply.status == 201
    assert offer["totalCents"] < total < 2 * offer["totalCents"]
    operation = latest()
    hold = hold_of(operation)
    assert (operation.amount_cents, hold.amount_cents, hold.captured_cents) == (total, total, total)
    assert funds(onboarded) == (BALANCE_CENTS - total, 0)
    assert violations(supplier.report()) == []


def test_a_dearer_price_that_is_not_covered_is_402_and_frees_what_was_held(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    offer = shop.offer()
    supplier.ask(200 * BALANCE_CENTS // offer["totalCents"])
    reply = shop.order(offer, maxTotalCents=100 * BALANCE_CENTS)
    assert (reply.status, reply.error_type) == (402, "insufficient_funds")
    assert (latest().state, latest().failure) == ("failed", "InsufficientFunds")
    assert funds(onboarded) == (BALANCE_CENTS, 0)
    assert supplier.calls("book") == 0


def test_a_max_total_below_the_quote_asks_nobody(shop: FlightShop, supplier: ScriptedFlights) -> None:
    offer = shop.offer()
    reply = shop.order(offer, maxTotalCents=offer["totalCents"] - 1)
    assert (reply.status, reply.error_type) == (409, "price_changed")
    assert reply.error["previousTotalCents"] == reply.error["currentTotalCents"] == offer["totalCents"]
    assert (supplier.calls("reprice"), Booking.objects.count()) == (0, 0)


def test_a_cheaper_price_is_passed_on_and_the_rest_released(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    offer = shop.offer()
    supplier.ask(80)
    total = shop.order(offer).body["totalCents"]
    assert total < offer["totalCents"]
    hold = hold_of(latest())
    assert (hold.status, hold.amount_cents, hold.captured_cents) == ("captured", offer["totalCents"], total)
    assert funds(onboarded) == (BALANCE_CENTS - total, 0)
    assert violations(supplier.report()) == []


def test_insufficient_funds_come_before_any_supplier_call(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    offer = max(shop.search(passengers={"adults": 9}, cabin="first"), key=lambda o: o["totalCents"])
    assert offer["totalCents"] > BALANCE_CENTS
    adults = [{"firstName": "A", "lastName": "B", "dateOfBirth": "1990-01-01", "type": "adult"}] * 9
    reply = shop.order(offer, passengers=adults)
    assert (reply.status, reply.error_type) == (402, "insufficient_funds")
    assert reply.error["availableCents"] == BALANCE_CENTS
    assert reply.error["requiredCents"] == offer["totalCents"]
    assert (supplier.calls("reprice"), supplier.calls("book"), Booking.objects.count()) == (0, 0, 0)
    assert funds(onboarded) == (BALANCE_CENTS, 0)


@pytest.mark.parametrize(
    ("error", "product", "kind", "refused", "said"),
    [
        (
            supplier_errors.Expired(),
            "flight",
            "book",
            errors.OfferExpired,
            errors.OfferExpired.default_message,
        ),
        (
            supplier_errors.Missing(),
            "hotel",
            "book",
            errors.OfferExpired,
            errors.OfferExpired.default_message,
        ),
        (supplier_errors.Expired(), "esim", "book", errors.OfferExpired, NO_LONGER_SOLD),
        (
            supplier_errors.Expired(),
            "flight",
            "change",
            errors.OfferExpired,
            errors.OfferExpired.default_message,
        ),
        (supplier_errors.Missing(), "flight", "change", errors.NotFound, errors.NotFound.default_message),
        (
            supplier_errors.Expired(),
            "flight",
            "cancel",
            errors.UpstreamError,
            errors.UpstreamError.default_message,
        ),
        (supplier_errors.NotPossible("Too late."), "flight", "cancel", errors.Conflict, "Too late."),
        (errors.Conflict("A check of ours."), "flight", "cancel", errors.Conflict, "A check of ours."),
    ],
)
def test_a_refusal_is_told_as_what_it_means_for_the_operation(
    error: Exception, product: str, kind: str, refused: type[errors.GatewayError], said: str
) -> None:
    operation = Operation(
        kind=kind, booking=Booking(product=product, total_cents=1_000, currency="EUR"), request={}
    )
    told = refusal(error, operation)
    assert (type(told), told.message) == (refused, said)


@pytest.mark.parametrize(("request_", "quoted"), [({}, 1_000), ({"quotedTotalCents": 1_300}, 1_300)])
def test_a_new_price_is_told_beside_the_total_that_was_told_last(
    request_: dict[str, int], quoted: int
) -> None:
    booking = Booking(product="flight", total_cents=1_000, currency="EUR")
    told = refusal(
        supplier_errors.PriceChanged(1_500), Operation(kind="change", booking=booking, request=request_)
    )
    assert told.extras == {"previousTotalCents": quoted, "currentTotalCents": 1_500, "currency": "EUR"}


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
    monkeypatch.setattr(perform, "confirm", lambda operation, result, caller: (operation, result, caller))
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
    assert perform.perform(reserved, caller=caller) == (reserved, "their booking", caller)
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

    monkeypatch.setattr(perform, "within_wait", within_wait)
    ends: list[tuple[object, object]] = []
    monkeypatch.setattr(perform, "confirm", lambda operation, result, caller: ends.append((result, caller)))
    perform.perform(reserved, caller=caller)
    assert left == [reserved] * in_a_thread
    assert ends == [*([("late", None)] if in_a_thread else []), ("their booking", caller)]


def test_a_call_that_was_marked_too_long_ago_is_not_made(
    desk: Desk, reserved: Operation, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the very instant at which its lease ends, which is when recovery may take it."""
    now = clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: now)

    def marked(operation: Operation, prepared: object) -> None:
        operation.lease_until = now

    monkeypatch.setattr(perform, "mark_calling", marked)
    with pytest.raises(LeaseLost):
        perform.perform(reserved, caller=caller)
    assert desk.calls == [("prepare", "")]


def test_funds_that_were_given_up_meanwhile_buy_nothing(
    desk: Desk, reserved: Operation, caller: Caller, onboarded: Onboarded
) -> None:
    desk.price_cents = 1_001
    desk.meanwhile = lambda: release(hold_id=reserved.hold_id, trace=NOTHING)
    with pytest.raises(LeaseLost):
        perform.perform(reserved, caller=caller)
    assert (desk.calls, latest().state) == ([("prepare", "")], "held")
    assert funds(onboarded) == (BALANCE_CENTS, 0)


@pytest.mark.parametrize(("price", "held"), [(999, 1_000), (1_000, 1_000), (1_001, 1_001)])
def test_a_hold_covers_the_price_and_never_shrinks(
    reserved: Operation, onboarded: Onboarded, price: int, held: int
) -> None:
    other = an_operation(a_booking(onboarded.test_key))
    perform.cover(reserved, price)
    stored = Operation.objects.get(pk=reserved.pk)
    assert (reserved.amount_cents, stored.amount_cents) == (held, held)
    assert funds(onboarded) == (BALANCE_CENTS - held, held)
    assert Operation.objects.get(pk=other.pk).amount_cents == 1_000
    last = LedgerTransaction.objects.latest("created_at")
    assert last.description == ("price rose" if price > 1_000 else "")


def test_nothing_is_raised_without_need(reserved: Operation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perform, "raise_hold", pytest.fail)
    perform.cover(reserved, 1_000)
    reserved.hold_id = ""
    perform.cover(reserved, 1_001)
    assert reserved.amount_cents == 1_000


@pytest.mark.parametrize("end", [Accepted("their-7"), StillUnderWay()], ids=["accepted", "under way"])
def test_what_is_not_over_changes_nothing(reserved: Operation, end: Exception) -> None:
    def ending() -> object:
        raise end

    with pytest.raises(type(end)):
        perform.call_supplier(reserved, ending)
    assert latest().state == "held"


def test_what_is_delivered_later_is_answered_by_its_request(
    reserved: Operation, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    accepted = Accepted("their-7")
    taken: list[tuple[object, object]] = []
    monkeypatch.setattr(perform, "accept", lambda operation, how, caller: taken.append((how, caller)))

    def ending() -> object:
        raise accepted

    perform.conclude(reserved, ending, caller=caller)
    perform.conclude_late(reserved, ending)
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

    monkeypatch.setattr(perform, "confirm", lost)
    if state == "confirmed":
        booking = perform.record(reserved, "their booking", caller=caller)
        assert booking.supplier_reference == "as its owner wrote"
    else:
        with pytest.raises(errors.UpstreamUnavailable) as told:
            perform.record(reserved, "their booking", caller=caller)
        assert type(told.value) is errors.UpstreamUnavailable
    assert given == [caller]
    assert ("cancel it there" in caplog.text) == (state == "failed")


def test_words_of_ours_may_be_kept_in_the_request_log() -> None:
    operation = Operation(kind="book", booking=Booking(product="esim", total_cents=1, currency="EUR"))
    assert refusal(supplier_errors.Missing(), operation).own_texts == {NO_LONGER_SOLD}


@pytest.mark.parametrize("kind", ["book", "change", "cancel"])
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
    assert isinstance(perform.refused(reserved, error), errors.GatewayError)
    assert (latest().state, latest().failure) == ("failed", type(error).__name__)
    due = Booking.objects.get().next_news_at
    assert due is not None
    assert (due < later) == (moot and kind == "cancel")
