"""What is written at the end of an operation, beside its money."""

import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import OperationalError, connection

from apps.bookings import handlers
from apps.bookings.handlers import Accepted, Outcome
from apps.bookings.models import Booking, Operation, Settlement
from apps.bookings.services.lease import LeaseLost
from apps.bookings.services.settle import (
    accept,
    captured_cents,
    confirm,
    emit_events,
    fail,
    mark_uncertain,
    move_money,
    next_look,
    owe,
    poll_soon,
    write_booking,
)
from apps.bookings.statements import end_together
from apps.common import clock
from apps.gateway.answer import Answer
from apps.gateway.call import Caller
from apps.gateway.idempotency import StoredAnswer, claim
from apps.gateway.models import IdempotencyRecord
from apps.keys import authentication
from apps.ledger.models import Hold, LedgerTransaction
from apps.ledger.services.hold import hold
from apps.ledger.trace import NOTHING
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import Rejected
from apps.webhooks.models import Event
from apps.webhooks.services.emit import Fact
from tests.bookings.books import funds, hold_of, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.bookings.rows import a_booking, an_operation
from tests.support.flight_shop import FlightShop
from tests.support.locks import locked
from tests.support.scripted_flights import ScriptedFlights

SOON = timedelta(seconds=5)
HELD = 1_000


@pytest.fixture
def calling(onboarded: Onboarded) -> Operation:
    """An operation whose supplier is being asked, with 10.00 EUR held for it."""
    return an_operation_with_funds(onboarded, state="calling")


def an_operation_with_funds(onboarded: Onboarded, **columns: object) -> Operation:
    operation = an_operation(
        a_booking(onboarded.test_key, status="pending", total_cents=HELD), request_id="req_1", **columns
    )
    hold(
        hold_id=operation.hold_id,
        account_id=operation.booking.account_id,
        environment="test",
        amount_cents=HELD,
        currency="EUR",
        reference=operation.client_ref,
        trace=NOTHING,
    )
    return operation


def ended(**columns: object) -> Outcome:
    """An outcome that moves no money of itself."""
    return Outcome(
        **{  # type: ignore[arg-type]
            "status": "confirmed",
            "details": {"seats": 2},
            "total_cents": 900,
            "supplier_reference": "their-7",
            **columns,
        }
    )


def settle(operation: Operation, outcome: Outcome) -> None:
    """End the operation, and move all that the outcome moves."""
    end_together(operation.booking, operation, capture_cents=captured_cents(operation, outcome))
    move_money(operation, outcome)


def moved() -> LedgerTransaction:
    """The last step of money."""
    return LedgerTransaction.objects.latest("created_at")


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
    calling: Operation,
    onboarded: Onboarded,
    outcome: dict[str, int],
    available: int,
    held: int,
    status: str,
) -> None:
    settle(calling, ended(**outcome))
    assert (funds(onboarded), hold_of(calling).status) == ((BALANCE_CENTS + available, held), status)
    if outcome:
        step = moved()
        assert (step.operation_id, step.description) == (
            calling.client_ref,
            f"book {calling.booking.reference}",
        )


def test_an_operation_without_a_hold_captures_nothing(calling: Operation, onboarded: Onboarded) -> None:
    calling.hold_id = ""
    settle(calling, ended(capture_cents=0))
    assert funds(onboarded) == (BALANCE_CENTS - HELD, HELD)


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
    assert step.description == f"cancel {calling.booking.reference}"


def test_what_was_settled_before_keeps_its_date(calling: Operation) -> None:
    owe(calling, ended(capture_later=True))
    before = clock.now() - timedelta(days=3)
    Settlement.objects.update(settled_at=before)
    move_money(calling, ended(release_hold_id=calling.hold_id))
    assert Settlement.objects.get().settled_at == before


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
        f"refund {calling.booking.reference}",
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


def test_where_all_moves_at_once_nothing_is_owed(calling: Operation) -> None:
    owe(calling, ended(capture_cents=HELD))
    assert not Settlement.objects.exists()


