from apps.common.errors import InsufficientFunds
from apps.ledger import statements
from apps.ledger.errors import HoldResolved, UnknownHold
from apps.ledger.models import HoldStatus
from apps.ledger.trace import Trace


def raise_hold(*, hold_id: str, to_cents: int, trace: Trace) -> bool:
    """Raise the hold to `to_cents` in all, where the price rose within what the partner allows: a second `hold` line. Returns
    True when raised, False where as much or more is held already.

    Raises InsufficientFunds, HoldResolved, UnknownHold. The hold stays as it is then, and the caller releases it: so
    `requiredCents` is the whole amount, and `availableCents` includes what the hold has.
    """
    row = statements.execute(statements.RAISE, trace=trace, hold_id=hold_id, amount_cents=to_cents)
    if row is None:
        raise UnknownHold(hold_id)
    currency, available_cents, hold_cents, hold_status, raised = row
    if raised:
        return True
    if hold_status != HoldStatus.OPEN:
        raise HoldResolved(f"{hold_id} was {hold_status}")
    if hold_cents >= to_cents:
        return False
    raise InsufficientFunds(
        available_cents=available_cents + hold_cents, required_cents=to_cents, currency=currency
    )
