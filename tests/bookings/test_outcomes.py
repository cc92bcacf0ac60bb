"""Every state in which a call can be left, with the state that is told and the next step. Nothing here reads a database."""

import uuid
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apps.bookings.models import Booking, Operation, PastKey
from apps.bookings.outcomes import (
    Call,
    CallOutcome,
    Next,
    Verdict,
    judge,
    of_logged_booking,
    outcome_of_key,
    outcomes_of,
)
from apps.bookings.pruning import prune_idempotency_records
from apps.common import clock
from apps.gateway.models import IdempotencyRecord, IdempotencyState
from apps.keys.models import ApiKey
from apps.request_log.models import LoggedCall
from tests.bookings.rows import a_booking, an_operation
from tests.factories.gateway import api_of_new_partner
from tests.factories.keys import approved_account, issued_key
from tests.portal.sample_data import write_down
from tests.support.api import Api
from tests.support.flight_shop import FlightShop, day, order_body

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
BEFORE, AT_ONCE, SOON, LATER = (NOW + timedelta(seconds=seconds) for seconds in (-1, 0.2, 3, 400))
CALL = Call(
    operation="createFlightOrder", request_id="one", first_seen_at=BEFORE, status=None, answered_at=None
)
RUNS = replace(CALL, has_key_until=LATER)
DIED = replace(CALL, has_key_until=NOW)
"""Its lease on the key has run out; a released key is told alike."""


def answered(status: int, **more: Any) -> Call:
    return replace(CALL, status=status, answered_at=BEFORE, is_replayed=True, **more)


def booking_in_memory(status: str = "pending") -> Booking:
    return Booking(
        id="ford_1", product="flight", reference="F-1", status=status, created_at=NOW, updated_at=NOW
    )


def left(
    state: str,
    *,
    kind: str = "book",
    lease: datetime = BEFORE,
    due: datetime | None = BEFORE,
    booking: str = "pending",
) -> Operation:
    """An operation as its owner left it."""
    return Operation(
        kind=kind,
        created_at=NOW,
        state=state,
        lease_until=lease,
        next_attempt_at=due,
        booking=booking_in_memory(booking),
    )


def taken_on(state: str, *, kind: str = "book", due: datetime | None = BEFORE) -> Operation:
    """The supplier has said that it delivers later; that answer was lost, and a look-up told it."""
    operation = left(state, kind=kind, due=due)
    operation.booking.supplier_reference = "S-1"
    return operation


def exists(booking: Booking, status: int = 200) -> Call:
    """An eSIM order that repeats another one is answered with that."""
    return replace(answered(status, named=booking), operation="createEsimOrder")


