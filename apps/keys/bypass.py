"""Stops the use of cached copies of keys: with every change, and every second again for the recent changes.

A change of a key sets a bypass in Redis. If the process that makes the change cannot reach Redis, the web processes that can
would use the cached key for up to 60 s. So each of them also reads the changed keys from PostgreSQL: in a thread of its own,
outside of calls, from its first call on. What the thread read a second ago or longer is too old: then calls ask PostgreSQL
themselves.
"""

import logging
import threading
import time
from collections.abc import Iterable
from datetime import timedelta
from math import inf
from typing import Any

from django.conf import settings
from django.db import Error, connection, transaction
from django.db.models import Q, QuerySet
from django.dispatch import receiver

from apps.accounts.models import Account
from apps.accounts.signals import account_changed, sandbox_changed
from apps.common import clock
from apps.common.environments import Environment
from apps.keys import key_cache
from apps.keys.models import ApiKey, KeySecret

logger = logging.getLogger(__name__)
MAX_AGE_SECONDS = 1.0
_lock = threading.Lock()
_thread: threading.Thread | None = None
_read_at = -inf
_changed: frozenset[str] = frozenset()


def bypass_keys(keys: QuerySet[ApiKey]) -> None:
    """Call it inside the transaction that changes `keys`: they are bypassed before its commit and again after it.

    The first bypass covers a process that dies in between, the second a commit that took long. The sweep covers a Redis that
    could not be reached either time, and the thread below one that only this process cannot reach.
    """
    key_ids = list(keys.values_list("id", flat=True))
    ApiKey.objects.filter(id__in=key_ids).update(changed_at=clock.now())
    digests = digests_of(key_ids)
    key_cache.bypass(digests)
    transaction.on_commit(lambda: key_cache.bypass(digests, forget=True), robust=True)


def rebypass_recent_changes() -> int:
    """The sweep: bypass everything that changed within the last 120 s. Returns how many secrets that were."""
    digests = changed_digests()
    key_cache.bypass(digests)
    return len(digests)


def digests_of(key_ids: Iterable[str]) -> list[str]:
    """The digests of every secret that these keys ever had: one that expired may still be cached."""
    return list(KeySecret.objects.filter(key_id__in=key_ids).values_list("digest", flat=True))


@receiver(account_changed)
def bypass_keys_of_account(*, account: Account, **_: Any) -> None:
    """Bypass the account's keys, also those of its test environments: the key cache has a copy of its terms with each key."""
    bypass_keys(ApiKey.objects.filter(Q(account=account) | Q(account__sandbox_of=account)))


@receiver(sandbox_changed)
def bypass_keys_of_sandbox(*, account_id: str, **_: Any) -> None:
    """Bypass the test keys alone: the key cache has a copy of the clock and the faults with each of them."""
    bypass_keys(ApiKey.objects.filter(account_id=account_id, environment=Environment.TEST))


def changed_digests() -> list[str]:
    """The digests of every secret of the keys that changed within the last 120 s, longer than any cache entry lives."""
    since = clock.now() - timedelta(seconds=settings.KEY_BYPASS_SECONDS)
    return list(KeySecret.objects.filter(key__changed_at__gte=since).values_list("digest", flat=True))


def allow_cached(digest: str) -> bool:
    """Whether a cached copy of this secret's key may be used, as far as PostgreSQL says."""
    if not settings.KEY_POLL_SECONDS:
        return True
    if _thread is None or not _thread.is_alive():  # also in a child of a fork
        _start()
    return time.monotonic() - _read_at < MAX_AGE_SECONDS and digest not in _changed


def _start() -> None:
    global _thread
    with _lock:
        if _thread is None or not _thread.is_alive():
            _thread = threading.Thread(target=_poll_for_ever, name="changed-keys", daemon=True)
            _thread.start()


def _poll_for_ever() -> None:
    try:
        while settings.KEY_POLL_SECONDS:
            began = time.monotonic()
            _poll(began)
            time.sleep(max(0.0, began + settings.KEY_POLL_SECONDS - time.monotonic()))
    finally:
        connection.close()


def _poll(began: float) -> None:
    """While PostgreSQL is away nothing is learned, and `_read_at` shows it."""
    global _read_at, _changed
    try:
        _changed = frozenset(changed_digests())
        _read_at = began
    except Error as failure:
        logger.warning("The changed keys could not be read: %s", failure)
        connection.close()
