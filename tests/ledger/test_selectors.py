from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from apps.common import clock
from apps.ledger.models import Wallet
from apps.ledger.selectors import Balance, balance_of, holds_open_since, ledger_of
from apps.ledger.services.capture import capture
from apps.ledger.services.hold import hold
from apps.ledger.trace import NOTHING
from tests.factories.accounts import AccountFactory
from tests.factories.ledger import WalletFactory


def test_the_balance_is_one_read(
    wallet: Wallet, booking: dict[str, Any], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    hold(**booking, amount_cents=3_000, reference="op-1")
    with django_assert_num_queries(1):
        balance = balance_of(wallet.account_id, "test")
    assert balance == Balance(currency="EUR", balance_cents=10_000, held_cents=3_000)
    assert balance.available_cents == 7_000


@pytest.mark.django_db
def test_without_a_wallet_there_is_nothing_in_the_accounts_currency() -> None:
    account = AccountFactory(currency="JPY")
    assert balance_of(account.pk, "live") == Balance(currency="JPY", balance_cents=0, held_cents=0)


def test_the_ledger_is_newest_first_and_of_one_account_and_environment(
    wallet: Wallet, booking: dict[str, Any]
) -> None:
    WalletFactory(account=wallet.account, environment="live", cents=1)
    WalletFactory(cents=2)
    hold(**booking, amount_cents=3_000, reference="op-1")
    hold(**booking, amount_cents=2_000, reference="op-2")
    read = list(ledger_of(wallet.account_id, "test").values_list("type", "amount_cents"))
    assert read == [("hold", -2_000), ("hold", -3_000), ("top_up", 10_000)]


def test_what_is_held_for_long_is_read_along_an_index(wallet: Wallet, booking: dict[str, Any]) -> None:
    WalletFactory(account=wallet.account, environment="live", cents=1)
    captured = hold(**booking, amount_cents=1_000, reference="op-0")
    capture(hold_id=captured, trace=NOTHING)
    hold(**booking, amount_cents=3_000, reference="op-1")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")  # which a table of two rows would prefer
    with CaptureQueriesContext(connection) as asked:
        held = holds_open_since(wallet.account_id, "test", clock.now() + timedelta(seconds=1))
    assert (held.count, held.amount_cents) == (1, 3_000)
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {asked[0]['sql']}")
        assert "hold_open" in str(cursor.fetchall())


@pytest.mark.parametrize(
    ("filters", "index"),
    [
        ({}, "ledger_newest"),
        ({"type": "refund"}, "ledger_by_type"),
        ({"booking_reference": "F-1"}, "ledger_by_booking"),
    ],
)
def test_a_page_is_read_along_an_index(wallet: Wallet, filters: dict[str, str], index: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")  # which a table of one row would prefer
        cursor.execute("SET LOCAL enable_sort = off")
    plan = ledger_of(wallet.account_id, "test").filter(**filters)[:20].explain()
    assert f"Index Scan using {index}" in plan
