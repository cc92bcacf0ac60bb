"""Issuing, changing, rotating and revoking keys. Each change is recorded in the audit trail and bypasses the key cache."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Q

from apps.accounts import audit, clocks
from apps.accounts.actors import SUPPORT, Actor
from apps.accounts.models import Account, AuditAction
from apps.accounts.sandboxes import refuse_retired
from apps.common import clock
from apps.common.environments import Environment
from apps.common.errors import Conflict, InvalidRequest
from apps.keys import secrets
from apps.keys.allowed_ips import parse_allowed_ips
from apps.keys.bypass import bypass_keys
from apps.keys.models import ApiKey, KeySecret, SettlementMode
from apps.keys.scopes import GRANTABLE, default, offered, validate_scopes

DEFAULT_OVERLAP = timedelta(hours=24)
LONGEST_OVERLAP = timedelta(days=30)
MAX_NAME_LENGTH = 255


@transaction.atomic
def issue_key(
    *,
    account: Account,
    environment: str,
    name: str,
    scopes: Iterable[str] | None = None,
    allowed_ips: Iterable[str] = (),
    settlement_mode: str = SettlementMode.PARTNER_MERCHANT,
    expires_at: datetime | None = None,
    actor: Actor = SUPPORT,
) -> tuple[ApiKey, str]:
    """A new key and its secret, which cannot be shown again. Only a rotation gives a secret an expiry of its own; `expires_at` is
    that of the key, by the clock of its environment. Without `scopes` it has those that a key usually has.

    Raises InvalidRequest for an unknown scope or settlement mode, an unusable address list, an expiry that is not in the future,
    a live key without approval, or one key more than may work at a time. No cache has a key that did not exist, so nothing is
    bypassed. The rows are locked: else a change of the account would not bypass a key that is made at the same time.
    """
    if environment not in Environment.values:
        raise InvalidRequest.field("environment", f"{environment!r} is neither test nor live.")
    if settlement_mode != SettlementMode.PARTNER_MERCHANT:
        raise InvalidRequest.field("settlementMode", f"{settlement_mode!r} is not available.")
    account = locked(account)
    refuse_retired(account.pk, environment)
    refuse_live_without_approval(account, environment)
    refuse_too_many(account, environment)
    now = clocks.now_in(account.pk, environment)
    refuse_past_expiry(expires_at, now)
    key = ApiKey.objects.create(
        account=account,
        environment=environment,
        name=validate_name(name),
        scopes=validate_scopes(default() if scopes is None else scopes),
        allowed_ips=parse_allowed_ips(allowed_ips),
        settlement_mode=settlement_mode,
        created_by=actor.user,
        created_at=now,
        expires_at=expires_at,
    )
    secret = add_secret(key)
    ends = {"expiresAt": clock.rfc3339(expires_at)} if expires_at else {}
    record(key, AuditAction.KEY_CREATED, actor, scopes=key.scopes, allowedIps=key.allowed_ips, **ends)
    return key, secret


def locked(account: Account) -> Account:
    """The account as it is now, locked: two calls that issue keys wait for each other, so only one can make the last key. Calls
    and bookings do not wait. Of a sandbox the partner is locked as well, and first: its keys have the terms of the partner.
    """
    rows = Account.objects.select_for_update(no_key=True)
    if account.sandbox_of_id is not None:
        rows.only("id").get(pk=account.sandbox_of_id)
    return rows.get(pk=account.pk)


def refuse_too_many(account: Account, environment: str) -> None:
    """Raises InvalidRequest where as many keys work as may. A revoked key does not count; a rotated key is one key."""
    most = settings.KEYS_PER_ACCOUNT[environment]
    if ApiKey.objects.filter(account=account, environment=environment, revoked_at=None).count() >= most:
        raise InvalidRequest.field(
            "environment",
            f"An account has at most {most} {environment} keys at a time. Revoke one that is not used any more.",
        )


@transaction.atomic
def rename_key(*, key: ApiKey, name: str, actor: Actor = SUPPORT) -> ApiKey:
    """The key with its new name. Raises InvalidRequest for an unusable name, Conflict for a revoked key."""
    name = validate_name(name)
    key = lock_active_key(key)
    before, key.name = key.name, name
    key.save(update_fields=["name"])
    record_change(key, AuditAction.KEY_RENAMED, actor, before=before, after=name)
    return key


@transaction.atomic
def change_allowed_ips(*, key: ApiKey, allowed_ips: Iterable[str], actor: Actor = SUPPORT) -> ApiKey:
    """The key with its new list, in force with the next call.

    Raises InvalidRequest for an unusable list, Conflict for a revoked key.
    """
    parsed = parse_allowed_ips(allowed_ips)
    key = lock_active_key(key)
    before, key.allowed_ips = key.allowed_ips, parsed
    key.save(update_fields=["allowed_ips"])
    record_change(key, AuditAction.KEY_ALLOWED_IPS_CHANGED, actor, before=before, after=parsed)
    return key


@transaction.atomic
def change_scopes(*, key: ApiKey, scopes: Iterable[str], actor: Actor = SUPPORT) -> ApiKey:
    """The key with these scopes, in force with the next call. Those that it has and that are not offered any more stay.

    Raises InvalidRequest for an unknown scope or none, Conflict for a revoked key.
    """
    chosen = validate_scopes(scopes)
    key = lock_active_key(key)
    kept = set(key.scopes) - set(offered())
    before, key.scopes = key.scopes, [scope for scope in GRANTABLE if scope in kept or scope in chosen]
    if set(key.scopes) != set(before):
        key.save(update_fields=["scopes"])
        record_change(key, AuditAction.KEY_SCOPES_CHANGED, actor, before=before, after=key.scopes)
    return key


@transaction.atomic
def change_expiry(*, key: ApiKey, expires_at: datetime | None, actor: Actor = SUPPORT) -> ApiKey:
    """The key with its new end, also where the old one is over; None: it never expires. In force with the next call.

    Raises InvalidRequest for an end that is not in the future by the clock of the key's environment, Conflict for a revoked key.
    """
    key = lock_active_key(key)
    if expires_at == key.expires_at:
        return key
    refuse_past_expiry(expires_at, key.now())
    before, key.expires_at = key.expires_at, expires_at
    key.save(update_fields=["expires_at"])
    before_and_after = {
        name: clock.rfc3339(end) if end else None for name, end in (("before", before), ("after", expires_at))
    }
    record_change(key, AuditAction.KEY_EXPIRY_CHANGED, actor, **before_and_after)
    return key


@transaction.atomic
def rotate_key(*, key: ApiKey, overlap: timedelta = DEFAULT_OVERLAP, actor: Actor = SUPPORT) -> str:
    """The new secret. Those before it keep working for `overlap`, or less where an earlier rotation said so.

    Raises InvalidRequest for a live key without approval or an overlap that is too long, Conflict for a revoked key.
    """
    if not timedelta(0) <= overlap <= LONGEST_OVERLAP:
        raise InvalidRequest.field("overlapSeconds", f"An overlap is 0 to {LONGEST_OVERLAP.days} days long.")
    key = lock_active_key(key)
    refuse_live_without_approval(key.account, key.environment)
    ends_at = key.now() + overlap
    key.secrets.filter(Q(expires_at=None) | Q(expires_at__gt=ends_at)).update(expires_at=ends_at)
    secret = add_secret(key)
    record_change(key, AuditAction.KEY_ROTATED, actor, previousSecretsExpireAt=clock.rfc3339(ends_at))
    return secret


@transaction.atomic
def end_old_secrets(*, key: ApiKey, newest: int | None = None, actor: Actor = SUPPORT) -> int:
    """End the overlap of a rotation early: from the commit on, only the newest secret of the key is accepted. Returns how many
    old secrets that still worked have ended now. Without such a secret nothing changes.

    The newest secret stays: no rotation has given it an end. Raises Conflict for a revoked key, InvalidRequest where `newest`,
    the secret that the caller knows as the newest, is an old one by now.
    """
    key = lock_active_key(key)
    now = key.now()
    if newest is not None and key.secrets.latest("created_at", "id").pk != newest:
        raise InvalidRequest.field(
            "newest", "The key was rotated since you opened this page. Nothing was ended; reload the page."
        )
    in_overlap = key.secrets.filter(expires_at__gt=now)
    last = in_overlap.aggregate(last=Max("expires_at"))["last"]
    if last is None:
        return 0
    ended = in_overlap.update(expires_at=now)
    told = {"secrets": ended, "wouldHaveEndedAt": clock.rfc3339(last)}
    record_change(key, AuditAction.KEY_OLD_SECRETS_ENDED, actor, **told)
    return ended


@transaction.atomic
def revoke_key(*, key: ApiKey, actor: Actor = SUPPORT) -> ApiKey:
    """The revoked key: from the commit on, no call with any of its secrets is accepted (contract §2, step 4). Revoking it again
    changes nothing: the first time counts.
    """
    key = lock_key(key)
    if key.revoked_at is None:
        key.revoked_at = key.now()
        key.save(update_fields=["revoked_at"])
        record_change(key, AuditAction.KEY_REVOKED, actor)
    return key


def lock_key(key: ApiKey) -> ApiKey:
    """A new copy of `key` with its account. Its row is locked until the end of the transaction."""
    return (
        ApiKey.objects.select_for_update(of=("self",), no_key=True).select_related("account").get(id=key.id)
    )


def lock_active_key(key: ApiKey) -> ApiKey:
    """As `lock_key`. Raises Conflict where the key is revoked: then nothing about it changes any more."""
    locked = lock_key(key)
    if locked.revoked_at is not None:
        raise Conflict("This key is revoked.")
    return locked


def record_change(key: ApiKey, action: AuditAction, actor: Actor, **details: object) -> None:
    """Record the change, and stop the use of cached copies of the key."""
    record(key, action, actor, **details)
    bypass_keys(ApiKey.objects.filter(id=key.id))


def record(key: ApiKey, action: AuditAction, actor: Actor, **details: object) -> None:
    """Append to the audit trail of the key's account: who did what. Never a secret."""
    audit.record(
        account=key.account,
        environment=key.environment,
        action=action,
        actor=actor,
        subject=audit.Subject("key", key.id, key.name),
        details=details,
    )


