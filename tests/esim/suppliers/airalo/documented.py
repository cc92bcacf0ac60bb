"""What Airalo's pages say that it refuses, in its own shapes: the stub answers from here, and so does the table of refusals."""

from typing import Any

from tests.support.supplier_stub import Answer, Trouble, refusal

REASONS = {
    11: "Insufficient Airalo Credit: 3.20 USD needed",
    13: "The requested operator is currently undergoing maintenance. Please try again later.",
    14: "Invalid checksum: airalo-signature",
    23: "The requested top-up has been disabled by the operator.",
    33: "Insufficient stock of eSIMs remaining: 0. Please try your request again later.",
    34: "The requested eSIM package is invalid or it is currently out of stock. Please try again later.",
    43: "Bad request. Please check your input and try again.",
    53: "Something unexpected happened. Please try again later.",
    73: "The eSIM has been recycled. It can no longer be used or topped up.",
    89: "The address is not on the list of allowed ones.",
}
STATUS_OF_CODE = {89: 403}
NO_SUCH_PACKAGE = "The selected package is invalid."
NOT_YOURS: dict[str, Any] = {"data": [], "meta": {"message": "This action is unauthorized."}}
NOT_FOUND: dict[str, Any] = {"data": [], "meta": {"message": "The requested resource could not be found."}}
WRONG_CLIENT: dict[str, Any] = {"data": [], "meta": {"message": "Client authentication failed"}}
TOO_MANY: dict[str, Any] = {"meta": {"message": "Too Many Attempts."}}
MINUTE = {
    "Retry-After": "60",
    "X-RateLimit-Limit": "3",
    "X-RateLimit-Remaining": "0",
    "X-RateLimit-Reset": "60",
}


class Invalid(Exception):
    """A validation's refusal: what is wrong with each field."""

    def __init__(self, **fields: str) -> None:
        self.fields = fields


def invalid(fields: dict[str, str]) -> dict[str, Any]:
    return {"data": fields, "meta": {"message": "the parameter is invalid"}}


def business_refusal(code: int) -> Answer:
    return STATUS_OF_CODE.get(code, 422), {"code": code, "reason": REASONS[code]}


def refused_with(code: int, *, status: int = 422) -> Trouble:
    """A refusal by one of their codes."""
    return refusal(status, {"code": code, "reason": REASONS[code]})


def refused_fields(**fields: str) -> Trouble:
    return refusal(422, invalid(fields))
