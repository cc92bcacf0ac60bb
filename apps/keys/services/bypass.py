"""Stops the use of cached copies of keys: with every change, and every second again for the recent changes."""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import QuerySet

from apps.common import clock
from apps.keys import key_cache, recent_changes
from apps.keys.models import ApiKey, KeySecret


def bypass_keys(keys: QuerySet[ApiKey]) -> None:
    """Call it inside the transaction that changes `keys`: they are bypassed before its commit and again after it.

    The first bypass covers a process that dies in between, the second a commit that took long. The sweep covers a Redis that
    could not be reached either time, and `recent_changes` one that only this process cannot reach.
    """
    key_ids = list(keys.values_list("id", flat=True))
    ApiKey.objects.filter(id__in=key_ids).update(changed_at=clock.now())
    digests = digests_of(key_ids)
    key_cache.bypass(digests)
    transaction.on_commit(lambda: key_cache.bypass(digests, forget=True), robust=True)


def rebypass_recent_changes() -> int:
    """The sweep: bypass everything that changed within the last 120 s. Returns how many secrets that were."""
    digests = recent_changes.changed_digests()
    key_cache.bypass(digests)
    return len(digests)


def digests_of(key_ids: Iterable[str]) -> list[str]:
    """The digests of every secret that these keys ever had: one that expired may still be cached."""
    return list(KeySecret.objects.filter(key_id__in=key_ids).values_list("digest", flat=True))
