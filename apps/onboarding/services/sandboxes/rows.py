"""What opening, renaming, resetting and closing a sandbox share: the owner's lock, the name, the hidden account row."""

import math
from datetime import UTC, datetime, time, timedelta

from apps.accounts.actors import Actor
from apps.accounts.models import Account, AuditAction, Sandbox
from apps.accounts.selectors.sandboxes import sandboxes_of
from apps.accounts.services import audit
from apps.accounts.services.sandboxes import account_name
from apps.common import clock
from apps.common.environments import Environment
from apps.common.errors import InvalidRequest, RateLimitExceeded
from apps.ledger.money import open_test_wallet

MAX_NAME_LENGTH = 64
MAX_OPENED_A_DAY = 200
"""Resets and openings together: each leaves an account row and a wallet for ever, because ledger entries are never removed."""


def lock_owner(account_id: str) -> Account:
    """The partner, locked: two changes of its sandboxes wait for each other. Calls and bookings do not wait."""
    return Account.objects.select_for_update(no_key=True).get(pk=account_id)


def free_name(owner: Account, name: str, *, but: Sandbox | None = None) -> str:
    """`name` trimmed. Raises InvalidRequest unless it is 1 to 64 printable characters that no other sandbox in use has."""
    name = name.strip()
    if not 1 <= len(name) <= MAX_NAME_LENGTH or not name.isprintable():
        raise InvalidRequest.field("name", f"A name has 1 to {MAX_NAME_LENGTH} printable characters.")
    others = (each for each in sandboxes_of(owner.pk) if but is None or each.account_id != but.account_id)
    if any(each.name.casefold() == name.casefold() for each in others):
        raise InvalidRequest.field("name", f"There is a sandbox called {name} already.")
    return name


def refuse_too_many_today(owner: Account) -> None:
    """Raises RateLimitExceeded with the seconds until the next UTC midnight. Call it with the owner locked."""
    now = clock.now()
    midnight = datetime.combine(now.date(), time(), UTC)
    opened = Sandbox.objects.filter(owner=owner, opened_at__gte=midnight).exclude(account=owner).count()
    if opened >= MAX_OPENED_A_DAY:
        wait = math.ceil((midnight + timedelta(days=1) - now).total_seconds())
        raise RateLimitExceeded(
            f"An account resets and opens sandboxes at most {MAX_OPENED_A_DAY} times a UTC day; wait {wait} s.",
            ours=True,
            headers={"Retry-After": str(wait)},
            retryAfter=wait,
        )


def open_row(owner: Account, name: str, *, is_first: bool) -> Sandbox:
    """A sandbox under an account row of its own, with its wallet. The caller has locked the owner and checked the name.

    Raises RateLimitExceeded after the 200th of a UTC day.
    """
    refuse_too_many_today(owner)
    account = Account.objects.create(
        name=account_name(owner, name), currency=owner.currency, sandbox_of=owner, status=owner.status
    )
    sandbox = Sandbox.objects.create(account=account, owner=owner, name=name, is_first=is_first)
    open_test_wallet(account_id=account.pk, currency=owner.currency)
    return sandbox


def record(sandbox: Sandbox, action: AuditAction, actor: Actor, **details: object) -> None:
    audit.record(
        account=sandbox.owner_id,
        action=action,
        actor=actor,
        subject=audit.Subject("sandbox", sandbox.account_id, sandbox.name),
        environment=Environment.TEST,
        details=details,
    )