@pytest.mark.parametrize("watched", [None, timedelta(days=1)])
@pytest.mark.parametrize("cancellation", [None, {"penaltyCents": 5}])
def test_a_booking_becomes_what_the_outcome_says(
    settings: object, watched: timedelta | None, cancellation: dict[str, int] | None
) -> None:
    settings.SUPPLIER_NEWS_SECONDS = 1_800  # type: ignore[attr-defined]
    until = None if watched is None else clock.now() + watched
    booking = Booking(product="flight", supplier_name="simulator", updated_at=clock.now() - timedelta(days=1))
    write_booking(booking, ended(cancellation=cancellation, watched_until=until))
    assert (booking.status, booking.total_cents) == ("confirmed", 900)
    assert (booking.supplier_reference, booking.details) == ("their-7", {"seats": 2})
    assert booking.cancellation == cancellation
    assert clock.now() - booking.updated_at < SOON
    assert booking.watched_until == until
    assert booking.next_news_at == (None if until is None else booking.updated_at + timedelta(minutes=30))


def test_what_was_cancelled_stays_so_where_an_outcome_says_nothing_of_it() -> None:
    booking = Booking(product="flight", supplier_name="simulator", cancellation={"penaltyCents": 5})
    write_booking(booking, ended())
    assert booking.cancellation == {"penaltyCents": 5}


def test_events_bear_what_every_event_of_a_booking_bears(
    calling: Operation, django_assert_num_queries: Callable[..., object]
) -> None:
    booking = calling.booking
    booking.external_reference = "PO-1"
    with django_assert_num_queries(0):  # type: ignore[attr-defined]
        emit_events(booking, "req_1", ())
    emit_events(booking, "req_1", (Fact("payment.refunded", {"refundCents": 7}),))
    event = Event.objects.get()
    assert (event.account_id, event.environment, event.type) == (
        booking.account_id,
        "test",
        "payment.refunded",
    )
    assert (event.booking_id, event.booking_reference, event.request_id) == (
        booking.id,
        booking.reference,
        "req_1",
    )
    for part in (
        '"bookingType":"flight"',
        f'"bookingId":"{booking.id}"',
        f'"bookingReference":"{booking.reference}"',
        '"externalReference":"PO-1"',
        '"refundCents":7',
    ):
        assert part in event.payload


@pytest.mark.parametrize(
    ("kind", "status"), [("book", "failed"), ("change", "ticketed"), ("cancel", "ticketed")]
)
def test_a_failure_frees_the_funds_and_fails_only_what_was_never_made(
    calling: Operation, onboarded: Onboarded, kind: str, status: str
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
    assert moved().description == f"{kind} refused: Rejected"


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


@pytest.mark.parametrize(
    ("until", "asked"),
    [(None, False), (timedelta(0), False), (-SOON, False), (timedelta(microseconds=1), True)],
)
def test_a_booking_is_asked_for_until_its_journey_is_over(
    settings: object, until: timedelta | None, asked: bool
) -> None:
    settings.SUPPLIER_NEWS_SECONDS = 1_800  # type: ignore[attr-defined]
    now = clock.now()
    booking = Booking(
        product="flight", supplier_name="simulator", watched_until=None if until is None else now + until
    )
    assert next_look(booking, now) == (now + timedelta(minutes=30) if asked else None)


def test_a_booking_changed_by_its_supplier_is_asked_for_now_and_no_other(
    shop: FlightShop, supplier: ScriptedFlights
) -> None:
    changed, other, over = (Booking.objects.get(pk=shop.ordered()["id"]) for _ in range(3))
    Booking.objects.filter(pk=over.pk).update(next_news_at=None)
    poll_soon(changed)
    poll_soon(over)
    due = dict(Booking.objects.values_list("pk", "next_news_at"))
    assert due[changed.pk] <= clock.now() < due[other.pk]
    assert due[over.pk] is None
    overdue = clock.now() - timedelta(hours=1)
    Booking.objects.filter(pk=changed.pk).update(next_news_at=overdue)
    poll_soon(changed)
    changed.refresh_from_db()
    assert changed.next_news_at == overdue  # its place in the line is kept


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
    monkeypatch.setattr("apps.bookings.services.settle.polling_pause", lambda booking, now: SOON)
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
