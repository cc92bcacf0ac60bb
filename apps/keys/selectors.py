"""Reads of keys by account and environment, with the secrets that still work."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch, Q, QuerySet

from apps.accounts import clocks
from apps.accounts.actors import Actor
from apps.accounts.audit import recent_entries_about
from apps.accounts.models import AccountAuditEntry
from apps.common.errors import NotFound
from apps.keys.models import ApiKey, KeySecret
from apps.keys.partner import Partner

PAGE = 50


@dataclass(frozen=True, slots=True)
class Page:
    """Keys, newest first. `older` is the cursor of the next page; None on the last."""

    keys: Sequence[ApiKey]
    older: str | None


def keys_of(account_id: str, environment: str) -> QuerySet[ApiKey]:
    """Newest first: ids sort by the time they were made."""
    return ApiKey.objects.filter(account_id=account_id, environment=environment).order_by("-id")


def key_of(account_id: str, environment: str, key_id: str) -> ApiKey:
    """One key with its creator. Raises NotFound for an unknown or foreign one alike."""
    key = keys_of(account_id, environment).filter(pk=key_id).select_related("created_by", "account").first()
    if key is None:
        raise NotFound("There is no such key.")
    return key


def page_of_keys(account_id: str, environment: str, *, cursor: str | None = None, limit: int = PAGE) -> Page:
    """The keys that are not revoked, each with `working_secrets`. A cursor that is no id shows nothing older. Two queries."""
    keys = with_secrets(
        keys_of(account_id, environment).filter(revoked_at=None), clocks.now_in(account_id, environment)
    )
    if cursor:
        keys = keys.filter(pk__lt=cursor)
    found = list(keys[: limit + 1])
    return Page(found[:limit], found[limit - 1].pk if len(found) > limit else None)


def revoked_keys_of(account_id: str, environment: str) -> QuerySet[ApiKey]:
    """The keys that were revoked last, as many as fit one page."""
    keys = keys_of(account_id, environment).filter(revoked_at__isnull=False).order_by("-revoked_at")
    return with_secrets(keys, clocks.now_in(account_id, environment))[:PAGE]


def with_secrets(keys: QuerySet[ApiKey], now: datetime) -> QuerySet[ApiKey]:
    """Each with `working_secrets`: the current one first, then those that a rotation has given an end that is still to come."""
    working = KeySecret.objects.filter(Q(expires_at=None) | Q(expires_at__gt=now))
    secrets = Prefetch("secrets", working.order_by("-created_at", "-id"), to_attr="working_secrets")
    return keys.select_related("created_by").prefetch_related(secrets)


def audit_of(key: ApiKey) -> list[AccountAuditEntry]:
    """The last changes of the key, newest first."""
    return recent_entries_about(key.account.shown_id, "key", key.pk)


def key_actor(partner: Partner, address: str) -> Actor:
    name = ApiKey.objects.values_list("name", flat=True).get(pk=partner.key_id)
    return Actor(f"API key “{name}”", address=address)
