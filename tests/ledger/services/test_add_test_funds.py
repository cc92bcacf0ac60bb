from collections.abc import Mapping

import pytest

from apps.accounts.actors import SUPPORT
from apps.accounts.models import FIRST_NAME, AccountAuditEntry, Sandbox
from apps.common.environments import Environment
from apps.common.errors import InvalidRequest
from apps.ledger.consistency import check_ledger
from apps.ledger.models import MOST_CENTS, LedgerTransaction, Wallet
from apps.ledger.money import MOST_AT_ONCE_CENTS, NOTHING, Trace, add_test_funds
from apps.ledger.selectors import balance_of
from tests.factories.accounts import AccountFactory
from tests.factories.ledger import WalletFactory

pytestmark = pytest.mark.django_db


def added(account_id: str, amount_cents: int, reference: str = "call-1") -> int:
    return add_test_funds(
        account_id=account_id,
        currency="EUR",
        amount_cents=amount_cents,
        reference=reference,
        trace=NOTHING,
    ).balance_cents


def details() -> list[Mapping[str, object]]:
    return [entry.details for entry in AccountAuditEntry.objects.filter(action="sandbox.funded")]


def test_funds_come_into_the_test_wallet_once_for_each_reference() -> None:
    account = AccountFactory().pk
    before = balance_of(account, Environment.TEST).balance_cents
    assert (added(account, 500), added(account, 500)) == (before + 500, before + 500)
    assert added(account, 1, "call-2") == before + 501
    assert details() == [{"amountCents": 500, "currency": "EUR"}, {"amountCents": 1, "currency": "EUR"}]
    assert check_ledger() == []


def test_two_accounts_may_use_one_reference() -> None:
    ours, theirs = WalletFactory(cents=1_000), WalletFactory(cents=1_000)
    assert (added(ours.account_id, 1), added(theirs.account_id, 2)) == (1_001, 1_002)


def test_a_wallet_that_there_is_not_yet_is_opened() -> None:
    account = AccountFactory().pk
    Wallet.objects.filter(account_id=account).delete()
    assert added(account, 700) == 700
    assert Wallet.objects.get(account_id=account).environment == "test"


@pytest.mark.parametrize("cents", [0, -1, MOST_AT_ONCE_CENTS + 1])
def test_an_amount_out_of_bounds_is_refused_and_nothing_is_opened(cents: int) -> None:
    account = AccountFactory().pk
    Wallet.objects.filter(account_id=account).delete()
    with pytest.raises(InvalidRequest) as refused:
        added(account, cents)
    assert refused.value.extras["details"] == [
        {"field": "amountCents", "message": "An amount is between 1 and 10000000000."}
    ]
    assert (Wallet.objects.filter(account_id=account).count(), details()) == (0, [])


def test_a_test_wallet_is_filled_to_the_last_cent_and_no_further() -> None:
    wallet = WalletFactory(cents=MOST_CENTS - 3)
    with pytest.raises(InvalidRequest) as refused:
        added(wallet.account_id, 4)
    assert "holds at most" in refused.value.extras["details"][0]["message"]
    assert added(wallet.account_id, 3) == MOST_CENTS


def test_the_step_names_the_call_and_the_trail_the_sandbox() -> None:
    owner = AccountFactory()
    second = AccountFactory(sandbox_of=owner).pk
    Sandbox.objects.create(account_id=second, owner=owner, name="nightly")
    for account, call in ((owner.pk, "req-1"), (second, "req-2")):
        add_test_funds(
            account_id=account,
            currency="EUR",
            amount_cents=5,
            reference="call-1",
            trace=Trace(request_id=call, description="Test funds"),
            actor=SUPPORT,
        )
        step = LedgerTransaction.objects.get(reference=f"sandbox:{account}:call-1")
        assert (step.request_id, step.description) == (call, "Test funds")
    entries = AccountAuditEntry.objects.filter(action="sandbox.funded").order_by("created_at")
    assert [(e.environment, e.subject_type, e.subject_id, e.subject_name) for e in entries] == [
        ("test", "sandbox", owner.pk, FIRST_NAME),
        ("test", "sandbox", second, "nightly"),
    ]
