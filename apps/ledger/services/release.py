from apps.ledger.models import HoldStatus
from apps.ledger.services.resolve import resolve
from apps.ledger.trace import Trace


def release(*, hold_id: str, trace: Trace) -> bool:
    """Release a hold: nothing was booked. Returns True when this call released it, False when it was resolved before. Raises
    UnknownHold.
    """
    return resolve(hold_id=hold_id, status=HoldStatus.RELEASED, captured_cents=0, trace=trace)
