"""What a refusal of Hotelbeds means: one table of their codes, and their statuses for what has none.

A supplier's error carries `code`, sometimes only inside `fieldErrors`; the gateway before it says `{"error": "…"}` or plain
text. A code that is documented wins over its status: an invalid rate key comes as a 500 and is certain none the less.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from apps.suppliers.errors import (
    Expired,
    InvalidField,
    Missing,
    NotPossible,
    OutcomeUnknown,
    Rejected,
    SupplierError,
    Unavailable,
)
from apps.suppliers.http import Reply, Unreadable
from apps.transfers.suppliers.base import TransferSearch


class Asked(Enum):
    """What was asked for. After a write that is not clearly refused nobody knows whether it was carried out."""

    SEARCH = "search"
    READ = "read"
    BOOK = "book"
    CANCEL = "cancel"

    @property
    def writes(self) -> bool:
        return self in (Asked.BOOK, Asked.CANCEL)


class Ends(Enum):
    """The ends that a code can mean."""

    INVALID = "the request is not valid"
    EXPIRED = "the rate key is not valid any more"
    REJECTED = "refused"
    MISSING = "the booking is unknown"
    CLOSED = "the booking cannot be cancelled"
    SILENT = "no certain answer"


# By family and last word: the documentation writes some codes out and others as `_WORD`.
CODES: Mapping[tuple[str, str], Ends] = {
    ("REQUEST", "INVALID"): Ends.INVALID,
    ("REQUEST", "PASTDATE"): Ends.INVALID,
    ("REQUEST", "ATLEASTONEADULT"): Ends.INVALID,
    ("REQUEST", "INVALIDTERMINALCODE"): Ends.INVALID,
    ("REQUEST", "GPSCOORDINATES"): Ends.INVALID,
    ("REQUEST", "ATLASCODE"): Ends.INVALID,
    ("REQUEST", "INVALIDDATEFORMAT"): Ends.INVALID,
    ("REQUEST", "ADULTSDONTMATCH"): Ends.INVALID,
    ("REQUEST", "CHILDRENDONTMATCH"): Ends.INVALID,
    ("REQUEST", "AGESDONTMATCH"): Ends.INVALID,
    ("REQUEST", "SAMEFROMTO"): Ends.INVALID,
    ("CONFIRMATION", "INVALIDRATEKEY"): Ends.EXPIRED,
    ("CONFIRMATION", "RATEKEYHASH"): Ends.EXPIRED,
    ("CONFIRMATION", "RATEKEYCREDENTIALS"): Ends.EXPIRED,
    ("CONFIRMATION", "INSUFFICIENTSEATS"): Ends.REJECTED,
    ("CONFIRMATION", "EMPTYTRANSFERS"): Ends.REJECTED,
    ("CONFIRMATION", "DUPLICATEDSERVICES"): Ends.REJECTED,
    ("CONFIRMATION", "WRONGLANGUAGE"): Ends.REJECTED,
    ("CONFIRMATION", "PAXESDONOTMATCH"): Ends.REJECTED,
    ("CONFIRMATION", "NOTRESPONDING"): Ends.SILENT,
    ("BOOKING", "NOTFOUND"): Ends.MISSING,
    ("BOOKING", "CANCELLATIONERROR"): Ends.CLOSED,
}

FIELDS = {
    "PASTDATE": "outbound",
    "INVALIDDATEFORMAT": "outbound",
    "ATLEASTONEADULT": "adults",
    "ADULTSDONTMATCH": "adults",
    "CHILDRENDONTMATCH": "children",
    "AGESDONTMATCH": "children",
    "SAMEFROMTO": "to",
}
PLACES = {
    "INVALIDTERMINALCODE": ("IATA", "STATION", "PORT"),
    "ATLASCODE": ("HOTEL",),
    "GPSCOORDINATES": ("GEO",),
}


DEEPEST = 8


class Refusal(Enum):
    """Why the gateway lets nobody through."""

    CREDENTIALS = "credentials"
    QUOTA = "quota"
    THROTTLE = "throttle"


@dataclass(frozen=True, slots=True)
class Problem:
    """A refusal: its status, and the most telling of its codes."""

    status: int
    code: str
    gateway: Refusal | None

    @property
    def key(self) -> tuple[str, str]:
        return _key(self.code)


def problem_of(reply: Reply) -> Problem:
    codes = list(_codes(_document(reply)))
    known = [code for code in codes if _key(code) in CODES]
    telling = [code for code in known if _key(code)[1] != "INVALID"]
    code = (telling or known or codes or [""])[0]
    return Problem(reply.status, code, None if known else _gateway(reply))


def error_of(problem: Problem, asked: Asked, search: TransferSearch | None = None) -> SupplierError:
    """The outcome that a refusal means for what was asked."""
    said = f"Hotelbeds: {problem.status} {problem.code}".rstrip()
    match CODES.get(problem.key) or _by_status(problem.status, asked):
        case Ends.INVALID if search is not None:
            return invalid(problem.key[1], search)
        case Ends.INVALID | Ends.REJECTED:
            return Rejected(said)
        case Ends.EXPIRED:
            return Expired(said)
        case Ends.MISSING:
            return Missing(said)
        case Ends.CLOSED:
            return NotPossible("The order cannot be cancelled any more.")
    # The gateway stands before the supplier: what it refused was never heard there.
    return OutcomeUnknown(said) if asked.writes and problem.gateway is None else Unavailable(said)


def invalid(word: str, search: TransferSearch) -> InvalidField:
    """Which field of the search a code means."""
    if word in FIELDS:
        return InvalidField(FIELDS[word], "is not what the supplier takes")
    kinds = PLACES.get(word, ())
    ends = {"from": search.start, "to": search.end}
    end = next((name for name, place in ends.items() if place.type in kinds), "from")
    return InvalidField(end, "is no place that the supplier knows")


def _by_status(status: int, asked: Asked) -> Ends:
    if status == 404 and asked is not Asked.SEARCH:
        return Ends.MISSING
    if status == 409 and asked is not Asked.SEARCH:
        return Ends.REJECTED if asked is Asked.BOOK else Ends.CLOSED
    if 400 <= status < 500 and status not in (401, 403, 408, 429):
        return Ends.REJECTED
    return Ends.SILENT


def _gateway(reply: Reply) -> Refusal | None:
    """Who exceeds the calls of a second is told `Developer Over Qps`, who exceeds those of a day `Developer Over Rate`."""
    if reply.status == 429:
        return Refusal.THROTTLE
    if reply.status not in (401, 403):
        return None
    said = (
        f"{reply.headers.get('X-Mashery-Error-Code', '')} {reply.body[:500].decode(errors='replace')}".lower()
    )
    said = said.replace("_", " ")
    if "over qps" in said:
        return Refusal.THROTTLE
    return Refusal.QUOTA if "over rate" in said or "quota" in said else Refusal.CREDENTIALS


def _document(reply: Reply) -> Any:
    try:
        return reply.json()
    except Unreadable:
        return None


def _codes(data: Any, depth: int = 0) -> Iterator[str]:
    """Every `code` of an error, wherever it stands in it."""
    if depth > DEEPEST:
        return
    if isinstance(data, dict) and isinstance(data.get("code"), str):
        yield data["code"]
    parts = data if isinstance(data, list) else data.values() if isinstance(data, dict) else ()
    for part in parts:
        yield from _codes(part, depth + 1)


def _key(code: str) -> tuple[str, str]:
    """`E_CONFIRMATION_INVALIDRATEKEY` → CONFIRMATION, INVALIDRATEKEY."""
    words = code.upper().split("_")
    return (words[1], words[-1]) if len(words) > 2 and words[0] == "E" else ("", code)
