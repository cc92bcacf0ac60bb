"""What a key may spend: per hold, per UTC day and per UTC month."""

import random
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from unittest.mock import ANY

import pytest
from django.db import IntegrityError, transaction

from apps.accounts import clocks
from apps.accounts.clocks import move_clock
from apps.accounts.models import AccountAuditEntry
from apps.common import clock
from apps.common.errors import Conflict, InsufficientFunds, InvalidRequest, SpendLimitExceeded
from apps.keys.models import ApiKey
from apps.keys.services import revoke_key
from apps.ledger.consistency import check_ledger
from apps.ledger.models import MOST_CENTS, LedgerTransaction, SpendLimit, TransactionType, Wallet
from apps.ledger.money import Trace, again, capture, hold, raise_hold, refund, release
from apps.ledger.spend_limits import NO_LIMITS, Limits, limits_of, set_spend_limits
from apps.onboarding.sandboxes import reset_sandbox
from tests.factories.keys import stored_key
from tests.factories.ledger import WalletFactory
from tests.support.locks import until_somebody_waits
from tests.support.threads import all_at_once

PRICE = 700


@pytest.fixture
def key(wallet: Wallet) -> ApiKey:
    return stored_key(account=wallet.account, environment=wallet.environment)[0]


def limit(key: ApiKey, **cents: int | None) -> None:
    set_spend_limits(key=key, limits=Limits(**cents))


def trace_of(key: ApiKey | None) -> Trace:
    return Trace(booking_type="flight", booking_reference="F-7KQ2M9XD", key_id=key.pk if key else None)


def held(wallet: Wallet, key: ApiKey | None, cents: int, reference: str) -> str:
    return hold(
        account_id=wallet.account_id,
        environment=wallet.environment,
        currency=wallet.currency,
        amount_cents=cents,
        reference=reference,
        trace=trace_of(key),
    )


def used(key: ApiKey) -> tuple[int, int]:
    """As stored, of the latest day and its month."""
    row = SpendLimit.objects.get(key=key)
    return row.day_cents, row.month_cents


def refused(call: Callable[[], object]) -> dict[str, object]:
    with pytest.raises(SpendLimitExceeded) as caught:
        call()
    return caught.value.extras


@pytest.mark.parametrize(
    ("limits", "name", "used_cents", "resets"),
    [
        ({"per_booking_cents": 1_999}, "perBooking", 0, ""),
        ({"per_day_cents": 2_499}, "perDay", 500, "2027-03-06T00:00:00"),
        ({"per_month_cents": 2_499}, "perMonth", 500, "2027-04-01T00:00:00"),
        ({"per_booking_cents": 0, "per_day_cents": 0, "per_month_cents": 0}, "perBooking", 0, ""),
    ],
)
def test_a_hold_above_a_limit_is_refused_and_one_that_reaches_it_is_not(
    wallet: Wallet, limits: dict[str, int], name: str, used_cents: int, resets: str
) -> None:
    clock.enter(None)
    move_clock(account_id=wallet.account_id, until=datetime.fromisoformat("2027-03-05T12:00:00Z"))
    with clocks.working_for(wallet.account_id, wallet.environment):
        key = stored_key(account=wallet.account, environment="test")[0]
        held(wallet, key, 500, "before the limits")
        limit(key, **limits)
        extras = refused(lambda: held(wallet, key, 2_000, "above"))
        assert (extras["limit"], extras["usedCents"]) == (name, used_cents)
        assert extras["limitCents"] == next(iter(limits.values()))
        assert str(extras["resetsAt"] or "")[:19] == resets
        assert not LedgerTransaction.objects.filter(reference="above").exists()
        held(wallet, key, 0, "free of charge")
        if any(limits.values()):
            held(wallet, key, next(iter(limits.values())) - used_cents, "as much as may be")


def test_only_the_key_with_limits_is_limited(wallet: Wallet, key: ApiKey) -> None:
    limit(key, per_day_cents=0)
    other = stored_key(account=wallet.account, environment="test")[0]
    assert held(wallet, other, PRICE, "op-1")
    assert held(wallet, None, PRICE, "a member")
    refused(lambda: held(wallet, key, 1, "op-2"))
    assert used(key) == (0, 0)


def test_a_limit_is_named_before_missing_funds(wallet: Wallet, key: ApiKey) -> None:
    limit(key, per_booking_cents=5_000)
    refused(lambda: held(wallet, key, 50_000, "op-1"))
    limit(key, per_booking_cents=60_000)
    with pytest.raises(InsufficientFunds):
        held(wallet, key, 50_000, "op-1")
    assert used(key) == (0, 0)


