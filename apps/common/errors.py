"""Every refusal of the service: one class each, with the wire's `type`, the status and named extras.

Services raise them and `apps.gateway.exceptions` renders them. No view builds an error body by hand. `type` is a written
constant. It is not derived from the class name, because renaming a class must not break a client (specification §7).
"""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import ClassVar, Protocol, Self

from apps.common.clock import rfc3339

MAX_DETAILS = 50
MAX_FIELD = 100
MAX_MESSAGE = 300
"""These three keep a refusal below 64 KiB whatever was sent. A field's path may end in a made-up name."""
MAX_LISTED = 20  # words that `listed` shows


class GatewayError(Exception):
    """A refusal in the envelope `{"error": {"type", "message", "requestId", **extras}}`."""

    type: ClassVar[str]
    status: ClassVar[int]
    default_message: ClassVar[str]
    retry_after: ClassVar[int] = 0
    """Seconds to wait before asking again, sent as Retry-After. The code that raises the error may set another value."""
    default_why: ClassVar[str] = ""
    """The reason where `why` is not given. Where this is empty as well, the default message is the reason."""

    def __init__(
        self,
        message: str | None = None,
        *,
        why: str = "",
        ours: bool = False,
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
        **extras: object,
    ) -> None:
        """`why`: the reason for the key's owner, in the request log alone; nothing of it was typed into a body.

        `ours`: no word of the texts comes from a caller or a supplier. The request log hides a message that does not say so.
        """
        self.message = message or self.default_message
        self.ours = ours
        self.own_texts = {self.message} if ours or not message else set[str]()
        self.why = why or self.default_why or self.default_message
        self.status_code = status or self.status
        self.headers = dict(headers or {})
        if self.retry_after:
            self.headers.setdefault("Retry-After", str(self.retry_after))
        if self.status_code == 401:
            self.headers["WWW-Authenticate"] = "Bearer"  # RFC 9110 demands that a 401 names its scheme
        self.extras = extras
        super().__init__(self.message)


def cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


def listed(words: Sequence[str]) -> str:
    """`words` with commas, the first 20, and how many more there are."""
    shown = ", ".join(words[:MAX_LISTED])
    return f"{shown} and {len(words) - MAX_LISTED} more" if len(words) > MAX_LISTED else shown


class SecretOwner(Protocol):
    """Whose secret was refused: what the request log needs to show the call to its owner."""

    @property
    def account_id(self) -> str: ...
    @property
    def environment(self) -> str: ...
    @property
    def key_id(self) -> str: ...
    @property
    def secret_id(self) -> int | None: ...
    @property
    def secret_expires_at(self) -> datetime | None: ...


class OfAnOwner:
    """The refusal of a secret with an owner. The answer does not name the owner, whose request log shows it."""

    owner: SecretOwner | None = None

    @classmethod
    def of(cls, owner: SecretOwner, *, why: str, message: str | None = None) -> Self:
        """The refusal of `owner`'s secret. `why` is what the owner reads in the request log."""
        refusal = cls(message, why=why, ours=True)  # type: ignore[call-arg]
        refusal.owner = owner
        return refusal


# --- 400 -------------------------------------------------------------------------------------------------------
class InvalidRequest(GatewayError):
    """`details`: [{"field": "slices.0.origin", "message": "…"}] with dotted paths, the first 50 (contract §1).

    `detailsOmitted` says how many more there are.
    """

    type = "invalid_request"
    status = 400
    default_message = "The request is not valid; see details."
    default_why = "The request could not be read."

    def __init__(
        self,
        message: str | None = None,
        *,
        why: str = "",
        ours: bool = False,
        details: Sequence[Mapping[str, str]] = (),
        headers: Mapping[str, str] | None = None,
        **extras: object,
    ) -> None:
        extras["details"] = [
            {"field": cut(detail["field"], MAX_FIELD), "message": cut(detail["message"], MAX_MESSAGE)}
            for detail in details[:MAX_DETAILS]
        ]
        if len(details) > MAX_DETAILS:
            extras["detailsOmitted"] = len(details) - MAX_DETAILS
        super().__init__(message, why=why, ours=ours, status=None, headers=headers, **extras)
        if ours:
            self.own_texts |= {detail["message"] for detail in details}

    @classmethod
    def field(cls, field: str, message: str) -> "InvalidRequest":
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
    default_why = "The key that was sent was never issued."


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
    type = "insufficient_funds"
    status = 402
    default_message = (
        "The available balance does not cover this; nothing was booked. "
        "Top up and send it again with a new Idempotency-Key."
    )

    def __init__(self, *, available_cents: int, required_cents: int, currency: str) -> None:
        super().__init__(availableCents=available_cents, requiredCents=required_cents, currency=currency)


