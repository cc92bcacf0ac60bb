"""How many calls of one account and environment a web process carries out at once: WEB_ACCOUNT_CALLS, or half of its threads.

A call holds its thread until it is answered, however slowly a supplier answers. Without a bound, one partner's slow calls take
every thread. A call beyond the bound is rejected at once and nothing was begun, so that it may be repeated.
"""

import threading
from collections import Counter

from django.conf import settings

from apps.common.errors import RateLimitExceeded
from apps.keys.partner import Partner

RETRY_AFTER_SECONDS = 1
LEAST = 4
"""Half of a few threads would reject the calls of a partner who is alone."""

_lock = threading.Lock()
_running: Counter[tuple[str, str]] = Counter()


def enter(partner: Partner) -> None:
    """Count a call that begins; `leave` when it ends. Raises RateLimitExceeded when the account has as many as it may."""
    holder = _holder(partner)
    most = settings.WEB_ACCOUNT_CALLS or max(LEAST, settings.WEB_THREADS // 2)
    with _lock:
        if _running[holder] < most:
            _running[holder] += 1
            return
    raise RateLimitExceeded(
        "Too many calls at the same time; nothing was begun. Send fewer at once.",
        ours=True,
        why=f"{most} calls of the account were running in this process already.",
        headers={"Retry-After": str(RETRY_AFTER_SECONDS)},
        retryAfter=RETRY_AFTER_SECONDS,
    )


def leave(partner: Partner) -> None:
    """Count a call that has ended."""
    holder = _holder(partner)
    with _lock:
        _running[holder] -= 1
        if not _running[holder]:
            del _running[holder]


def _holder(partner: Partner) -> tuple[str, str]:
    """The account with all its sandboxes, and the environment."""
    return partner.shown_account_id, partner.environment
