"""The ends of an operation: confirmed, failed, unknown or accepted, each whole or not at all."""

import uuid
from collections.abc import Callable
from datetime import timedelta

import orjson
import pytest
from django.db import OperationalError, connection

from apps.bookings import handlers
from apps.bookings.flow.lease import LeaseLost
from apps.bookings.flow.settle import accept, confirm, fail, mark_uncertain
from apps.bookings.handlers import Accepted, Outcome
from apps.bookings.models import Booking, Operation, Settlement
from apps.common import clock
from apps.gateway.idempotency import StoredAnswer, claim
from apps.gateway.models import IdempotencyRecord
from apps.gateway.requests import Caller
from apps.gateway.responses import Answer
from apps.keys import authentication
from apps.ledger.models import Hold
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import Rejected
from apps.webhooks.events import Fact
from apps.webhooks.models import Event
from tests.bookings.books import events, funds, hold_of, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.bookings.rows import a_booking
from tests.bookings.services.settling import HELD, SOON, ended, moved
from tests.support.flight_shop import FlightShop
from tests.support.locks import locked
from tests.support.scripted_flights import ScriptedFlights

pytestmark = pytest.mark.usefixtures("still_clock")


@pytest.mark.parametrize(
    ("kind", "status", "words"),
    [
        ("book", "failed", "Booking"),
        ("change", "ticketed", "Change of"),
        ("cancel", "ticketed", "Cancellation of"),
        ("accept", "ticketed", "Acceptance of a schedule change of"),
    ],
)
def test_a_failure_frees_the_funds_and_fails_only_what_was_never_made(
    calling: Operation, onboarded: Onboarded, kind: str, status: str, words: str
) -> None:
    long_ago = clock.now() - timedelta(days=1)
    Booking.objects.update(status="ticketed", updated_at=long_ago, supplier_reference="their-7")
    calling.booking.status, calling.kind = "ticketed", kind
    calling.booking.supplier_reference = "not to be written"
    fail(calling, failure="Rejected")
    stored = latest()
    assert (stored.state, stored.failure, stored.next_attempt_at) == ("failed", "Rejected", None)
    assert stored.resolved_at is not None
    assert (stored.booking.status, stored.booking.supplier_reference) == (status, "their-7")
    assert (stored.booking.updated_at > long_ago) == (kind == "book")
    assert (funds(onboarded), hold_of(stored).status) == ((BALANCE_CENTS, 0), "released")
    did_not = f"{words} {stored.booking.reference} did not happen. The supplier refused it."
    assert moved().description == did_not


@pytest.mark.parametrize(
    ("kind", "answered", "told"),
    [
        ("book", False, ["booking.rejected"]),
        ("book", True, []),
        ("change", False, []),
        ("cancel", False, []),
        ("accept", False, []),
    ],
)
def test_a_booking_that_was_not_made_is_told_where_its_request_was_answered_otherwise(
    calling: Operation, kind: str, answered: bool, told: list[str]
) -> None:
    calling.kind = kind
    fail(calling, failure="NotFoundAtSupplier", answered=answered)
    assert events() == told


def test_what_was_rejected_says_why_and_what_is_free_again(calling: Operation) -> None:
    fail(calling, failure="NotFoundAtSupplier")
    event, booking = Event.objects.get(), calling.booking
    assert orjson.loads(event.payload)["data"] == {
        "bookingType": "flight",
        "bookingId": booking.id,
        "bookingReference": booking.reference,
        "externalReference": booking.external_reference,
        "reason": "The supplier knows nothing of it.",
        "releasedCents": HELD,
        "currency": "EUR",
    }
    assert (event.booking_id, event.request_id) == (booking.id, "req_1")