class SpendLimitExceeded(GatewayError):
    """Extras: limit (`perBooking`, `perDay`, `perMonth`, `approval`), limitCents, usedCents, resetsAt (None: of one hold)."""

    type = "spend_limit_exceeded"
    status = 402
    default_message = "This would exceed a spend limit of the key; nothing was booked."

    def __init__(
        self, *, limit: str, limit_cents: int, used_cents: int, resets_at: datetime | None = None
    ) -> None:
        super().__init__(
            limit=limit,
            limitCents=limit_cents,
            usedCents=used_cents,
            resetsAt=rfc3339(resets_at) if resets_at else None,
        )


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
    type = "insufficient_scope"
    status = 403
    default_message = "This key lacks the scope that opens this route."


class ProductNotOffered(GatewayError):
    """Extra: product. What was booked before can still be read and cancelled."""

    type = "product_not_offered"
    status = 403
    default_message = "This product is not offered here."

    def __init__(self, product: str, environment: str = "") -> None:
        to = f" to {environment} keys" if environment else ""
        super().__init__(f"{product} is not offered{to} here; see `product`.", ours=True, product=product)


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
    default_message = "The first call with this Idempotency-Key is still running; try again shortly."
    default_why = "The first call with this Idempotency-Key had not ended yet."
    retry_after = 1
    longest_wait: ClassVar[int] = 5  # seconds: most calls end long before their lease

    @classmethod
    def for_seconds(cls, seconds: float) -> Self:
        """The refusal while the first call may keep its lease for `seconds` more."""
        wait = max(cls.retry_after, min(math.ceil(seconds), cls.longest_wait))
        return cls(headers={"Retry-After": str(wait)})


class PriceChanged(GatewayError):
    """Nothing was booked and nothing is held."""

    type = "price_changed"
    status = 409
    default_message = "The price is above what was quoted or allowed; nothing was booked."

    def __init__(self, *, previous_total_cents: int, current_total_cents: int, currency: str) -> None:
        super().__init__(
            previousTotalCents=previous_total_cents, currentTotalCents=current_total_cents, currency=currency
        )


class ServiceUnavailable(GatewayError):
    """Nothing was booked and nothing is held. `serviceId` is null where the airline does not say which service it is."""

    type = "service_unavailable"
    status = 409
    default_message = (
        "The airline no longer sells this bag or seat; nothing was booked. Read what it sells now, and order with a new "
        "Idempotency-Key."
    )

    def __init__(self, service_id: str) -> None:
        super().__init__(serviceId=service_id or None)


class OfferExpired(GatewayError):
    type = "offer_expired"
    status = 410
    default_message = (
        "This handle is unknown or past its 20 minutes; search again, with a new Idempotency-Key."
    )
    of_change_message: ClassVar[str] = (
        "This change option is unknown, past its 20 minutes, or older than the order's last change; request change options "
        "again, with a new Idempotency-Key."
    )

    of_booked_search_message: ClassVar[str] = (
        "Another offer of this search was booked, and its supplier sells one booking a search; search again for another one, "
        "with a new Idempotency-Key."
    )

    @classmethod
    def of_booked_search(cls) -> Self:
        """For the other offers of a search that was booked from."""
        return cls(cls.of_booked_search_message, ours=True)

    @classmethod
    def of_change(cls) -> Self:
        """For an option to change an order. No search leads to another one."""
        return cls(cls.of_change_message, ours=True)

    @classmethod
    def of_hold(cls) -> Self:
        """For an order on hold that can no longer be paid."""
        return cls("The time to pay this order is over (`payBy`); search and order again.", ours=True)


class EventForgotten(GatewayError):
    """`oldest` is the first event in the feed, None for an empty feed."""

    type = "event_forgotten"
    status = 410
    default_message = "This event is unknown or no longer kept; others may be missed. Leave `after` out to read from the oldest."

    def __init__(self, *, oldest: str | None) -> None:
        super().__init__(oldest=oldest)


class TravellersForgotten(GatewayError):
    """No document is made without its travellers."""

    type = "travellers_forgotten"
    status = 410
    default_message = "The travellers of this booking were forgotten; there are no documents of it any more."


class PayloadTooLarge(GatewayError):
    type = "payload_too_large"
    status = 413
    default_message = "A request body may have 256 KiB at most."

    @classmethod
    def above(cls, limit_bytes: int) -> Self:
        return cls(why=f"The body is larger than the {limit_bytes // 1024} KiB that are taken.")


class UnsupportedMediaType(GatewayError):
    type = "unsupported_media_type"
    status = 415
    default_message = "Send the body as application/json in UTF-8."


# --- 429 -------------------------------------------------------------------------------------------------------
class RateLimitExceeded(GatewayError):
    """The minute's limit when it has `retryAfter` and Retry-After, else the day's search quota (specification §7, rule 3)."""

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
    """The supplier refused. It is certain that nothing was booked, and nothing is held."""

    type = "upstream_error"
    status = 502
    default_message = "The supplier refused this; nothing was booked."


class UpstreamUnavailable(GatewayError):
    """No answer from a supplier or an internal service. A retry with the same Idempotency-Key resumes and never books twice."""

    type = "upstream_unavailable"
    status = 503
    default_message = (
        "No response from the supplier or an internal service; repeat with the same Idempotency-Key."
    )
    retry_after = 5
