"""The three statements of the booking path: each changes its own rows, for whoever owns them, and no others."""

import uuid
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext
from psycopg import _queries

from apps.accounts.models import Account
from apps.bookings.models import Booking, Operation, Settlement
from apps.bookings.statements import END, RESERVE, end_together, mark_settled, reserve_together, start_call
from apps.common import clock
from apps.common.errors import AccountNotActive, IdempotencyKeyInProgress, InsufficientFunds
from apps.common.ids import new_id
from apps.gateway.answer import Answer
from apps.gateway.idempotency import Claim, claim
from apps.gateway.models import IdempotencyRecord
from apps.keys import authentication
from apps.keys.models import ApiKey
from apps.ledger.errors import CaptureExceedsHold, CurrencyMismatch, UnknownHold
from apps.ledger.models import Hold, Wallet, new_hold_id
from apps.ledger.services.hold import hold
from apps.ledger.services.release import release
from apps.ledger.statements import REPEATED
from apps.ledger.trace import NOTHING
from apps.onboarding.services.onboard_partner import Onboarded
from tests.bookings.rows import a_booking, an_operation
from tests.factories.ledger import WalletFactory

AT = datetime(2026, 11, 20, 12, tzinfo=UTC)
LATER = datetime(2026, 11, 20, 13, tzinfo=UTC)
MINE, OTHER = uuid.UUID(int=6), uuid.UUID(int=7)
"""Leases. The bystanders' are the same as ours, so that it is not the lease alone that tells the rows apart."""


@pytest.fixture
def key(onboarded: Onboarded) -> ApiKey:
    return onboarded.test_key


@pytest.fixture
def claimed(onboarded: Onboarded) -> Claim:
    """An Idempotency-Key that this call has."""
    made = claim(authentication.look_up(onboarded.test_secret), "one-and-the-same", "of a body")
    assert isinstance(made, Claim)
    return made


@pytest.fixture
def bystanders(key: ApiKey) -> list[dict[str, Any]]:
    """Rows in the same states, which nothing here may touch."""
    for state in ("held", "calling"):
        an_operation(a_booking(key, status="pending"), state=state, lease_token=MINE)
    return stored()


def stored() -> list[dict[str, Any]]:
    """All rows, as they are."""
    tables: list[QuerySet[Any]] = [Booking.objects.order_by("pk"), Operation.objects.order_by("pk")]
    return [dict(row) for table in tables for row in table.values()]


def others(*own: Booking | Operation) -> list[dict[str, Any]]:
    """All rows but these."""
    return [row for row in stored() if row["id"] not in {one.pk for one in own}]


def begun(key: ApiKey) -> tuple[Booking, Operation]:
    """Rows about to be inserted."""
    booking = Booking(
        id=new_id("ford"),
        product="flight",
        account_id=key.account_id,
        environment="test",
        key=key,
        reference="F-22222222",
        total_cents=1_000,
        currency="EUR",
        supplier_name="simulator",
        details={"seats": 2},
        created_at=AT,
        updated_at=AT,
    )
    now = clock.now()
    operation = Operation(
        booking=booking,
        kind="book",
        client_ref="F-22222222",
        amount_cents=1_000,
        hold_id=new_hold_id(),
        key_id=key.id,
        lease_token=uuid.uuid4(),
        lease_until=now,
        next_attempt_at=now,
        created_at=booking.created_at,
    )
    return booking, operation


def test_psycopg_remembers_them_though_they_are_long() -> None:
    assert max(len(RESERVE), len(END)) <= _queries.MAX_CACHED_STATEMENT_LENGTH


def test_a_booking_and_its_operation_are_inserted_whole(key: ApiKey) -> None:
    booking, operation = begun(key)
    reserve_together(booking, operation, None)
    assert Booking.objects.values().get() == {
        field.attname: getattr(booking, field.attname) for field in Booking._meta.concrete_fields
    }
    assert Operation.objects.values().get() == {
        field.attname: getattr(operation, field.attname) for field in Operation._meta.concrete_fields
    }
    assert Booking.objects.filter(exchange__isnull=True).exists()  # and not the null of JSON


def test_what_was_inserted_is_saved_as_such_from_then_on(key: ApiKey) -> None:
    booking, operation = begun(key)
    reserve_together(booking, operation, None)
    assert (booking._state.adding, operation._state.adding) == (False, False)
    operation.lookups, booking.status = 3, "failed"
    operation.save()
    booking.save()
    assert (Operation.objects.get().lookups, Booking.objects.get().status) == (3, "failed")


def test_whoever_has_the_key_begins(key: ApiKey, claimed: Claim) -> None:
    booking, operation = begun(key)
    reserve_together(booking, operation, claimed)
    assert Operation.objects.get().pk == operation.pk


@pytest.mark.parametrize("lost", ["to another call", "answered", "released"])
def test_whoever_has_lost_the_key_does_not(key: ApiKey, claimed: Claim, lost: str) -> None:
    record = IdempotencyRecord.objects.filter(pk=claimed.record_id)
    if lost == "to another call":
        record.update(lease_token=OTHER)
    else:
        record.update(state="done" if lost == "answered" else "released")
    with pytest.raises(IdempotencyKeyInProgress):
        reserve_together(*begun(key), claimed)


def test_a_claim_of_another_key_is_no_claim_of_this_one(key: ApiKey, claimed: Claim) -> None:
    claimed.record_id += 1
    with pytest.raises(IdempotencyKeyInProgress):
        reserve_together(*begun(key), claimed)