CONFIRMED = left("confirmed", due=None, booking="ticketed")
FAILED = left("failed", due=None, booking="failed")
CASES: list[tuple[str, Call, list[Operation], tuple[str, str, int]]] = [
    ("it runs and began nothing", RUNS, [], ("running", "wait", 5)),
    ("it runs for a moment more", replace(CALL, has_key_until=SOON), [], ("running", "wait", 3)),
    ("it runs for less than a second more", replace(CALL, has_key_until=AT_ONCE), [], ("running", "wait", 1)),
    ("it runs and calls the supplier", RUNS, [left("calling", lease=SOON)], ("running", "wait", 5)),
    ("it runs after a 502", RUNS, [FAILED], ("running", "wait", 5)),
    ("a retry reads what recovery has confirmed", RUNS, [CONFIRMED], ("done", "read_booking", 0)),
    ("a dead claim, nothing began", DIED, [], ("failed", "retry_same_key", 0)),
    ("released, nothing began", CALL, [], ("failed", "retry_same_key", 0)),
    ("released after a 502", CALL, [FAILED], ("failed", "retry_same_key", 0)),
    ("dead, funds held, its lease runs", DIED, [left("held", lease=SOON)], ("running", "wait", 3)),
    ("dead, funds held, its lease is over", DIED, [left("held")], ("unknown", "retry_same_key", 0)),
    ("the call goes on without its request", CALL, [left("calling", lease=LATER)], ("running", "wait", 5)),
    ("dead in the supplier's call", DIED, [left("calling")], ("unknown", "retry_same_key", 0)),
    ("uncertain, a look-up under way", CALL, [left("uncertain", lease=SOON)], ("unknown", "wait", 3)),
    ("uncertain, and a look-up's lease is just over", CALL, [left("uncertain", lease=NOW)], ("unknown", "retry_same_key", 0)),
    ("uncertain, and due just now", CALL, [left("uncertain", due=NOW)], ("unknown", "retry_same_key", 0)),
    ("uncertain, to be looked up", CALL, [left("uncertain", due=SOON)], ("unknown", "wait", 3)),
    ("uncertain, to be looked up later", CALL, [left("uncertain", due=LATER)], ("unknown", "wait", 60)),
    ("uncertain, and no look-up is to come", CALL, [left("uncertain", due=None)], ("unknown", "retry_same_key", 0)),
    ("uncertain, and nobody looked", CALL, [left("uncertain")], ("unknown", "retry_same_key", 0)),
    ("the supplier took it on", CALL, [taken_on("uncertain", due=SOON)], ("done", "wait", 3)),
    ("the supplier took it on, and nobody looked", CALL, [taken_on("uncertain")], ("done", "retry_same_key", 0)),
    ("the supplier took it on, with staff", CALL, [taken_on("review", due=None)], ("done", "wait", 600)),
    ("its cancellation, and nobody looked", CALL, [taken_on("uncertain", kind="cancel")], ("unknown", "retry_same_key", 0)),
    ("with staff", CALL, [left("review", due=None)], ("unknown", "wait", 600)),
    ("confirmed by recovery, never answered", DIED, [CONFIRMED], ("done", "read_booking", 0)),
    ("answered and confirmed", answered(201), [CONFIRMED], ("done", "read_booking", 0)),
    ("answered pending", answered(201), [left("uncertain", due=SOON)], ("done", "wait", 3)),
    ("answered pending, and nobody looked", answered(201), [left("uncertain")], ("done", "wait", 5)),
    ("answered pending, looked up now", answered(201), [left("uncertain", lease=SOON)], ("done", "wait", 3)),
    ("answered pending, and its call goes on", answered(201), [left("calling", lease=LATER)], ("done", "wait", 5)),
    ("answered pending, with staff", answered(201), [left("review", due=None)], ("done", "wait", 600)),
    ("answered pending, and refused afterwards", answered(201), [FAILED], ("failed", "use_new_key", 0)),
    ("refused by the supplier", answered(410), [FAILED], ("failed", "use_new_key", 0)),
    ("refused before anything began", answered(400), [], ("failed", "use_new_key", 0)),
    ("refused on a retry, and the first call is open", answered(409), [left("uncertain")], ("unknown", "wait", 5)),
    ("refused as no request on a retry, and the first call is open", answered(400), [left("uncertain")], ("unknown", "wait", 5)),
    ("a search", answered(201), [], ("done", "retry_same_key", 0)),
    ("a test event", answered(202), [], ("done", "none", 0)),
    ("the key's 24 h are over", replace(CALL, status=201, answered_at=BEFORE), [CONFIRMED], ("done", "read_booking", 0)),
    ("the key's 24 h are over, it was refused", replace(CALL, status=410), [FAILED], ("failed", "retry_same_key", 0)),
    ("the reference is taken", answered(409, named=booking_in_memory("ticketed")), [], ("failed", "read_booking", 0)),
    ("the reference is taken by a pending one", answered(409, named=booking_in_memory()), [], ("failed", "wait", 5)),
    ("the reference was taken", answered(409, named=booking_in_memory("failed")), [], ("failed", "use_new_key", 0)),
    (
        "another operation on the booking was under way",
        replace(answered(409, named=booking_in_memory("ticketed")), operation="cancelFlightOrder"),
        [],
        ("failed", "use_new_key", 0),
    ),
    ("it exists already", exists(booking_in_memory("provisioned")), [], ("done", "read_booking", 0)),
    ("it exists already, pending", exists(booking_in_memory()), [], ("done", "wait", 5)),
    ("it existed, and failed", exists(booking_in_memory("failed")), [], ("failed", "use_new_key", 0)),
    ("refused, though it names a booking", exists(booking_in_memory("ticketed"), 400), [], ("failed", "use_new_key", 0)),
]  # fmt: skip


