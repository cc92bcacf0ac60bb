import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from apps.accounts.models import Account, AccountAuditEntry
from apps.accounts.terms import set_status
from apps.common.errors import AccountNotActive
from apps.ledger.consistency import Difference, check_ledger, nightly_check
from apps.ledger.models import Wallet
from apps.ledger.money import NOTHING, Trace, adjust, capture, hold, refund, release
from apps.ledger.tasks import nightly_check as task
from apps.onboarding.sandboxes import open_sandbox, reset_sandbox
from tests.factories.keys import approved_account, issued_key
from tests.factories.ledger import WalletFactory
from tests.support.api import Api
from tests.support.interrupting import interrupt

pytestmark = pytest.mark.django_db


@pytest.fixture
def books(wallet: Wallet, owner: dict[str, Any], booking: dict[str, Any], trace: Trace) -> Wallet:
    """Every kind of step, in an account beside another one."""
    WalletFactory(cents=77)
    capture(hold_id=hold(**booking, amount_cents=3_000, reference="op-1"), amount_cents=2_000, trace=trace)
    release(hold_id=hold(**booking, amount_cents=500, reference="op-2"), trace=trace)
    hold(**booking, amount_cents=800, reference="op-3")
    refund(**booking, amount_cents=1_500, reference="op-4")
    adjust(**owner, amount_cents=-100, reference="case-1")
    return wallet


@contextmanager
def triggers_off() -> Iterator[Callable[..., None]]:
    """What only somebody with the server in hand can do: change what happened."""
    with connection.cursor() as cursor:
        for table in ("ledger_entry", "ledger_transaction", "ledger_hold"):
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        yield cursor.execute


def found(damage: str) -> list[tuple[str, int, int]]:
    """(check, stored, derived) of what is found after `damage`."""
    with triggers_off() as execute:
        execute(damage)
    return [(d.check, d.stored_cents, d.derived_cents) for d in check_ledger()]


def test_right_books_have_no_difference(books: Wallet) -> None:
    assert check_ledger() == []


def test_a_balance_changed_without_an_entry(books: Wallet) -> None:
    Wallet.objects.filter(pk=books.pk).update(balance_cents=9_401)
    assert check_ledger() == [Difference("wallets", books.account_id, "test", "balance", 9_401, 9_400)]


def test_a_figure_of_what_is_held_changed_without_an_entry(books: Wallet) -> None:
    Wallet.objects.filter(pk=books.pk).update(held_cents=799)
    assert check_ledger() == [
        Difference("wallets", books.account_id, "test", "held", 799, 800),
        Difference("open holds", books.account_id, "test", "open holds", 799, 800),
    ]


def test_an_empty_wallet_with_a_balance(db: None) -> None:
    wallet = WalletFactory(balance_cents=5)
    assert check_ledger() == [Difference("wallets", wallet.account_id, "test", "balance", 5, 0)]


def test_a_hold_of_another_amount(books: Wallet) -> None:
    assert found("UPDATE ledger_hold SET amount_cents = 801 WHERE reference = 'op-3'") == [
        ("open holds", 800, 801),
        ("holds", 801, 800),
        ("holds", 801, 800),
    ]


def test_a_hold_resolved_without_its_money(books: Wallet) -> None:
    damage = "UPDATE ledger_hold SET status = 'released', resolved_at = now() WHERE reference = 'op-3'"
    assert found(damage) == [("open holds", 800, 0), ("holds", 0, 800)]


def test_a_hold_that_says_it_captured_more(books: Wallet) -> None:
    damage = "UPDATE ledger_hold SET captured_cents = 2100 WHERE reference = 'op-1'"
    assert found(damage) == [("holds", 2_100, 2_000)]


def test_a_transaction_of_another_amount_than_its_entries(books: Wallet) -> None:
    damage = "UPDATE ledger_transaction SET amount_cents = -99 WHERE reference = 'case-1'"
    assert found(damage) == [("transactions", -99, -100), ("chain", 8_600, 8_601)]


def test_a_leg_that_is_gone(books: Wallet) -> None:
    damage = "DELETE FROM ledger_entry WHERE bucket = 'funding' AND amount_cents = 100"
    assert found(damage) == [("transactions", 0, -100)]


def test_a_leg_in_another_currency(books: Wallet) -> None:
    damage = "UPDATE ledger_entry SET currency = 'USD' WHERE bucket = 'funding' AND amount_cents = 100"
    assert found(damage) == [("transactions", 0, -100), ("transactions", 0, 1)]


def test_a_transaction_that_is_gone(books: Wallet) -> None:
    """Taken out with its entries, and the wallet made to fit: only the chain still tells."""
    with triggers_off() as execute:
        execute(
            "DELETE FROM ledger_entry USING ledger_transaction t "
            "WHERE t.id = transaction_id AND t.type = 'refund'"
        )
        execute("DELETE FROM ledger_transaction WHERE type = 'refund'")
        execute("UPDATE ledger_wallet SET balance_cents = balance_cents - 1500 WHERE balance_cents = 9400")
    assert [(d.check, d.stored_cents, d.derived_cents) for d in check_ledger()] == [("chain", 8_600, 7_100)]


def test_a_booking_refunded_above_what_it_paid(books: Wallet, owner: dict[str, Any]) -> None:
    with triggers_off():
        refund(**owner, amount_cents=501, reference="op-5", trace=Trace(booking_reference="F-7KQ2M9XD"))
    assert check_ledger() == [
        Difference("refunds", books.account_id, "test", "F-7KQ2M9XD refunded", 2_001, 2_000)
    ]


def test_a_refund_whose_booking_was_taken_from_it(books: Wallet) -> None:
    with triggers_off() as execute:
        execute("UPDATE ledger_transaction SET booking_reference = NULL WHERE type = 'refund'")
    assert check_ledger() == [
        Difference("refunds", books.account_id, "test", "no booking refunded", 1_500, 0)
    ]


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


def test_says_that_the_books_balance() -> None:
    WalletFactory(cents=10_000)
    out = StringIO()
    call_command("check_ledger", stdout=out)
    assert out.getvalue() == "The ledger balances: no difference.\n"


def test_a_check_that_is_interrupted_changes_nothing() -> None:
    wallet = WalletFactory(environment="live", balance_cents=12_345)
    interrupt("check_ledger", "--stop-accounts")
    assert Account.objects.get(pk=wallet.account_id).status == "active"


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
