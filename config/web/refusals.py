"""The server's own refusals, in the envelope of /v1 (specification §7): what was never handed to the service."""

import uuid

from apps.common.errors import GatewayError, InvalidRequest, RateLimitExceeded, UpstreamUnavailable
from apps.gateway.envelope import JSON, error_body, render
from config.web.answering import Outgoing, refusal
from config.web.reading import Malformed
from config.web.shares import Refused

RETRY_AFTER = 1
"""Seconds: a place is free again as soon as one of the caller's own calls has ended."""


def malformed(error: Malformed) -> Outgoing:
    """The request could not be read, or could be read in two ways."""
    return _sealed(InvalidRequest(error.message), error.status)


def too_slow() -> Outgoing:
    """The request did not arrive in time."""
    return _sealed(InvalidRequest("The request did not arrive in time; send it whole, without pauses."), 408)


def busy(refused: Refused) -> Outgoing:
    """Too many calls of this caller, or of everybody, wait already. Nothing was begun."""
    if refused.whole_process:
        return unavailable("The service is busy; nothing was begun. Try again shortly.")
    error = RateLimitExceeded(
        "Too many calls at the same time; nothing was begun. Send fewer at once.",
        headers={"Retry-After": str(RETRY_AFTER)},
        retryAfter=RETRY_AFTER,
    )
    return _sealed(error, error.status_code)


def unavailable(message: str) -> Outgoing:
    """The service cannot take the call now."""
    return _sealed(UpstreamUnavailable(message, headers={"Retry-After": str(RETRY_AFTER)}), 503)


def _sealed(error: GatewayError, status: int) -> Outgoing:
    request_id = str(uuid.uuid4())
    headers = [("Content-Type", JSON), ("Cache-Control", "no-store"), ("X-Request-Id", request_id)]
    return refusal(status, render(error_body(error, request_id)), [*headers, *error.headers.items()])
