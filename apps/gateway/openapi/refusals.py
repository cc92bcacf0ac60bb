"""The refusals, told once: a response for each status in `components.responses`, with an example of every error type.

An operation refers to them, and names beside the reference the types that it can answer.
"""

from collections.abc import Iterable
from typing import Any

from apps.common.errors import AccountNotActive
from apps.gateway.openapi import headers
from apps.gateway.refusal_examples import BY_TYPE, envelope_of
from apps.gateway.renderers import JSON

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
    400: "The request is not what the operation takes. Nothing was done.",
    401: "The API key was not accepted. Nothing was done.",
    402: "The money does not suffice, or the account may not pay. Nothing was booked.",
    403: "The key is known and may not make this call. Nothing was done.",
    404: "There is no such object in the account and environment of the key.",
    409: "The request contradicts the present state.",
    410: "The rate, offer, quote or change option can no longer be booked. Search again.",
    413: "The body is larger than 256 KiB.",
    415: "The body does not say that it is JSON in UTF-8.",
    429: "Too many requests in this minute, or the day's searches are used up.",
    500: "Something failed on our side. It is safe to repeat the call with the same Idempotency-Key.",
    502: "The supplier refused. Nothing was booked.",
    503: "The supplier, or a part of our own, did not answer. Repeat the call with the same Idempotency-Key.",
}


def refusal(status: int, types: Iterable[str]) -> dict[str, Any]:
    """What an operation says of a status: which types it answers, and where all else is told."""
    return {
        "$ref": f"#/components/responses/{NAMES[status]}",
        "description": ", ".join(f"`{name}`" for name in types),
    }


def responses() -> dict[str, dict[str, Any]]:
    """`components.responses`."""
    return {name: _response(status) for status, name in NAMES.items()}


def _response(status: int) -> dict[str, Any]:
    named = [
        headers.REQUEST_ID,
        *headers.LIMITS,
        *headers.QUOTA,
        headers.BILLABLE,
        headers.REPLAYED,
        headers.IGNORED,
        *headers.OF_A_STATUS.get(status, ()),
    ]
    examples = {
        name: {"summary": example.message, "value": envelope_of(example)}
        for name, example in BY_TYPE.items()
        if status == example.status or example.type in ALSO.get(status, ())
    }
    return {
        "description": MEANINGS[status],
        "headers": headers.referred(*named) | headers.retry_after(status),
        "content": {JSON: {"schema": {"$ref": "#/components/schemas/ErrorEnvelope"}, "examples": examples}},
    }
