"""Every end that a supplier call can have, before the booking and in it: the answer, the states, the money."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import orjson
import pytest
from django.conf import settings

from apps.bookings import handlers
from apps.bookings.flow import call
from apps.bookings.flow.call import NO_LONGER_SOLD, refusal
from apps.bookings.flow.lease import LeaseLost
from apps.bookings.flow.settle import fail
from apps.bookings.handlers import Prepared
from apps.bookings.models import Booking, Operation
from apps.bookings.refusals import NEVER_CALLED
from apps.common import clock, errors
from apps.gateway.requests import Caller
from apps.keys import authentication
from apps.ledger.money import NOTHING, hold, raise_hold
from apps.onboarding.partners import Onboarded
from apps.suppliers import errors as supplier_errors
from apps.suppliers.vendors import Vendor
from apps.webhooks.models import Event
from tests.bookings.books import events, funds, hold_of, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.bookings.rows import a_booking, an_operation, ended
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.scripted_flights import ScriptedFlights

pytestmark = pytest.mark.usefixtures("still_clock")
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
    assert events() == ["booking.rejected"] * (status == 503)  # who reads 503 cannot know
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
    price_of_now = shop.api.get(f"/v1/flights/offers/{offer['offerId']}").body["totalCents"]
    assert (reply.error["availableCents"], reply.error["requiredCents"]) == (BALANCE_CENTS, price_of_now)
    assert (latest().state, latest().failure) == ("failed", "InsufficientFunds")
    assert funds(onboarded) == (BALANCE_CENTS, 0)
    assert supplier.calls("book") == 0


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


@pytest.mark.parametrize(
    ("error", "product", "kind", "refused", "said"),
    [
        (supplier_errors.Expired(), "flight", "book", errors.OfferExpired, ""),
        (supplier_errors.Missing(), "hotel", "book", errors.OfferExpired, ""),
        (supplier_errors.Expired(), "esim", "book", errors.OfferExpired, NO_LONGER_SOLD),
        (
            supplier_errors.Expired(),
            "flight",
            "change",
            errors.OfferExpired,
            errors.OfferExpired.of_change_message,
        ),
        (supplier_errors.Expired(), "flight", "accept", errors.OfferExpired, ""),
        (supplier_errors.Missing(), "flight", "change", errors.NotFound, ""),
        (supplier_errors.Expired(), "flight", "cancel", errors.UpstreamError, ""),
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
    assert (type(told), told.message) == (refused, said or refused.default_message)


@pytest.mark.parametrize(("request_", "quoted"), [({}, 1_000), ({"quotedTotalCents": 1_300}, 1_300)])
def test_a_new_price_is_told_beside_the_total_that_was_told_last(
    request_: dict[str, int], quoted: int
) -> None:
    booking = Booking(product="flight", total_cents=1_000, currency="EUR")
    told = refusal(
        supplier_errors.PriceChanged(1_500), Operation(kind="change", booking=booking, request=request_)
    )
    assert told.extras == {"previousTotalCents": quoted, "currentTotalCents": 1_500, "currency": "EUR"}
