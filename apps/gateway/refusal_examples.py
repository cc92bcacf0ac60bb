"""Each refusal as the service gives it, for the OpenAPI document and for the pages of the documentation."""

from typing import Any

from apps.common import errors
from apps.common.errors import GatewayError
from apps.gateway.declared import fields_of
from apps.gateway.examples import example_of
from apps.gateway.exceptions import error_body
from apps.gateway.serializers import ErrorBody

REQUEST_ID = "0b5c2f1e-8f0b-4d7e-9a54-6f6f3f7d2c11"

EXTRAS = fields_of(ErrorBody())
"""The fields that an envelope may have beside `type` and `message`, each with its meaning and an example."""


def _told(name: str) -> Any:
    return example_of(EXTRAS[name])


_EXAMPLES: tuple[GatewayError, ...] = (
    errors.InvalidRequest.field("origin", "is not the IATA code of an airport that is open to passengers"),
    errors.IdempotencyKeyRequired(),
    errors.AuthenticationRequired(),
    errors.InvalidApiKey(),
    errors.ApiKeyRevoked(),
    errors.ApiKeyExpired(),
    errors.WrongEnvironment(
        gatewayEnvironment=_told("gatewayEnvironment"), keyEnvironment=_told("keyEnvironment")
    ),
    errors.InsufficientFunds(
        available_cents=_told("availableCents"),
        required_cents=_told("requiredCents"),
        currency=_told("currency"),
    ),
    errors.PaymentFailed(),
    errors.AccountNotActive("The account is suspended.", ours=True),
    errors.InsufficientScope(missingScope=_told("missingScope")),
    errors.ProductNotOffered(_told("product")),
    errors.IpNotAllowed(),
    errors.NotFound(),
    errors.MethodNotAllowed(),
    errors.Conflict(
        "This externalReference already belongs to a booking.", ours=True, bookingId=_told("bookingId")
    ),
    errors.IdempotencyKeyReuse(),
    errors.IdempotencyKeyInProgress(),
    errors.PriceChanged(
        previous_total_cents=_told("previousTotalCents"),
        current_total_cents=_told("currentTotalCents"),
        currency=_told("currency"),
    ),
    errors.OfferExpired(),
    errors.EventForgotten(oldest=_told("oldest")),
    errors.PayloadTooLarge(),
    errors.UnsupportedMediaType(),
    errors.RateLimitExceeded(
        f"More than 60 requests in a minute; wait {_told('retryAfter')} s.",
        ours=True,
        retryAfter=_told("retryAfter"),
    ),
    errors.InternalError(),
    errors.UpstreamError(),
    errors.UpstreamUnavailable(),
)

BY_TYPE: dict[str, GatewayError] = {refusal.type: refusal for refusal in _EXAMPLES}


def envelope_of(refusal: GatewayError) -> dict[str, Any]:
    """The body of the answer, without the address of a page: that is a deployment's own."""
    error: Any = error_body(refusal, REQUEST_ID)["error"]
    return {"error": {name: value for name, value in error.items() if name != "docUrl"}}