def test_a_claim_that_was_lost_writes_nothing(key: ApiKey, claimed: Claim) -> None:
    IdempotencyRecord.objects.update(lease_token=OTHER)
    with pytest.raises(IdempotencyKeyInProgress):
        reserve_together(*begun(key), claimed)
    assert (stored(), Hold.objects.count()) == ([], 0)


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
        reserve_together(*begun(key), None)
    assert (stored(), Hold.objects.count()) == ([], 0)


def test_an_account_without_a_wallet_has_nothing_available(key: ApiKey) -> None:
    Wallet.objects.exclude(environment="test").delete()
    Wallet.objects.update(environment="live")
    with pytest.raises(InsufficientFunds) as refused:
        reserve_together(*begun(key), None)
    assert refused.value.extras == {"availableCents": 0, "requiredCents": 1_000, "currency": "EUR"}


def test_the_funds_of_another_partner_cover_nothing(key: ApiKey) -> None:
    Wallet.objects.update(balance_cents=999)
    WalletFactory(balance_cents=5_000)
    with pytest.raises(InsufficientFunds) as refused:
        reserve_together(*begun(key), None)
    assert refused.value.extras["availableCents"] == 999
    assert (stored(), Hold.objects.count()) == ([], 0)


def test_no_wallet_pays_but_the_accounts_own_of_the_environment(key: ApiKey) -> None:
    WalletFactory(balance_cents=5_000)
    Wallet.objects.filter(account_id=key.account_id, environment="live").delete()
    WalletFactory(account_id=key.account_id, environment="live", balance_cents=5_000)
    reserve_together(*begun(key), None)
    assert set(Wallet.objects.values_list("held_cents", flat=True)) == {0, 1_000}
    assert Hold.objects.get().wallet == Wallet.objects.get(account_id=key.account_id, environment="test")


def test_a_wallet_that_covers_the_hold_exactly_is_emptied(key: ApiKey) -> None:
    Wallet.objects.update(balance_cents=1_000, held_cents=0)
    reserve_together(*begun(key), None)
    assert Wallet.objects.get(environment="test").available_cents == 0


def test_an_account_that_was_stopped_begins_nothing(key: ApiKey) -> None:
    Account.objects.update(status="suspended")
    with pytest.raises(AccountNotActive):
        reserve_together(*begun(key), None)
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
        reserve_together(*begun(key), None)
    assert (stored(), Hold.objects.count()) == ([], 1)


@pytest.mark.parametrize(
    ("capture_cents", "refusal"), [(1_001, CaptureExceedsHold), (1_000, None), (999, None)]
)
def test_an_end_that_captures_more_than_was_held_writes_nothing(
    key: ApiKey, capture_cents: int, refusal: type[Exception] | None
) -> None:
    booking, operation = begun(key)
    reserve_together(booking, operation, None)
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
    reserve_together(booking, operation, None)
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
    reserve_together(booking, operation, None)
    start_call(operation, now=AT, lease_until=LATER, prepared={})
    operation.state = "calling"
    release(hold_id=operation.hold_id, trace=NOTHING)
    assert end_together(booking, operation, capture_cents=1_001) is True
    assert Hold.objects.get().status == "released"


def test_a_call_is_marked_by_the_owner_of_what_is_held(key: ApiKey, bystanders: list[dict[str, Any]]) -> None:
    booking = a_booking(key)
    operation = an_operation(booking, lease_token=MINE)
    assert start_call(operation, now=AT, lease_until=LATER, prepared={"price": 7}) is True
    operation.refresh_from_db()
    assert (operation.state, operation.call_started_at, operation.prepared) == ("calling", AT, {"price": 7})
    assert (operation.lease_until, operation.next_attempt_at) == (LATER, LATER)
    assert others(booking, operation) == bystanders


@pytest.mark.parametrize("same", [True, False])
def test_what_is_prepared_as_it_was_requested_is_stored_all_the_same(key: ApiKey, same: bool) -> None:
    """Where it is the very value, PostgreSQL copies it; an equal one is sent."""
    offer: dict[str, Any] = {"total": 7, "name": 'Hôtel "Ñ"'}
    operation = an_operation(a_booking(key), lease_token=MINE, request={"rate": offer, "maxTotalCents": None})
    prepared = {"rate": offer if same else dict(offer)}
    with CaptureQueriesContext(connection) as statements:
        assert start_call(operation, now=AT, lease_until=LATER, prepared=prepared)
    assert ("Hôtel" in statements[0]["sql"]) is not same
    operation.refresh_from_db()
    assert operation.prepared == {"rate": offer}
    assert operation.request == {"rate": offer, "maxTotalCents": None}


@pytest.mark.parametrize("prepared", [{}, {"rate": {"total": 7}, "quote": None}])
def test_what_is_prepared_beside_a_request_is_stored_whole(key: ApiKey, prepared: dict[str, Any]) -> None:
    operation = an_operation(a_booking(key), lease_token=MINE, request={"rate": {"total": 7}})
    assert start_call(operation, now=AT, lease_until=LATER, prepared=prepared)
    operation.refresh_from_db()
    assert operation.prepared == prepared


@pytest.mark.parametrize("request_", [{"rate": None}, {}], ids=["as nothing", "not at all"])
def test_of_what_was_not_requested_nothing_is_prepared(key: ApiKey, request_: dict[str, None]) -> None:
    operation = an_operation(a_booking(key), lease_token=MINE, request=request_)
    assert start_call(operation, now=AT, lease_until=LATER, prepared={"rate": None})
    operation.refresh_from_db()
    assert operation.prepared == {"rate": None}


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
    reserve_together(booking, operation, None)
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
