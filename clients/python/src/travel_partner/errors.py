"""What a call can end in, besides its answer.

`except ConflictError` and the like catch a status; each `error.type` of the service also has a class of its own. A type that
this version does not know is raised as the class of its status.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

import msgspec

from travel_partner.response import Response

SHOWN_DETAILS = 3
"""Of a refusal's `details`, in its text."""


class TravelPartnerError(Exception):
    """The base of all exceptions of this package."""


class NoAnswerError(TravelPartnerError):
    """No response came, or only a part of it: the outcome of the call is not known.

    The same call with `idempotency_key` finishes what this one started, and never books twice.
    """

    def __init__(self, what: str, attempts: int, idempotency_key: str | None) -> None:
        super().__init__(what, attempts, idempotency_key)
        self.attempts = attempts
        self.idempotency_key = idempotency_key

    def __str__(self) -> str:
        what, attempts, _ = self.args
        return f"{what} (attempts: {attempts})"


class TimedOutError(NoAnswerError):
    """No response came in time."""


class UnreadableAnswerError(TravelPartnerError):
    """The call succeeded, but this version of the client cannot read the response; `response.json()` can."""

    def __init__(self, what: str, response: Response) -> None:
        super().__init__(what, response)
        self.response = response

    def __str__(self) -> str:
        return f"{self.args[0]} [request {self.response.request_id}]"


@dataclass(frozen=True)
class Detail:
    """What is wrong with one field, such as `slices.0.origin`."""

    field: str
    message: str


class ApiError(TravelPartnerError):
    """A refusal of the service. Decide by the class or by `type`; `message` is for people and may change."""

    type_: ClassVar[str] = ""
    """The `error.type` of the class; empty for the class of a status."""

    def __init__(self, response: Response) -> None:
        super().__init__(response)
        self.response = response
        body = response.json()
        error = body.get("error") if isinstance(body, dict) else None
        self._error: dict[str, Any] = error if isinstance(error, dict) else {}

    def __str__(self) -> str:
        wrong = "; ".join(f"{one.field}: {one.message}" for one in self.details[:SHOWN_DETAILS])
        text = f"{self.message} {wrong}".rstrip()
        return f"{self.type or 'unknown'} ({self.status}): {text} [request {self.request_id}]"

    @property
    def type(self) -> str:
        """Empty if the response is not the service's, such as a proxy's."""
        return str(self._error.get("type", ""))

    @property
    def status(self) -> int:
        return self.response.status

    @property
    def message(self) -> str:
        return str(self._error.get("message", "no message"))

    @property
    def request_id(self) -> str:
        return str(self._error.get("requestId", self.response.request_id))

    @property
    def doc_url(self) -> str | None:
        """The page about this type of error, if there is one."""
        return self._error.get("docUrl")

    @property
    def details(self) -> Sequence[Detail]:
        """What is wrong, field by field. Empty if the response is not the service's and has details of another shape."""
        listed = self._error.get("details")
        found = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
        return [Detail(str(one.get("field", "")), str(one.get("message", ""))) for one in found]

    @property
    def extras(self) -> Mapping[str, Any]:
        """The further fields of this type, by their names in JSON: `bookingId`, `safeAfter`, `missingScope` and so on."""
        common = {"type", "message", "requestId", "docUrl", "details"}
        return {name: value for name, value in self._error.items() if name not in common}

    @property
    def retry_after(self) -> float | None:
        """Seconds to wait before the next call, if the service asks for it."""
        return self.response.retry_after

    @property
    def idempotency_key(self) -> str | None:
        """The key that the call was sent with."""
        return self.response.idempotency_key


# --- 400 ------------------------------------------------------------------------------------------------------
class BadRequestError(ApiError):
    """400."""


class InvalidRequestError(BadRequestError):
    """See `details`."""

    type_ = "invalid_request"

    @property
    def safe_after(self) -> datetime | None:
        """When a secret may be rotated again."""
        found = self.extras.get("safeAfter")
        return msgspec.convert(found, datetime) if found else None


class IdempotencyKeyRequiredError(BadRequestError):
    type_ = "idempotency_key_required"


# --- 401 ------------------------------------------------------------------------------------------------------
class UnauthorizedError(ApiError):
    """401: something is wrong with the API key."""


class AuthenticationRequiredError(UnauthorizedError):
    type_ = "authentication_required"


class InvalidApiKeyError(UnauthorizedError):
    type_ = "invalid_api_key"


class ApiKeyRevokedError(UnauthorizedError):
    type_ = "api_key_revoked"


class ApiKeyExpiredError(UnauthorizedError):
    type_ = "api_key_expired"


class WrongEnvironmentError(UnauthorizedError):
    """The key is valid, but `base_url` is the one of the other environment."""

    type_ = "wrong_environment"


# --- 402 and 403 ----------------------------------------------------------------------------------------------
class PaymentRequiredError(ApiError):
    """402: nothing was booked."""


class InsufficientFundsError(PaymentRequiredError):
    type_ = "insufficient_funds"

    @property
    def available_cents(self) -> int | None:
        return self.extras.get("availableCents")

    @property
    def required_cents(self) -> int | None:
        return self.extras.get("requiredCents")


