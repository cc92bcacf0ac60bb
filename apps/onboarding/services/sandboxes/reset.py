"""Resetting a sandbox: a new, empty test environment under the same keys and endpoints.

Nothing is deleted. The sandbox gets an account row of its own, to which its keys and endpoints move; all else stays behind under
the old row. A call that was under way goes on there to its end, because it carries the id of the old row: it is answered as if
it had come before the reset, and no call that comes after the reset finds anything of it.
"""

from datetime import timedelta

from django.db import transaction
from django.db.models import F

from apps.accounts.actors import SUPPORT, Actor
from apps.accounts.models import Account, AuditAction, Sandbox
from apps.accounts.selectors.sandboxes import sandboxes_of
from apps.accounts.services.sandboxes import lock_sandbox
from apps.common import clock
from apps.common.environments import Environment
from apps.common.errors import Conflict, IdempotencyKeyInProgress
from apps.common.querysets import no_later_than
from apps.gateway.models import IdempotencyRecord
from apps.keys.models import ApiKey, KeySecret
from apps.keys.services.bypass import bypass_keys
from apps.onboarding.services.sandboxes.rows import lock_owner, open_row, record
from apps.webhooks.services.retire import end_deliveries, move_endpoints


@transaction.atomic
def reset_sandbox(*, account_id: str, actor: Actor = SUPPORT, claim_id: int | None = None) -> Sandbox:
    """The new sandbox in place of the one that is stored under `account_id`: its wallet as at the beginning, its clock at the
    real time, no faults.

    `claim_id` is the claim of the call that asks for it: it moves as well, so that a retry with its Idempotency-Key finds the
    answer. Raises Conflict where the sandbox was reset or closed meanwhile, and IdempotencyKeyInProgress where it was a call with
    the same key that reset it: a retry gets that call's answer. Raises RateLimitExceeded after the 200th of a UTC day.
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

    Their times are those of a clock that was `ahead`; they are put back with it, so that a rotation goes on where it was.
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
    bypass_keys(ApiKey.objects.filter(account=to_account_id))
