"""What capture and release share: they end a hold, once."""

from typing import Any

from apps.ledger import statements
from apps.ledger.errors import CaptureExceedsHold, UnknownHold
from apps.ledger.models import HoldStatus
from apps.ledger.trace import Trace


def resolve(*, hold_id: str, status: HoldStatus, captured_cents: int | None, trace: Trace) -> bool:
    """Capture `captured_cents` of the hold (None: all of it) and release the rest. Returns False where it was resolved before."""
    row = statements.execute(
        statements.RESOLVE, trace=trace, hold_id=hold_id, status=status.value, captured_cents=captured_cents
    )
    return was_resolved(row, hold_id=hold_id, captured_cents=captured_cents)


def was_resolved(row: tuple[Any, ...] | None, *, hold_id: str, captured_cents: int | None) -> bool:
    """Whether `statements.resolving` ended the hold, by what it returned (`RESOLVED`; None without a hold). Raises
    CaptureExceedsHold, UnknownHold.
    """
    if row is None:
        raise UnknownHold(hold_id)
    hold_cents, resolved = row
    if not resolved and captured_cents is not None and captured_cents > hold_cents:
        raise CaptureExceedsHold(f"{hold_id} holds {hold_cents}, not {captured_cents}")
    return bool(resolved)
