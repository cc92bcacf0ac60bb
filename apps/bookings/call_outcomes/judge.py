"""What became of a call, and the one safe next step, from what is stored of it. Pure: the reads are in `find`.

Whoever follows the next step blindly ends with exactly one booking. Two rules keep that:

- A new key is advised only where the old one cannot begin anything any more, not even by a copy of the request that is still on
  its way: a final answer is stored under it. Everything else that may be tried again is tried with the same key.
- An operation that may have reached its supplier is waited for, or looked up by a retry with its key; it is never made anew.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from apps.bookings.models import Booking, Operation, OperationKind, OperationState

SOON = 1
"""Seconds to wait for a call that is under way, at least."""
MOST_WHILE_RUNNING = 5
MOST_WHILE_LOOKED_UP = 60
WITH_STAFF = 600

ONE_BOOKING_A_REFERENCE = frozenset({"createHotelBooking", "createFlightOrder", "createTransferOrder"})
"""What is refused with 409 and `bookingId` because a booking has the externalReference: that booking is the one."""
NOT_LOOKED_UP = (OperationState.HELD, OperationState.CALLING)
NOTHING_TO_READ = 202
"""The status of what is done and has no answer to fetch: a test event, a delivery sent again."""


class State(StrEnum):
    NOT_SEEN = "not_seen"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    UNKNOWN = "unknown"


class Action(StrEnum):
    NONE = "none"
    WAIT = "wait"
    RETRY_SAME_KEY = "retry_same_key"
    USE_NEW_KEY = "use_new_key"
    READ_BOOKING = "read_booking"


@dataclass(frozen=True, slots=True)
class Next:
    action: Action
    after_seconds: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    state: State
    next: Next
    booking: Booking | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What is stored of the call that had the key last."""

    operation: str
    """The operationId; empty for a call that came before it was stored."""
    request_id: str
    first_seen_at: datetime
    status: int | None
    """Of the answer that was stored; None where none was."""
    answered_at: datetime | None
    has_key_until: datetime | None = None
    """While a call runs: the end of its lease on the key."""
    is_replayed: bool = False
    """Whether a repeated call is answered with what is stored."""
    named: Booking | None = None
    """The booking that the stored answer names, and that no operation of this key made."""


NOT_SEEN = Verdict(State.NOT_SEEN, Next(Action.RETRY_SAME_KEY))


def judge(call: Call, operations: Sequence[Operation], now: datetime) -> Verdict:
    """`operations` began under the key, the newest first. At most one of them did not fail."""
    live = next((each for each in operations if each.state != OperationState.FAILED), None)
    if live is not None and live.state == OperationState.CONFIRMED:
        return Verdict(State.DONE, Next(Action.READ_BOOKING), live.booking)
    if call.has_key_until is not None and call.has_key_until > now:
        booking = live.booking if live is not None else None
        return Verdict(State.RUNNING, while_running(call.has_key_until, now), booking)
    if live is not None:
        return of_open(call, live, now)
    return of_ended(call, operations[0].booking if operations else None)


def of_open(call: Call, operation: Operation, now: datetime) -> Verdict:
    """No request runs, and the operation has no end yet. What was answered `pending` is done, and its booking is waited for."""
    answered = call.status is not None and call.status < 400
    state = State.DONE if answered or is_accepted(operation) else State.UNKNOWN
    if operation.state == OperationState.REVIEW:
        return Verdict(state, Next(Action.WAIT, WITH_STAFF), operation.booking)
    if operation.lease_until > now:
        owned = State.RUNNING if operation.state in NOT_LOOKED_UP and not answered else state
        return Verdict(owned, while_running(operation.lease_until, now), operation.booking)
    if operation.next_attempt_at is not None and operation.next_attempt_at > now:
        wait = seconds_until(operation.next_attempt_at, now, most=MOST_WHILE_LOOKED_UP)
        return Verdict(state, Next(Action.WAIT, wait), operation.booking)
    # It is due, and nobody has come for it yet. A retry looks it up at once, unless it only replays what is stored.
    step = Next(Action.WAIT, MOST_WHILE_RUNNING) if call.is_replayed else Next(Action.RETRY_SAME_KEY)
    return Verdict(state, step, operation.booking)


def is_accepted(operation: Operation) -> bool:
    """Whether the supplier has told that it took the order on, and delivers later. Then `pending` is no doubt, but a promise."""
    return operation.kind == OperationKind.BOOK and operation.booking.supplier_reference != ""


def of_ended(call: Call, failed: Booking | None) -> Verdict:
    """No request runs, and nothing that began under the key stands. `failed` is the booking, or what it was to alter."""
    if not call.is_replayed:
        return Verdict(State.FAILED, Next(Action.RETRY_SAME_KEY), failed)
    assert call.status is not None
    if call.named is not None:
        return of_named(call, call.named)
    if call.status >= 400 or failed is not None:
        return Verdict(State.FAILED, Next(Action.USE_NEW_KEY), failed)
    step = Action.NONE if call.status == NOTHING_TO_READ else Action.RETRY_SAME_KEY
    return Verdict(State.DONE, Next(step))


def of_named(call: Call, booking: Booking) -> Verdict:
    """The answer was another call's booking: the one that has the same externalReference."""
    assert call.status is not None
    refused = call.status >= 400
    if booking.status == Booking.FAILED or (refused and call.operation not in ONE_BOOKING_A_REFERENCE):
        return Verdict(State.FAILED, Next(Action.USE_NEW_KEY), booking)
    step = Next(Action.READ_BOOKING)
    if booking.status == Booking.PENDING:
        step = Next(Action.WAIT, MOST_WHILE_RUNNING)
    return Verdict(State.FAILED if refused else State.DONE, step, booking)


def while_running(until: datetime, now: datetime) -> Next:
    """Most calls end long before their lease, so nobody is told to wait for all of it."""
    return Next(Action.WAIT, seconds_until(until, now, most=MOST_WHILE_RUNNING))


def seconds_until(instant: datetime, now: datetime, *, most: int) -> int:
    return max(SOON, min(math.ceil((instant - now).total_seconds()), most))
