"""What every change of a key shares: the locked row, the approval rule, the audit trail, the bypass of the cache."""

from apps.accounts.actors import Actor
from apps.accounts.models import Account, AuditAction
from apps.accounts.services import audit
from apps.common import clock
from apps.common.environments import Environment
from apps.common.errors import Conflict, InvalidRequest
from apps.keys import secrets
from apps.keys.models import ApiKey, KeySecret
from apps.keys.services.bypass import bypass_keys

MAX_NAME_LENGTH = 255


def lock_key(key: ApiKey) -> ApiKey:
    """A new copy of `key` with its account. Its row is locked until the end of the transaction."""
    return ApiKey.objects.select_for_update(of=("self",)).select_related("account").get(id=key.id)


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
