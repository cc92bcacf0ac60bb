"""Issuing a key."""

from collections.abc import Iterable

from django.db import transaction

from apps.accounts.actors import SUPPORT, Actor
from apps.accounts.models import Account
from apps.common.environments import Environment
from apps.gateway.errors import InvalidRequest
from apps.keys.allowed_ips import parse_allowed_ips
from apps.keys.models import ApiKey, KeyAuditAction, SettlementMode
from apps.keys.scopes import DEFAULT, validate_scopes
from apps.keys.services.changes import add_secret, record, refuse_live_without_approval, validate_name


@transaction.atomic
def issue_key(
    *,
    account: Account,
    environment: str,
    name: str,
    scopes: Iterable[str] = DEFAULT,
    allowed_ips: Iterable[str] = (),
    settlement_mode: str = SettlementMode.PARTNER_MERCHANT,
    actor: Actor = SUPPORT,
) -> tuple[ApiKey, str]:
    """A new key and its secret, which nobody can show again. Only a rotation ever gives a secret an expiry.

    Raises InvalidRequest for an unknown scope or settlement mode, an unusable address list, or a live key
    without approval. Nothing is cached of a key that did not exist, so nothing is bypassed.
    """
    if environment not in Environment.values:
        raise InvalidRequest.field("environment", f"{environment!r} is neither test nor live.")
    if settlement_mode != SettlementMode.PARTNER_MERCHANT:
        raise InvalidRequest.field("settlementMode", f"{settlement_mode!r} is not available.")
    refuse_live_without_approval(account, environment)
    key = ApiKey.objects.create(
        account=account,
        environment=environment,
        name=validate_name(name),
        scopes=validate_scopes(scopes),
        allowed_ips=parse_allowed_ips(allowed_ips),
        settlement_mode=settlement_mode,
        created_by=actor.user,
    )
    secret = add_secret(key)
    record(key, KeyAuditAction.CREATED, actor, scopes=key.scopes, allowedIps=key.allowed_ips)
    return key, secret
