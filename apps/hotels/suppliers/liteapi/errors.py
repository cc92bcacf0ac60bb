"""What LiteAPI's refusals mean: a table of their codes for each kind of call, and one of bare statuses.

A refusal is `{"error": {"code": n, "message": "…"}}` under any status, 200 included, so `error` is looked for before `data`.
"""

from collections.abc import Iterator, Mapping
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
from apps.suppliers.http import Reply, Unreadable

NAME = "liteapi"


class NothingThere(SupplierError):
    """No availability, or an empty answer: not yet an outcome, because what it means depends on the call."""


class Refused(Rejected):
    """They say that nothing was booked, which is believed once a look-up has found nothing."""


class NotTaken(Rejected):
    """They do not take a value of the search. `told` is their own text, which may name the field."""

    told = ""


Ends = Mapping[int, type[SupplierError]]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of call. `codes`: how their codes end it. `silence`: how it ends without an answer that can be read.

    `other`: a refusal whose code is not listed.
    """

    codes: Ends
    silence: type[SupplierError]
    other: type[SupplierError] = Rejected


SEARCH = Kind(
    codes={
        204: NothingThere,
        2001: NothingThere,  # no availability
        4000: NotTaken,  # a bad value
        4002: NotTaken,  # a missing or malformed field
    },
    silence=Unavailable,
)
PREBOOK = Kind(
    codes={
        204: Expired,
        2001: Expired,  # nothing left, or dearer than the price they had locked
        4002: Expired,  # no such offer
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
        4002: Expired,
        4005: OutcomeUnknown,  # our reference was used before: by this very booking, in all likelihood
        4010: Expired,  # the prebook is no longer valid
        4012: Refused,  # failed
        4040: Expired,
        4291: OutcomeUnknown,
        5000: OutcomeUnknown,
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
        end = _end_of(code_in(body["error"]), reply.status, kind, about)
        if isinstance(end, NotTaken):
            end.told = f"{body['error'].get('description')} {body['error'].get('message')}"
        raise end
    if not 200 <= reply.status < 300 or "data" not in body:
        raise _end_of(None, reply.status, kind, about)
    return body


def code_in(error: Any) -> int | None:
    """Their number for it, which may come as text."""
    try:
        return int(error["code"])
    except (KeyError, TypeError, ValueError):
        return None


def _end_of(code: int | None, status: int, kind: Kind, about: str) -> SupplierError:
    """The outcome of an answer that is none."""
    told = f"LiteAPI answered {status}" + (f" with code {code}" if code is not None else "")
    if code is not None and code in ALERTS:
        alert(NAME, ALERTS[code], about)
    if code is not None and code in kind.codes:
        return _named(kind.codes[code], told)
    if code in SHUT_OUT or status in SHUT_OUT:
        alert(NAME, AlertKind.CREDENTIALS_REFUSED, told)
        return Unavailable(told)
    if code in THROTTLED or status == 429:
        return Unavailable(told)
    if status in kind.codes and status >= 300:
        return _named(kind.codes[status], told)
    certain = 400 <= status < 500 and status != 408
    # An error inside a 200 with a code that nobody listed leaves open whether the write was made.
    return kind.other(told) if certain else kind.silence(told)


def _named(end: type[SupplierError], told: str) -> SupplierError:
    """What is not possible is told to the partner, in words for partners."""
    return end("The hotel does not let this booking be cancelled." if end is NotPossible else told)


@contextmanager
def readable(kind: Kind) -> Iterator[None]:
    """Around the reading of an answer: what is not as documented ends the call like an answer that did not come."""
    try:
        yield
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
        raise kind.silence(f"LiteAPI's answer cannot be read: {type(error).__name__}") from error
