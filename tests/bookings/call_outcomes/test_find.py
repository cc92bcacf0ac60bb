"""What is read of a call: its own rows and nobody else's."""

import uuid
from datetime import timedelta

import pytest

from apps.bookings.models import PastKey
from apps.bookings.outcomes import CallOutcome, operations_under, outcome_of_key
from apps.common import clock
from apps.gateway.models import IdempotencyRecord, IdempotencyState
from apps.keys.models import ApiKey
from tests.bookings.rows import a_booking, an_operation
from tests.factories.keys import approved_account, issued_key

pytestmark = pytest.mark.django_db

KEY = "the-key-of-my-order"


@pytest.fixture
def key() -> ApiKey:
    return issued_key(approved_account())[0]


def found(key: ApiKey, text: str = KEY) -> CallOutcome:
    return outcome_of_key(key.account_id, key.environment, text, now=clock.now())


def answered(key: ApiKey, **columns: object) -> IdempotencyRecord:
    """The key's call was answered just now."""
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
    answered(key, body=f'{{"error":{{"bookingId":"{booking.pk}"}}}}')
    assert found(key).verdict.booking == (booking if whose == "its own" else None)


@pytest.mark.parametrize(
    "body",
    [
        '{"error":{"bookingId":7}}',
        '{"error":{"bookingId":"a b"}}',
        '{"error":{"bookingId":"a\\u0000b"}}',
        '{"id":null}',
    ],
)
def test_an_answer_that_names_no_booking_is_told_without_one(key: ApiKey, body: str) -> None:
    answered(key, body=body)
    assert found(key).verdict.booking is None


def test_an_encrypted_answer_is_told_without_being_read(key: ApiKey) -> None:
    answered(key, status=201, body="no JSON at all", encrypted=True, operation="createWebhookEndpoint")
    verdict = found(key).verdict
    assert (verdict.state, verdict.next.action, verdict.booking) == ("done", "retry_same_key", None)


def test_of_several_tries_that_failed_the_newest_is_told(key: ApiKey) -> None:
    record = answered(key, state=IdempotencyState.RELEASED, status=None, completed_at=None)
    bookings = [a_booking(key, status="failed") for _ in range(3)]
    for booking in bookings:
        an_operation(booking, state="failed", idempotency_record_id=record.pk, next_attempt_at=None)
    assert [each.booking for each in operations_under(record.pk)] == bookings[::-1]
    assert found(key).verdict.booking == bookings[-1]


def test_a_cancellation_that_failed_is_not_done_though_its_answer_shows_a_booking_that_stands(
    key: ApiKey,
) -> None:
    booking = a_booking(key)
    record = answered(key, status=200, body=f'{{"id":"{booking.pk}"}}', operation="cancelFlightOrder")
    an_operation(
        booking, kind="cancel", state="failed", idempotency_record_id=record.pk, next_attempt_at=None
    )
    verdict = found(key).verdict
    assert (verdict.state, verdict.next.action, verdict.booking) == ("failed", "use_new_key", booking)


def test_what_stands_is_told_before_the_tries_that_failed(key: ApiKey) -> None:
    record = answered(key, state=IdempotencyState.RELEASED, status=None, completed_at=None)
    for state in ("failed", "confirmed", "failed"):
        an_operation(a_booking(key), state=state, idempotency_record_id=record.pk, next_attempt_at=None)
    assert [each.state for each in operations_under(record.pk)] == ["confirmed"]


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


def test_of_several_calls_with_a_forgotten_key_the_newest_is_told(key: ApiKey) -> None:
    for record_id in (1, 3, 2):
        PastKey.objects.create(
            record_id=record_id,
            account_id=key.account_id,
            environment=key.environment,
            key=KEY,
            request_id=f"request {record_id}",
            first_seen_at=clock.now(),
        )
    call = found(key).call
    assert call is not None
    assert call.request_id == "request 3"


def test_after_24_hours_what_was_refused_may_be_tried_again_with_the_same_key(key: ApiKey) -> None:
    answered_at = clock.now()
    record = answered(key, status=410, completed_at=answered_at)
    booking = a_booking(key, status="failed")
    an_operation(booking, state="failed", idempotency_record_id=record.pk, next_attempt_at=None)
    steps = [
        outcome_of_key(key.account_id, key.environment, KEY, now=answered_at + after).verdict.next.action
        for after in (timedelta(hours=24, microseconds=-1), timedelta(hours=24))
    ]
    assert steps == ["use_new_key", "retry_same_key"]


def test_a_key_that_began_nothing_is_forgotten_after_24_hours_to_the_instant(key: ApiKey) -> None:
    answered_at = clock.now()
    answered(key, status=201, completed_at=answered_at)
    states = [
        outcome_of_key(key.account_id, key.environment, KEY, now=answered_at + after).verdict.state
        for after in (timedelta(hours=24, microseconds=-1), timedelta(hours=24))
    ]
    assert states == ["done", "not_seen"]


def test_after_24_hours_the_answer_of_an_operation_that_is_still_open_is_replayed_all_the_same(
    key: ApiKey,
) -> None:
    record = answered(key, status=201, completed_at=clock.now() - timedelta(hours=25))
    booking = a_booking(key, status="pending")
    an_operation(booking, state="uncertain", idempotency_record_id=record.pk)
    verdict = found(key).verdict
    assert (verdict.state, verdict.next.action, verdict.booking) == ("done", "wait", booking)
