"""The statements that begin an operation and mark its call: each changes its own rows, for whoever owns them, and no others."""

import threading
from contextlib import suppress
from datetime import timedelta
from random import Random
from typing import Any

import orjson
import pytest
from django.db import IntegrityError, connection, transaction

from apps.accounts.models import Account
from apps.bookings import statements
from apps.bookings.flow.settle import emit_events, end
from apps.bookings.models import Booking, Operation
from apps.bookings.statements import end_together, insert_booking_with_hold, save_change, start_call
from apps.common import clock
from apps.common.errors import AccountNotActive, IdempotencyKeyInProgress, InsufficientFunds
from apps.gateway.idempotency import Claim
from apps.gateway.models import IdempotencyRecord
from apps.gateway.responses import Answer
from apps.keys.models import ApiKey
from apps.ledger.models import Hold, Wallet
from apps.ledger.money import NOTHING, CaptureExceedsHold, CurrencyMismatch, hold
from apps.ledger.statements import REPEATED
from apps.onboarding.partners import Onboarded
from apps.webhooks.events import Fact
from apps.webhooks.models import Event
from tests.bookings.rows import AT, LATER, MINE, OTHER, a_booking, an_operation, begun, ended, others, stored
from tests.factories.accounts import SandboxFactory


def test_a_booking_and_its_operation_are_inserted_whole(key: ApiKey) -> None:
    booking, operation = begun(key)
    insert_booking_with_hold(booking, operation, None)
    assert Booking.objects.values().get() == {
        field.attname: getattr(booking, field.attname) for field in Booking._meta.concrete_fields
    }
    assert Operation.objects.values().get() == {
        field.attname: getattr(operation, field.attname) for field in Operation._meta.concrete_fields
    }
    assert Booking.objects.filter(exchange__isnull=True).exists()  # and not the null of JSON


@pytest.mark.parametrize("lost", ["to another call", "answered", "released"])
def test_whoever_has_lost_the_key_does_not(key: ApiKey, claimed: Claim, lost: str) -> None:
    record = IdempotencyRecord.objects.filter(pk=claimed.record_id)
    if lost == "to another call":
        record.update(lease_token=OTHER)
    else:
        record.update(state="done" if lost == "answered" else "released")
    with pytest.raises(IdempotencyKeyInProgress):
        insert_booking_with_hold(*begun(key), claimed)


@pytest.mark.parametrize(
    ("short", "refusal"),
    [
        ({"balance_cents": 999}, InsufficientFunds),
        ({"balance_cents": 10_000, "held_cents": 9_001}, InsufficientFunds),
        ({"currency": "USD"}, CurrencyMismatch),
        ({"environment": "live"}, InsufficientFunds),
    ],
)
def test_a_wallet_that_does_not_cover_the_hold_writes_nothing(
    key: ApiKey, short: dict[str, Any], refusal: type[Exception]
) -> None:
    Wallet.objects.exclude(environment="test").delete()
    Wallet.objects.update(**short)
    with pytest.raises(refusal):
        insert_booking_with_hold(*begun(key), None)
    assert (stored(), Hold.objects.count()) == ([], 0)


def test_an_account_that_was_stopped_begins_nothing(key: ApiKey) -> None:
    Account.objects.update(status="suspended")
    with pytest.raises(AccountNotActive):
        insert_booking_with_hold(*begun(key), None)
    assert (stored(), Hold.objects.count()) == ([], 0)


def test_a_hold_of_the_same_reference_fails_the_whole_booking(key: ApiKey) -> None:
    hold(
        account_id=key.account_id,
        environment="test",
        amount_cents=1_000,
        currency="EUR",
        reference="F-22222222",
        trace=NOTHING,
    )
    with pytest.raises(IntegrityError, match=REPEATED), transaction.atomic():
        insert_booking_with_hold(*begun(key), None)
    assert (stored(), Hold.objects.count()) == ([], 1)


def test_a_call_is_marked_by_the_owner_of_what_is_held(key: ApiKey, bystanders: list[dict[str, Any]]) -> None:
    booking = a_booking(key)
    operation = an_operation(booking, lease_token=MINE)
    assert start_call(operation, now=AT, lease_until=LATER, prepared={"price": 7}) is True
    operation.refresh_from_db()
    assert (operation.state, operation.call_started_at, operation.prepared) == ("calling", AT, {"price": 7})
    assert (operation.lease_until, operation.next_attempt_at) == (LATER, LATER)
    assert others(booking, operation) == bystanders


@pytest.mark.parametrize(
    "lost",
    [{"lease_token": OTHER}, {"state": "calling"}, {"state": "failed"}, {"state": "uncertain"}],
    ids=["lease", "calling", "failed", "uncertain"],
)
def test_no_call_is_marked_without_the_lease_or_once_it_began(key: ApiKey, lost: dict[str, Any]) -> None:
    operation = an_operation(a_booking(key))
    Operation.objects.filter(pk=operation.pk).update(**lost)
    before = stored()
    assert start_call(operation, now=AT, lease_until=LATER, prepared={}) is False
    assert stored() == before


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


BEGAN = bytes(range(24))
"""The trace of the call that began the operation."""


@pytest.fixture
def operation(onboarded: Onboarded) -> Operation:
    return an_operation(a_booking(onboarded.test_key), state="calling", trace_context=BEGAN)


REFUNDED = Fact("payment.refunded", {"refundCents": 7})
WRITERS, TURNS = 6, 12


class RolledBack(Exception):
    """What was to be told did not happen."""


def told(booking_id: str) -> list[tuple[int | None, int]]:
    """The sequence in the row and in the payload, in the order of writing."""
    rows = Event.objects.filter(booking_id=booking_id).order_by("arrival")
    return [(row.sequence, orjson.loads(row.payload)["sequence"]) for row in rows]


def test_a_change_is_stamped_by_the_clock_of_its_own_account(
    key: ApiKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many other sandboxes there are, and however far ahead these are."""
    monkeypatch.setattr(statements, "LATE", timedelta(seconds=4))
    SandboxFactory(clock_offset=timedelta(days=300))
    SandboxFactory(clock_offset=timedelta(days=200))
    booking = a_booking(key)
    before = clock.now()
    save_change(booking, "status", now=before)
    booking.refresh_from_db()
    assert before - timedelta(seconds=4) <= booking.updated_at < before + timedelta(days=1)


@pytest.mark.django_db(transaction=True)
def test_numbers_have_no_gaps_though_many_write_at_once_and_some_undo(onboarded: Onboarded) -> None:
    booking = a_booking(onboarded.test_key)
    operation = an_operation(booking, state="calling", kind="change", hold_id="", amount_cents=0)

    def write(chance: Random) -> None:
        for _ in range(TURNS):
            with suppress(RolledBack), transaction.atomic():
                emit_events(booking, "", (REFUNDED,) * chance.randint(0, 3))
                if chance.random() < 0.3:
                    raise RolledBack
        connection.close()

    def settle() -> None:
        for _ in range(TURNS):
            with suppress(RolledBack), transaction.atomic():
                end(operation, ended(events=(REFUNDED, REFUNDED)), None)
                raise RolledBack
        end(operation, ended(events=(REFUNDED, REFUNDED)), None)
        connection.close()

    threads = [threading.Thread(target=write, args=(Random(number),)) for number in range(WRITERS)]
    threads.append(threading.Thread(target=settle))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    numbers = told(booking.id)
    assert len(numbers) > WRITERS
    assert numbers == [(number, number) for number in range(1, len(numbers) + 1)]
    assert Booking.objects.get().event_count == len(numbers)