@pytest.mark.django_db(transaction=True)
def test_an_event_that_cannot_be_written_leaves_the_funds_held(
    calling: Operation, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_to_release(**_: object) -> None:
        raise OperationalError

    monkeypatch.setattr("apps.bookings.flow.settle.release", fail_to_release)
    with pytest.raises(OperationalError):
        fail(calling, failure="NotFoundAtSupplier")
    assert (latest().state, hold_of(latest()).status, events()) == ("calling", "open", [])


def test_an_operation_without_a_hold_fails_as_well(calling: Operation, onboarded: Onboarded) -> None:
    Operation.objects.update(hold_id="")
    calling.hold_id = ""
    fail(calling, failure="Rejected")
    assert (latest().state, Hold.objects.get().status) == ("failed", "open")


def test_an_unknown_end_frees_the_lease_and_is_looked_up_soon(calling: Operation, settings: object) -> None:
    settings.LOOKUP_BACKOFF_SECONDS = (10, 30)  # type: ignore[attr-defined]
    Operation.objects.update(lease_until=clock.now() + timedelta(minutes=1))
    mark_uncertain(calling)
    stored = latest()
    assert (stored.state, stored.next_attempt_at) == (
        "uncertain",
        stored.lease_until + timedelta(seconds=10),
    )
    assert timedelta(0) <= clock.now() - stored.lease_until < SOON
    assert hold_of(stored).status == "open"


def test_a_booking_that_its_supplier_took_on_is_pending_and_answered_so(
    shop: FlightShop, supplier: ScriptedFlights, move_clock: Callable[..., None]
) -> None:
    supplier.spoil("book", Accepted("sim_7"))
    supplier.meanwhile("book", lambda: move_clock(minutes=1))
    offer = shop.offer()
    reply = shop.order(offer, "one-and-the-same")
    booking = latest().booking
    assert (reply.body["status"], booking.status, booking.supplier_reference) == (
        "pending",
        "pending",
        "sim_7",
    )
    assert clock.now() - booking.updated_at < SOON
    assert reply.body["updatedAt"] == clock.rfc3339(booking.updated_at)
    again = shop.order(offer, "one-and-the-same")
    assert (again.content, again.headers["Idempotent-Replayed"]) == (reply.content, "true")
    assert supplier.calls("book") == 1


def test_a_booking_that_failed_says_when(
    shop: FlightShop, supplier: ScriptedFlights, move_clock: Callable[..., None]
) -> None:
    supplier.spoil("book", Rejected())
    supplier.meanwhile("book", lambda: move_clock(minutes=1))
    shop.order(shop.offer())
    operation = latest()
    assert (operation.state, operation.booking.status) == ("failed", "failed")
    assert clock.now() - operation.booking.updated_at < SOON
    assert operation.resolved_at is not None
    assert clock.now() - operation.resolved_at < SOON


class Desk:
    """A handler whose every result has the outcome that a test sets. It notes the booking that it was asked about."""

    def __init__(self) -> None:
        self.ends: dict[str, object] = {"capture_cents": 900}
        self.seen: list[tuple[str, object]] = []

    def outcome(self, operation: Operation, result: object) -> Outcome:
        self.seen.append((operation.booking.external_reference or "", result))
        return ended(**self.ends)


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    desk = Desk()
    monkeypatch.setattr(handlers, "_handlers", {("flight", kind): desk for kind in ("book", "cancel")})
    monkeypatch.setattr("apps.bookings.flow.settle.polling_pause", lambda booking, now: SOON)
    return desk


def a_caller(onboarded: Onboarded, *, claimed: bool = True) -> Caller:
    partner = authentication.look_up(onboarded.test_secret)
    of_key = claim(partner, "one-and-the-same", "of a body") if claimed else None
    assert not isinstance(of_key, StoredAnswer)
    return Caller(
        partner, "req_1", claim=of_key, render=lambda booking: Answer({"status": booking.status}, 201)
    )


def test_an_end_is_written_whole(desk: Desk, calling: Operation, onboarded: Onboarded) -> None:
    desk.ends = {"capture_cents": 900, "credit_later_cents": 50, "events": (Fact("booking.confirmed", {}),)}
    caller = a_caller(onboarded)
    booking = confirm(calling, "their booking", caller=caller)
    stored = latest()
    assert (booking, booking.status, stored.booking.status) == (stored.booking, "confirmed", "confirmed")
    assert (calling.state, stored.state) == ("confirmed", "confirmed")
    assert (funds(onboarded), hold_of(calling).status) == ((BALANCE_CENTS - 900, 0), "captured")
    assert [owed.amount_cents for owed in Settlement.objects.all()] == [50]
    assert [(event.type, event.request_id) for event in Event.objects.all()] == [
        ("booking.confirmed", "req_1")
    ]
    assert caller.claim is not None
    assert caller.claim.finished is True
    record = IdempotencyRecord.objects.get()
    assert (record.state, record.status, record.body) == ("done", 201, '{"status":"confirmed"}')
    assert desk.seen == [("", "their booking")]


@pytest.mark.parametrize("claimed", [None, False])
def test_an_end_without_a_request_or_without_a_key_is_an_end(
    desk: Desk, calling: Operation, onboarded: Onboarded, claimed: bool | None
) -> None:
    caller = None if claimed is None else a_caller(onboarded, claimed=claimed)
    confirm(calling, "their booking", caller=caller)
    assert (latest().state, IdempotencyRecord.objects.count()) == ("confirmed", 0)


def test_without_the_lease_nothing_of_an_end_is_written(
    desk: Desk, calling: Operation, onboarded: Onboarded
) -> None:
    desk.ends = {"capture_cents": 900, "credit_later_cents": 50, "events": (Fact("booking.confirmed", {}),)}
    Operation.objects.update(lease_token=uuid.UUID(int=7))
    caller = a_caller(onboarded)
    with pytest.raises(LeaseLost):
        confirm(calling, "their booking", caller=caller)
    assert (latest().state, latest().booking.status, calling.state) == ("calling", "pending", "calling")
    assert funds(onboarded) == (BALANCE_CENTS - HELD, HELD)
    assert (Settlement.objects.count(), Event.objects.count()) == (0, 0)
    assert caller.claim is not None
    assert caller.claim.finished is False


@pytest.mark.parametrize(("kind", "seen"), [("book", ""), ("cancel", "PO-7")])
def test_what_is_altered_is_the_booking_as_it_is_by_then(
    desk: Desk, calling: Operation, onboarded: Onboarded, kind: str, seen: str
) -> None:
    """A settlement, or the supplier, may have changed it. What is being booked nobody else writes."""
    a_booking(onboarded.test_key)
    Booking.objects.filter(pk=calling.booking_id).update(external_reference="PO-7")
    calling.kind = kind
    confirm(calling, "their answer")
    assert desk.seen == [(seen, "their answer")]


@pytest.mark.django_db(transaction=True)
def test_an_end_waits_for_whoever_alters_the_booking(desk: Desk, calling: Operation) -> None:
    calling.kind = "cancel"
    with locked(Booking.objects.filter(pk=calling.booking_id)), connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
        try:
            with pytest.raises(OperationalError):
                confirm(calling, "their answer")
        finally:
            cursor.execute("SET lock_timeout = 0")
        assert desk.seen == []
    assert confirm(calling, "their answer").status == "confirmed"


@pytest.mark.parametrize("asked", [True, False])
def test_what_is_delivered_later_is_pending_and_answered_so_where_a_request_waits(
    calling: Operation, onboarded: Onboarded, asked: bool
) -> None:
    caller = a_caller(onboarded)
    calling.booking.total_cents = 7  # not to be written
    booking = accept(calling, Accepted("their-7"), caller=caller if asked else None)
    stored = latest()
    assert (stored.state, stored.booking) == ("uncertain", booking)
    assert (stored.booking.status, stored.booking.supplier_reference) == ("pending", "their-7")
    assert stored.booking.total_cents == HELD
    record = IdempotencyRecord.objects.get()
    assert (record.state, record.body) == (("done", '{"status":"pending"}') if asked else ("running", None))
