"""The parts that the document has once and refers to by name: headers, parameters, refusals, the error envelope.

An operation refers to a refusal, and names beside the reference the types that it can answer.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from rest_framework.serializers import Serializer

from apps.common import errors
from apps.common.errors import AccountNotActive, GatewayError
from apps.gateway.declared import example_of, fields_of, notes
from apps.gateway.exceptions import error_body
from apps.gateway.operations import OPEN, SINCE, QueryParameter
from apps.gateway.pagination import PAGE_PARAMETERS
from apps.gateway.renderers import JSON
from apps.gateway.serializers import DetailBody, ErrorBody

# --- Headers of answers ---------------------------------------------------------------------------------------------


def _header(description: str, *, type: str = "string", since: str = "", **form: object) -> dict[str, Any]:
    return {
        "description": description,
        "schema": {"type": type, **form},
        **({SINCE: since} if since else {}),
    }


REQUEST_ID = "X-Request-Id"
LIMITS = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
QUOTA = ("X-Search-Quota-Limit", "X-Search-Quota-Remaining", "X-Search-Quota-Reset", "X-Environment")
BILLABLE = "X-Search-Billable"
REPLAYED = "Idempotent-Replayed"
IGNORED = "X-Ignored-Parameters"
CHALLENGE = "WWW-Authenticate"
DISPOSITION = "Content-Disposition"

FILE: dict[str, Any] = {}
"""The schema of a file's bytes, in OpenAPI 3.1: the media type says all."""

HEADERS: dict[str, dict[str, Any]] = {
    REQUEST_ID: _header(
        "A UUID that identifies this request. Log it, and quote it to support. Error bodies contain it too.",
        format="uuid",
    ),
    "X-RateLimit-Limit": _header(
        "Requests per minute that the key may make in the operation's rate class.", type="integer"
    ),
    "X-RateLimit-Remaining": _header("How many of them are left in the current minute.", type="integer"),
    "X-RateLimit-Reset": _header("When the count restarts, in Unix seconds.", type="integer"),
    "X-Search-Quota-Limit": _header(
        "How many billable searches the account may make in this environment in a UTC day.", type="integer"
    ),
    "X-Search-Quota-Remaining": _header("How many of them are left today.", type="integer"),
    "X-Search-Quota-Reset": _header(
        "When the count starts again: the next UTC midnight, in Unix seconds.", type="integer"
    ),
    "X-Environment": {
        "description": "The environment of the calling key and of everything in the response.",
        "schema": {"type": "string", OPEN: ["test", "live"]},
    },
    BILLABLE: _header(
        "Only on operations that count against the search quota: whether this call did. A replay and a failed search do not.",
        enum=["true", "false"],
    ),
    REPLAYED: _header(
        "`true` on the stored response of an earlier call with this Idempotency-Key; otherwise left out."
    ),
    DISPOSITION: _header("The name of the file: `attachment`, or `inline` for a page.", since="1.3"),
    CHALLENGE: _header("How to authenticate: `Bearer`, an API key in the `Authorization` header."),
    IGNORED: _header(
        "Unknown query parameters that were ignored: their names, separated by commas, percent-encoded, 20 at most. Left out "
        "if there were none.",
        since="1.2",
    ),
    **{
        name: _header(f"On a {methods}: the content type that the body should have had.", since="1.2")
        for name, methods in {"Accept": "POST", "Accept-Patch": "PATCH"}.items()
    },
    "Accept-Encoding": _header(
        "`identity`: send the body without a Content-Encoding. Left out if it had none.", since="1.2"
    ),
}

OF_A_STATUS = {401: (CHALLENGE,), 415: ("Accept", "Accept-Patch", "Accept-Encoding")}
"""What only refusals of that status carry."""

# Its meaning differs between the statuses. That of a 429 is older than the mark.
RETRY_AFTER: dict[int, dict[str, Any]] = {
    409: _header(
        "With `idempotency_key_in_progress`: seconds to wait before you try again.",
        type="integer",
        since="1.2",
    ),
    429: _header("Seconds to wait; left out if the day's search quota is used up.", type="integer"),
    503: _header("Seconds to wait before you try again.", type="integer", since="1.2"),
}


def header_refs(*names: str) -> dict[str, dict[str, Any]]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def retry_after_of(status: int) -> dict[str, dict[str, Any]]:
    return {"Retry-After": RETRY_AFTER[status]} if status in RETRY_AFTER else {}


# --- Parameters that many operations take ---------------------------------------------------------------------------

IDEMPOTENCY_KEY = "IdempotencyKey"
PAGE_NAMES = {"limit": "PageLimit", "cursor": "PageCursor"}


def of_query(parameter: QueryParameter) -> dict[str, Any]:
    """A query parameter of an operation; those of every list by reference."""
    if parameter in PAGE_PARAMETERS:
        return parameter_ref(PAGE_NAMES[parameter.name])
    return _parameter(parameter)


def parameter_ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/parameters/{name}"}


def _parameter(parameter: QueryParameter) -> dict[str, Any]:
    return {
        "in": "query",
        "name": parameter.name,
        **({"required": True} if parameter.required else {}),
        "schema": dict(parameter.schema),
        "description": parameter.description,
        **({SINCE: parameter.since} if parameter.since else {}),
    }


