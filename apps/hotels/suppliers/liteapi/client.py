"""LiteAPI v3.0 in its own words: two hosts, one key, how long each call may take, and what a refusal means.

A refusal is `{"error": {"code": n, "message": "…"}}` under any status, 200 included, so `error` is looked for before `data`. A
code that stands for two things is decided by its text.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from urllib.parse import quote

from apps.common.clock import rfc3339
from apps.hotels.suppliers.base import Queued
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
from apps.suppliers.http import MEBIBYTE, Limits, Reply, SupplierHTTP, Unreadable
from apps.suppliers.models import AlertKind
from apps.suppliers.side_by_side import AT_ONCE

NAME = "liteapi"
UNREADABLE = (LookupError, TypeError, ValueError, ArithmeticError, AttributeError)
"""What reading an answer raises that is not as documented."""
OF_THE_BODY = re.compile(r"request body|body validation", re.IGNORECASE)
OF_THE_OFFER = re.compile(r"pre-?book|offer|\brates?(?:id)?\b", re.IGNORECASE)
OF_THE_PAYMENT = re.compile(r"payment (?:failed|declined)|payment method|insufficient", re.IGNORECASE)
OF_THE_STAY = re.compile(r"check-?(?:in|out)|occupanc|adults|children", re.IGNORECASE)
OF_THE_ROOMS = re.compile(r"occupanc|adults|children", re.IGNORECASE)
NOT_CHANGED = re.compile(r"not allowed", re.IGNORECASE)
NO_SUCH_HOTELS = re.compile(r"hotel ?ids? (?:were |was )?not found", re.IGNORECASE)
MOST_CODES = 10**9
QUEUED = 202
SHUT_OUT = frozenset({401, 403, 40302})  # a bad key, a suspended account
THROTTLED = frozenset({429, 4290, 4291})
ALERTS = {4005: AlertKind.DUPLICATE_REFERENCE}
# The timeout that they are given, in seconds, and how long we wait for it. What is asked before a write ends within the lease
# of its operation (OPERATION_LEASE_SECONDS).
SEARCH_TIMEOUT, SEARCH_LIMITS = 8, Limits(read=15)
LEAST_TIMEOUT, LEAST_LIMITS = 6, Limits(read=8, total=10)
PREBOOK_TIMEOUT, PREBOOK_LIMITS = 30, Limits(read=40, total=40)
BOOK_TIMEOUT, BOOK_LIMITS = 100, Limits(read=110)
READ_TIMEOUT, READ_LIMITS = 30, Limits(read=40, total=40)
CANCEL_TIMEOUT, CANCEL_LIMITS = 30, Limits(read=40)
AMEND_LIMITS = Limits(read=40)
# A partner's read may wait for a description (`read_property`).
FACTS_LIMITS = Limits(connect=3, read=8, total=10)
LIST_TIMEOUT, LIST_LIMITS = 40, Limits(read=50, total=120, max_bytes=64 * MEBIBYTE)
ALTERNATIVES_LIMITS = Limits(read=40, total=40)
REBOOK_TIMEOUT, REBOOK_LIMITS = 100, Limits(read=110)
MOST_ALTERNATIVES = 10


def text(value: object) -> str:
    """Without what JSON can carry and PostgreSQL cannot: the character zero, half a surrogate pair. Nothing for nothing."""
    told = "" if value is None else str(value)
    return told.encode(errors="ignore").decode().replace("\0", "")


def name_of(value: object) -> str:
    """What people read something by. Raises ValueError for what is no text, or an empty one: it would have no meaning."""
    name = text(value) if isinstance(value, str) else ""
    if not name:
        raise ValueError("no name")
    return name


def handle(value: object, longest: int) -> str:
    """An id. Raises ValueError for one that is empty, too long or no text: it would not name the same thing any more."""
    if not isinstance(value, str) or not 0 < len(value) <= longest or text(value) != value:
        raise ValueError("no id that could be kept")
    return value


def number(value: object) -> Decimal:
    """A JSON number, or a text that holds one. Raises ValueError, or ArithmeticError."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal | str):
        raise ValueError(f"{type(value).__name__} is no amount")
    amount = Decimal(value)
    if not amount.is_finite():
        raise ValueError("not a finite amount")
    return amount


def told_in(error: Any) -> str:
    """Both of their texts; nothing where they have another form."""
    if not isinstance(error, dict):
        return ""
    return " ".join(str(error[name]) for name in ("description", "message") if error.get(name))


