"""The verbs that move money, and the only code that does. Each is one statement of `statements`, and safe to repeat."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction
from django.dispatch import receiver
from psycopg.types.numeric import Int8

from apps.accounts import audit, clocks
from apps.accounts.actors import SUPPORT, Actor
from apps.accounts.models import FIRST_NAME, Account, AuditAction, Sandbox
from apps.accounts.signals import account_added, live_approved
from apps.common import clock, sql
from apps.common.environments import Environment
from apps.common.errors import AccountNotActive, InsufficientFunds, InvalidRequest, SpendLimitExceeded
from apps.common.money import to_cents
from apps.ledger import statements
from apps.ledger.models import (
    MOST_CENTS,
    Bucket,
    Hold,
    HoldStatus,
    LedgerTransaction,
    TransactionType,
    Wallet,
    new_hold_id,
    new_transaction_id,
)
from apps.ledger.selectors import Balance, balance_of

OPENING_BALANCE = Decimal(10_000)
"""In whole units of the currency: what a test wallet begins with, so that a new account books at once (contract §3)."""
MOST_AT_ONCE_CENTS = 10**10
"""The most that a partner adds to a test wallet with one call."""


class LedgerError(Exception):
    """An error of the calling code, which asked for something impossible: no answer to a partner. Nothing has moved."""


class UnknownWallet(LedgerError):
    """The account has no wallet in this environment: call `open_wallet` first."""


class UnknownHold(LedgerError):
    """No hold has this id."""


class CurrencyMismatch(LedgerError):
    """The amount is in another currency than the wallet's."""


class CaptureExceedsHold(LedgerError):
    """The amount to capture is more than is held."""


class HoldResolved(LedgerError):
    """The hold was captured or released already, so it covers nothing."""


class NoApprovalNeeded(LedgerError):
    """The hold needs no approval by now, and its operation was to await it: try again without."""


class ApprovalNeeded(SpendLimitExceeded):
    """The hold is above what the key may hold without approval (`limit: approval`). What can await it does; the others are
    refused with this.
    """

    default_message = "This is above what the key may spend without approval, which it cannot await."


class ReferenceReused(LedgerError):
    """The reference was used before, for another wallet or another amount."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The cause of a step, stored with it, so that every line of a ledger leads to what caused it.

    Every field is optional: a top-up has no booking, and the recovery worker has no request.
    """

    booking_type: str | None = None
    """`hotel`, `flight`, `transfer` or `esim`."""
    booking_reference: str | None = None
    key_id: str | None = None
    request_id: str | None = None
    operation_id: str | None = None
    description: str = ""


NOTHING = Trace()
NO_LIMITS = (None, None, None, None, None, None)
"""`statements.SPENT` of a key without limits."""


# Wallets


def open_wallet(*, account_id: str, environment: str, currency: str) -> Wallet:
    """The account's wallet in `environment`; opened empty if missing.

    Raises CurrencyMismatch where it exists in another currency: a wallet never changes its currency.
    """
    wallet, _ = Wallet.objects.get_or_create(
        account_id=account_id, environment=environment, defaults={"currency": currency}
    )
    if wallet.currency != currency:
        raise CurrencyMismatch(f"The wallet of {account_id} is in {wallet.currency}, not {currency}")
    return wallet


@transaction.atomic
def open_test_wallet(*, account_id: str, currency: str, amount_cents: int | None = None) -> None:
    """Open the account's test wallet with `amount_cents` in it; without it, with 10,000.00 of the currency. Once: a repeated call
    changes nothing.
    """
    open_wallet(account_id=account_id, environment=Environment.TEST, currency=currency)
    amount_cents = to_cents(OPENING_BALANCE, currency) if amount_cents is None else amount_cents
    if amount_cents:
        top_up(
            account_id=account_id,
            environment=Environment.TEST,
            amount_cents=amount_cents,
            currency=currency,
            reference=f"opening:{account_id}:{Environment.TEST}",
            trace=Trace(description="Opening balance"),
        )


@receiver(account_added)
def open_wallet_of_new_account(*, account: Account, **_: Any) -> None:
    """A test wallet that can book at once."""
    open_test_wallet(account_id=account.pk, currency=account.currency)


@receiver(live_approved)
def open_live_wallet(*, account: Account, **_: Any) -> None:
    """An empty one. It stays when the approval lapses, and the next approval finds it."""
    open_wallet(account_id=account.pk, environment=Environment.LIVE, currency=account.currency)