def test_what_is_released_counts_no_longer_and_a_refund_gives_nothing_back(
    wallet: Wallet, key: ApiKey
) -> None:
    limit(key, per_day_cents=2_000, per_month_cents=3_000)
    first, second, third = (held(wallet, key, 600, f"op-{number}") for number in range(3))
    assert used(key) == (1_800, 1_800)
    release(hold_id=first, trace=trace_of(None))  # by a worker
    release(hold_id=first, trace=trace_of(None))
    assert used(key) == (1_200, 1_200)
    capture(hold_id=second, amount_cents=400, trace=trace_of(key))
    assert used(key) == (1_000, 1_000)
    capture(hold_id=third, trace=trace_of(key))
    refund(
        account_id=wallet.account_id,
        environment="test",
        amount_cents=500,
        currency="EUR",
        reference="cancelled",
        trace=trace_of(key),
    )
    assert used(key) == (1_000, 1_000)


def test_the_same_hold_twice_counts_once(wallet: Wallet, key: ApiKey) -> None:
    limit(key, per_day_cents=2_000)
    assert held(wallet, key, 600, "op-1") == held(wallet, key, 600, "op-1")
    assert used(key) == (600, 600)


def test_a_raised_hold_counts_in_whole(wallet: Wallet, key: ApiKey) -> None:
    limit(key, per_booking_cents=800, per_day_cents=1_000)
    hold_id = held(wallet, key, 600, "op-1")
    assert raise_hold(hold_id=hold_id, to_cents=800, trace=trace_of(key))
    assert used(key) == (800, 800)
    extras = refused(lambda: raise_hold(hold_id=hold_id, to_cents=801, trace=trace_of(key)))
    assert (extras["limit"], extras["usedCents"]) == ("perBooking", 800)
    limit(key, per_booking_cents=None, per_day_cents=1_000)
    extras = refused(lambda: raise_hold(hold_id=hold_id, to_cents=1_001, trace=trace_of(key)))
    assert (extras["limit"], extras["usedCents"]) == ("perDay", 800)
    release(hold_id=hold_id, trace=trace_of(key))
    assert used(key) == (0, 0)


def test_a_day_and_a_month_begin_again_and_an_older_hold_gives_nothing_back(
    wallet: Wallet, key: ApiKey
) -> None:
    def at(instant: str) -> Any:
        move_clock(account_id=wallet.account_id, until=datetime.fromisoformat(instant))
        return clocks.working_for(wallet.account_id, "test")

    clock.enter(None)
    with at("2027-03-30T23:59:00Z"):
        limit(key, per_day_cents=1_000, per_month_cents=1_500)
        old = held(wallet, key, 1_000, "op-1")
        refused(lambda: held(wallet, key, 1, "op-2"))
    clock.enter(None)
    with at("2027-03-31T00:00:01Z"):
        held(wallet, key, 400, "op-3")
        assert used(key) == (400, 1_400)
        assert refused(lambda: held(wallet, key, 101, "op-4"))["limit"] == "perMonth"
        release(hold_id=old, trace=trace_of(key))
        assert used(key) == (400, 400)
        older = held(wallet, key, 600, "op-5")
    clock.enter(None)
    with at("2027-04-01T00:00:01Z"):
        held(wallet, key, 1_000, "op-6")
        release(hold_id=older, trace=trace_of(key))
        assert used(key) == (1_000, 1_000)


