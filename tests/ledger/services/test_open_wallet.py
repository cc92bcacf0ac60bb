import pytest

from apps.ledger.models import LedgerTransaction, Wallet
from apps.ledger.money import CurrencyMismatch, open_test_wallet, open_wallet
from tests.factories.accounts import AccountFactory

pytestmark = pytest.mark.django_db


def test_opens_an_empty_wallet_for_each_environment() -> None:
    account = AccountFactory()
    for environment in ("test", "live"):
        open_wallet(account_id=account.pk, environment=environment, currency="EUR")
    assert list(
        Wallet.objects.filter(account=account)
        .order_by("pk")
        .values_list("environment", "balance_cents", "held_cents")
    ) == [("test", 0, 0), ("live", 0, 0)]


def test_opening_again_finds_the_same_wallet() -> None:
    account = AccountFactory()
    first = open_wallet(account_id=account.pk, environment="test", currency="EUR")
    assert open_wallet(account_id=account.pk, environment="test", currency="EUR") == first


def test_a_wallet_keeps_its_currency() -> None:
    account = AccountFactory()
    open_wallet(account_id=account.pk, environment="test", currency="EUR")
    with pytest.raises(CurrencyMismatch):
        open_wallet(account_id=account.pk, environment="test", currency="JPY")


@pytest.mark.parametrize(("currency", "cents"), [("EUR", 1_000_000), ("JPY", 10_000), ("KWD", 10_000_000)])
def test_a_test_wallet_opens_with_ten_thousand_of_its_currency(currency: str, cents: int) -> None:
    account = AccountFactory(currency=currency)
    for _ in range(2):
        open_test_wallet(account_id=account.pk, currency=currency)

    wallet = Wallet.objects.get(account=account)
    assert (wallet.environment, wallet.currency, wallet.balance_cents) == ("test", currency, cents)
    [line] = LedgerTransaction.objects.filter(wallet=wallet)
    assert (line.type, line.amount_cents, line.description) == ("top_up", cents, "Opening balance")


def test_a_test_wallet_opens_with_what_is_asked_for() -> None:
    empty, other = AccountFactory(), AccountFactory()
    open_test_wallet(account_id=empty.pk, currency="EUR", amount_cents=0)
    open_test_wallet(account_id=other.pk, currency="EUR", amount_cents=7)
    assert Wallet.objects.get(account=empty).balance_cents == 0
    assert Wallet.objects.get(account=other).balance_cents == 7
