from decimal import Decimal

from django.db import transaction

from apps.common.environments import Environment
from apps.common.money import to_cents
from apps.ledger.errors import CurrencyMismatch
from apps.ledger.models import Wallet
from apps.ledger.services.top_up import top_up
from apps.ledger.trace import Trace

OPENING_BALANCE = Decimal(10_000)
"""In whole units of the currency: what a test wallet begins with, so that a new account books at once (contract §3)."""


def open_wallet(*, account_id: str, environment: str, currency: str) -> Wallet:
    """The account's wallet in `environment`. It is opened empty where there was none.

    Raises CurrencyMismatch where it exists in another currency: a wallet never changes its currency.
    """
    wallet, _ = Wallet.objects.get_or_create(
        account_id=account_id, environment=environment, defaults={"currency": currency}
    )
    if wallet.currency != currency:
        raise CurrencyMismatch(f"The wallet of {account_id} is in {wallet.currency}, not {currency}")
    return wallet


@transaction.atomic
def open_test_wallet(*, account_id: str, currency: str, amount_cents: int | None = None) -> None:
    """Open the account's test wallet with `amount_cents` in it; without it, with 10,000.00 of the currency. Once: another call
    of the same changes nothing.
    """
    open_wallet(account_id=account_id, environment=Environment.TEST, currency=currency)
    amount_cents = to_cents(OPENING_BALANCE, currency) if amount_cents is None else amount_cents
    if amount_cents:
        top_up(
            account_id=account_id,
            environment=Environment.TEST,
            amount_cents=amount_cents,
            currency=currency,
            reference=f"opening:{account_id}:{Environment.TEST}",
            trace=Trace(description="Opening balance"),
        )
