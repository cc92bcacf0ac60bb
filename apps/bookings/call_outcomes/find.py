"""Reads what is stored of a call: by its Idempotency-Key, by the externalReference of its booking, or by its request id.

Every read begins from the account and the environment, and all reads of one answer see the database as of one instant.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import orjson
from django.conf import settings

from apps.bookings.call_outcomes.judge import NOT_SEEN, Call, Verdict, judge
from apps.bookings.models import OPEN_STATES, Booking, Operation, OperationState, PastKey
from apps.bookings.travellers.rest import booking_of_answer
from apps.common import clock
from apps.common.ids import is_well_formed
from apps.common.sql import one_snapshot
from apps.gateway.models import IdempotencyRecord, IdempotencyState


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
    """Of a key whose record is deleted: the next call with it begins anew."""
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
    """Whether the 24 h of the answer are over: the next call with the key begins anew."""
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
