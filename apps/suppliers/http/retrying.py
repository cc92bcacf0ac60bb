"""Whether a read is sent again, and after how long. Pure functions, apart from the jitter."""

import random
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

RETRIES = 2
RETRIED_STATUSES = frozenset({429, 502, 503, 504})
BACKOFF_SECONDS = (0.2, 0.8)
LONGEST_RETRY_AFTER = 10.0


def pause_before(retry: int, headers: Mapping[str, str]) -> float | None:
    """Seconds to wait before the `retry`-th retry (from 1); None where it is not sent again.

    At least what the answer says (`retry_after`), and a random part more, so that callers that were refused together do not come
    back together; None where that is too long.
    """
    if retry > RETRIES:
        return None
    backoff = BACKOFF_SECONDS[retry - 1] * random.uniform(0.5, 1.5)
    asked = retry_after(headers)
    if asked is None:
        return backoff
    return asked + backoff if asked <= LONGEST_RETRY_AFTER else None


def about_waiting(status: int, headers: Mapping[str, str]) -> Mapping[str, str]:
    """The headers that say how long to wait. Duffel's answers all have `ratelimit-reset`: it is a wait after a 429 only."""
    if status == 429:
        return headers
    return {name: headers[name] for name in ("Retry-After", "Date") if name in headers}


def retry_after(headers: Mapping[str, str]) -> float | None:
    """`Retry-After`, else `ratelimit-reset`, in seconds: a number, or a date, which is compared with the answer's own `Date`."""
    value = (headers.get("Retry-After") or headers.get("ratelimit-reset") or "").strip()
    if value.isdecimal():
        return float(value)
    try:
        until, sent = parsedate_to_datetime(value), parsedate_to_datetime(headers.get("Date", ""))
        return max(0.0, (until - sent).total_seconds())
    except (TypeError, ValueError, OverflowError):  # no date, or one with a time zone and one without
        return None
