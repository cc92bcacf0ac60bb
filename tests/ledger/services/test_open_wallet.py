import pytest

from apps.ledger.errors import CurrencyMismatch
from apps.ledger.models import Wallet
from apps.ledger.services.open_wallet import open_wallet
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
