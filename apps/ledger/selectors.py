"""What can be read of the books. Every read begins from the account and the environment."""

from dataclasses import dataclass

from django.db.models import QuerySet

from apps.accounts.models import Account
from apps.ledger.models import LedgerTransaction, Wallet


@dataclass(frozen=True, slots=True)
class Balance:
    """A wallet at one instant; `available_cents` is never below zero."""

    currency: str
    balance_cents: int
    held_cents: int

    @property
    def available_cents(self) -> int:
        return self.balance_cents - self.held_cents


def balance_of(account_id: str, environment: str) -> Balance:
    """The balance, from one read of one row; without a wallet nothing, in the account's currency."""
    figures = Wallet.objects.filter(account_id=account_id, environment=environment).values_list(
        "currency", "balance_cents", "held_cents"
    )
    for currency, balance_cents, held_cents in figures:
        return Balance(currency, balance_cents, held_cents)
    return Balance(Account.objects.values_list("currency", flat=True).get(pk=account_id), 0, 0)


def ledger_of(account_id: str, environment: str) -> QuerySet[LedgerTransaction]:
    """The transactions, newest first: `created_at` rises strictly, so the order is that of the money."""
    return LedgerTransaction.objects.filter(account_id=account_id, environment=environment).order_by(
        "-created_at", "-id"
    )
