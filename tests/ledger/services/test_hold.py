from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import Account
from apps.common.errors import AccountNotActive, InsufficientFunds
from apps.ledger.models import Hold, LedgerTransaction, Wallet, new_hold_id
from apps.ledger.money import CurrencyMismatch, HoldResolved, ReferenceReused, Trace, capture, hold, release
from tests.factories.accounts import AccountFactory
from tests.factories.ledger import WalletFactory
from tests.ledger.lines import figures, legs


def test_sets_funds_aside(wallet: Wallet, owner: dict[str, Any]) -> None:
    trace = Trace(
        booking_type="hotel",
        booking_reference="H-7KQ2M9XD",
        key_id="key_1",
        request_id="req-1",
        operation_id="op-1",
        description="book H-7KQ2M9XD",
    )
    hold_id = hold(**owner, amount_cents=3_000, reference="op-1", trace=trace)
    assert figures(wallet) == (7_000, 3_000)
    made = Hold.objects.get(pk=hold_id)
    assert (made.wallet, made.amount_cents, made.status, made.captured_cents, made.resolved_at) == (
        wallet,
        3_000,
        "open",
        0,
        None,
    )
    written = LedgerTransaction.objects.get(type="hold")
    assert (written.hold, written.amount_cents, written.held_delta_cents) == (made, -3_000, 3_000)
    assert (written.available_after_cents, written.held_after_cents) == (7_000, 3_000)
    assert legs(written) == {"available": -3_000, "held": 3_000}
    assert {name: getattr(written, name) for name in Trace.__slots__} == {
        name: getattr(trace, name) for name in Trace.__slots__
    }


def test_is_one_statement(booking: dict[str, Any], django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(1):
        hold(**booking, amount_cents=3_000, reference="op-1")


def test_holds_the_last_cent_and_not_one_more(wallet: Wallet, booking: dict[str, Any]) -> None:
    hold(**booking, amount_cents=9_999, reference="op-1")
    with pytest.raises(InsufficientFunds) as refused:
        hold(**booking, amount_cents=2, reference="op-2")
    assert refused.value.extras == {"availableCents": 1, "requiredCents": 2, "currency": "EUR"}
    hold(**booking, amount_cents=1, reference="op-3")
    assert figures(wallet) == (0, 10_000)
    assert Hold.objects.count() == 2


def test_nothing_can_be_held_of_a_wallet_that_was_never_opened(db: None, trace: Trace) -> None:
    with pytest.raises(InsufficientFunds) as refused:
        hold(
            account_id=AccountFactory().pk,
            environment="live",
            amount_cents=5,
            currency="EUR",
            reference="op-1",
            trace=trace,
        )
    assert refused.value.extras == {"availableCents": 0, "requiredCents": 5, "currency": "EUR"}


@pytest.mark.parametrize("status", ["read-only", "suspended"])
def test_refuses_an_account_that_is_not_active(wallet: Wallet, booking: dict[str, Any], status: str) -> None:
    Account.objects.update(status=status)
    with pytest.raises(AccountNotActive):
        hold(**booking, amount_cents=3_000, reference="op-1")
    assert figures(wallet) == (10_000, 0)


def test_refuses_another_currency(wallet: Wallet, booking: dict[str, Any]) -> None:
    with pytest.raises(CurrencyMismatch):
        hold(**{**booking, "currency": "USD"}, amount_cents=1, reference="op-1")
    assert figures(wallet) == (10_000, 0)


def test_asked_again_returns_the_open_hold(wallet: Wallet, booking: dict[str, Any]) -> None:
    first = hold(**booking, amount_cents=6_000, reference="op-1")
    assert hold(**booking, amount_cents=6_000, reference="op-1") == first
    assert figures(wallet) == (4_000, 6_000)


def test_a_reference_of_another_hold_is_refused(wallet: Wallet, booking: dict[str, Any]) -> None:
    hold(**booking, amount_cents=6_000, reference="op-1")
    other = WalletFactory(cents=10_000)
    with pytest.raises(ReferenceReused):
        hold(**booking, amount_cents=6_001, reference="op-1")
    with pytest.raises(ReferenceReused):
        hold(**{**booking, "account_id": other.account_id}, amount_cents=6_000, reference="op-1")
    assert (figures(wallet), figures(other)) == ((4_000, 6_000), (10_000, 0))


@pytest.mark.parametrize("resolve", [capture, release])
def test_a_resolved_hold_is_no_cover_for_a_new_attempt(
    booking: dict[str, Any], trace: Trace, resolve: Any
) -> None:
    resolve(hold_id=hold(**booking, amount_cents=3_000, reference="op-1"), trace=trace)
    with pytest.raises(HoldResolved):
        hold(**booking, amount_cents=3_000, reference="op-1")


def test_holds_nothing_for_a_step_that_costs_nothing(
    wallet: Wallet, booking: dict[str, Any], trace: Trace
) -> None:
    hold_id = hold(**booking, amount_cents=0, reference="op-1")
    assert capture(hold_id=hold_id, trace=trace) is True
    assert figures(wallet) == (10_000, 0)


def test_the_hold_has_the_id_that_the_caller_has_written_down(
    wallet: Wallet, booking: dict[str, Any]
) -> None:
    written = new_hold_id()
    assert hold(**booking, amount_cents=3_000, reference="op-1", hold_id=written) == written
    assert [made.pk for made in Hold.objects.all()] == [written]


def test_refuses_a_negative_amount(booking: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        hold(**booking, amount_cents=-1, reference="op-1")
