"""Reads of the ledger. Every one begins from the account and the environment."""

from dataclasses import dataclass
from datetime import UTC, datetime

from django.db.models import QuerySet
from django.db.models.functions import TruncDate

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
    """The balance, from one read of one row. Without a wallet it is zero, in the account's currency."""
    figures = Wallet.objects.filter(account_id=account_id, environment=environment).values_list(
        "currency", "balance_cents", "held_cents"
    )
    for currency, balance_cents, held_cents in figures:
        return Balance(currency, balance_cents, held_cents)
    return Balance(Account.objects.values_list("currency", flat=True).get(pk=account_id), 0, 0)


def ledger_of(account_id: str, environment: str) -> QuerySet[LedgerTransaction]:
    """The transactions, newest first. `created_at` rises strictly, so this is the order in which the money moved."""
    return LedgerTransaction.objects.filter(account_id=account_id, environment=environment).order_by(
        "-created_at", "-id"
    )


def lines_of_booking(
    account_id: str, environment: str, reference: str, *, request_id: str = ""
) -> list[LedgerTransaction]:
    """The lines of one booking, the oldest first; those of one request where it is named."""
    lines = ledger_of(account_id, environment).filter(booking_reference=reference)
    if request_id:
        lines = lines.filter(request_id=request_id)
    return list(lines.reverse())


@dataclass(frozen=True, slots=True)
class Close:
    """A wallet after its last step of a UTC day; `at` is that step's instant."""

    at: datetime
    available_cents: int
    held_cents: int


def closing_balances(account_id: str, environment: str, *, since: datetime) -> list[Close]:
    """Day by day, oldest first; days without a step are left out. The first is the last day before `since`, if there is any."""
    figures = ("created_at", "available_after_cents", "held_after_cents")
    steps = ledger_of(account_id, environment)
    before = steps.filter(created_at__lt=since).values_list(*figures)[:1]
    days = (
        steps.filter(created_at__gte=since)
        .annotate(day=TruncDate("created_at", tzinfo=UTC))
        .order_by("-day", "-created_at", "-id")
        .distinct("day")
        .values_list(*figures, "day")
    )
    return [Close(*row[:3]) for row in (*before, *reversed(days))]
