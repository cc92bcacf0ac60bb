"""What top-up, refund and adjustment share: one step that changes the available balance."""

from apps.common.errors import InsufficientFunds
from apps.ledger import statements
from apps.ledger.errors import CurrencyMismatch, ReferenceReused, UnknownWallet
from apps.ledger.models import Bucket, LedgerTransaction, TransactionType
from apps.ledger.trace import Trace


def move(
    *,
    type: TransactionType,
    counter_bucket: Bucket,
    account_id: str,
    environment: str,
    amount_cents: int,
    currency: str,
    reference: str,
    trace: Trace,
) -> bool:
    """Add `amount_cents` (signed) to what is available. Returns True when moved, False when this reference was used before.

    Raises InsufficientFunds where the balance would be below zero, UnknownWallet, CurrencyMismatch, ReferenceReused.
    """
    row = statements.execute(
        statements.MOVE,
        trace=trace,
        type=type.value,
        counter_bucket=counter_bucket.value,
        account_id=account_id,
        environment=environment,
        amount_cents=amount_cents,
        currency=currency,
        reference=reference,
    )
    if row is None:
        raise UnknownWallet(f"{account_id} has no {environment} wallet")
    wallet_currency, available_cents, _, written = row
    if written:
        return True
    if wallet_currency != currency:
        raise CurrencyMismatch(f"The wallet of {account_id} is in {wallet_currency}, not {currency}")
    earlier = LedgerTransaction.objects.filter(type=type, reference=reference).first()
    if earlier is None:
        raise InsufficientFunds(
            available_cents=available_cents, required_cents=-amount_cents, currency=currency
        )
    if (earlier.account_id, earlier.environment, earlier.amount_cents) != (
        account_id,
        environment,
        amount_cents,
    ):
        raise ReferenceReused(f"{type} {reference} was {earlier.id}, which is another one")
    return False
