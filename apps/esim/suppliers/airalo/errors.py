"""What Airalo's refusals mean: one table for their codes, one for bare statuses."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from apps.suppliers.alerts import alert
from apps.suppliers.alerts.models import AlertKind
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

logger = logging.getLogger(__name__)

NAME = "airalo"


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
ANY_4XX = Ruling(Rejected, AlertKind.REQUEST_REFUSED)
"""A validation refused what we sent: nothing was ordered, and the fault is ours."""
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
    ruling = ruling_of(reply.status, code)
    if ruling.alert:
        alert(NAME, ruling.alert, said)
    if ruling.error is NotPossible:
        return NotPossible(NOT_ALLOWED)
    return unclear(said, wrote=wrote) if ruling.error is OutcomeUnknown else ruling.error(said)


def ruling_of(status: int, code: int | None) -> Ruling:
    """Their code decides where there is one that we know."""
    if code in CODES:
        return CODES[code]
    return STATUSES.get(status, ANY_4XX if 400 <= status < 500 else ANYTHING_ELSE)


def code_of(reply: Reply) -> int | None:
    """`{"code": 34, …}`, perhaps inside `data`, perhaps as text; None where there is none."""
    try:
        body = reply.json()
    except ValueError:
        return None
    outer = body if isinstance(body, dict) else {}
    inner = outer.get("data")
    for place in (outer, inner if isinstance(inner, dict) else {}):
        code = str(place.get("code", ""))
        if code.isascii() and code.isdigit():
            return int(code)
    return None


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