def refuse_past_expiry(expires_at: datetime | None, now: datetime) -> None:
    """Raises InvalidRequest unless the end is in the future or not set."""
    if expires_at is not None and expires_at <= now:
        raise InvalidRequest.field("expiresAt", "Choose a date in the future.")


def refuse_live_without_approval(account: Account, environment: str) -> None:
    """Raises InvalidRequest for live keys of an account that is not approved; test keys need no approval (specification §5)."""
    if environment == Environment.LIVE and not account.may_issue_live_keys(clock.now()):
        raise InvalidRequest.field("environment", "The account is not approved for live keys.")


def add_secret(key: ApiKey) -> str:
    """A new secret of `key`, in plain text this one time. Only its digest is stored."""
    secret = secrets.make(key.environment)
    KeySecret.objects.create(
        key=key,
        digest=secrets.digest(secret),
        prefix=secrets.display_prefix(secret),
        created_at=key.now(),
    )
    return secret


def validate_name(name: str) -> str:
    """`name` trimmed. Raises InvalidRequest unless 1 to 255 printable characters are left."""
    name = name.strip()
    if not 1 <= len(name) <= MAX_NAME_LENGTH or not name.isprintable():
        raise InvalidRequest.field("name", f"A name has 1 to {MAX_NAME_LENGTH} printable characters.")
    return name