class SpendLimitExceededError(PaymentRequiredError):
    """It would exceed what this key may spend. `resets_at` is None if waiting does not help."""

    type_ = "spend_limit_exceeded"

    @property
    def limit(self) -> str | None:
        return self.extras.get("limit")

    @property
    def limit_cents(self) -> int | None:
        return self.extras.get("limitCents")

    @property
    def used_cents(self) -> int | None:
        return self.extras.get("usedCents")

    @property
    def resets_at(self) -> str | None:
        return self.extras.get("resetsAt")


class PaymentFailedError(PaymentRequiredError):
    type_ = "payment_failed"


class ForbiddenError(ApiError):
    """403."""


class AccountNotActiveError(ForbiddenError):
    """402 when a flight is changed."""

    type_ = "account_not_active"


class InsufficientScopeError(ForbiddenError):
    type_ = "insufficient_scope"

    @property
    def missing_scope(self) -> str | None:
        return self.extras.get("missingScope")


class ProductNotOfferedError(ForbiddenError):
    """The service does not sell this product, or not to live keys."""

    type_ = "product_not_offered"

    @property
    def product(self) -> str | None:
        return self.extras.get("product")


class IpNotAllowedError(ForbiddenError):
    type_ = "ip_not_allowed"


# --- 404, 405, 409, 410, 413, 415 -------------------------------------------------------------------------------
class NotFoundError(ApiError):
    type_ = "not_found"


class MethodNotAllowedError(ApiError):
    type_ = "method_not_allowed"


class ConflictError(ApiError):
    """409. If an `externalReference` is already in use, `booking_id` is the booking that has it."""

    type_ = "conflict"

    @property
    def booking_id(self) -> str | None:
        return self.extras.get("bookingId")


class PriceChangedError(ConflictError):
    """Nothing was booked. `max_total_cents` of the call sets the price that you accept."""

    type_ = "price_changed"

    @property
    def previous_total_cents(self) -> int | None:
        return self.extras.get("previousTotalCents")

    @property
    def current_total_cents(self) -> int | None:
        return self.extras.get("currentTotalCents")


class ServiceUnavailableError(ConflictError):
    """The airline no longer sells a bag or seat; nothing was booked. `service_id` is None if the airline does not name it."""

    type_ = "service_unavailable"

    @property
    def service_id(self) -> str | None:
        return self.extras.get("serviceId")


class IdempotencyKeyReuseError(ConflictError):
    type_ = "idempotency_key_reuse"


class IdempotencyKeyInProgressError(ConflictError):
    """An earlier call with this key is still running, and may book. The same call with `idempotency_key` returns its outcome."""

    type_ = "idempotency_key_in_progress"


class GoneError(ApiError):
    """410."""


class OfferExpiredError(GoneError):
    """Search again."""

    type_ = "offer_expired"


class EventForgottenError(GoneError):
    """Read the feed from its oldest event, without `after`; earlier events are gone."""

    type_ = "event_forgotten"

    @property
    def oldest(self) -> str | None:
        return self.extras.get("oldest")


class TravellersForgottenError(GoneError):
    """A booking whose travellers were forgotten has no documents."""

    type_ = "travellers_forgotten"


class PayloadTooLargeError(ApiError):
    type_ = "payload_too_large"


class UnsupportedMediaTypeError(ApiError):
    type_ = "unsupported_media_type"


# --- 429 and 5xx ----------------------------------------------------------------------------------------------
class RateLimitExceededError(ApiError):
    """The limit per minute; without `retry_after` it is the day's search quota."""

    type_ = "rate_limit_exceeded"


class ServerError(ApiError):
    """5xx. The same call with the same `idempotency_key` continues what this one began, and never books twice."""


class InternalError(ServerError):
    type_ = "internal_error"


class UpstreamError(ServerError):
    """The supplier refused; nothing was booked."""

    type_ = "upstream_error"


class UpstreamUnavailableError(ServerError):
    """No response from the supplier: whether it booked is not known yet."""

    type_ = "upstream_unavailable"


BY_STATUS: dict[int, type[ApiError]] = {
    400: BadRequestError,
    401: UnauthorizedError,
    402: PaymentRequiredError,
    403: ForbiddenError,
    404: NotFoundError,
    405: MethodNotAllowedError,
    409: ConflictError,
    410: GoneError,
    413: PayloadTooLargeError,
    415: UnsupportedMediaTypeError,
    429: RateLimitExceededError,
}


def _with_type(base: type[ApiError]) -> dict[str, type[ApiError]]:
    found = {base.type_: base} if base.type_ else {}
    for below in base.__subclasses__():
        found |= _with_type(below)
    return found


BY_TYPE = _with_type(ApiError)


def refusal(response: Response) -> ApiError:
    """The exception for this response."""
    plain = ApiError(response)
    by_status = ServerError if response.status >= 500 else BY_STATUS.get(response.status, ApiError)
    return BY_TYPE.get(plain.type, by_status)(response)