def told(verdict: Verdict) -> tuple[str, str, int]:
    return str(verdict.state), str(verdict.next.action), verdict.next.after_seconds


@pytest.mark.parametrize(
    ("call", "operations", "expected"), [case[1:] for case in CASES], ids=[c[0] for c in CASES]
)
def test_each_state_is_told_with_its_safe_next_step(
    call: Call, operations: list[Operation], expected: tuple[str, str, int]
) -> None:
    assert told(judge(call, operations, NOW)) == expected


def test_the_booking_is_told_where_one_is_known() -> None:
    assert judge(CALL, [CONFIRMED], NOW).booking == CONFIRMED.booking
    assert judge(CALL, [left("uncertain")], NOW).booking is not None
    assert judge(CALL, [FAILED], NOW).booking == FAILED.booking
    assert judge(CALL, [], NOW).booking is None
    calling = left("calling", lease=LATER)
    assert judge(RUNS, [FAILED, calling], NOW).booking is calling.booking
    assert judge(RUNS, [FAILED], NOW).booking is None


def test_a_new_key_is_advised_only_where_a_final_answer_is_stored() -> None:
    """A copy of the request that is still on its way would else begin under the old key, beside the new one."""
    advised = [call for _, call, _, expected in CASES if expected[1] == "use_new_key"]
    assert len(advised) > 4
    assert all(call.is_replayed for call in advised)


def test_no_step_but_waiting_has_a_pause() -> None:
    for _, call, operations, _ in CASES:
        step: Next = judge(call, operations, NOW).next
        assert (step.after_seconds > 0) == (step.action == "wait")


KEY = "the-key-of-my-order"


@pytest.fixture
def key() -> ApiKey:
    return issued_key(approved_account())[0]


def found(key: ApiKey, text: str = KEY) -> CallOutcome:
    return outcome_of_key(key.account_id, key.environment, text, now=clock.now())


def answered_under(key: ApiKey, **columns: object) -> IdempotencyRecord:
    """The key's call was answered_under just now."""
    now = clock.now()
    return IdempotencyRecord.objects.create(
        **{
            "account_id": key.account_id,
            "environment": key.environment,
            "key": KEY,
            "state": IdempotencyState.DONE,
            "lease_token": uuid.uuid4(),
            "lease_until": now,
            "status": 409,
            "body": "{}",
            "operation": "createFlightOrder",
            "completed_at": now,
            **columns,
        }
    )


@pytest.mark.parametrize("whose", ["its own", "another account's", "another environment's"])
def test_only_a_booking_of_ones_own_is_told(key: ApiKey, whose: str) -> None:
    owner = {
        "its own": lambda: key,
        "another account's": lambda: issued_key()[0],
        "another environment's": lambda: issued_key(key.account, environment="live")[0],
    }[whose]()
    a_booking(owner, id="ford_0")
    booking = a_booking(owner)
    answered_under(key, body=f'{{"error":{{"bookingId":"{booking.pk}"}}}}')
    assert found(key).verdict.booking == (booking if whose == "its own" else None)


def test_a_cancellation_that_failed_is_not_done_though_its_answer_shows_a_booking_that_stands(
    key: ApiKey,
) -> None:
    booking = a_booking(key)
    record = answered_under(key, status=200, body=f'{{"id":"{booking.pk}"}}', operation="cancelFlightOrder")
    an_operation(
        booking, kind="cancel", state="failed", idempotency_record_id=record.pk, next_attempt_at=None
    )
    verdict = found(key).verdict
    assert (verdict.state, verdict.next.action, verdict.booking) == ("failed", "use_new_key", booking)


def test_a_forgotten_key_is_told_to_whoever_sent_it(key: ApiKey) -> None:
    past = {"operation": "createFlightOrder", "status": 410, "first_seen_at": clock.now()}
    for record_id, owner in enumerate(
        (key, issued_key(key.account, environment="live")[0], issued_key()[0]), start=1
    ):
        PastKey.objects.create(
            record_id=record_id,
            account_id=owner.account_id,
            environment=owner.environment,
            key=KEY,
            request_id=f"request {record_id}",
            **past,
        )
    call = found(key).call
    assert call is not None
    assert (call.request_id, call.status) == ("request 1", 410)
    assert found(key, "another-key-of-mine").verdict.state == "not_seen"


