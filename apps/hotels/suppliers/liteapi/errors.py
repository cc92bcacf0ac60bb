"""What LiteAPI's refusals mean: a table of their codes for each kind of call, and one of bare statuses.

A refusal is `{"error": {"code": n, "message": "…"}}` under any status, 200 included, so `error` is looked for before `data`. A
code that stands for two things is decided by its text.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from apps.hotels.suppliers.liteapi.amounts import number
from apps.hotels.suppliers.liteapi.refusals import (
    is_of_the_offer,
    is_of_the_payment,
    knows_no_hotel,
    told_in,
)
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
from apps.suppliers.http import Reply, Unreadable
from apps.suppliers.models import AlertKind

NAME = "liteapi"
MOST_CODES = 10**9
UNREADABLE = (LookupError, TypeError, ValueError, ArithmeticError, AttributeError)
"""What reading an answer raises that is not as documented."""


class NothingThere(SupplierError):
    """No availability, or an empty answer: not yet an outcome, because what it means depends on the call."""


class Refused(Rejected):
    """They say that nothing was booked, which is believed once a look-up has found nothing."""


class NotTaken(Rejected):
    """They do not take a value of the search. `told` is their own text, which may name the field."""

    told = ""


class Malformed(Refused):
    """They cannot read a request of ours: a fault of this service, of which staff are told."""


class Unpaid(Unavailable):
    """They do not sell on our account: no funds, or not by the method that is set here. Certainly nothing was booked."""


End = type[SupplierError]
Ends = Mapping[int, End | Callable[[str], End]]
"""What ends a call, or what finds it out from their text."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of call. `codes`: how their codes end it. `silence`: how it ends without an answer that can be read.

    `other`: a refusal whose code is not listed.
    """

    codes: Ends
    silence: type[SupplierError]
    other: type[SupplierError] = Rejected


def _offer_gone(told: str) -> End:
    return Expired if is_of_the_offer(told) else Malformed


def _not_paid(told: str) -> End:
    """ "Unable to process" leaves it open what became of the booking."""
    return Unpaid if is_of_the_payment(told) else OutcomeUnknown


def _no_hotels(told: str) -> End:
    return NothingThere if knows_no_hotel(told) else NotTaken


SEARCH = Kind(
    codes={
        204: NothingThere,
        2001: NothingThere,  # no availability
        4000: _no_hotels,  # a bad value
        4002: NotTaken,  # a missing or malformed field
    },
    silence=Unavailable,
)
PREBOOK = Kind(
    codes={
        204: Expired,
        2001: Expired,  # nothing left, or dearer than the price they had locked
        4002: _offer_gone,
        4016: Unavailable,  # timed out
        4040: Expired,  # outdated
        5000: Unavailable,
    },
    silence=Unavailable,  # a prebook costs nothing and binds nobody
)
BOOK = Kind(
    codes={
        2010: Refused,  # not confirmed
        2013: Refused,  # unsuccessful
        2014: OutcomeUnknown,  # incomplete
        4002: _offer_gone,
        4005: OutcomeUnknown,  # our reference was used before: by this very booking, in all likelihood
        4010: _offer_gone,
        4012: Refused,  # failed
        4040: Expired,
        4291: OutcomeUnknown,
        5000: _not_paid,
    },
    silence=OutcomeUnknown,
    other=Refused,
)
READ = Kind(codes={204: NothingThere, 404: NothingThere}, silence=Unavailable, other=Unavailable)
# A list that is not there says nothing of what it would hold: believed, it would free the funds of a booking that stands.
LIST = Kind(codes={204: NothingThere}, silence=Unavailable, other=Unavailable)
FACTS = Kind(codes={}, silence=Unavailable, other=NothingThere)
CANCEL = Kind(
    codes={204: Missing, 304: NotPossible, 404: Missing, 5000: OutcomeUnknown}, silence=OutcomeUnknown
)

SHUT_OUT = frozenset({401, 403, 40302})  # a bad key, a suspended account
THROTTLED = frozenset({429, 4290, 4291})
ALERTS = {4005: AlertKind.DUPLICATE_REFERENCE}
ALERTS_OF_ENDS = {Malformed: AlertKind.REQUEST_REFUSED, Unpaid: AlertKind.WALLET_EMPTY}


def answer_of(reply: Reply, kind: Kind, *, about: str = "") -> dict[str, Any]:
    """The answer, which has `data`; raises what a refusal means. `about`: the reference of ours that an alert would name."""
    if reply.status == 204:
        raise _end_of(204, reply.status, kind, about)
    try:
        body = reply.json()
    except Unreadable:
        raise _end_of(None, reply.status, kind, about) from None
    if not isinstance(body, dict):
        raise _end_of(None, reply.status, kind, about)
    if body.get("error"):
        raise _end_of(code_in(body["error"]), reply.status, kind, about, told_in(body["error"]))
    if not 200 <= reply.status < 300 or "data" not in body:
        raise _end_of(None, reply.status, kind, about)
    return body


def code_in(error: Any) -> int | None:
    """Their number for it, which may come as text."""
    try:
        code = number(error["code"])
    except UNREADABLE:
        return None
    return int(code) if 0 <= code < MOST_CODES else None


def _end_of(code: int | None, status: int, kind: Kind, about: str, text: str = "") -> SupplierError:
    """The outcome of an answer that is none. `text`: their own, which is kept nowhere."""
    told = f"LiteAPI answered {status}" + (f" with code {code}" if code is not None else "")
    if code is not None and code in ALERTS:
        alert(NAME, ALERTS[code], about)
    if code is not None and code in kind.codes:
        return _named(kind.codes[code], told, text)
    if code in SHUT_OUT or status in SHUT_OUT:
        alert(NAME, AlertKind.CREDENTIALS_REFUSED, told)
        return Unavailable(told)
    if code in THROTTLED or status == 429:
        return Unavailable(told)
    if status in kind.codes and status >= 300:
        return _named(kind.codes[status], told, text)
    certain = 400 <= status < 500 and status != 408
    # An error inside a 200 with a code that nobody listed leaves open whether the write was made.
    return kind.other(told) if certain else kind.silence(told)


def _named(found: End | Callable[[str], End], told: str, text: str) -> SupplierError:
    """What is not possible is told to the partner, in words for partners."""
    end = found if isinstance(found, type) else found(text)
    if end in ALERTS_OF_ENDS:
        alert(NAME, ALERTS_OF_ENDS[end], told)
    named: SupplierError = end(
        "The hotel does not let this booking be cancelled." if end is NotPossible else told
    )
    if isinstance(named, NotTaken):
        named.told = text
    return named


@contextmanager
def readable(kind: Kind) -> Iterator[None]:
    """Around the reading of an answer: what is not as documented ends the call like an answer that did not come."""
    try:
        yield
    except UNREADABLE as error:
        raise kind.silence(f"LiteAPI's answer cannot be read: {type(error).__name__}") from error
