"""What became of a call, and the one safe next step, from what is stored of it. `judge` is pure; the reads are below it.

Following the next step blindly ends with exactly one booking. Two rules keep that:

- A new key is advised only where the old one cannot begin anything any more, not even by a copy of the request that is still on
  its way: a final answer is stored under it. Everything else that may be tried again is tried with the same key.
- An operation that may have reached its supplier is waited for, or looked up by a retry with its key; it is never made again.

A call is found by its Idempotency-Key, and in the portal also by the externalReference of its booking or the id of its request.
Every read begins from the account and the environment, and all reads of one answer see the database as of one instant.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

import orjson
from django.conf import settings

from apps.bookings.models import (
    OPEN_STATES,
    Booking,
    Operation,
    OperationKind,
    OperationState,
    PastKey,
    Product,
)
from apps.bookings.travellers import booking_of_answer
from apps.common import clock
from apps.common.errors import NotFound
from apps.common.ids import is_well_formed
from apps.common.sql import one_snapshot
from apps.gateway.idempotency import WELL_FORMED
from apps.gateway.models import IdempotencyRecord, IdempotencyState
from apps.request_log.models import LoggedCall
from apps.request_log.selectors import call_of

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
    """Whether a repeated call gets the stored answer."""
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
    waits = operation.state == OperationState.AWAITING
    state = State.DONE if answered or waits or is_accepted(operation) else State.UNKNOWN
    if operation.state == OperationState.REVIEW:
        return Verdict(state, Next(Action.WAIT, WITH_STAFF), operation.booking)
    if operation.lease_until > now:
        owned = State.RUNNING if operation.state in NOT_LOOKED_UP and not answered else state
        return Verdict(owned, while_running(operation.lease_until, now), operation.booking)
    if operation.next_attempt_at is not None and operation.next_attempt_at > now:
        wait = seconds_until(operation.next_attempt_at, now, most=MOST_WHILE_LOOKED_UP)
        return Verdict(state, Next(Action.WAIT, wait), operation.booking)
    # It is due, and no worker has claimed it yet. A retry looks it up at once, unless it only replays what is stored.
    step = Next(Action.WAIT, MOST_WHILE_RUNNING) if call.is_replayed else Next(Action.RETRY_SAME_KEY)
    return Verdict(state, step, operation.booking)


def is_accepted(operation: Operation) -> bool:
    """Whether the supplier has said that it took the order on, and delivers later. Then `pending` is no doubt, but a promise."""
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
    """Most calls end long before their lease, so no caller has to wait for all of it."""
    return Next(Action.WAIT, seconds_until(until, now, most=MOST_WHILE_RUNNING))


def seconds_until(instant: datetime, now: datetime, *, most: int) -> int:
    return max(SOON, min(math.ceil((instant - now).total_seconds()), most))


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """`call` is None for a key that was never seen, and for one that is unused again."""

    key: str
    call: Call | None
    verdict: Verdict


def outcome_of_key(account_id: str, environment: str, key: str, *, now: datetime) -> CallOutcome:
    """What became of the newest call with the key. `now` is the time of the environment."""
    with one_snapshot():
        mine = {"account_id": account_id, "environment": environment, "key": key}
        record = IdempotencyRecord.objects.filter(**mine).defer("fingerprint").first()
        if record is not None:
            operations = operations_under(record.pk)
            if operations or not is_forgotten(record, now):
                return outcome_of_record(record, operations, now)
        past = PastKey.objects.filter(**mine).order_by("-record_id").first()
        return outcome_of_past(past) if past is not None else CallOutcome(key, None, NOT_SEEN)


def outcome_of_record(
    record: IdempotencyRecord, operations: Sequence[Operation], now: datetime
) -> CallOutcome:
    call = call_of_record(record, operations, now)
    return CallOutcome(record.key, call, judge(call, operations, clock.now()))


def outcome_of_past(past: PastKey) -> CallOutcome:
    """Of a key whose record is deleted: the next call with it begins again."""
    call = Call(
        operation=past.operation,
        request_id=past.request_id,
        first_seen_at=past.first_seen_at,
        status=past.status,
        answered_at=past.answered_at,
    )
    return CallOutcome(past.key, call, judge(call, operations_under(past.record_id), clock.now()))


def operations_under(record_id: int) -> list[Operation]:
    """What began under the key, the newest first. Two looks, because failed operations have an index of their own."""
    under = Operation.objects.filter(idempotency_record_id=record_id).select_related("booking")
    live = list(under.exclude(state=OperationState.FAILED))
    return live or list(under.filter(state=OperationState.FAILED).order_by("-pk"))


def is_forgotten(record: IdempotencyRecord, now: datetime) -> bool:
    """Whether the 24 h of the answer are over: the next call with the key begins again."""
    kept = timedelta(hours=settings.IDEMPOTENCY_RETENTION_HOURS)
    return record.completed_at is not None and now - record.completed_at >= kept


def call_of_record(record: IdempotencyRecord, operations: Sequence[Operation], now: datetime) -> Call:
    running = record.state == IdempotencyState.RUNNING
    # While an operation is open, the answer is kept beyond its 24 h.
    is_open = any(operation.state in OPEN_STATES for operation in operations)
    replayed = record.state == IdempotencyState.DONE and (is_open or not is_forgotten(record, now))
    return Call(
        operation=record.operation,
        request_id=record.request_id,
        first_seen_at=record.created_at,
        status=record.status,
        answered_at=record.completed_at,
        has_key_until=record.lease_until if running else None,
        is_replayed=replayed,
        named=booking_named(record) if not operations else None,
    )


def named_in(answer: str) -> object:
    body = orjson.loads(answer)
    error = body.get("error")
    return error.get("bookingId") if isinstance(error, dict) else body.get("id")


def booking_named(record: IdempotencyRecord) -> Booking | None:
    """The booking that the stored answer shows, or names as the holder of the externalReference."""
    if record.encrypted or not record.body:
        return None
    named = booking_of_answer(record.body) or named_in(record.body)
    if not isinstance(named, str) or not is_well_formed(named):
        return None
    mine = Booking.objects.filter(account_id=record.account_id, environment=record.environment)
    return mine.filter(pk=named).first()


MOST = 10
"""Bookings of one externalReference, and calls of one booking."""


def outcomes_of(account_id: str, environment: str, text: str, *, now: datetime) -> list[CallOutcome]:
    """What became of each call that `text` names, each once; the newest of a booking first. `now` is the environment's."""
    found: list[CallOutcome] = []
    if WELL_FORMED.fullmatch(text):
        found += [outcome_of_key(account_id, environment, text, now=now)]
    found += of_request(account_id, environment, text, now)
    found += of_bookings(bookings_named(account_id, environment, text), now)
    known = {(each.key, each.call.request_id): each for each in found if each.call is not None}
    return list(known.values())


