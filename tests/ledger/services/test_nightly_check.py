import logging

import pytest

from apps.accounts.models import Account, AccountAuditEntry
from apps.accounts.terms import set_status
from apps.common.errors import AccountNotActive
from apps.ledger.consistency import nightly_check
from apps.ledger.models import Wallet
from apps.ledger.money import NOTHING, hold
from apps.ledger.tasks import nightly_check as task
from apps.onboarding.sandboxes import open_sandbox, reset_sandbox
from tests.factories.keys import approved_account, issued_key
from tests.factories.ledger import WalletFactory
from tests.support.api import Api

pytestmark = pytest.mark.django_db


def test_right_books_leave_every_account_as_it_is(caplog: pytest.LogCaptureFixture) -> None:
    WalletFactory(cents=10_000)
    assert nightly_check() == []
    assert (Account.objects.get().status, caplog.records) == ("active", [])


def test_an_account_whose_live_figures_differ_becomes_read_only_and_its_neighbour_does_not(
    caplog: pytest.LogCaptureFixture,
) -> None:
    wrong, right = (WalletFactory(environment="live", cents=10_000) for _ in range(2))
    Wallet.objects.filter(pk=wrong.pk).update(balance_cents=10_001)
    assert [difference.account_id for difference in nightly_check()] == [wrong.account_id]
    wrong.account.refresh_from_db()
    right.account.refresh_from_db()
    assert (wrong.account.status, right.account.status) == ("read-only", "active")
    assert AccountAuditEntry.objects.get().actor_label == "Automatic"
    assert caplog.record_tuples == [
        (
            "apps.ledger.consistency",
            logging.CRITICAL,
            f"Ledger differs: wallets of {wrong.account_id} (live), balance: stored 10001, derived 10000",
        )
    ]


def test_a_suspended_account_stays_suspended() -> None:
    wrong = WalletFactory(environment="live", balance_cents=1, account__status="suspended")
    nightly_check()
    wrong.account.refresh_from_db()
    assert wrong.account.status == "suspended"


def test_the_task_does_the_same() -> None:
    wrong = WalletFactory(environment="live", balance_cents=1)
    task()
    wrong.account.refresh_from_db()
    assert wrong.account.status == "read-only"


@pytest.mark.parametrize("is_first", [True, False])
def test_a_difference_in_a_sandbox_stops_that_one_alone(is_first: bool) -> None:
    partner = approved_account(name="Acme")
    WalletFactory(account=partner, cents=1_000_000)
    ci = open_sandbox(account=partner, name="CI").account
    first, second = Api(issued_key(partner)[1]), Api(issued_key(ci)[1])
    stopped, other, stored = (first, second, partner) if is_first else (second, first, ci)
    live = Api(issued_key(partner, environment="live")[1])
    for api in (first, second, live):
        assert api.get("/v1/account").body["status"] == "active"
    Wallet.objects.filter(account=stored, environment="test").update(balance_cents=1_000_001)

    assert [each.account_id for each in nightly_check()] == [stored.pk]

    assert [api.get("/v1/account").body["status"] for api in (stopped, other, live)] == [
        "read-only",
        "active",
        "active",
    ]
    plan = {"planId": first.get("/v1/esim/plans").body["data"][0]["id"]}
    refused = stopped.post("/v1/esim/orders", plan)
    assert (refused.status, refused.error_type) == (403, "account_not_active")
    assert other.post("/v1/esim/orders", plan).status == 201
    with pytest.raises(AccountNotActive):
        hold_in(stored, "test")
    hold_in(partner if stored == ci else ci, "test")
    WalletFactory(account=partner, environment="live", cents=1_000)
    hold_in(partner, "live")
    partner.refresh_from_db()
    [entry] = AccountAuditEntry.objects.filter(action="sandbox.stopped")
    assert (partner.status, entry.account_id, entry.actor_label) == ("active", partner.pk, "Automatic")

    nightly_check()
    assert AccountAuditEntry.objects.filter(action="sandbox.stopped").count() == 1
    Wallet.objects.filter(account=stored, environment="test").update(balance_cents=1_000_000)
    set_status(account=partner, status="active")
    assert stopped.get("/v1/account").body["status"] == "active"
    assert stopped.post("/v1/esim/orders", plan).status == 201


def test_a_stopped_sandbox_is_reset_in_the_portal_and_goes_on() -> None:
    partner = WalletFactory(balance_cents=1).account
    api = Api(issued_key(partner)[1])
    nightly_check()
    assert api.post("/sandbox/reset").error_type == "account_not_active"

    reset_sandbox(account_id=partner.pk)

    assert api.get("/v1/account").body["status"] == "active"
    assert [each.account_id for each in nightly_check()] == [partner.pk]  # its old wallet still differs
    assert api.get("/v1/account").body["status"] == "active"


def hold_in(account: Account, environment: str) -> None:
    hold(
        account_id=account.pk,
        environment=environment,
        amount_cents=1,
        currency="EUR",
        reference=f"{account.pk} {environment}",
        trace=NOTHING,
    )
