import logging

import pytest

from apps.accounts.models import Account, AccountAuditEntry
from apps.ledger.models import Wallet
from apps.ledger.services.nightly_check import nightly_check
from apps.ledger.tasks import nightly_check as task
from tests.factories.accounts import AccountFactory
from tests.factories.ledger import WalletFactory

pytestmark = pytest.mark.django_db


def test_right_books_leave_every_account_as_it_is(caplog: pytest.LogCaptureFixture) -> None:
    WalletFactory(cents=10_000)
    assert nightly_check() == []
    assert (Account.objects.get().status, caplog.records) == ("active", [])


def test_a_differing_account_becomes_read_only_and_its_neighbour_does_not(
    caplog: pytest.LogCaptureFixture,
) -> None:
    wrong, right = WalletFactory(cents=10_000), WalletFactory(cents=10_000)
    Wallet.objects.filter(pk=wrong.pk).update(balance_cents=10_001)
    assert [difference.account_id for difference in nightly_check()] == [wrong.account_id]
    wrong.account.refresh_from_db()
    right.account.refresh_from_db()
    assert (wrong.account.status, right.account.status) == ("read-only", "active")
    assert AccountAuditEntry.objects.get().actor_label == "Automatic"
    assert caplog.record_tuples == [
        (
            "apps.ledger.services.nightly_check",
            logging.CRITICAL,
            f"Ledger differs: wallets of {wrong.account_id} (test), balance: stored 10001, derived 10000",
        )
    ]


def test_a_suspended_account_stays_suspended() -> None:
    wrong = WalletFactory(balance_cents=1, account__status="suspended")
    nightly_check()
    wrong.account.refresh_from_db()
    assert wrong.account.status == "suspended"


def test_the_task_does_the_same() -> None:
    wrong = WalletFactory(balance_cents=1)
    task()
    wrong.account.refresh_from_db()
    assert wrong.account.status == "read-only"


def test_a_sandbox_whose_figures_differ_makes_its_partner_read_only() -> None:
    partner = AccountFactory()
    apart = AccountFactory(sandbox_of=partner)
    WalletFactory(account=apart, balance_cents=1)

    nightly_check()

    partner.refresh_from_db()
    apart.refresh_from_db()
    assert (partner.status, apart.status) == ("read-only", "active")
