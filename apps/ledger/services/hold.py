from apps.gateway.errors import AccountNotActive, InsufficientFunds
from apps.ledger import statements
from apps.ledger.errors import CurrencyMismatch, HoldResolved, ReferenceReused
from apps.ledger.models import Hold, HoldStatus, new_hold_id
from apps.ledger.trace import Trace


def hold(
    *,
    account_id: str,
    environment: str,
    amount_cents: int,
    currency: str,
    reference: str,
    trace: Trace,
    hold_id: str = "",
) -> str:
    """Set `amount_cents` aside before a supplier is asked; the id of the hold.

    `hold_id` lets the caller write its own row, with the id in it, before the wallet is locked. Zero is allowed: a
    change that costs nothing then takes the same path as any other. Asked again with the same `reference`, the
    open hold it made is returned and nothing moves; one that was resolved meanwhile covers nothing any more, so it
    raises HoldResolved: a new attempt needs a new reference.

    Raises InsufficientFunds (402, with what is available at that instant), AccountNotActive,
    CurrencyMismatch.
    """
    if amount_cents < 0:
        raise ValueError("A hold is of zero cents or more")
    hold_id = hold_id or new_hold_id()
    row = statements.execute(
        statements.HOLD,
        trace=trace,
        hold_id=hold_id,
        account_id=account_id,
        environment=environment,
        amount_cents=amount_cents,
        currency=currency,
        reference=reference,
    )
    # An account without a wallet is one that nothing was ever paid into.
    wallet_currency, available_cents, active, written = row or (currency, 0, True, False)
    if written:
        return hold_id
    earlier = Hold.objects.select_related("wallet").filter(reference=reference).first()
    if earlier is not None:
        return _the_same(earlier, account_id, environment, amount_cents, currency)
    if not active:
        raise AccountNotActive()
    if wallet_currency != currency:
        raise CurrencyMismatch(f"The wallet of {account_id} is in {wallet_currency}, not {currency}")
    raise InsufficientFunds(available_cents=available_cents, required_cents=amount_cents, currency=currency)


def _the_same(earlier: Hold, account_id: str, environment: str, amount_cents: int, currency: str) -> str:
    """The earlier hold's id where it is just what is asked for now, and still open."""
    wallet = earlier.wallet
    made = (wallet.account_id, wallet.environment, wallet.currency, earlier.amount_cents)
    if made != (account_id, environment, currency, amount_cents):
        raise ReferenceReused(f"{earlier.reference} is {earlier.id}: {made}")
    if earlier.status != HoldStatus.OPEN:
        raise HoldResolved(f"{earlier.id} was {earlier.status}; a new attempt needs a new reference")
    return earlier.id
