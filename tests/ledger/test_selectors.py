from dataclasses import replace
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from apps.common import clock
from apps.ledger.models import Wallet
from apps.ledger.money import Trace, hold, top_up
from apps.ledger.selectors import (
    Balance,
    Close,
    balance_of,
    closing_balances,
    ledger_of,
    lines_of_booking,
)
from tests.factories.accounts import AccountFactory
from tests.factories.ledger import WalletFactory
from tests.support.plans import read_as_the_table_lies


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


def test_each_wallet_has_a_balance_of_its_own(wallet: Wallet) -> None:
    WalletFactory(account=wallet.account, environment="live", cents=700)
    WalletFactory(cents=5)
    AccountFactory(currency="JPY")
    without = AccountFactory(currency="USD")
    AccountFactory(currency="GBP")
    assert balance_of(wallet.account_id, "test").balance_cents == 10_000
    assert balance_of(wallet.account_id, "live").balance_cents == 700
    assert balance_of(without.pk, "test") == Balance(currency="USD", balance_cents=0, held_cents=0)


def test_a_day_closes_with_its_last_step_after_the_last_one_before_the_days_asked_for(
    wallet: Wallet, owner: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    noon = clock.now().replace(hour=12, minute=0, second=0, microsecond=0) + timedelta(days=1)
    for number, (days, hours) in enumerate([(0, 0), (1, 0), (1, 2), (3, 0)], start=1):
        instant = noon + timedelta(days=days, hours=hours)
        monkeypatch.setattr(clock, "_database_now", lambda instant=instant: instant)
        top_up(**owner, amount_cents=number, reference=f"bank-{number}")
    since = noon + timedelta(days=1)
    closes = closing_balances(wallet.account_id, "test", since=since)
    assert closes == [
        Close(noon, 10_001, 0),
        Close(noon + timedelta(days=1, hours=2), 10_006, 0),
        Close(noon + timedelta(days=3), 10_010, 0),
    ]
    assert closing_balances(wallet.account_id, "test", since=since + timedelta(hours=1))[0].at == since
    assert closing_balances(wallet.account_id, "test", since=noon + timedelta(days=3)) == closes[1:]
    assert closing_balances(wallet.account_id, "live", since=since) == []
    with timezone.override(ZoneInfo("Pacific/Noumea")):  # of a reader, whose midnight is 13:00 UTC
        assert closing_balances(wallet.account_id, "test", since=since) == closes


def test_the_ledger_is_newest_first_and_of_one_account_and_environment(
    wallet: Wallet, booking: dict[str, Any]
) -> None:
    WalletFactory(account=wallet.account, environment="live", cents=1)
    WalletFactory(cents=2)
    hold(**booking, amount_cents=3_000, reference="op-1")
    hold(**booking, amount_cents=2_000, reference="op-2")
    read = list(ledger_of(wallet.account_id, "test").values_list("type", "amount_cents"))
    assert read == [("hold", -2_000), ("hold", -3_000), ("top_up", 10_000)]


def test_the_lines_of_a_booking_are_the_oldest_first_and_of_one_request_where_it_is_named(
    wallet: Wallet, booking: dict[str, Any], trace: Trace, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number, request_id in enumerate(("r1", "r2", "r1"), start=1):
        of_request = {**booking, "trace": replace(trace, request_id=request_id)}
        hold(**of_request, amount_cents=number, reference=f"op-{number}")
    hold(
        **{**booking, "trace": replace(trace, booking_reference="F-OTHER")}, amount_cents=4, reference="op-4"
    )
    place = wallet.account_id, "test"
    read_as_the_table_lies()

    with django_assert_num_queries(1):
        lines = lines_of_booking(*place, trace.booking_reference)
        assert [line.held_delta_cents for line in lines] == [1, 2, 3]
    assert lines[0].__dict__.keys() == ledger_of(*place)[0].__dict__.keys()
    of_one = lines_of_booking(*place, trace.booking_reference, request_id="r1")
    assert [line.held_delta_cents for line in of_one] == [1, 3]
    assert lines_of_booking(wallet.account_id, "live", trace.booking_reference) == []


def test_no_line_of_another_partner_is_among_those_of_a_booking(
    wallet: Wallet, booking: dict[str, Any], trace: Trace
) -> None:
    stranger: Wallet = WalletFactory(cents=100)
    for number, owner in enumerate((wallet, stranger), start=1):
        account = {**booking, "account_id": owner.account_id}
        hold(**account, amount_cents=number, reference=f"op-{number}")
    for number, owner in enumerate((wallet, stranger), start=1):
        lines = lines_of_booking(owner.account_id, "test", trace.booking_reference)
        assert [line.held_delta_cents for line in lines] == [number]


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
        # The rows that other tests took back are still in the indexes, and an index that is a level higher by them costs more.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("REINDEX TABLE ledger_transaction")
        cursor.execute("SET LOCAL enable_seqscan = off")  # which a table of one row would prefer
        cursor.execute("SET LOCAL enable_sort = off")
    plan = ledger_of(wallet.account_id, "test").filter(**filters)[:20].explain()
    assert f"Index Scan using {index}" in plan
