"""What Airalo's refusals mean: one table for their codes, one for bare statuses."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from apps.suppliers.alerts import alert
from apps.suppliers.errors import (
    Expired,
    Missing,
    NotPossible,
    OutcomeUnknown,
    Rejected,
    SupplierError,
    Unavailable,
)
from apps.suppliers.http import Reply
from apps.suppliers.models import AlertKind

logger = logging.getLogger(__name__)

NAME = "airalo"
LONGEST_CODE = 9


@dataclass(frozen=True, slots=True)
class Ruling:
    """How a call ends, and the kind of alert that staff get with it."""

    error: type[SupplierError]
    alert: str = ""


CODES = {
    11: Ruling(Unavailable, AlertKind.WALLET_EMPTY),
    13: Ruling(Unavailable),  # the operator is in maintenance
    14: Ruling(Rejected, AlertKind.REQUEST_REFUSED),  # checksum
    23: Ruling(NotPossible),  # top-ups are off
    33: Ruling(Rejected),  # not enough in stock
    34: Ruling(Expired),  # no such package, or none left
    43: Ruling(Rejected, AlertKind.REQUEST_REFUSED),
    53: Ruling(OutcomeUnknown),  # "unexpected": it may have been ordered
    73: Ruling(NotPossible),  # the eSIM was recycled
    89: Ruling(Unavailable, AlertKind.CREDENTIALS_REFUSED),  # called from an address outside their allow list
}
STATUSES = {
    401: Ruling(Unavailable, AlertKind.CREDENTIALS_REFUSED),
    403: Ruling(Unavailable, AlertKind.CREDENTIALS_REFUSED),
    404: Ruling(Missing),
    408: Ruling(OutcomeUnknown),
    429: Ruling(Unavailable),
}
FIELDS = {
    "package_id": Ruling(Expired),  # "The selected package is invalid.": they no longer sell it
    "iccid": Ruling(NotPossible),
}
"""A validation that finds what we chose to be invalid, by the field that it names. Nothing was ordered."""
ANY_4XX = Ruling(Rejected, AlertKind.REQUEST_REFUSED)
"""A validation refused what we sent: nothing was ordered, and the fault is ours."""
NOT_OURS = "this action is unauthorized"
"""Their words for an object of somebody else. A token that is no longer good is told with the same status."""
NOT_ALLOWED = "The supplier does not allow it."
"""What partners read of a conflict: not whose customers we are."""
ANYTHING_ELSE = Ruling(OutcomeUnknown)


def answer_of(reply: Reply, *, wrote: bool = False) -> Any:
    """The answer's JSON. Raises what a refusal means; unclear ones are OutcomeUnknown after a write, Unavailable after a read."""
    if not 200 <= reply.status < 300:
        raise refusal(reply, wrote=wrote)
    with readable(wrote=wrote):
        return reply.json()


def refusal(reply: Reply, *, wrote: bool) -> SupplierError:
    """The end that a refusal means, with staff alerted where they must act."""
    code = code_of(reply)
    said = f"Airalo answered status {reply.status}" + (f", code {code}" if code is not None else "")
    ruling = ruling_of(reply, code)
    if ruling.alert:
        alert(NAME, ruling.alert, said)
    if ruling.error is NotPossible:
        return NotPossible(NOT_ALLOWED)
    return unclear(said, wrote=wrote) if ruling.error is OutcomeUnknown else ruling.error(said)


def ruling_of(reply: Reply, code: int | None) -> Ruling:
    """Their code decides where there is one that we know, then the field that a validation names."""
    if code in CODES:
        return CODES[code]
    chosen = next((FIELDS[name] for name in FIELDS if name in invalid_fields(reply)), None)
    if chosen is not None and reply.status == 422:
        return chosen
    return STATUSES.get(reply.status, ANY_4XX if 400 <= reply.status < 500 else ANYTHING_ELSE)


def code_of(reply: Reply) -> int | None:
    """`{"code": 34, …}`, perhaps inside `data`, perhaps as text; None where there is none."""
    outer = object_of(reply)
    inner = outer.get("data")
    for place in (outer, inner if isinstance(inner, dict) else {}):
        code = str(place.get("code", ""))
        if code.isascii() and code.isdigit() and len(code) <= LONGEST_CODE:
            return int(code)
    return None


def invalid_fields(reply: Reply) -> set[str]:
    """The fields whose value does not exist there: `{"data": {"package_id": "The selected package is invalid."}}`.

    One that is missing, or has another form, is a fault of ours: "The package id field is required."
    """
    told = object_of(reply).get("data")
    if not isinstance(told, dict):
        return set()
    return {name for name, text in told.items() if "selected" in str(text) and "invalid" in str(text)}


def is_not_ours(reply: Reply) -> bool:
    """Whether a read of one object is refused because it belongs to somebody else: with a fresh token, too, it is a 401."""
    meta = object_of(reply).get("meta")
    said = meta.get("message") if isinstance(meta, dict) else None
    return reply.status == 401 and NOT_OURS in str(said).lower()


def object_of(reply: Reply) -> dict[str, Any]:
    """The answer's JSON object; an empty one for anything else."""
    try:
        body = reply.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def unclear(said: str, *, wrote: bool) -> SupplierError:
    return OutcomeUnknown(said) if wrote else Unavailable(said)


@contextmanager
def readable(*, wrote: bool = False) -> Iterator[None]:
    """An answer that is not as documented tells nothing: after a write, the order may well exist."""
    try:
        yield
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, ArithmeticError) as error:
        # Not the error's own words, which may quote an activation code.
        logger.error("an answer of Airalo cannot be read: %s", type(error).__name__)
        raise unclear("Airalo's answer cannot be read", wrote=wrote) from None