@transaction.atomic
def add_test_funds(
    *, account_id: str, currency: str, amount_cents: int, reference: str, trace: Trace, actor: Actor = SUPPORT
) -> Balance:
    """Money that a partner adds to a test environment by itself. Returns the test wallet's balance afterwards. `reference` names
    this call: it is credited once, however often it is repeated.

    Raises InvalidRequest for an amount out of bounds, and for one with which the balance would be above what a wallet may hold.
    """
    if not 1 <= amount_cents <= MOST_AT_ONCE_CENTS:
        raise InvalidRequest.field("amountCents", f"An amount is between 1 and {MOST_AT_ONCE_CENTS}.")
    open_wallet(account_id=account_id, environment=Environment.TEST, currency=currency)
    if balance_of(account_id, Environment.TEST).balance_cents > MOST_CENTS - amount_cents:
        raise InvalidRequest.field("amountCents", f"A test wallet holds at most {MOST_CENTS}.")
    added = top_up(
        account_id=account_id,
        environment=Environment.TEST,
        amount_cents=amount_cents,
        currency=currency,
        reference=f"sandbox:{account_id}:{reference}",
        trace=trace,
    )
    if added:
        name = Sandbox.objects.filter(account=account_id).values_list("name", flat=True).first()
        audit.record(
            account=account_id,
            environment=Environment.TEST,
            action=AuditAction.SANDBOX_FUNDED,
            actor=actor,
            subject=audit.Subject("sandbox", account_id, name or FIRST_NAME),
            details={"amountCents": amount_cents, "currency": currency},
        )
    return balance_of(account_id, Environment.TEST)


@transaction.atomic
def warn_below(*, account_id: str, environment: str, cents: int | None, actor: Actor) -> None:
    """Warn the account's people when less than `cents` is available; None: never. No money moves. The value that it has already
    is not written again.

    Raises InvalidRequest for an amount out of bounds, and where there is no wallet yet.
    """
    if cents is not None and not 1 <= cents <= MOST_CENTS:
        raise InvalidRequest.field("warnBelowCents", f"An amount is between 1 and {MOST_CENTS}.")
    wallets = Wallet.objects.select_for_update(no_key=True)
    wallet = wallets.filter(account_id=account_id, environment=environment).first()
    if wallet is None:
        raise InvalidRequest.field(
            "warnBelowCents", "There is no balance yet. It begins with the first top-up."
        )
    before = wallet.warn_below_cents
    if before == cents:
        return
    Wallet.objects.filter(pk=wallet.pk).update(warn_below_cents=cents)
    audit.record(
        account=account_id,
        environment=environment,
        action=AuditAction.BALANCE_WARNING_CHANGED,
        actor=actor,
        details={"before": before, "after": cents, "currency": wallet.currency},
    )


# Steps that change what is available


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
    return _move(
        TransactionType.TOP_UP, account_id, environment, amount_cents, currency, reference, trace=trace
    )


def adjust(
    *,
    account_id: str,
    environment: str,
    amount_cents: int,
    currency: str,
    reference: str,
    trace: Trace = NOTHING,
) -> bool:
    """Correct the available balance by `amount_cents`, up or down but not by zero; once per `reference`.

    Returns True when corrected, False when it was before. Raises InsufficientFunds where the balance would be below zero: held
    funds belong to bookings under way.
    """
    if amount_cents == 0:
        raise ValueError("An adjustment of nothing adjusts nothing")
    return _move(
        TransactionType.ADJUSTMENT, account_id, environment, amount_cents, currency, reference, trace=trace
    )


def refund(
    *, account_id: str, environment: str, amount_cents: int, currency: str, reference: str, trace: Trace
) -> bool:
    """Refund `amount_cents` of what was captured for `trace.booking_reference`; once per `reference`.

    Returns True when refunded, False when it was before: the caller sends `payment.refunded` only on True. A booking is never
    refunded more than was captured for it: the database refuses that with an IntegrityError (migration 0002).
    """
    if amount_cents < 1:
        raise ValueError("A refund is of one cent or more")
    if not trace.booking_reference:
        raise ValueError("A refund names the booking whose captured funds it gives back")
    return _move(
        TransactionType.REFUND, account_id, environment, amount_cents, currency, reference, trace=trace
    )


def _move(
    type: TransactionType,
    account_id: str,
    environment: str,
    amount_cents: int,
    currency: str,
    reference: str,
    *,
    trace: Trace,
) -> bool:
    """Add `amount_cents` (signed) to what is available. Returns True when moved, False when this reference was used before.

    Raises InsufficientFunds where the balance would be below zero, UnknownWallet, CurrencyMismatch, ReferenceReused.
    """
    row = execute(
        statements.MOVE,
        trace=trace,
        type=type.value,
        counter_bucket=(Bucket.SALES if type == TransactionType.REFUND else Bucket.FUNDING).value,
        account_id=account_id,
        environment=environment,
        amount_cents=amount_cents,
        currency=currency,
        reference=reference,
    )
    if row is None:
        raise UnknownWallet(f"{account_id} has no {environment} wallet")
    wallet_currency, available_cents, _, written = row
    if written:
        return True
    if wallet_currency != currency:
        raise CurrencyMismatch(f"The wallet of {account_id} is in {wallet_currency}, not {currency}")
    earlier = LedgerTransaction.objects.filter(type=type, reference=reference).first()
    if earlier is None:
        raise InsufficientFunds(
            available_cents=available_cents, required_cents=-amount_cents, currency=currency
        )
    made = (earlier.account_id, earlier.environment, earlier.amount_cents)
    if made != (account_id, environment, amount_cents):
        raise ReferenceReused(f"{type} {reference} was {earlier.id}, which is another one")
    return False


