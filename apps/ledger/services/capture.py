from apps.ledger.models import HoldStatus
from apps.ledger.services.resolve import resolve
from apps.ledger.trace import Trace


def capture(*, hold_id: str, amount_cents: int | None = None, trace: Trace) -> bool:
    """Capture a hold: all of it, or `amount_cents` of it, and then the rest is released. Whatever the account's status: the
    booking was made.

    Returns True when this call captured it. False when the hold was resolved before, by a capture or a release: nothing moves
    then. Raises CaptureExceedsHold, UnknownHold.
    """
    if amount_cents is not None and amount_cents < 0:
        raise ValueError("A capture is of zero cents or more")
    return resolve(hold_id=hold_id, status=HoldStatus.CAPTURED, captured_cents=amount_cents, trace=trace)