class NothingThere(SupplierError):
    """No availability, or an empty answer: not yet an outcome, because what it means depends on the call."""


class Refused(Rejected):
    """They say that nothing was booked, which is believed once a look-up has found nothing."""


class Completed(OutcomeUnknown):
    """They have done it before, in all likelihood by a call whose answer was lost: a look-up says so."""


class NotTaken(Rejected):
    """They reject a value of the search. `told` is their own text, which may name the field."""

    told = ""


class Malformed(Refused):
    """They cannot read a request of ours: a fault of this service, of which staff are notified."""


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
    """Of the prebook or the rate, and not of our request."""
    return Expired if OF_THE_OFFER.search(told) and not OF_THE_BODY.search(told) else Malformed


def _not_paid(told: str) -> End:
    """ "Unable to process" leaves it open what became of the booking."""
    return Unpaid if OF_THE_PAYMENT.search(told) else OutcomeUnknown


def _no_hotels(told: str) -> End:
    return NothingThere if NO_SUCH_HOTELS.search(told) else NotTaken


def _no_listed_hotels(told: str) -> End:
    return NothingThere if NO_SUCH_HOTELS.search(told) else Unavailable


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
        2001: Expired,  # nothing left, or more expensive than the price they had locked
        4002: _offer_gone,
        4016: Unavailable,  # timed out
        4040: Expired,  # outdated
        5000: Unavailable,
    },
    silence=Unavailable,  # a prebook costs nothing and is not binding
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
ALTERNATIVES = Kind(
    codes={
        204: NothingThere,
        400: lambda told: NotTaken if OF_THE_STAY.search(told) else Malformed,  # their validator's text
        1000: NotPossible,  # the booking is unknown, or not confirmed
        1008: NothingThere,  # no availability
        2001: NothingThere,
        4002: Malformed,
    },
    silence=Unavailable,  # they cost nothing and are not binding
)
REBOOK = Kind(
    codes={
        2001: Refused,
        2010: Refused,
        2013: Refused,
        2014: OutcomeUnknown,
        4000: lambda told: NotPossible if NOT_CHANGED.search(told) else Expired,  # another booking's prebook
        4002: _offer_gone,
        4005: OutcomeUnknown,  # our reference was used before, by this very change in all likelihood
        4009: Completed,  # this prebook was rebooked before
        4010: _offer_gone,
        4012: Refused,
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
# The answer for a country without hotels is not documented: an empty list, or one of these.
HOTELS = Kind(
    codes={204: NothingThere, 2001: NothingThere, 4000: _no_listed_hotels},
    silence=Unavailable,
    other=Unavailable,
)
CANCEL = Kind(
    codes={204: Missing, 304: NotPossible, 404: Missing, 5000: OutcomeUnknown}, silence=OutcomeUnknown
)

AMEND = Kind(
    # Beyond a malformed request (400) and a bad key their documentation names no refusal.
    codes={204: Missing, 400: Malformed, 404: Missing},
    silence=OutcomeUnknown,
)

ALERTS_OF_ENDS = {Malformed: AlertKind.REQUEST_REFUSED, Unpaid: AlertKind.WALLET_EMPTY}


def answer_of(reply: Reply, kind: Kind, *, about: str = "", has_data: bool = True) -> dict[str, Any]:
    """The answer, which has `data` where `has_data`; raises what a refusal means. `about`: the reference of ours that an alert
    would name.
    """
    body = None
    if reply.status != 204:
        with suppress(Unreadable):
            body = reply.json()
    if isinstance(body, dict) and body.get("error"):
        raise _end_of(code_in(body["error"]), reply.status, kind, about, told_in(body["error"]))
    if not isinstance(body, dict) or not 200 <= reply.status < 300 or (has_data and "data" not in body):
        raise _end_of(204 if reply.status == 204 else None, reply.status, kind, about)
    return body


def code_in(error: Any) -> int | None:
    """Their number for it, which may come as text."""
    try:
        code = number(error["code"])
    except UNREADABLE:
        return None
    return int(code) if 0 <= code < MOST_CODES else None


def _end_of(code: int | None, status: int, kind: Kind, about: str, text: str = "") -> SupplierError:
    """The outcome of an unusable answer. `text`: their own, which is not stored."""
    told = f"LiteAPI returned {status}" + (f" with code {code}" if code is not None else "")
    if code is not None and code in ALERTS:
        alert(NAME, ALERTS[code], about)
    if code is not None and code in kind.codes:
        return _named(kind, kind.codes[code], told, text)
    if code in SHUT_OUT or status in SHUT_OUT:
        alert(NAME, AlertKind.CREDENTIALS_REFUSED, told)
        return Unavailable(told)
    if code in THROTTLED or status == 429:
        return Unavailable(told)
    if status in kind.codes and status >= 300:
        return _named(kind, kind.codes[status], told, text)
    certain = 400 <= status < 500 and status != 408
    # An error inside a 200 with an undocumented code leaves open whether the write was made.
    return kind.other(told) if certain else kind.silence(told)


def _named(kind: Kind, found: End | Callable[[str], End], told: str, text: str) -> SupplierError:
    """What is not possible is reported to the partner, in words for partners."""
    end = found if isinstance(found, type) else found(text)
    if end in ALERTS_OF_ENDS:
        alert(NAME, ALERTS_OF_ENDS[end], told)
    named: SupplierError = end(
        f"The hotel does not let this booking be {'cancelled' if kind is CANCEL else 'changed'}."
        if end is NotPossible
        else told
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
        raise kind.silence(f"LiteAPI's response cannot be read: {type(error).__name__}") from error


class LiteApiClient:
    """Calls that answer parsed JSON, and raise what a refusal means."""

    def __init__(self, credentials: Mapping[str, str]) -> None:
        headers = {"X-API-Key": credentials["key"]}
        self.search_host = SupplierHTTP(NAME, base_url=credentials["base_url"], headers=headers)
        self.lists_host = SupplierHTTP(
            NAME, base_url=credentials["base_url"], headers=headers, concurrency=2 * AT_ONCE, lane="lists"
        )
        self.booking_host = SupplierHTTP(NAME, base_url=credentials["booking_base_url"], headers=headers)
        self.payment_method = credentials["payment_method"]

    def rates(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """What hotels offer; nothing in it where nothing is to be had."""
        body = {**question, "timeout": SEARCH_TIMEOUT}
        reply = self.search_host.read("POST", "/hotels/rates", json=body, limits=SEARCH_LIMITS)
        try:
            return answer_of(reply, SEARCH)
        except NothingThere:
            return {"data": []}

    def least_rates(self, question: Mapping[str, Any]) -> Any:
        """The least price of each hotel for one stay."""
        body = {**question, "timeout": LEAST_TIMEOUT}
        reply = self.lists_host.read("POST", "/hotels/min-rates", json=body, limits=LEAST_LIMITS)
        try:
            return answer_of(reply, SEARCH)["data"]
        except NothingThere:
            return []

    def hotels(self, country: str, *, since: datetime | None, offset: int, limit: int) -> list[Any]:
        """A page of the hotels of a country; with `since` of those that have changed, which those taken off are among."""
        query: dict[str, str | int] = {
            "countryCode": country,
            "limit": limit,
            "offset": offset,
            "timeout": LIST_TIMEOUT,
        }
        if since is not None:
            query["lastUpdatedAt"] = rfc3339(since)
        reply = self.search_host.read("GET", "/data/hotels", query=query, limits=LIST_LIMITS)
        try:
            found = answer_of(reply, HOTELS)["data"]
        except NothingThere:
            return []
        if not isinstance(found, list | None):
            raise Unavailable("LiteAPI listed its hotels in a form that is not known")
        return found or []

    def hotel(self, hotel_id: str, language: str = "") -> Any:
        """What does not change from search to search, in English unless another language is named. Raises Missing."""
        query = {"hotelId": hotel_id, **({"language": language} if language else {})}
        return _there(self.search_host.read("GET", "/data/hotel", query=query, limits=FACTS_LIMITS), FACTS)

    def prebook(self, offer_id: str) -> Any:
        """The offer's price and terms now, held ready under a `prebookId`. Not a search, so never sent twice by itself."""
        body = {"offerId": offer_id, "usePaymentSdk": False}
        query = {"timeout": PREBOOK_TIMEOUT}
        try:
            reply = self.booking_host.write(
                "POST", "/rates/prebook", json=body, query=query, limits=PREBOOK_LIMITS
            )
        except OutcomeUnknown as error:
            raise Unavailable("no response to the prebook, which costs nothing") from error
        return answer_of(reply, PREBOOK)["data"]

    def book(self, booking: Mapping[str, Any]) -> Any:
        """Each call with a new `clientReference` makes a booking, also of a prebook that was booked before."""
        body = {**booking, "payment": {"method": self.payment_method}}
        query = {"timeout": BOOK_TIMEOUT}
        reply = self.booking_host.write("POST", "/rates/book", json=body, query=query, limits=BOOK_LIMITS)
        return answer_of(reply, BOOK, about=str(booking["clientReference"]))["data"]

    def booking(self, booking_id: str) -> Any:
        """Raises Missing."""
        query = {"timeout": READ_TIMEOUT}
        reply = self.booking_host.read("GET", _path(booking_id), query=query, limits=READ_LIMITS)
        return _there(reply, READ)

    def bookings_of(self, client_reference: str) -> list[Any]:
        """The bookings under our reference, as their filter finds them."""
        return self._listed("/bookings", {"clientReference": client_reference, "timeout": READ_TIMEOUT})

    def bookings_made(self, first: date, last: date) -> list[Any]:
        """The confirmed bookings made from one day to another, both included. Another list than that above: its path ends in a
        slash, its values are in small letters, and it takes no `timeout`.
        """
        days = {"bookingStartDate": first.isoformat(), "bookingEndDate": last.isoformat()}
        return self._listed("/bookings/", {**days, "status": "confirmed"})

    def _listed(self, path: str, query: Mapping[str, str | int]) -> list[Any]:
        reply = self.booking_host.read("GET", path, query=query, limits=READ_LIMITS)
        try:
            found = answer_of(reply, LIST)["data"]
        except NothingThere:
            return []
        if not isinstance(found, list | None):
            raise Unavailable("LiteAPI listed its bookings in a form that is not known")
        return found or []

    def alternatives(self, booking_id: str, stay: Mapping[str, Any]) -> list[Any]:
        """Prebooks of the same hotel in place of a booking; none where nothing is to be had. Raises NotPossible."""
        path, body = f"{_path(booking_id)}/alternative-prebooks", {**stay, "maxPrebooks": MOST_ALTERNATIVES}
        try:
            reply = self.booking_host.write("POST", path, json=body, limits=ALTERNATIVES_LIMITS)
            found = answer_of(reply, ALTERNATIVES)["data"]
        except NothingThere:
            return []
        except OutcomeUnknown as error:
            raise Unavailable("no response to the prebooks, which cost nothing") from error
        if not isinstance(found, list | None):
            raise Unavailable("LiteAPI listed its prebooks in a form that is not known")
        return found or []

    def rebook(self, booking: Mapping[str, Any]) -> Any:
        """Books a prebook in place of a booking, which they cancel then. Nothing is charged again by the call. Raises Queued for
        a change that waits for their people.
        """
        query = {"timeout": REBOOK_TIMEOUT}
        body = {**booking, "payment": {"method": "NONE"}}
        reply = self.booking_host.write("POST", "/rates/rebook", json=body, query=query, limits=REBOOK_LIMITS)
        if reply.status == QUEUED:
            raise Queued("the change waits for LiteAPI's people")
        return answer_of(reply, REBOOK, about=str(booking["clientReference"]))["data"]

    def cancel(self, booking_id: str) -> Any:
        """Raises Missing, NotPossible."""
        query = {"timeout": CANCEL_TIMEOUT}
        reply = self.booking_host.write("PUT", _path(booking_id), query=query, limits=CANCEL_LIMITS)
        return answer_of(reply, CANCEL)["data"]

    def amend(self, booking_id: str, holder: Mapping[str, str]) -> None:
        """Ask for another holder. Their people work on it: the answer says PENDING, without `data`, and no call reads what became
        of it. Each call is a request of its own. Raises Missing.
        """
        path = f"{_path(booking_id)}/amend"
        reply = self.booking_host.write("PUT", path, json={"holder": dict(holder)}, limits=AMEND_LIMITS)
        answer_of(reply, AMEND, has_data=False)


def _path(booking_id: str) -> str:
    return f"/bookings/{quote(booking_id, safe='')}"


def _there(reply: Reply, kind: Kind) -> Any:
    """The one object that was asked for."""
    try:
        return answer_of(reply, kind)["data"]
    except NothingThere as error:
        raise Missing(str(error)) from error
