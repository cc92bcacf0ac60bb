from apps.ledger.models import Bucket, TransactionType
from apps.ledger.services.move import move
from apps.ledger.trace import NOTHING, Trace


def adjust(
    *,
    account_id: str,
    environment: str,
    amount_cents: int,
    currency: str,
    reference: str,
    trace: Trace = NOTHING,
) -> bool:
    """Correct the available balance by `amount_cents`, up or down but not by zero; once per `reference`.

    Returns True when corrected, False when it was before. Raises InsufficientFunds where the balance would be below zero: held
    funds belong to bookings under way.
    """
    if amount_cents == 0:
        raise ValueError("An adjustment of nothing adjusts nothing")
    return move(
        type=TransactionType.ADJUSTMENT,
        counter_bucket=Bucket.FUNDING,
        account_id=account_id,
        environment=environment,
        amount_cents=amount_cents,
        currency=currency,
        reference=reference,
        trace=trace,
    )
