"""The ends of an operation: confirmed, failed, unknown or accepted, each whole or not at all."""

import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.db import OperationalError, connection

from apps.bookings import handlers
from apps.bookings.flow.lease import LeaseLost
from apps.bookings.flow.settle import captured_cents, confirm, fail, move_money, owe
from apps.bookings.handlers import Accepted, Outcome
from apps.bookings.models import Booking, Operation, Settlement
from apps.bookings.statements import end_together
from apps.common import clock
from apps.gateway.idempotency import StoredAnswer, claim
from apps.gateway.models import IdempotencyRecord
from apps.gateway.requests import Caller
from apps.gateway.responses import Answer
from apps.keys import authentication
from apps.onboarding.partners import Onboarded
from apps.webhooks.events import Fact
from apps.webhooks.models import Event
from tests.bookings.books import events, funds, hold_of, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.bookings.rows import HELD, SOON, an_operation_with_funds, ended, moved
from tests.support.api import Api
from tests.support.flight_shop import FlightShop
from tests.support.locks import locked
from tests.support.recorded import Recorded, recording
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


def settle(operation: Operation, outcome: Outcome) -> None:
    """End the operation, and move all that the outcome moves."""
    captured = captured_cents(operation, outcome)
    assert end_together(operation.booking, operation, capture_cents=captured) is True
    move_money(operation, outcome)


@pytest.mark.parametrize(
    ("outcome", "available", "held", "status"),
    [
        ({}, -HELD, HELD, "open"),
        ({"capture_cents": HELD}, -HELD, 0, "captured"),
        ({"capture_cents": 900}, -900, 0, "captured"),
        ({"capture_cents": 0}, 0, 0, "captured"),
    ],
)
def test_of_the_operations_hold_that_is_captured_which_the_outcome_names(
    calling: Operation, onboarded: Onboarded, outcome: dict[str, int], available: int, held: int, status: str
) -> None:
    settle(calling, ended(**outcome))
    assert (funds(onboarded), hold_of(calling).status) == ((BALANCE_CENTS + available, held), status)
    if outcome:
        step = moved()
        assert (step.operation_id, step.description) == (
            calling.client_ref,
            f"Booking {calling.booking.reference}",
        )


@pytest.mark.parametrize(
    ("keeps", "status", "available"), [(0, "released", 0), (300, "captured", -300), (HELD, "captured", -HELD)]
)
def test_a_hold_of_an_earlier_operation_ends_with_what_is_kept_of_it(
    calling: Operation, onboarded: Onboarded, keeps: int, status: str, available: int
) -> None:
    """A transfer that is cancelled before it was captured: what was owed of it is owed no more."""
    other = an_operation_with_funds(onboarded)
    for operation in (calling, other):
        owe(operation, ended(capture_later=True))
    cancelling = Operation(kind="cancel", booking=calling.booking, client_ref="F-7-X7", request_id="req_2")
    move_money(cancelling, ended(release_hold_id=calling.hold_id, release_keeps_cents=keeps))
    assert (hold_of(calling).status, hold_of(other).status) == (status, "open")
    assert funds(onboarded) == (BALANCE_CENTS - HELD + available, HELD)
    assert list(Settlement.objects.filter(settled_at=None)) == [other.settlement]
    step = moved()
    assert (step.operation_id, step.request_id) == ("F-7-X7", "req_2")
    assert step.description == f"Cancellation of {calling.booking.reference}"


def test_a_refund_gives_back_what_was_captured_of_the_booking(
    calling: Operation, onboarded: Onboarded
) -> None:
    settle(calling, ended(capture_cents=HELD))
    cancelling = Operation(kind="cancel", booking=calling.booking, client_ref="F-7-X7", request_id="req_2")
    move_money(cancelling, ended(refund_cents=700))
    assert funds(onboarded) == (BALANCE_CENTS - 300, 0)
    step = moved()
    assert (step.type, step.amount_cents, step.reference, step.request_id) == (
        "refund",
        700,
        "F-7-X7",
        "req_2",
    )
    assert (step.booking_reference, step.description) == (
        calling.booking.reference,
        f"Refund for {calling.booking.reference}",
    )


@pytest.mark.parametrize(
    ("outcome", "action", "cents"),
    [({"capture_later": True}, "capture", 900), ({"credit_later_cents": 250}, "credit", 250)],
)
def test_what_moves_later_is_owed(
    calling: Operation, outcome: dict[str, int], action: str, cents: int
) -> None:
    owe(calling, ended(**outcome))
    owed = Settlement.objects.get()
    assert (owed.operation, owed.booking, owed.settled_at) == (calling, calling.booking, None)
    assert (owed.action, owed.amount_cents) == (action, cents)
    assert owed.hold_id == (calling.hold_id if action == "capture" else "")


@pytest.fixture
def recorded() -> Iterator[Recorded]:
    with recording() as spans:
        yield spans


@pytest.fixture
def api(onboarded: Onboarded) -> Api:
    return Api(onboarded.test_secret)
