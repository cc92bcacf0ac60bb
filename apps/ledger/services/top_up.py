from apps.ledger.models import Bucket, TransactionType
from apps.ledger.services.move import move
from apps.ledger.trace import NOTHING, Trace


def top_up(
    *,
    account_id: str,
    environment: str,
    amount_cents: int,
    currency: str,
    reference: str,
    trace: Trace = NOTHING,
) -> bool:
    """Credit money that arrived, whatever the account's status. `reference` names the arrival: it is credited once, however often
    this is called. Returns True when credited, False when it was before.
    """
    if amount_cents < 1:
        raise ValueError("A top-up is of one cent or more")
    return move(
        type=TransactionType.TOP_UP,
        counter_bucket=Bucket.FUNDING,
        account_id=account_id,
        environment=environment,
        amount_cents=amount_cents,
        currency=currency,
        reference=reference,
        trace=trace,
    )