# Holds


def hold(
    *,
    account_id: str,
    environment: str,
    amount_cents: int,
    currency: str,
    reference: str,
    trace: Trace,
    hold_id: str = "",
    awaits: bool = False,
) -> str:
    """Hold `amount_cents` before a supplier is asked. Returns the id of the hold.

    `hold_id` lets the caller write its own row, with that id in it, before the wallet is locked. Zero is allowed: a change that
    costs nothing then takes the same path as any other. If the same `reference` is used again, the open hold that it made is
    returned and nothing moves. If that hold was resolved meanwhile, HoldResolved is raised, because it covers nothing: a new
    attempt needs a new reference.

    `awaits`: what it is for awaits approval. Where it needs none, NoApprovalNeeded is raised and nothing is held.

    Raises InsufficientFunds (402, with what is available at that instant), SpendLimitExceeded (402) for a limit of the key in
    `trace`, ApprovalNeeded above what it may hold without, AccountNotActive, CurrencyMismatch. Raises IntegrityError (`again`)
    where another hold, or a change of the limits, was quicker than this one: nothing was written, and the next attempt sees it.
    """
    if amount_cents < 0:
        raise ValueError("A hold is of zero cents or more")
    hold_id = hold_id or new_hold_id()
    row = execute(
        statements.HOLD,
        trace=trace,
        hold_id=hold_id,
        account_id=account_id,
        environment=environment,
        amount_cents=amount_cents,
        currency=currency,
        reference=reference,
        awaits=awaits,
    )
    # An account without a wallet never received any money.
    wallet_currency, available_cents, active, written, *spent = row or (currency, 0, True, False, *NO_LIMITS)
    if written:
        return hold_id
    earlier = Hold.objects.select_related("wallet").filter(reference=reference).first()
    if earlier is not None:
        wallet = earlier.wallet
        made = (wallet.account_id, wallet.environment, wallet.currency, earlier.amount_cents)
        if made != (account_id, environment, currency, amount_cents):
            raise ReferenceReused(f"{earlier.reference} is {earlier.id}: {made}")
        if earlier.status != HoldStatus.OPEN:
            raise HoldResolved(f"{earlier.id} was {earlier.status}; a new attempt needs a new reference")
        return earlier.id
    raise refusal(
        (wallet_currency, available_cents, active),
        account_id=account_id,
        environment=environment,
        amount_cents=amount_cents,
        currency=currency,
        spent=spent,
        awaits=awaits,
    )


def again(error: IntegrityError) -> bool:
    """Whether a hold failed because another one was quicker: to be tried again, in a transaction of its own."""
    return any(constraint in str(error) for constraint in (statements.OVERDRAWN, statements.OVERSPENT))


def refusal(
    wallet: tuple[str, int, bool],
    *,
    account_id: str,
    environment: str,
    amount_cents: int,
    currency: str,
    spent: Sequence[int | None],
    awaits: bool = False,
) -> Exception:
    """Why the wallet (its currency, what is available, whether the account is active) or the limits of the key (`SPENT`) do not
    cover the hold. That it needs approval is said last: it would be made otherwise.
    """
    wallet_currency, available_cents, active = wallet
    if not active:
        return AccountNotActive()
    if wallet_currency != currency:
        return CurrencyMismatch(f"The wallet of {account_id} is in {wallet_currency}, not {currency}")
    above = above_limit(spent, amount_cents=amount_cents, now=clocks.now_in(account_id, environment))
    if above is not None:
        return above
    if available_cents >= amount_cents:
        approval = above_approval(spent, amount_cents)
        if (approval is None) == awaits:
            return approval or NoApprovalNeeded()
    return InsufficientFunds(available_cents=available_cents, required_cents=amount_cents, currency=currency)


def above_approval(spent: Sequence[int | None], amount_cents: int) -> ApprovalNeeded | None:
    approval_above = spent[5]
    if approval_above is None or amount_cents <= approval_above:
        return None
    return ApprovalNeeded(limit="approval", limit_cents=approval_above, used_cents=0)


