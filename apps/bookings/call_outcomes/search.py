"""Finds calls for the portal: by Idempotency-Key, by the externalReference of a booking, or by the id of a request."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from apps.bookings.call_outcomes.find import (
    CallOutcome,
    operations_under,
    outcome_of_key,
    outcome_of_past,
    outcome_of_record,
)
from apps.bookings.call_outcomes.judge import Call, judge
from apps.bookings.models import Booking, Operation, PastKey, Product
from apps.common import clock
from apps.common.errors import NotFound
from apps.gateway.idempotency_key import WELL_FORMED
from apps.gateway.models import IdempotencyRecord
from apps.request_log.models import LoggedCall
from apps.request_log.selectors import call_of

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