PARAMETERS: dict[str, dict[str, Any]] = {
    IDEMPOTENCY_KEY: {
        "in": "header",
        "name": "Idempotency-Key",
        "required": True,
        "description": (
            "A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with "
            "the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left "
            "unfinished, and nothing is booked twice."
        ),
        "schema": {"type": "string", "minLength": 8, "maxLength": 255, "pattern": "^[!-~][ -~]*[!-~]$"},
    },
    **{PAGE_NAMES[parameter.name]: _parameter(parameter) for parameter in PAGE_PARAMETERS},
}


# --- Each refusal as the service gives it, also for the pages of the documentation ----------------------------------

EXAMPLE_REQUEST_ID = "0b5c2f1e-8f0b-4d7e-9a54-6f6f3f7d2c11"

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
    errors.SpendLimitExceeded(
        limit=_told("limit"),
        limit_cents=_told("limitCents"),
        used_cents=_told("usedCents"),
        resets_at=datetime(2027, 2, 11, tzinfo=UTC),
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
    errors.ServiceUnavailable(_told("serviceId")),
    errors.OfferExpired(),
    errors.EventForgotten(oldest=_told("oldest")),
    errors.TravellersForgotten(),
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
    error: Any = error_body(refusal, EXAMPLE_REQUEST_ID)["error"]
    return {"error": {name: value for name, value in error.items() if name != "docUrl"}}


# --- A response for each status -------------------------------------------------------------------------------------

NAMES = {
    400: "BadRequest",
    401: "Unauthorized",
    402: "PaymentRequired",
    403: "Forbidden",
    404: "NotFound",
    409: "Conflict",
    410: "Gone",
    413: "ContentTooLarge",
    415: "UnsupportedMediaType",
    429: "TooManyRequests",
    500: "InternalServerError",
    502: "BadGateway",
    503: "ServiceUnavailable",
}

ALSO = {402: {AccountNotActive.type}}  # on the flight change

MEANINGS = {
    400: "The request is invalid. Nothing was done.",
    401: "The API key was not accepted. Nothing was done.",
    402: "The balance is too low, or the account may not pay. Nothing was booked.",
    403: "The key is known and may not make this call. Nothing was done.",
    404: "There is no such object in the account and environment of the key.",
    409: "The request conflicts with the current state.",
    410: "The rate, offer, quote or change option can no longer be booked. Search again.",
    413: "The body is larger than 256 KiB.",
    415: "The body is not declared as JSON in UTF-8.",
    429: "Too many requests in this minute, or the day's searches are used up.",
    500: "Something failed on our side. It is safe to repeat the call with the same Idempotency-Key.",
    502: "The supplier refused. Nothing was booked.",
    503: (
        "The supplier or an internal service did not respond. Repeat the call with the same Idempotency-Key."
    ),
}


def refusal(status: int, types: Iterable[str]) -> dict[str, Any]:
    """What an operation says of a status: which types it returns, and where the rest is described."""
    return {
        "$ref": f"#/components/responses/{NAMES[status]}",
        "description": ", ".join(f"`{name}`" for name in types),
    }


def responses() -> dict[str, dict[str, Any]]:
    return {name: _response(status) for status, name in NAMES.items()}


def _response(status: int) -> dict[str, Any]:
    named = [
        REQUEST_ID,
        *LIMITS,
        *QUOTA,
        BILLABLE,
        REPLAYED,
        IGNORED,
        *OF_A_STATUS.get(status, ()),
    ]
    examples = {
        name: {"summary": example.message, "value": envelope_of(example)}
        for name, example in BY_TYPE.items()
        if status == example.status or example.type in ALSO.get(status, ())
    }
    return {
        "description": MEANINGS[status],
        "headers": header_refs(*named) | retry_after_of(status),
        "content": {JSON: {"schema": {"$ref": "#/components/schemas/ErrorEnvelope"}, "examples": examples}},
    }


# --- The error envelope, in the words of its serializers ------------------------------------------------------------


def _texts(body: Serializer[Any], *names: str) -> dict[str, Any]:
    fields = fields_of(body)
    return {name: {"type": "string", **notes(fields[name])} for name in names}


ENVELOPE: dict[str, Any] = {
    "type": "object",
    "description": "Every failure. Branch on `type`, never on `message`; ignore fields and types you do not know.",
    "properties": {
        "error": {
            "$ref": "#/components/schemas/ApiError",
            "description": "What went wrong, and the id to quote to support.",
        }
    },
    "required": ["error"],
}
ERROR: dict[str, Any] = {
    "type": "object",
    "description": "What went wrong. Some types add fields; the page of each error type lists them.",
    "properties": {
        **_texts(ErrorBody(), "type", "message", "requestId", "docUrl"),
        "details": {
            "type": "array",
            **notes(EXTRAS["details"]),
            "items": {"$ref": "#/components/schemas/ApiErrorDetail"},
        },
        "detailsOmitted": {"type": "integer", **notes(EXTRAS["detailsOmitted"])},
    },
    "required": ["type", "message", "requestId"],
    "additionalProperties": True,
}
ERROR_DETAIL: dict[str, Any] = {
    "type": "object",
    "description": "One thing that is wrong with the request.",
    "properties": _texts(DetailBody(), "field", "message"),
    "required": ["field", "message"],
}
