from typing import Any

import pytest

from apps.accounts.models import Account
from apps.ledger.models import LedgerTransaction, Wallet
from apps.ledger.money import CurrencyMismatch, ReferenceReused, Trace, UnknownWallet, top_up
from tests.factories.accounts import AccountFactory
from tests.factories.ledger import WalletFactory
from tests.ledger.lines import figures, legs, lines


def test_credits_what_arrived(wallet: Wallet, owner: dict[str, Any]) -> None:
    trace = Trace(description="Transfer of 18 November", request_id="c0ffee")
    assert top_up(**owner, amount_cents=2_500, reference="bank-1", trace=trace) is True
    assert figures(wallet) == (12_500, 0)
    written = LedgerTransaction.objects.get(reference="bank-1")
    assert (written.type, written.amount_cents, written.held_delta_cents) == ("top_up", 2_500, 0)
    assert (written.description, written.request_id, written.booking_reference) == (
        "Transfer of 18 November",
        "c0ffee",
        None,
    )
    assert legs(written) == {"available": 2_500, "funding": -2_500}


def test_the_same_arrival_is_credited_once(wallet: Wallet, owner: dict[str, Any]) -> None:
    assert top_up(**owner, amount_cents=2_500, reference="bank-1") is True
    assert top_up(**owner, amount_cents=2_500, reference="bank-1") is False
    assert lines(wallet) == [("top_up", 10_000, 0, 10_000, 0), ("top_up", 2_500, 0, 12_500, 0)]


def test_a_reference_of_another_amount_or_account_is_refused(wallet: Wallet, owner: dict[str, Any]) -> None:
    top_up(**owner, amount_cents=2_500, reference="bank-1")
    other = WalletFactory()
    with pytest.raises(ReferenceReused):
        top_up(**owner, amount_cents=2_501, reference="bank-1")
    with pytest.raises(ReferenceReused):
        top_up(
            account_id=other.account_id,
            environment="test",
            amount_cents=2_500,
            currency="EUR",
            reference="bank-1",
        )
    assert (figures(wallet), figures(other)) == ((12_500, 0), (0, 0))


def test_money_that_arrives_is_credited_to_a_suspended_account_too(
    wallet: Wallet, owner: dict[str, Any]
) -> None:
    Account.objects.update(status="suspended")
    assert top_up(**owner, amount_cents=1, reference="bank-1") is True


def test_environments_are_apart(wallet: Wallet, owner: dict[str, Any]) -> None:
    live = WalletFactory(account=wallet.account, environment="live")
    top_up(**{**owner, "environment": "live"}, amount_cents=700, reference="bank-1")
    assert (figures(wallet), figures(live)) == ((10_000, 0), (700, 0))


def test_refuses_another_currency(wallet: Wallet, owner: dict[str, Any]) -> None:
    with pytest.raises(CurrencyMismatch):
        top_up(**{**owner, "currency": "USD"}, amount_cents=1, reference="bank-1")
    assert figures(wallet) == (10_000, 0)


@pytest.mark.django_db
def test_needs_a_wallet() -> None:
    with pytest.raises(UnknownWallet):
        top_up(
            account_id=AccountFactory().pk,
            environment="test",
            amount_cents=1,
            currency="EUR",
            reference="bank-1",
        )


@pytest.mark.parametrize("amount_cents", [0, -1])
def test_refuses_less_than_a_cent(owner: dict[str, Any], amount_cents: int) -> None:
    with pytest.raises(ValueError):
        top_up(**owner, amount_cents=amount_cents, reference="bank-1")