def above_limit(
    spent: Sequence[int | None], *, amount_cents: int, now: datetime, held_cents: int = 0
) -> SpendLimitExceeded | None:
    """Which limit of the key (`statements.SPENT`) a hold of `amount_cents` in all is above, the shortest span first; None where
    it is within them. `held_cents` of it are held, and counted, already.
    """
    per_booking, per_day, per_month, day_used, month_used, _ = spent
    day = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    month_end = (day.replace(day=1) + timedelta(days=32)).replace(day=1)
    for limit, limit_cents, used_cents, resets_at in (
        ("perBooking", per_booking, held_cents, None),
        ("perDay", per_day, day_used or 0, day + timedelta(days=1)),
        ("perMonth", per_month, month_used or 0, month_end),
    ):
        if limit_cents is not None and amount_cents and used_cents + amount_cents - held_cents > limit_cents:
            return SpendLimitExceeded(
                limit=limit, limit_cents=limit_cents, used_cents=used_cents, resets_at=resets_at
            )
    return None


def raise_hold(*, hold_id: str, to_cents: int, trace: Trace) -> bool:
    """Raise the hold to `to_cents` in all, where the price rose within what the partner allows: a second `hold` line. Returns
    True when raised, False where as much or more is held already.

    Raises InsufficientFunds, SpendLimitExceeded, HoldResolved, UnknownHold, and IntegrityError as `hold`. The hold stays as it is
    then, and the caller releases it: so `requiredCents` is the whole amount, and `availableCents` includes what the hold has.
    """
    row = execute(statements.RAISE, trace=trace, hold_id=hold_id, amount_cents=to_cents)
    if row is None:
        raise UnknownHold(hold_id)
    currency, available_cents, hold_cents, hold_status, raised, *spent = row
    if raised:
        return True
    if hold_status != HoldStatus.OPEN:
        raise HoldResolved(f"{hold_id} was {hold_status}")
    if hold_cents >= to_cents:
        return False
    above = above_limit(spent, amount_cents=to_cents, held_cents=hold_cents, now=clock.now_here())
    if above is None and available_cents + hold_cents >= to_cents:
        above = above_approval(spent, to_cents)
    raise above or InsufficientFunds(
        available_cents=available_cents + hold_cents, required_cents=to_cents, currency=currency
    )


def capture(*, hold_id: str, amount_cents: int | None = None, trace: Trace) -> bool:
    """Capture a hold: all of it, or `amount_cents` of it, and then the rest is released. Whatever the account's status: the
    booking was made.

    Returns True when this call captured it. False when the hold was resolved before, by a capture or a release: nothing moves
    then. Raises CaptureExceedsHold, UnknownHold.
    """
    if amount_cents is not None and amount_cents < 0:
        raise ValueError("A capture is of zero cents or more")
    return _resolve(hold_id, HoldStatus.CAPTURED, amount_cents, trace)


def release(*, hold_id: str, trace: Trace) -> bool:
    """Release a hold: nothing was booked. Returns True when this call released it, False when it was resolved before. Raises
    UnknownHold.
    """
    return _resolve(hold_id, HoldStatus.RELEASED, 0, trace)


def _resolve(hold_id: str, status: HoldStatus, captured_cents: int | None, trace: Trace) -> bool:
    """Capture `captured_cents` of the hold (None: all of it) and release the rest. Returns False where it was resolved before."""
    row = execute(
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


# The parameters of a statement


def execute(statement: str | sql.LongStatement, *, trace: Trace, **values: object) -> tuple[Any, ...] | None:
    """Run a statement with the time, new transaction ids and the trace. Returns None where there is no wallet."""
    return sql.one_row(statement, parameters(trace, **values))


def parameters(trace: Trace, **values: object) -> dict[str, Any]:
    """The parameters of a statement: the time in the wallet's environment, new transaction ids, the trace, and `values`, with the
    `status` that a hold is to have where the statement resolves one: what is not captured is released in a second transaction.

    Where `values` name no environment but a hold, it is the one that this thread works for.
    """
    account_id, environment = values.get("account_id"), values.get("environment")
    named = isinstance(account_id, str) and isinstance(environment, str)
    return {
        **{name: getattr(trace, name) for name in Trace.__slots__},
        "now": clocks.now_in(str(account_id), str(environment)) if named else clock.now_here(),
        "transaction_id": new_transaction_id(),
        "release_transaction_id": new_transaction_id() if "status" in values else None,
        **{name: sized(value) for name, value in values.items()},
    }


def sized(value: Any) -> Any:
    """Integers as bigint whatever their size: psycopg would prepare the statement again for each width."""
    return Int8(value) if isinstance(value, int) and not isinstance(value, bool) else value
