"""A response besides its body: the request's id, the limits, whether it was a replay."""

from __future__ import annotations

import email.utils
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any

import msgspec

NO_JSON = (msgspec.DecodeError, UnicodeDecodeError)
"""What msgspec raises if it is not JSON; the second if a text is not UTF-8, as some proxies write."""


@dataclass(frozen=True)
class Limit:
    """A rate limit or the day's search quota: how much there is, how much is left, when it resets."""

    limit: int
    remaining: int
    resets_at: datetime


@dataclass(frozen=True)
class Response:
    """One response of the service."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    """Their names are in lower case."""
    content: bytes = field(repr=False)
    attempts: int = 1
    """How many times the call was sent to get this response."""
    idempotency_key: str | None = None

    @property
    def request_id(self) -> str:
        """The id to quote to support. Empty if the service itself was not reached."""
        return self.headers.get("x-request-id", "")

    @property
    def environment(self) -> str:
        """`test` or `live`."""
        return self.headers.get("x-environment", "")

    @property
    def replayed(self) -> bool:
        """Whether this is the stored response of an earlier call with the same Idempotency-Key."""
        return self.headers.get("idempotent-replayed") == "true"

    @property
    def retry_after(self) -> float | None:
        """Seconds to wait before the next call, if the service asks for it."""
        return _seconds(self.headers.get("retry-after", ""))

    @property
    def rate_limit(self) -> Limit | None:
        return self._limit("x-ratelimit")

    @property
    def search_quota(self) -> Limit | None:
        return self._limit("x-search-quota")

    @property
    def search_billable(self) -> bool:
        """Whether the call counted against the search quota."""
        return self.headers.get("x-search-billable") == "true"

    @property
    def sandbox_trigger(self) -> str:
        """The trigger of `customer_ref` that took effect; empty if none did."""
        return self.headers.get("x-sandbox-trigger", "")

    def json(self) -> Any:
        """The body as received, with the fields that this version of the client does not know. None if it is not JSON."""
        try:
            return msgspec.json.decode(self.content)
        except NO_JSON:
            return None

    def _limit(self, prefix: str) -> Limit | None:
        try:
            limit, left, reset = (
                int(self.headers[f"{prefix}-{part}"]) for part in ("limit", "remaining", "reset")
            )
            return Limit(limit, left, datetime.fromtimestamp(reset, timezone.utc))
        except (KeyError, ValueError, OverflowError, OSError):
            return None


def _seconds(value: str) -> float | None:
    """A Retry-After: seconds, or a date, which proxies send."""
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None
