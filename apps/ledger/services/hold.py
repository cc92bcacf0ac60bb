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
    # An account without a wallet never received any money.
    wallet_currency, available_cents, active, written = row or (currency, 0, True, False)
    if written:
        return hold_id
    earlier = Hold.objects.select_related("wallet").filter(reference=reference).first()
    if earlier is not None:
        return _the_same(earlier, account_id, environment, amount_cents, currency)
    raise refusal(
        (wallet_currency, available_cents, active),
        account_id=account_id,
        amount_cents=amount_cents,
        currency=currency,
    )


def refusal(wallet: tuple[str, int, bool], *, account_id: str, amount_cents: int, currency: str) -> Exception:
    """Why the wallet (its currency, what is available, whether the account is active) does not cover the hold."""
    wallet_currency, available_cents, active = wallet
    if not active:
        return AccountNotActive()
    if wallet_currency != currency:
        return CurrencyMismatch(f"The wallet of {account_id} is in {wallet_currency}, not {currency}")
    return InsufficientFunds(available_cents=available_cents, required_cents=amount_cents, currency=currency)


def _the_same(earlier: Hold, account_id: str, environment: str, amount_cents: int, currency: str) -> str:
    """The id of the earlier hold, if it is for the same amount and still open."""
    wallet = earlier.wallet
    made = (wallet.account_id, wallet.environment, wallet.currency, earlier.amount_cents)
    if made != (account_id, environment, currency, amount_cents):
        raise ReferenceReused(f"{earlier.reference} is {earlier.id}: {made}")
    if earlier.status != HoldStatus.OPEN:
        raise HoldResolved(f"{earlier.id} was {earlier.status}; a new attempt needs a new reference")
    return earlier.id
