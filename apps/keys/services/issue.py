"""Issuing a key."""

from collections.abc import Iterable

from django.conf import settings
from django.db import transaction

from apps.accounts import clocks
from apps.accounts.actors import SUPPORT, Actor
from apps.accounts.models import Account, AuditAction
from apps.accounts.services.sandboxes import refuse_retired
from apps.common.environments import Environment
from apps.common.errors import InvalidRequest
from apps.keys.allowed_ips import parse_allowed_ips
from apps.keys.models import ApiKey, SettlementMode
from apps.keys.scopes import default, validate_scopes
from apps.keys.services.changes import add_secret, record, refuse_live_without_approval, validate_name


@transaction.atomic
def issue_key(
    *,
    account: Account,
    environment: str,
    name: str,
    scopes: Iterable[str] | None = None,
    allowed_ips: Iterable[str] = (),
    settlement_mode: str = SettlementMode.PARTNER_MERCHANT,
    actor: Actor = SUPPORT,
) -> tuple[ApiKey, str]:
    """A new key and its secret, which cannot be shown again. Only a rotation gives a secret an expiry. Without `scopes` it has
    those that a key usually has.

    Raises InvalidRequest for an unknown scope or settlement mode, an unusable address list, a live key without approval, or one
    key more than may work at a time. No cache has a key that did not exist, so nothing is bypassed. The rows are locked:
    else a change of the account would not bypass a key that is made at the same time.
    """
    if environment not in Environment.values:
        raise InvalidRequest.field("environment", f"{environment!r} is neither test nor live.")
    if settlement_mode != SettlementMode.PARTNER_MERCHANT:
        raise InvalidRequest.field("settlementMode", f"{settlement_mode!r} is not available.")
    account = locked(account)
    refuse_retired(account.pk, environment)
    refuse_live_without_approval(account, environment)
    refuse_too_many(account, environment)
    key = ApiKey.objects.create(
        account=account,
        environment=environment,
        name=validate_name(name),
        scopes=validate_scopes(default() if scopes is None else scopes),
        allowed_ips=parse_allowed_ips(allowed_ips),
        settlement_mode=settlement_mode,
        created_by=actor.user,
        created_at=clocks.now_in(account.pk, environment),
    )
    secret = add_secret(key)
    record(key, AuditAction.KEY_CREATED, actor, scopes=key.scopes, allowedIps=key.allowed_ips)
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
