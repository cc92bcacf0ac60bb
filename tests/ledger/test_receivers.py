import pytest

from apps.accounts.signals import account_added, live_approved
from apps.ledger.models import Wallet
from tests.factories.accounts import AccountFactory

pytestmark = pytest.mark.django_db


def test_a_new_account_can_book_in_test_and_an_approved_one_has_an_empty_live_wallet() -> None:
    account = AccountFactory(currency="JPY")
    Wallet.objects.filter(account=account).delete()

    account_added.send(sender=type(account), account=account)
    [test] = Wallet.objects.filter(account=account)
    assert (test.environment, test.currency) == ("test", "JPY")
    assert test.available_cents > 0

    for _ in range(2):  # a second approval finds it
        live_approved.send(sender=type(account), account=account)
    live = Wallet.objects.get(account=account, environment="live")
    assert (live.currency, live.balance_cents, live.available_cents) == ("JPY", 0, 0)