def test_after_24_hours_the_answer_of_an_operation_that_is_still_open_is_replayed_all_the_same(
    key: ApiKey,
) -> None:
    record = answered_under(key, status=201, completed_at=clock.now() - timedelta(hours=25))
    booking = a_booking(key, status="pending")
    an_operation(booking, state="uncertain", idempotency_record_id=record.pk)
    verdict = found(key).verdict
    assert (verdict.state, verdict.next.action, verdict.booking) == ("done", "wait", booking)


@pytest.fixture
def searched_key() -> ApiKey:
    api_of_new_partner(cents=1_000_000)
    return ApiKey.objects.get()


def told_of(searched_key: ApiKey, text: str) -> list[tuple[str, str, str]]:
    outcomes = outcomes_of(searched_key.account_id, "test", text, now=clock.now())
    return [(each.key, each.verdict.state, each.verdict.next.action) for each in outcomes]


def test_what_began_under_a_forgotten_key_is_told_with_that_key(searched_key: ApiKey) -> None:
    for record_id in (1, 2):
        PastKey.objects.create(
            record_id=record_id,
            account_id=searched_key.account_id,
            environment="test",
            key=f"forgotten-searched_key-{record_id}",
            first_seen_at=clock.now(),
        )
    booking = a_booking(searched_key, external_reference="trip-1")
    an_operation(booking, state="confirmed", idempotency_record_id=2, next_attempt_at=None)
    assert told_of(searched_key, "trip-1") == [("forgotten-searched_key-2", "done", "read_booking")]


def test_a_logged_call_leads_to_what_it_began_or_else_to_all_of_its_booking(searched_key: ApiKey) -> None:
    booked, cancelled, read = (str(uuid.uuid4()) for _ in range(3))
    booking, other = a_booking(searched_key), a_booking(searched_key)
    an_operation(booking, state="confirmed", request_id=booked, next_attempt_at=None)
    an_operation(booking, kind="cancel", state="failed", request_id=cancelled, next_attempt_at=None)
    an_operation(other, state="confirmed", request_id=str(uuid.uuid4()), next_attempt_at=None)

    def began(request_id: str) -> list[str]:
        logged = LoggedCall(
            account_id=searched_key.account_id,
            environment="test",
            request_id=uuid.UUID(request_id),
            booking_id=booking.pk,
        )
        outcomes = of_logged_booking(logged, clock.now())
        return [each.call.request_id for each in outcomes if each.call is not None]

    assert [began(request_id) for request_id in (booked, cancelled, read)] == [
        [booked],
        [cancelled],
        [cancelled, booked],
    ]


def test_a_call_is_found_by_its_request_and_by_its_booking_with_its_key(
    searched_key: ApiKey, move_clock: Callable[..., None]
) -> None:
    api = Api(issued_key(searched_key.account)[1])
    ordered, sought = str(uuid.uuid4()), str(uuid.uuid4())
    body = {**order_body(FlightShop(api).offer()), "externalReference": "trip-1"}
    made = api.post("/v1/flights/orders", body, key=ordered)
    assert made.status == 201
    search = {"origin": "LIS", "destination": "BER", "departureDate": day(60).isoformat()}
    searched = api.post("/v1/flights/searches", search, key=sought)
    write_down()
    assert told_of(searched_key, searched.headers["X-Request-Id"]) == [(sought, "done", "retry_same_key")]
    for known in (made.headers["X-Request-Id"], "trip-1", ordered):
        assert told_of(searched_key, known) == [(ordered, "done", "read_booking")]

    move_clock(hours=26)
    prune_idempotency_records()
    assert told_of(searched_key, searched.headers["X-Request-Id"]) == []
    for known in (made.headers["X-Request-Id"], "trip-1", ordered):
        assert told_of(searched_key, known) == [(ordered, "done", "read_booking")]
