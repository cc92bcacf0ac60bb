from apps.ledger.models import HoldStatus
from apps.ledger.services.resolve import resolve
from apps.ledger.trace import Trace


def release(*, hold_id: str, trace: Trace) -> bool:
    """Free what was held: nothing was booked. True when this call freed it, False when it was resolved.

    Raises UnknownHold.
    """
    return resolve(hold_id=hold_id, status=HoldStatus.RELEASED, captured_cents=0, trace=trace)
