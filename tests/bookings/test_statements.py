"""The statements that begin an operation and mark its call: each changes its own rows, for whoever owns them, and no others."""

from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import Account
from apps.bookings.models import Booking, Operation
from apps.bookings.statements import insert_booking_with_hold, start_call
from apps.common.errors import AccountNotActive, IdempotencyKeyInProgress, InsufficientFunds
from apps.gateway.idempotency import Claim
from apps.gateway.models import IdempotencyRecord
from apps.keys.models import ApiKey
from apps.ledger.errors import CurrencyMismatch
from apps.ledger.models import Hold, Wallet
from apps.ledger.services.hold import hold
from apps.ledger.statements import REPEATED
from apps.ledger.trace import NOTHING
from tests.bookings.rows import a_booking, an_operation
from tests.bookings.stated import AT, LATER, MINE, OTHER, begun, others, stored
from tests.factories.ledger import WalletFactory


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


def test_what_was_inserted_is_saved_as_such_from_then_on(key: ApiKey) -> None:
    booking, operation = begun(key)
    insert_booking_with_hold(booking, operation, None)
    assert (booking._state.adding, operation._state.adding) == (False, False)
    operation.lookups, booking.status = 3, "failed"
    operation.save()
    booking.save()
    assert (Operation.objects.get().lookups, Booking.objects.get().status) == (3, "failed")


def test_whoever_has_the_key_begins(key: ApiKey, claimed: Claim) -> None:
    booking, operation = begun(key)
    insert_booking_with_hold(booking, operation, claimed)
    assert Operation.objects.get().pk == operation.pk


@pytest.mark.parametrize("lost", ["to another call", "answered", "released"])
def test_whoever_has_lost_the_key_does_not(key: ApiKey, claimed: Claim, lost: str) -> None:
    record = IdempotencyRecord.objects.filter(pk=claimed.record_id)
    if lost == "to another call":
        record.update(lease_token=OTHER)
    else:
        record.update(state="done" if lost == "answered" else "released")
    with pytest.raises(IdempotencyKeyInProgress):
        insert_booking_with_hold(*begun(key), claimed)


def test_a_claim_of_another_key_is_no_claim_of_this_one(key: ApiKey, claimed: Claim) -> None:
    claimed.record_id += 1
    with pytest.raises(IdempotencyKeyInProgress):
        insert_booking_with_hold(*begun(key), claimed)


def test_a_claim_that_was_lost_writes_nothing(key: ApiKey, claimed: Claim) -> None:
    IdempotencyRecord.objects.update(lease_token=OTHER)
    with pytest.raises(IdempotencyKeyInProgress):
        insert_booking_with_hold(*begun(key), claimed)
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
        insert_booking_with_hold(*begun(key), None)
    assert (stored(), Hold.objects.count()) == ([], 0)


def test_an_account_without_a_wallet_has_nothing_available(key: ApiKey) -> None:
    Wallet.objects.exclude(environment="test").delete()
    Wallet.objects.update(environment="live")
    with pytest.raises(InsufficientFunds) as refused:
        insert_booking_with_hold(*begun(key), None)
    assert refused.value.extras == {"availableCents": 0, "requiredCents": 1_000, "currency": "EUR"}


def test_the_funds_of_another_partner_cover_nothing(key: ApiKey) -> None:
    Wallet.objects.update(balance_cents=999)
    WalletFactory(balance_cents=5_000)
    with pytest.raises(InsufficientFunds) as refused:
        insert_booking_with_hold(*begun(key), None)
    assert refused.value.extras["availableCents"] == 999
    assert (stored(), Hold.objects.count()) == ([], 0)


def test_no_wallet_pays_but_the_accounts_own_of_the_environment(key: ApiKey) -> None:
    WalletFactory(balance_cents=5_000)
    Wallet.objects.filter(account_id=key.account_id, environment="live").delete()
    WalletFactory(account_id=key.account_id, environment="live", balance_cents=5_000)
    insert_booking_with_hold(*begun(key), None)
    assert set(Wallet.objects.values_list("held_cents", flat=True)) == {0, 1_000}
    assert Hold.objects.get().wallet == Wallet.objects.get(account_id=key.account_id, environment="test")


def test_a_wallet_that_covers_the_hold_exactly_is_emptied(key: ApiKey) -> None:
    Wallet.objects.update(balance_cents=1_000, held_cents=0)
    insert_booking_with_hold(*begun(key), None)
    assert Wallet.objects.get(environment="test").available_cents == 0


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