def of_request(account_id: str, environment: str, request_id: str, now: datetime) -> Iterator[CallOutcome]:
    """By what the request log keeps of the call: its key where that is random, else its booking."""
    try:
        logged = call_of(account_id, environment, request_id)
    except NotFound:
        return
    if WELL_FORMED.fullmatch(logged.idempotency_key):
        yield outcome_of_key(account_id, environment, logged.idempotency_key, now=now)
        return
    yield from of_logged_booking(logged, now)


def of_logged_booking(logged: LoggedCall, now: datetime) -> Iterator[CallOutcome]:
    """The operation that this very request began; of a retry, those of its booking."""
    mine = Booking.objects.filter(account_id=logged.account_id, environment=logged.environment)
    outcomes = list(of_bookings(mine.filter(pk=logged.booking_id), now))
    own = [each for each in outcomes if each.call and each.call.request_id == str(logged.request_id)]
    yield from own or outcomes


def bookings_named(account_id: str, environment: str, external_reference: str) -> Iterable[Booking]:
    """Failed ones too: a reference may have been tried several times."""
    if "\x00" in external_reference:
        return []
    return Booking.objects.filter(
        account_id=account_id,
        environment=environment,
        product__in=Product.values,
        external_reference=external_reference,
    ).order_by("-created_at", "-id")[:MOST]


def of_bookings(bookings: Iterable[Booking], now: datetime) -> Iterator[CallOutcome]:
    for booking in bookings:
        for operation in booking.operations.order_by("-pk")[:MOST]:
            operation.booking = booking
            yield outcome_of_operation(operation, now)


def outcome_of_operation(operation: Operation, now: datetime) -> CallOutcome:
    """By the key that it began under. What began under none, or under one that is not kept, is judged by itself."""
    if (record_id := operation.idempotency_record_id) is not None:
        record = IdempotencyRecord.objects.filter(pk=record_id).defer("fingerprint").first()
        if record is not None:
            return outcome_of_record(record, operations_under(record.pk), now)
        past = PastKey.objects.filter(record_id=record_id).first()
        if past is not None:
            return outcome_of_past(past)
    call = Call(
        operation="",
        request_id=operation.request_id,
        first_seen_at=operation.created_at,
        status=None,
        answered_at=None,
    )
    return CallOutcome("", call, judge(call, [operation], clock.now()))
