from io import StringIO

import pytest
from django.core.management import call_command

from apps.accounts.models import Account
from tests.factories.ledger import WalletFactory

pytestmark = pytest.mark.django_db


def test_says_that_the_books_balance() -> None:
    WalletFactory(cents=10_000)
    out = StringIO()
    call_command("check_ledger", stdout=out)
    assert out.getvalue() == "The books balance: no difference.\n"


@pytest.mark.parametrize(("options", "status"), [([], "active"), (["--stop-accounts"], "read-only")])
def test_prints_what_differs_and_exits_with_1(options: list[str], status: str) -> None:
    wallet = WalletFactory(environment="live", balance_cents=12_345, account__id="acc_1")
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("check_ledger", *options, stdout=out)
    assert ended.value.code == 1
    assert out.getvalue().splitlines() == [
        "CHECK    ACCOUNT  ENVIRONMENT  SUBJECT  STORED  DERIVED",
        "wallets  acc_1    live         balance  12345   0",
    ]
    assert Account.objects.get(pk=wallet.account_id).status == status
