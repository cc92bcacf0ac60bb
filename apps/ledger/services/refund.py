from apps.ledger.models import Bucket, TransactionType
from apps.ledger.services.move import move
from apps.ledger.trace import Trace


def refund(
    *,
    account_id: str,
    environment: str,
    amount_cents: int,
    currency: str,
    reference: str,
    trace: Trace,
) -> bool:
    """Refund `amount_cents` of what was captured for `trace.booking_reference`; once per `reference`.

    Returns True when refunded, False when it was before: the caller sends `payment.refunded` only on True. A booking is never
    refunded more than was captured for it: the database refuses that with an IntegrityError (migration 0002).
    """
    if amount_cents < 1:
        raise ValueError("A refund is of one cent or more")
    if not trace.booking_reference:
        raise ValueError("A refund names the booking whose captured funds it gives back")
    return move(
        type=TransactionType.REFUND,
        counter_bucket=Bucket.SALES,
        account_id=account_id,
        environment=environment,
        amount_cents=amount_cents,
        currency=currency,
        reference=reference,
        trace=trace,
    )
