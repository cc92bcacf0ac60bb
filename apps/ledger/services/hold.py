from typing import Any

from apps.common.errors import AccountNotActive, InsufficientFunds
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
    """Hold `amount_cents` before a supplier is asked. Returns the id of the hold.

    `hold_id` lets the caller write its own row, with that id in it, before the wallet is locked. Zero is allowed: a change that
    costs nothing then takes the same path as any other. If the same `reference` is used again, the open hold that it made is
    returned and nothing moves. If that hold was resolved meanwhile, HoldResolved is raised, because it covers nothing: a new
    attempt needs a new reference.

    Raises InsufficientFunds (402, with what is available at that instant), AccountNotActive, CurrencyMismatch.
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
    owner = {"account_id": account_id, "environment": environment}
    return held(
        row, hold_id=hold_id, **owner, amount_cents=amount_cents, currency=currency, reference=reference
    )


def held(
    row: tuple[Any, ...] | None,
    *,
    hold_id: str,
    account_id: str,
    environment: str,
    amount_cents: int,
    currency: str,
    reference: str,
) -> str:
    """The id of the hold that `statements.holding` made, by what it returned (`HELD`; None without a wallet). Raises what `hold`
    raises.
    """
    # An account without a wallet never received any money.
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
    """The id of the earlier hold, if it is for the same amount and still open."""
    wallet = earlier.wallet
    made = (wallet.account_id, wallet.environment, wallet.currency, earlier.amount_cents)
    if made != (account_id, environment, currency, amount_cents):
        raise ReferenceReused(f"{earlier.reference} is {earlier.id}: {made}")
    if earlier.status != HoldStatus.OPEN:
        raise HoldResolved(f"{earlier.id} was {earlier.status}; a new attempt needs a new reference")
    return earlier.id
