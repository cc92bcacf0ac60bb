"""Every refusal of the service: one class each, with the wire's `type`, the status and named extras.

Services raise them, `apps.gateway.envelope` renders them; no view builds an error body by hand. `type` is a written
constant, never derived from the class name: renaming a class must not break a client (specification §7).
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Self

if TYPE_CHECKING:
    from apps.keys.partner import Partner


class GatewayError(Exception):
    """A refusal in the envelope `{"error": {"type", "message", "requestId", **extras}}`."""

    type: ClassVar[str]
    status: ClassVar[int]
    default_message: ClassVar[str]

    def __init__(
        self,
        message: str | None = None,
        *,
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
        **extras: object,
    ) -> None:
        self.message = message or self.default_message
        self.status_code = status or self.status
        self.headers = dict(headers or {})
        if self.status_code == 401:
            self.headers["WWW-Authenticate"] = "Bearer"  # RFC 9110 demands that a 401 names its scheme
        self.extras = extras
        super().__init__(self.message)


class OfAnOwner:
    """The refusal of a secret that was somebody's. The wire does not say whose; the owner's request log does."""

    owner: "Partner | None" = None

    @classmethod
    def of(cls, owner: "Partner") -> Self:
        refusal = cls()
        refusal.owner = owner
        return refusal


# --- 400 -------------------------------------------------------------------------------------------------------
class InvalidRequest(GatewayError):
    """`details`: [{"field": "slices.0.origin", "message": "…"}], a dotted path each (contract §1)."""

    type = "invalid_request"
    status = 400
    default_message = "The request is not valid; see details."

    def __init__(
        self,
        message: str | None = None,
        *,
        details: Sequence[Mapping[str, str]] = (),
        headers: Mapping[str, str] | None = None,
        **extras: object,
    ) -> None:
        extras["details"] = [dict(detail) for detail in details]
        super().__init__(message, status=None, headers=headers, **extras)

    @classmethod
    def field(cls, field: str, message: str) -> "InvalidRequest":
        """One field is wrong."""
        return cls(details=[{"field": field, "message": message}])


class IdempotencyKeyRequired(GatewayError):
    type = "idempotency_key_required"
    status = 400
    default_message = "Every POST needs an Idempotency-Key header of 8 to 255 printable ASCII characters."


# --- 401 -------------------------------------------------------------------------------------------------------
class AuthenticationRequired(GatewayError):
    type = "authentication_required"
    status = 401
    default_message = "Send your API key as `Authorization: Bearer <key>`."


class InvalidApiKey(GatewayError):
    type = "invalid_api_key"
    status = 401
    default_message = "This API key does not exist."


class ApiKeyRevoked(OfAnOwner, GatewayError):
    type = "api_key_revoked"
    status = 401
    default_message = "This API key was revoked."


class ApiKeyExpired(OfAnOwner, GatewayError):
    type = "api_key_expired"
    status = 401
    default_message = "This secret expired after a rotation; use the new one."


class WrongEnvironment(GatewayError):
    """Extras: gatewayEnvironment, keyEnvironment. The key is fine, the base address is wrong."""

    type = "wrong_environment"
    status = 401
    default_message = "This key belongs to the other environment; the base address is wrong, not the key."


# --- 402 -------------------------------------------------------------------------------------------------------
class InsufficientFunds(GatewayError):
    """Raised before any supplier is contacted."""

    type = "insufficient_funds"
    status = 402
    default_message = (
        "The available balance does not cover this; nothing was booked. "
        "Top up and send it again with a new Idempotency-Key."
    )

    def __init__(self, *, available_cents: int, required_cents: int, currency: str) -> None:
        super().__init__(availableCents=available_cents, requiredCents=required_cents, currency=currency)


class PaymentFailed(GatewayError):
    type = "payment_failed"
    status = 402
    default_message = "The payment failed; nothing was booked."


class AccountNotActive(GatewayError):
    """403, but 402 on the flight change (specification §7, rule 1)."""

    type = "account_not_active"
    status = 403
    default_message = "The account's status does not allow this call."


# --- 403 -------------------------------------------------------------------------------------------------------
class InsufficientScope(GatewayError):
    """Extra: missingScope."""

    type = "insufficient_scope"
    status = 403
    default_message = "This key lacks the scope that opens this route."


class IpNotAllowed(GatewayError):
    type = "ip_not_allowed"
    status = 403
    default_message = "Not allowed."


# --- 404, 405, 409, 410, 413, 415 ------------------------------------------------------------------------------
class NotFound(GatewayError):
    type = "not_found"
    status = 404
    default_message = "There is no such object in this account and environment."


class MethodNotAllowed(GatewayError):
    type = "method_not_allowed"
    status = 405
    default_message = "This path does not take this method; see the Allow header."


class Conflict(GatewayError):
    type = "conflict"
    status = 409
    default_message = "This conflicts with the present state."


class IdempotencyKeyReuse(GatewayError):
    type = "idempotency_key_reuse"
    status = 409
    default_message = (
        "This Idempotency-Key was used for another request in the last 24 hours; nothing was done. "
        "Send this one with a new key."
    )


class IdempotencyKeyInProgress(GatewayError):
    type = "idempotency_key_in_progress"
    status = 409
    default_message = "The first call with this Idempotency-Key is still running; ask again shortly."


class PriceChanged(GatewayError):
    """Nothing was booked and nothing is held."""

    type = "price_changed"
    status = 409
    default_message = "The price is above what was quoted or allowed; nothing was booked."

    def __init__(self, *, previous_total_cents: int, current_total_cents: int, currency: str) -> None:
        super().__init__(
            previousTotalCents=previous_total_cents, currentTotalCents=current_total_cents, currency=currency
        )


class OfferExpired(GatewayError):
    type = "offer_expired"
    status = 410
    default_message = (
        "This handle is unknown or past its 20 minutes; search again, with a new Idempotency-Key."
    )


class PayloadTooLarge(GatewayError):
    type = "payload_too_large"
    status = 413
    default_message = "A request body may have 256 KiB at most."


class UnsupportedMediaType(GatewayError):
    type = "unsupported_media_type"
    status = 415
    default_message = "Send the body as application/json in UTF-8."


# --- 429 -------------------------------------------------------------------------------------------------------
class RateLimitExceeded(GatewayError):
    """With `retryAfter` and Retry-After: the minute's limit. Without: the day's search quota (specification §7, rule 3)."""

    type = "rate_limit_exceeded"
    status = 429
    default_message = "Too many requests."


# --- 5xx -------------------------------------------------------------------------------------------------------
class InternalError(GatewayError):
    type = "internal_error"
    status = 500
    default_message = (
        "Something failed on our side. It is safe to repeat the call with the same Idempotency-Key."
    )


class UpstreamError(GatewayError):
    """The supplier refused; certainly nothing was booked and nothing is held."""

    type = "upstream_error"
    status = 502
    default_message = "The supplier refused this; nothing was booked."


class UpstreamUnavailable(GatewayError):
    """No answer from a supplier or an internal service. Repeating with the same Idempotency-Key resumes, never doubles."""

    type = "upstream_unavailable"
    status = 503
    default_message = (
        "No answer from the supplier or an internal service; repeat with the same Idempotency-Key."
    )
