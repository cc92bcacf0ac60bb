"""The ledger in short, for tests that compare all of it."""

from apps.ledger.models import LedgerTransaction, Wallet
from apps.ledger.selectors import ledger_of


def figures(wallet: Wallet) -> tuple[int, int]:
    """(available, held) as stored now."""
    wallet.refresh_from_db()
    return wallet.available_cents, wallet.held_cents


def lines(wallet: Wallet) -> list[tuple[str, int, int, int, int]]:
    """(type, amount, held delta, available after, held after) of every transaction, oldest first."""
    return [
        (t.type, t.amount_cents, t.held_delta_cents, t.available_after_cents, t.held_after_cents)
        for t in reversed(ledger_of(wallet.account_id, wallet.environment))
    ]


def legs(transaction: LedgerTransaction) -> dict[str, int]:
    """The entries of one transaction: bucket → amount."""
    return dict(transaction.entries.values_list("bucket", "amount_cents"))
