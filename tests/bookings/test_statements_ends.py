"""The statements that end an operation and settle it: each changes its own rows, for whoever owns them, and no others."""

from typing import Any

import pytest

from apps.bookings.models import Booking, Operation, Settlement
from apps.bookings.statements import end_together, mark_settled, insert_booking_with_hold, start_call
from apps.gateway.answer import Answer
from apps.gateway.idempotency import Claim
from apps.gateway.models import IdempotencyRecord
from apps.keys.models import ApiKey
from apps.ledger.errors import CaptureExceedsHold, UnknownHold
from apps.ledger.models import Hold, Wallet
from apps.ledger.services.hold import hold
from apps.ledger.services.release import release
from apps.ledger.trace import NOTHING
from tests.bookings.rows import a_booking, an_operation
from tests.bookings.stated import AT, LATER, MINE, OTHER, begun, others, stored


@pytest.mark.parametrize(
    ("capture_cents", "refusal"), [(1_001, CaptureExceedsHold), (1_000, None), (999, None)]
)
def test_an_end_that_captures_more_than_was_held_writes_nothing(
    key: ApiKey, capture_cents: int, refusal: type[Exception] | None
) -> None:
    booking, operation = begun(key)
    insert_booking_with_hold(booking, operation, None)
    start_call(operation, now=AT, lease_until=LATER, prepared={})
    operation.state = "calling"
    before = stored()
    if refusal is None:
        assert end_together(booking, operation, capture_cents=capture_cents) is True
        assert Hold.objects.get().captured_cents == capture_cents
    else:
        with pytest.raises(refusal):
            end_together(booking, operation, capture_cents=capture_cents)
        assert (stored(), Hold.objects.get().status) == (before, "open")


def test_what_is_held_for_another_booking_pays_for_none_but_that(key: ApiKey) -> None:
    other = hold(
        account_id=key.account_id,
        environment="test",
        amount_cents=5_000,
        currency="EUR",
        reference="F-33333333",
        trace=NOTHING,
    )
    booking, operation = begun(key)
    insert_booking_with_hold(booking, operation, None)
    start_call(operation, now=AT, lease_until=LATER, prepared={})
    operation.state = "calling"
    before = stored()
    with pytest.raises(CaptureExceedsHold):
        end_together(booking, operation, capture_cents=1_001)
    assert (stored(), Hold.objects.get(pk=other).status) == (before, "open")


def test_an_end_without_the_hold_that_it_captures_writes_nothing(key: ApiKey) -> None:
    booking = a_booking(key, status="pending")
    operation = an_operation(booking, state="calling", hold_id="hold_of_nobody")
    before = stored()
    with pytest.raises(UnknownHold):
        end_together(booking, operation, capture_cents=1)
    assert stored() == before


def test_a_hold_that_was_resolved_before_keeps_no_operation_from_ending(key: ApiKey) -> None:
    booking, operation = begun(key)
    insert_booking_with_hold(booking, operation, None)
    start_call(operation, now=AT, lease_until=LATER, prepared={})
    operation.state = "calling"
    release(hold_id=operation.hold_id, trace=NOTHING)
    assert end_together(booking, operation, capture_cents=1_001) is True
    assert Hold.objects.get().status == "released"


def test_an_operation_ends_with_its_booking_and_nothing_else(
    key: ApiKey, bystanders: list[dict[str, Any]]
) -> None:
    booking = a_booking(key, status="pending")
    operation = an_operation(booking, state="calling", lease_token=MINE)
    booking.status, booking.total_cents, booking.supplier_reference = "ticketed", 900, "their-7"
    booking.details, booking.cancellation = {"seats": 2}, {"penaltyCents": 5}
    booking.updated_at, booking.watched_until, booking.next_news_at = AT, LATER, LATER
    assert end_together(booking, operation) is True
    assert Booking.objects.values().get(pk=booking.pk) == {
        field.attname: getattr(booking, field.attname) for field in Booking._meta.concrete_fields
    }
    operation.refresh_from_db()
    assert (operation.state, operation.next_attempt_at, operation.resolved_at) == ("confirmed", None, AT)
    assert others(booking, operation) == bystanders


@pytest.mark.parametrize("lost", [{"lease_token": OTHER}, {"state": "uncertain"}], ids=["lease", "state"])
def test_nothing_ends_without_the_lease(key: ApiKey, claimed: Claim, lost: dict[str, Any]) -> None:
    booking = a_booking(key, status="pending")
    operation = an_operation(booking, state="calling")
    Operation.objects.filter(pk=operation.pk).update(**lost)
    before = stored()
    booking.status = "ticketed"
    completion = claimed.completion(Answer({"id": booking.id}, 201))
    assert end_together(booking, operation, completion=completion) is False
    assert stored() == before
    assert IdempotencyRecord.objects.get().state == "running"


def test_whoever_has_lost_the_lease_captures_nothing(key: ApiKey) -> None:
    booking, operation = begun(key)
    insert_booking_with_hold(booking, operation, None)
    start_call(operation, now=AT, lease_until=LATER, prepared={})
    operation.state, operation.lease_token = "calling", OTHER
    assert end_together(booking, operation, capture_cents=1_000) is False
    assert Hold.objects.get().status == "open"
    assert Wallet.objects.get(environment="test").held_cents == 1_000


def test_a_settlement_is_marked_with_its_booking_and_no_other_is(key: ApiKey) -> None:
    made = [
        Settlement(operation=operation, booking=operation.booking, action="capture", amount_cents=900)
        for operation in (an_operation(a_booking(key)) for _ in range(3))
    ]
    Settlement.objects.bulk_create(made)
    before = others(made[1].booking)
    made[1].settled_at = AT
    assert (mark_settled(made[1], {"seats": 2}), mark_settled(made[1], {"seats": 3})) == (True, False)
    assert list(Settlement.objects.order_by("pk").values_list("settled_at", flat=True)) == [None, AT, None]
    settled = Booking.objects.get(pk=made[1].booking_id)
    assert (settled.details, settled.updated_at) == ({"seats": 2}, AT)
    assert others(settled) == before


@pytest.mark.parametrize("answered", [True, False])
def test_the_answer_is_stored_with_the_end_where_there_is_one(
    key: ApiKey, claimed: Claim, answered: bool
) -> None:
    booking = a_booking(key, status="pending")
    operation = an_operation(booking, state="calling")
    completion = claimed.completion(Answer({"id": booking.id}, 201)) if answered else None
    assert end_together(booking, operation, completion=completion) is True
    record = IdempotencyRecord.objects.get()
    told = (record.state, record.status, record.body)
    assert told == (("done", 201, f'{{"id":"{booking.id}"}}') if answered else ("running", None, None))