@pytest.mark.parametrize(
    ("limits", "field"),
    [
        ({"per_booking_cents": -1}, "perBookingCents"),
        ({"per_day_cents": -1}, "perDayCents"),
        ({"per_month_cents": MOST_CENTS + 1}, "perMonthCents"),
        ({"per_booking_cents": 2, "per_day_cents": 1}, "perBookingCents"),
        ({"per_booking_cents": 2, "per_month_cents": 1}, "perBookingCents"),
        ({"per_day_cents": 2, "per_month_cents": 1}, "perDayCents"),
    ],
)
def test_impossible_limits_are_rejected(key: ApiKey, limits: dict[str, int], field: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        limit(key, **limits)
    assert [detail["field"] for detail in caught.value.extras["details"]] == [field]  # type: ignore[attr-defined]
    assert limits_of(key) == NO_LIMITS


def test_setting_limits_counts_what_was_held_before_and_is_recorded_once(wallet: Wallet, key: ApiKey) -> None:
    kept = held(wallet, key, 900, "op-1")
    capture(hold_id=held(wallet, key, 800, "op-2"), amount_cents=300, trace=trace_of(key))
    release(hold_id=held(wallet, key, 700, "op-3"), trace=trace_of(key))
    held(wallet, None, 5_000, "somebody else's")
    for _ in range(2):
        limit(key, per_day_cents=1_000)
    assert used(key) == (1_200, 1_200)
    assert refused(lambda: held(wallet, key, 1, "op-4"))["usedCents"] == 1_200
    release(hold_id=kept, trace=trace_of(key))
    assert used(key) == (300, 300)
    limit(key)
    assert not SpendLimit.objects.exists()
    held(wallet, key, 2_000, "op-4")
    entries = list(AccountAuditEntry.objects.filter(action="keys.spend_limits_changed").order_by("pk"))
    assert [entry.details["after"]["per_day_cents"] for entry in entries] == [1_000, None]


def test_limits_of_a_revoked_key_stay(wallet: Wallet, key: ApiKey) -> None:
    revoke_key(key=key)
    with pytest.raises(Conflict):
        limit(key, per_day_cents=1_000)


def test_a_reset_keeps_the_limits_and_forgets_what_was_spent(wallet: Wallet, key: ApiKey) -> None:
    limit(key, per_day_cents=1_000)
    held(wallet, key, 1_000, "op-1")
    move_clock(account_id=wallet.account_id, by=timedelta(days=40))
    new = reset_sandbox(account_id=wallet.account_id)
    clock.enter(None)
    wallet = Wallet.objects.get(account=new.account_id)
    assert used(key) == (0, 0)
    held(wallet, key, 1_000, "op-2")
    assert refused(lambda: held(wallet, key, 1, "op-3"))["limit"] == "perDay"


# Races


def tried(call: Callable[[], str]) -> str:
    """As the booking flow: again, in a new transaction, where another hold was quicker. Empty where it is above a limit."""
    while True:
        try:
            return call()
        except IntegrityError as error:
            if not again(error):
                raise
        except SpendLimitExceeded:
            return ""


@pytest.mark.django_db(transaction=True)
def test_64_clients_never_spend_a_cent_more_than_the_limit() -> None:
    wallet = WalletFactory(cents=10**9)
    key = stored_key(account=wallet.account, environment="test")[0]
    most = 100 * PRICE + PRICE - 1
    limit(key, per_day_cents=most)

    def client(number: int) -> list[str]:
        order, mine = random.Random(number), []
        for attempt in range(4):
            hold_id = tried(partial(held, wallet, key, PRICE, f"op-{number}-{attempt}"))
            if hold_id and order.random() < 0.2:
                release(hold_id=hold_id, trace=trace_of(None))
            elif hold_id:
                mine.append(hold_id)
        return mine

    kept = [
        hold_id for mine in all_at_once([partial(client, number) for number in range(64)]) for hold_id in mine
    ]
    spent = most_spent = 0
    lines = LedgerTransaction.objects.filter(account=wallet.account).exclude(type=TransactionType.TOP_UP)
    for cents in lines.order_by("created_at").values_list("held_delta_cents", flat=True):
        spent += cents
        most_spent = max(most_spent, spent)
    assert most_spent == 100 * PRICE
    assert spent == len(kept) * PRICE
    assert used(key) == (spent, spent)
    assert check_ledger() == []


@pytest.mark.django_db(transaction=True)
def test_a_hold_that_waits_while_the_first_limits_are_set_is_tried_again() -> None:
    wallet = WalletFactory(cents=10_000)
    key = stored_key(account=wallet.account, environment="test")[0]

    def set_them() -> str:
        with transaction.atomic():
            limit(key, per_day_cents=PRICE - 1)
            until_somebody_waits()
        return ""

    def wait_and_hold() -> str:
        while not_begun():
            pass
        return tried(partial(held, wallet, key, PRICE, "op-1"))

    def not_begun() -> bool:
        with transaction.atomic():
            free = Wallet.objects.select_for_update(no_key=True, skip_locked=True).filter(pk=wallet.pk)
            return free.exists()

    assert all_at_once([set_them, wait_and_hold]) == ["", ""]
    assert used(key) == (0, 0)


@pytest.mark.parametrize(("field", "stored"), [("day_cents", 1_200), ("month_cents", 10)])
def test_a_figure_that_is_off_is_found_and_one_that_is_right_is_not(
    wallet: Wallet, key: ApiKey, field: str, stored: int
) -> None:
    limit(key, per_day_cents=10_000)
    release(hold_id=held(wallet, key, 300, "released"), trace=trace_of(key))
    capture(hold_id=held(wallet, key, 700, "captured"), amount_cents=600, trace=trace_of(key))
    held(wallet, None, 50, "of-no-key")
    assert (used(key), check_ledger()) == ((600, 600), [])
    SpendLimit.objects.filter(key=key).update(**{field: stored})
    (found,) = check_ledger()
    assert (found.check, found.account_id, found.environment) == (
        "spend limits",
        wallet.account_id,
        wallet.environment,
    )
    assert found.subject == f"spend limits of {key.pk}, {field.removesuffix('_cents')}"
    assert (found.stored_cents, found.derived_cents) == (stored, 600)


@pytest.mark.parametrize(
    ("above", "field"),
    [
        ({"approval_above_cents": -1}, "approvalAboveCents"),
        ({"approval_above_cents": 11, "per_booking_cents": 10}, "approvalAboveCents"),
        ({"approval_above_cents": 11, "per_month_cents": 10}, "approvalAboveCents"),
    ],
)
def test_an_amount_for_approval_that_never_applies_is_refused_at_its_field(
    key: ApiKey, wallet: Wallet, above: dict[str, int], field: str
) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        limit(key, **above)
    assert refusal.value.extras["details"] == [{"field": field, "message": ANY}]
    limit(key, approval_above_cents=0, per_booking_cents=10)
    assert limits_of(key) == Limits(approval_above_cents=0, per_booking_cents=10)
