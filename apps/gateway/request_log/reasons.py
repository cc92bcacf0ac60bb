"""Why a call was refused, in words for the key's owner: more than the wire says, and nothing that was typed into a body."""

import re
from collections.abc import Callable
from functools import lru_cache

from django.conf import settings

from apps.common.clock import rfc3339
from apps.gateway import errors, idempotency
from apps.gateway.call import Call
from apps.gateway.client_ip import client_address
from apps.gateway.request_log.redaction import redact_path
from apps.keys.partner import Partner

Reason = Callable[[Call, errors.GatewayError], str]

MEDIA_TYPE = re.compile(r"[a-z0-9.+-]{1,40}/[a-z0-9.+-]{1,40}")
ADDRESS = re.compile(r"[0-9A-Fa-f:.]{2,45}")
MAX_NAMED = 20
"""Fields or list entries that a sentence names before it says "and more"."""


def why(call: Call, error: errors.GatewayError) -> str:
    """The reason, or the type's own sentence where there is nothing to add to it."""
    reason = REASONS.get(error.type)
    return reason(call, error) if reason is not None else type(error).default_message


def address_of(call: Call) -> str:
    """Where the call came from, if that is an address: behind a proxy that is misconfigured it may be anything."""
    return _if_address(client_address(call.request))


@lru_cache(4096)
def _if_address(sent: str) -> str:
    return sent if ADDRESS.fullmatch(sent) else ""


def owner_of(call: Call, error: errors.GatewayError | None) -> Partner | None:
    """Whose key it was: known too where the secret was revoked or has expired."""
    return call.partner_found or getattr(error, "owner", None)


def _key_missing(call: Call, error: errors.GatewayError) -> str:
    sent = bool(call.request.META.get("HTTP_AUTHORIZATION"))
    return "The Authorization header is not `Bearer <key>`." if sent else "There was no Authorization header."


def _key_unknown(call: Call, error: errors.GatewayError) -> str:
    return "The key that was sent is none that was ever issued."


def _key_revoked(call: Call, error: errors.GatewayError) -> str:
    return f"Whoever calls from {address_of(call)} still uses this key, which was revoked."


def _secret_expired(call: Call, error: errors.GatewayError) -> str:
    owner = owner_of(call, error)
    at = owner.secret_expires_at if owner is not None else None
    when = f" on {rfc3339(at)}" if at is not None else ""
    return f"Whoever calls from {address_of(call)} still uses a secret that expired{when}, after a rotation."


def _wrong_environment(call: Call, error: errors.GatewayError) -> str:
    here = error.extras.get("gatewayEnvironment")
    return f"The key is a {call.partner.environment} key; this address serves {here} keys alone."


def _ip_not_allowed(call: Call, error: errors.GatewayError) -> str:
    allowed = _listed(call.partner.allowed_ips)
    seen = address_of(call) or "an address that could not be read"
    return f"The call came from {seen}, which is not in the key's list: {allowed}."


def _method_not_allowed(call: Call, error: errors.GatewayError) -> str:
    return f"This path takes {_listed(sorted(call.routes)) or 'GET'} alone."


def _account_not_active(call: Call, error: errors.GatewayError) -> str:
    if call.partner.account_status == "read-only":
        return "The account is read-only: it may read what is not billable, and nothing else."
    return f"The account is {call.partner.account_status}."


def _scope_missing(call: Call, error: errors.GatewayError) -> str:
    has = _listed(sorted(call.partner.scopes))
    return f"The operation needs the scope {call.route.scope}; the key has {has}."


def _limit_exceeded(call: Call, error: errors.GatewayError) -> str:
    if call.window is not None and not call.window.admitted:
        whose = "the key" if call.partner_found else "this address, without a valid key,"
        return f"In this minute {whose} had used all {call.window.limit} calls of its class."
    limit = call.quota.limit if call.quota is not None else 0
    return f"The day's {limit} searches of the account were used up."


def _too_large(call: Call, error: errors.GatewayError) -> str:
    return f"The body is larger than the {settings.MAX_BODY_BYTES // 1024} KiB that are taken."


def _unsupported(call: Call, error: errors.GatewayError) -> str:
    sent = str(call.request.META.get("CONTENT_TYPE", "")).partition(";")[0].strip().lower()
    if sent == "application/json":
        return "The body is in an encoding other than plain UTF-8."
    named = sent if MEDIA_TYPE.fullmatch(sent) else "nothing known"
    return f"The Content-Type says {named}; a body is application/json."


def _invalid(call: Call, error: errors.GatewayError) -> str:
    details = error.extras.get("details")
    fields = [redact_path(str(detail["field"])) for detail in details] if isinstance(details, list) else []
    named = _listed([field for field in dict.fromkeys(fields) if field])
    return f"What was sent is not valid in {named}." if named else "The request could not be read."


def _idempotency_key_required(call: Call, error: errors.GatewayError) -> str:
    sent = call.request.META.get("HTTP_IDEMPOTENCY_KEY")
    if sent is None:
        return "There was no Idempotency-Key header."
    if not 8 <= len(sent) <= 255:
        return f"The Idempotency-Key has {len(sent)} characters; 8 to 255 are taken."
    return "The Idempotency-Key has characters other than printable ASCII."


def _idempotency_key_reuse(call: Call, error: errors.GatewayError) -> str:
    hours = settings.IDEMPOTENCY_RETENTION_HOURS
    return f"Within the last {hours} h this Idempotency-Key came with another path or body."


def _idempotency_key_in_progress(call: Call, error: errors.GatewayError) -> str:
    return "The first call with this Idempotency-Key had not ended yet."


REASONS: dict[str, Reason] = {
    errors.AuthenticationRequired.type: _key_missing,
    errors.InvalidApiKey.type: _key_unknown,
    errors.ApiKeyRevoked.type: _key_revoked,
    errors.ApiKeyExpired.type: _secret_expired,
    errors.WrongEnvironment.type: _wrong_environment,
    errors.IpNotAllowed.type: _ip_not_allowed,
    errors.MethodNotAllowed.type: _method_not_allowed,
    errors.AccountNotActive.type: _account_not_active,
    errors.InsufficientScope.type: _scope_missing,
    errors.RateLimitExceeded.type: _limit_exceeded,
    errors.PayloadTooLarge.type: _too_large,
    errors.UnsupportedMediaType.type: _unsupported,
    errors.InvalidRequest.type: _invalid,
    errors.IdempotencyKeyRequired.type: _idempotency_key_required,
    errors.IdempotencyKeyReuse.type: _idempotency_key_reuse,
    errors.IdempotencyKeyInProgress.type: _idempotency_key_in_progress,
}


def idempotency_key_of(call: Call) -> str:
    """The Idempotency-Key as sent, where it could be one."""
    sent: str = call.request.META.get("HTTP_IDEMPOTENCY_KEY", "")
    return sent if sent and idempotency.WELL_FORMED.fullmatch(sent) else ""


def _listed(words: "list[str] | tuple[str, ...]") -> str:
    shown = ", ".join(words[:MAX_NAMED])
    return f"{shown} and {len(words) - MAX_NAMED} more" if len(words) > MAX_NAMED else shown
