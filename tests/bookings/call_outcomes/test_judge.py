"""Every state in which a call can be left, with the state that is told and the next step. Nothing here reads a database."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apps.bookings.models import Booking, Operation
from apps.bookings.outcomes import Call, Next, Verdict, judge

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


def a_booking(status: str = "pending") -> Booking:
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
        booking=a_booking(booking),
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
    ("the reference is taken", answered(409, named=a_booking("ticketed")), [], ("failed", "read_booking", 0)),
    ("the reference is taken by a pending one", answered(409, named=a_booking()), [], ("failed", "wait", 5)),
    ("the reference was taken", answered(409, named=a_booking("failed")), [], ("failed", "use_new_key", 0)),
    (
        "another operation on the booking was under way",
        replace(answered(409, named=a_booking("ticketed")), operation="cancelFlightOrder"),
        [],
        ("failed", "use_new_key", 0),
    ),
    ("it exists already", exists(a_booking("provisioned")), [], ("done", "read_booking", 0)),
    ("it exists already, pending", exists(a_booking()), [], ("done", "wait", 5)),
    ("it existed, and failed", exists(a_booking("failed")), [], ("failed", "use_new_key", 0)),
    ("refused as no request, though it names a booking", exists(a_booking("ticketed"), 400), [], ("failed", "use_new_key", 0)),
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
