"""Opening, renaming, resetting and closing the sandboxes of an account: test environments with keys, wallet, endpoints, clock and
faults of their own.
"""

import math
from datetime import UTC, datetime, time, timedelta

from django.db import transaction
from django.db.models import F

from apps.accounts import audit
from apps.accounts.actors import SUPPORT, Actor
from apps.accounts.models import MAX_SANDBOXES, Account, AuditAction, Sandbox
from apps.accounts.sandboxes import account_name, lock_sandbox, sandboxes_of
from apps.common import clock
from apps.common.environments import Environment
from apps.common.errors import Conflict, IdempotencyKeyInProgress, InvalidRequest, RateLimitExceeded
from apps.common.querysets import no_later_than
from apps.gateway.models import IdempotencyRecord
from apps.keys.bypass import bypass_keys
from apps.keys.models import ApiKey, KeySecret
from apps.keys.services import revoke_key
from apps.ledger.money import open_test_wallet
from apps.ledger.spend_limits import move_limits
from apps.webhooks.services.retire import end_deliveries, move_endpoints

MAX_NAME_LENGTH = 64
MAX_OPENED_A_DAY = 200
"""Resets and openings together: each leaves an account row and a wallet for ever, because ledger entries are never removed."""


@transaction.atomic
def open_sandbox(*, account: Account, name: str, actor: Actor = SUPPORT) -> Sandbox:
    """A new one, empty but for what every test wallet opens with.

    Raises InvalidRequest for a name that is unusable or taken, Conflict for an eleventh in use, RateLimitExceeded for
    the 201st of a UTC day, resets included.
    """
    owner = lock_owner(account.pk)
    name = free_name(owner, name)
    if len(sandboxes_of(owner.pk)) >= MAX_SANDBOXES:
        raise Conflict(f"An account has at most {MAX_SANDBOXES} sandboxes at a time. Close one first.")
    sandbox = open_row(owner, name, is_first=False)
    record(sandbox, AuditAction.SANDBOX_OPENED, actor)
    return sandbox


@transaction.atomic
def rename_sandbox(*, sandbox: Sandbox, name: str, actor: Actor = SUPPORT) -> Sandbox:
    """The sandbox with its new name.

    Raises InvalidRequest for a name that is unusable or taken, Conflict where it was reset or closed meanwhile.
    """
    owner = lock_owner(sandbox.owner_id)
    sandbox = lock_sandbox(sandbox.account_id)
    name = free_name(owner, name, but=sandbox)
    before, sandbox.name = sandbox.name, name
    if before != name:
        sandbox.save(update_fields=["name"])
        rows = Account.objects.filter(pk=sandbox.account_id, sandbox_of=owner)
        rows.update(name=account_name(owner, name))
        record(sandbox, AuditAction.SANDBOX_RENAMED, actor, before=before, after=name)
    return sandbox


@transaction.atomic
def reset_sandbox(*, account_id: str, actor: Actor = SUPPORT, claim_id: int | None = None) -> Sandbox:
    """The new sandbox in place of the one that is stored under `account_id`: its wallet as at the beginning, its clock at the
    real time, no faults.

    Nothing is deleted. The sandbox gets an account row of its own, to which its keys and endpoints move; all else stays behind
    under the old row. A call that was under way continues there to its end, because it carries the id of the old row: it is
    answered as if it had come before the reset, and no call that comes after the reset finds anything of it.

    `claim_id` is the claim of the call that asks for it: it moves as well, so that a retry with its Idempotency-Key finds the
    answer. Raises Conflict where the sandbox was reset or closed meanwhile, and IdempotencyKeyInProgress where it was a call
    with the same key that reset it: a retry gets that call's answer. Raises RateLimitExceeded after the 200th of a UTC day.
    """
    owner = lock_owner(Account.objects.only("sandbox_of").get(pk=account_id).shown_id)
    try:
        old = lock_sandbox(account_id)
    except Conflict:
        if claim_id is not None and was_reset_under(claim_id, owner):
            raise IdempotencyKeyInProgress from None
        raise
    if old.account_id != owner.pk:
        Account.objects.select_for_update(no_key=True).get(
            pk=account_id
        )  # who issues a key waits, and is refused
    old.retired_at = clock.now()
    old.save(update_fields=["retired_at"])
    new = open_row(owner, old.name, is_first=old.is_first)
    move_endpoints(account_id=account_id, to_account_id=new.account_id, ahead=old.clock_offset)
    end_deliveries(account_id=account_id)
    move_keys(account_id, new.account_id, ahead=old.clock_offset)
    if claim_id is not None:
        IdempotencyRecord.objects.filter(pk=claim_id, account=account_id).update(
            account=new.account_id, created_at=no_later_than(clock.now(), "created_at")
        )
    record(new, AuditAction.SANDBOX_RESET, actor)
    return new


def was_reset_under(claim_id: int, owner: Account) -> bool:
    """Whether a call with the key of this claim has reset a sandbox of `owner` meanwhile: its own claim has moved on."""
    mine = IdempotencyRecord.objects.get(pk=claim_id)
    return IdempotencyRecord.objects.filter(
        account__in=[each.account_id for each in sandboxes_of(owner.pk)],
        environment=Environment.TEST,
        key=mine.key,
        fingerprint=mine.fingerprint,
    ).exists()


def move_keys(account_id: str, to_account_id: str, *, ahead: timedelta) -> None:
    """Every test key with all its secrets, the revoked ones too: their ids and names stay known.

    Their times are those of a clock that was `ahead`; they are put back with it, so that a rotation continues where it was.
    """
    now = clock.now()
    keys = ApiKey.objects.filter(account=account_id, environment=Environment.TEST)
    list(
        keys.select_for_update(no_key=True).order_by("pk").values_list("pk")
    )  # before their secrets, as everywhere
    KeySecret.objects.filter(key__in=keys).update(
        expires_at=F("expires_at") - ahead,
        created_at=no_later_than(now, "created_at"),
        last_used_at=no_later_than(now, "last_used_at"),
    )
    keys.update(
        account=to_account_id,
        created_at=no_later_than(now, "created_at"),
        revoked_at=no_later_than(now, "revoked_at"),
        last_used_at=no_later_than(now, "last_used_at"),
    )
    move_limits(account_id, to_account_id, Environment.TEST)
    bypass_keys(ApiKey.objects.filter(account=to_account_id))


@transaction.atomic
def close_sandbox(*, sandbox: Sandbox, actor: Actor = SUPPORT) -> None:
    """Revoke its keys, end its unfinished deliveries and send nothing more of it.

    Raises Conflict for the one that the account began with, and where it was reset or closed meanwhile.
    """
    lock_owner(sandbox.owner_id)
    sandbox = lock_sandbox(sandbox.account_id)
    if sandbox.is_first:
        raise Conflict("The first sandbox of an account stays. Reset it to empty it.")
    sandbox.retired_at = clock.now()
    sandbox.save(update_fields=["retired_at"])
    keys = ApiKey.objects.filter(account=sandbox.account_id, environment=Environment.TEST, revoked_at=None)
    for key in keys.order_by("pk"):
        revoke_key(key=key, actor=actor)
    end_deliveries(account_id=sandbox.account_id)
    record(sandbox, AuditAction.SANDBOX_CLOSED, actor)


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
