"""Each kind of damage is found: the check is only worth what it catches."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection

from apps.ledger.consistency import Difference, check_ledger
from apps.ledger.models import Wallet
from apps.ledger.money import Trace, adjust, capture, hold, refund, release
from tests.factories.ledger import WalletFactory


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
