"""What the database itself refuses, whatever code or person asks."""

from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import Model

from apps.ledger.models import MOST_CENTS, Hold, LedgerEntry, LedgerTransaction, Wallet
from apps.ledger.money import Trace, capture, hold


@pytest.fixture
def hold_id(booking: dict[str, Any]) -> str:
    return hold(**booking, amount_cents=3_000, reference="op-1")


def test_what_is_held_is_not_available_and_an_amount_has_a_bound() -> None:
    assert Wallet(balance_cents=10, held_cents=3).available_cents == 7
    assert MOST_CENTS == 1_000_000_000_000_000


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ledger_entry SET amount_cents = 1",
        "UPDATE ledger_entry SET amount_cents = 1 WHERE false",
        "DELETE FROM ledger_entry",
        "UPDATE ledger_transaction SET description = 'nothing happened'",
        "DELETE FROM ledger_transaction",
        "DELETE FROM ledger_hold",
    ],
)
@pytest.mark.parametrize("role", ["origin", "replica"])
def test_what_happened_is_not_changed_or_removed(hold_id: str, statement: str, role: str) -> None:
    before = list(LedgerEntry.objects.order_by("pk").values())
    with pytest.raises(IntegrityError, match="append-only"):
        execute(f"SET LOCAL session_replication_role = {role}", statement)
    assert list(LedgerEntry.objects.order_by("pk").values()) == before


def test_a_role_with_every_right_is_refused_too(hold_id: str) -> None:
    with pytest.raises(IntegrityError, match="append-only"):
        execute(
            "GRANT ALL ON ALL TABLES IN SCHEMA public TO pg_database_owner",
            "SET LOCAL ROLE pg_database_owner",  # we are a member of it, and need not be a superuser
            "DELETE FROM ledger_entry",
        )


def test_an_open_hold_may_change_and_a_resolved_one_not(hold_id: str, trace: Trace) -> None:
    assert Hold.objects.filter(pk=hold_id).update(amount_cents=3_001) == 1
    Hold.objects.filter(pk=hold_id).update(amount_cents=3_000)
    capture(hold_id=hold_id, trace=trace)
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        Hold.objects.filter(pk=hold_id).update(status="open", captured_cents=0, resolved_at=None)
    assert Hold.objects.get(pk=hold_id).status == "captured"


@pytest.mark.parametrize(
    ("rows", "refused"),
    [
        ([("available", 5, "EUR"), ("funding", -5, "EUR")], False),
        ([("available", 5, "EUR"), ("held", -2, "EUR"), ("funding", -3, "EUR")], False),
        ([("available", 5, "EUR")], True),
        ([("available", 5, "EUR"), ("funding", -4, "EUR")], True),
        ([("available", 5, "EUR"), ("funding", -5, "USD")], True),
    ],
)
@pytest.mark.django_db(transaction=True)
def test_entries_that_do_not_sum_to_zero_are_refused_at_commit(
    wallet: Wallet, rows: list[tuple[str, int, str]], refused: bool
) -> None:
    def write() -> None:
        with transaction.atomic():
            written = _transaction(wallet)
            for bucket, amount_cents, currency in rows:
                LedgerEntry.objects.create(
                    transaction=written, bucket=bucket, amount_cents=amount_cents, currency=currency
                )
            reached.append("the end of the transaction")

    reached: list[str] = []
    if refused:
        with pytest.raises(IntegrityError, match="do not sum to zero"):
            write()
    else:
        write()
    assert reached == ["the end of the transaction"]
    assert LedgerTransaction.objects.filter(reference="by-hand").exists() is not refused


@pytest.mark.django_db(transaction=True)
def test_a_leg_slipped_into_an_old_transaction_is_refused(wallet: Wallet) -> None:
    topped_up = LedgerTransaction.objects.get()
    with pytest.raises(IntegrityError, match="do not sum to zero"):
        LedgerEntry.objects.create(transaction=topped_up, bucket="held", amount_cents=1, currency="EUR")


@pytest.mark.django_db(transaction=True)
def test_legs_of_a_transaction_that_is_not_there_are_refused(wallet: Wallet) -> None:
    legs = [
        LedgerEntry(transaction_id="txn_unknown", bucket=bucket, amount_cents=amount_cents, currency="EUR")
        for bucket, amount_cents in [("available", 5), ("funding", -5)]
    ]
    with pytest.raises(IntegrityError, match="do not sum to zero"):
        LedgerEntry.objects.bulk_create(legs)


@pytest.mark.parametrize(
    ("model", "fields", "constraint"),
    [
        (Wallet, {"held_cents": -1}, "wallet_held_not_negative"),
        (Wallet, {"held_cents": 10_001}, "wallet_available_not_negative"),
        (Wallet, {"balance_cents": 2_999}, "wallet_available_not_negative"),
        (Wallet, {"environment": "prod"}, "wallet_environment_known"),
        (Hold, {"amount_cents": -1, "captured_cents": -1}, "hold_"),
        (Hold, {"captured_cents": 1}, "hold_state_consistent"),
        (Hold, {"status": "captured"}, "hold_state_consistent"),
        (Hold, {"status": "lost"}, "hold_state_consistent"),
    ],
)
def test_impossible_figures_are_refused(
    hold_id: str, model: type[Model], fields: dict[str, Any], constraint: str
) -> None:
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        model._default_manager.update(**fields)


def test_a_wallet_with_a_history_is_not_removed(wallet: Wallet) -> None:
    with pytest.raises(IntegrityError, match="foreign key"):
        execute("DELETE FROM ledger_wallet", "SET CONSTRAINTS ALL IMMEDIATE")
    assert Wallet.objects.filter(pk=wallet.pk).exists()


def test_an_account_with_a_history_is_not_removed(wallet: Wallet) -> None:
    """Its transactions name it without a foreign key: the wallet's keeps it."""
    with pytest.raises(IntegrityError, match="ledger_wallet_account_id"):
        execute(
            f"DELETE FROM accounts_account WHERE id = '{wallet.account_id}'",
            "SET CONSTRAINTS ALL IMMEDIATE",
        )
    assert LedgerTransaction.objects.filter(account_id=wallet.account_id).exists()


def execute(*statements: str) -> None:
    """Run `statements` in a transaction of their own."""
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _transaction(wallet: Wallet) -> LedgerTransaction:
    return LedgerTransaction.objects.create(
        wallet=wallet,
        account_id=wallet.account_id,
        environment=wallet.environment,
        type="adjustment",
        reference="by-hand",
        currency=wallet.currency,
        amount_cents=5,
        held_delta_cents=0,
        available_after_cents=5,
        held_after_cents=0,
    )
