"""Hotelbeds' Transfers API over HTTP: paths, headers, timeouts, the day's quota, and what a refusal means."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum
from typing import Any
from urllib.parse import quote

from django.core.cache import cache

from apps.common import clock
from apps.suppliers.alerts import alert
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
from apps.suppliers.http import Limits, Reply, SupplierHTTP, Unreadable
from apps.suppliers.results import LONGEST_REFERENCE
from apps.transfers.suppliers.base import TransferSearch
from apps.transfers.suppliers.hotelbeds.mapping import items, text
from apps.transfers.suppliers.hotelbeds.places import route

NAME = "hotelbeds"
LIVE = "https://api.hotelbeds.com"
PREFIX = "/transfer-api/1.0"
LANGUAGE = "en"

Document = dict[str, Any]


class Asked(Enum):
    """What was asked for. A write that is not clearly refused may have been carried out."""

    SEARCH = "search"
    READ = "read"
    BOOK = "book"
    CANCEL = "cancel"

    @property
    def writes(self) -> bool:
        return self in (Asked.BOOK, Asked.CANCEL)


# By family and last word: the documentation writes some codes out and others as `_WORD`. OutcomeUnknown: no certain answer.
CODES: Mapping[tuple[str, str], type[SupplierError]] = {
    (family, word): error
    for family, error, words in (
        ("REQUEST", InvalidField, "INVALID PASTDATE INVALIDDATEFORMAT SAMEFROMTO INVALIDTERMINALCODE"),
        ("REQUEST", InvalidField, "GPSCOORDINATES ATLASCODE"),
        ("REQUEST", InvalidField, "ATLEASTONEADULT ADULTSDONTMATCH CHILDRENDONTMATCH AGESDONTMATCH"),
        ("CONFIRMATION", Expired, "INVALIDRATEKEY RATEKEYHASH RATEKEYCREDENTIALS"),
        ("CONFIRMATION", Rejected, "INSUFFICIENTSEATS EMPTYTRANSFERS DUPLICATEDSERVICES"),
        ("CONFIRMATION", Rejected, "WRONGLANGUAGE PAXESDONOTMATCH"),
        ("CONFIRMATION", OutcomeUnknown, "NOTRESPONDING"),
        ("BOOKING", Missing, "NOTFOUND"),
        ("BOOKING", NotPossible, "CANCELLATIONERROR"),
    )
    for word in words.split()
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
    """Why the gateway rejects every call."""

    CREDENTIALS = "credentials"
    QUOTA = "quota"
    THROTTLE = "throttle"


@dataclass(frozen=True, slots=True)
class Problem:
    """A refusal: its status, and the most specific of its codes."""

    status: int
    code: str
    gateway: Refusal | None

    @property
    def key(self) -> tuple[str, str]:
        return _key(self.code)


def problem_of(reply: Reply) -> Problem:
    """A code that is documented wins over its status: an invalid rate key comes as a 500 and is certain none the less.

    It stands at the top of the answer or inside `fieldErrors`; the gateway before them says `{"error": "…"}` or plain text.
    """
    try:
        codes = list(_codes(reply.json()))
    except Unreadable:
        codes = []
    known = [code for code in codes if _key(code) in CODES]
    telling = [code for code in known if _key(code)[1] != "INVALID"]
    code = (telling or known or codes or [""])[0]
    return Problem(reply.status, code, None if known else _gateway(reply))


def error_of(problem: Problem, asked: Asked, search: TransferSearch | None = None) -> SupplierError:
    """The outcome that a refusal means for what was asked."""
    said = f"Hotelbeds: {problem.status} {problem.code}".rstrip()
    error = CODES.get(problem.key) or _by_status(problem.status, asked)
    if error is InvalidField:
        return invalid(problem.key[1], search) if search is not None else Rejected(said)
    if error is NotPossible:
        return NotPossible("The order cannot be cancelled any more.")
    if error is OutcomeUnknown and (not asked.writes or problem.gateway is not None):
        return Unavailable(said)  # what the gateway before the supplier refused was never heard there
    return error(said)


def invalid(word: str, search: TransferSearch) -> InvalidField:
    """Which field of the search a code means."""
    if word in FIELDS:
        return InvalidField(FIELDS[word], "is not what the supplier takes")
    kinds = PLACES.get(word, ())
    ends = {"from": search.start, "to": search.end}
    end = next((name for name, place in ends.items() if place.type in kinds), "from")
    return InvalidField(end, "is no place that the supplier knows")


def _by_status(status: int, asked: Asked) -> type[SupplierError]:
    if status == 404 and asked is not Asked.SEARCH:
        return Missing
    if status == 409 and asked is not Asked.SEARCH:
        return Rejected if asked is Asked.BOOK else NotPossible
    if 400 <= status < 500 and status not in (401, 403, 408, 429):
        return Rejected
    return OutcomeUnknown


def _gateway(reply: Reply) -> Refusal | None:
    """Too many calls in a second are `Developer Over Qps`, too many in a day `Developer Over Rate`."""
    if reply.status == 429:
        return Refusal.THROTTLE
    if reply.status not in (401, 403):
        return None
    header, body = reply.headers.get("X-Mashery-Error-Code", ""), reply.body[:500].decode(errors="replace")
    said = f"{header} {body}".lower().replace("_", " ")
    if "over qps" in said:
        return Refusal.THROTTLE
    return Refusal.QUOTA if "over rate" in said or "quota" in said else Refusal.CREDENTIALS


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


def signature(key: str, secret: str, unix_seconds: int) -> str:
    """The `X-Signature` of a call made at that second; it is good for a few minutes."""
    return hashlib.sha256(f"{key}{secret}{unix_seconds}".encode()).hexdigest()


class DailyQuota:
    """The pause after a key's daily quota is used up: every call until the next UTC day would be refused, so none is made.

    In the shared cache; while Redis is away each process remembers it by itself. A new key is a new quota.
    """

    def __init__(self, key: str) -> None:
        self.name = f"hotelbeds:quota-used-up:{hashlib.sha256(key.encode()).hexdigest()[:12]}"

    def refuse_if_used_up(self) -> None:
        """Raises Unavailable until the day is over."""
        until = cache.get(self.name)
        if until is not None and clock.now() < datetime.fromisoformat(until):
            raise Unavailable("the day's quota is used up")

    def used_up(self) -> None:
        """The supplier said so: pause until its next day."""
        now = clock.now()
        until = datetime.combine(now.astimezone(UTC).date() + timedelta(days=1), time(), UTC)
        cache.set(self.name, until.isoformat(), timeout=max(1, int((until - now).total_seconds())))


class HotelbedsClient:
    """They publish no times to wait for: these are the ones of their hotels. While a partner waits, all calls get less."""

    to_search = Limits(read=20)
    to_book = Limits(read=70)
    afterwards = Limits(read=120)

    def __init__(self, *, key: str, secret: str, base_url: str) -> None:
        self.live = base_url.rstrip("/") == LIVE
        self._key, self._secret = key, secret
        self._quota = DailyQuota(key)
        self._http = SupplierHTTP(NAME, base_url=base_url.rstrip("/") + PREFIX, headers=self._headers)

    def availability(self, search: TransferSearch) -> list[Any]:
        """The services for a journey, whatever their form; none where the answer is empty. Raises InvalidField."""
        path = f"/availability/{LANGUAGE}/{route(search)}"
        reply = self._send(Asked.SEARCH, "GET", path, search=search, limits=self.to_search)
        services = _document(reply).get("services") if reply.body.strip() else None
        return services if isinstance(services, list) else []

    def book(self, body: Document) -> Document:
        reply = self._send(Asked.BOOK, "POST", "/bookings", json=body, limits=self.to_book)
        return self._written(reply)

    def detail(self, reference: str) -> Document:
        return _only_booking(_document(self._send(Asked.READ, "GET", _booking(reference))))

    def simulated_cancellation(self, reference: str) -> Document:
        """What cancelling would come to; nothing is cancelled."""
        query = {"simulation": "true"}
        reply = self._send(Asked.READ, "DELETE", _booking(reference), query=query)
        return _only_booking(_document(reply))

    def cancel(self, reference: str) -> Document:
        return self._written(self._send(Asked.CANCEL, "DELETE", _booking(reference)))

    def page(
        self, *, date_type: str, first: date, last: date, offset: int | None, limit: int
    ) -> list[Document]:
        """A page of the bookings of these days. Where the first one begins, with 0 or with 1, is left to the supplier."""
        query = {
            "fromDate": first.isoformat(),
            "toDate": last.isoformat(),
            "dateType": date_type,
            **({} if offset is None else {"offset": offset}),
            "limit": limit,
        }
        reply = self._send(Asked.READ, "GET", f"/bookings/{LANGUAGE}", query=query)
        return items(_document(reply), "bookings") if reply.body.strip() else []

    def _headers(self) -> dict[str, str]:
        seconds = int(clock.now().timestamp())
        return {
            "Api-key": self._key,
            "X-Signature": signature(self._key, self._secret, seconds),
            "Content-Type": "application/json",
        }

    def _send(
        self,
        asked: Asked,
        method: str,
        path: str,
        *,
        search: TransferSearch | None = None,
        limits: Limits | None = None,
        **parts: Any,
    ) -> Reply:
        """A 2xx reply. Raises what any other one means."""
        self._quota.refuse_if_used_up()
        send = self._http.write if asked.writes else self._http.read
        reply: Reply = send(method, path, limits=limits or self.afterwards, **parts)
        if 200 <= reply.status < 300:
            return reply
        raise self._refused(reply, asked, search)

    def _refused(self, reply: Reply, asked: Asked, search: TransferSearch | None) -> SupplierError:
        problem = problem_of(reply)
        if problem.gateway is Refusal.QUOTA:
            self._quota.used_up()
            alert(NAME, "quota_used_up", "no calls until the next UTC day")
        elif problem.gateway is Refusal.CREDENTIALS:
            alert(NAME, "credentials_refused", f"status {problem.status}")
        return error_of(problem, asked, search)

    @staticmethod
    def _written(reply: Reply) -> Document:
        """The booking that a write answered. A 2xx that cannot be read may have done it."""
        try:
            return _only_booking(_document(reply))
        except Unavailable as error:
            raise OutcomeUnknown(str(error)) from error


def _booking(reference: str) -> str:
    return f"/bookings/{LANGUAGE}/reference/{quote(reference, safe='')}"


def _document(reply: Reply) -> Document:
    """The answer's JSON object; an empty one for anything else that is JSON."""
    try:
        found = reply.json()
    except Unreadable as error:
        raise Unavailable(f"Hotelbeds: {reply.status} that cannot be read") from error
    return found if isinstance(found, dict) else {}


def _only_booking(document: Document) -> Document:
    found = items(document, "bookings")
    reference = text(found[0], "reference") if len(found) == 1 else ""
    if not 0 < len(reference) <= LONGEST_REFERENCE or reference != found[0]["reference"]:
        raise Unavailable("Hotelbeds: an answer without its booking")
    return found[0]
