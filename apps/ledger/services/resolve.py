"""What capture and release share: they end a hold, once."""

from apps.ledger import statements
from apps.ledger.errors import CaptureExceedsHold, UnknownHold
from apps.ledger.models import Hold, HoldStatus
from apps.ledger.trace import Trace


def resolve(*, hold_id: str, status: HoldStatus, captured_cents: int | None, trace: Trace) -> bool:
    """Capture `captured_cents` of the hold (None: all of it) and release the rest. Returns False where it was resolved before."""
    row = statements.execute(
        statements.RESOLVE, trace=trace, hold_id=hold_id, status=status.value, captured_cents=captured_cents
    )
    if row is None:
        raise UnknownHold(hold_id)
    hold_cents, resolved = row
    if captured_cents is not None and captured_cents > hold_cents:  # then nothing was resolved
        raise CaptureExceedsHold(f"{hold_id} holds {hold_cents}, not {captured_cents}")
    return bool(resolved)


def refuse_uncovered(*, hold_id: str, captured_cents: int | None) -> None:
    """Raises CaptureExceedsHold or UnknownHold, where that kept a longer statement from capturing (`statements.RESOLVABLE`)."""
    hold = Hold.objects.filter(pk=hold_id).first()
    if hold is None:
        raise UnknownHold(hold_id)
    if hold.status == HoldStatus.OPEN and captured_cents is not None and captured_cents > hold.amount_cents:
        raise CaptureExceedsHold(f"{hold_id} holds {hold.amount_cents}, not {captured_cents}")
