"""Airalo's Partner API v2 over HTTP: paths, bodies, the bearer token, timeouts, and what a refusal means."""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from apps.esim.suppliers.airalo.mapping import count
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
from apps.suppliers.http import Limits, Reply, SupplierHTTP
from apps.suppliers.models import AlertKind
from apps.suppliers.tokens import TokenStore

logger = logging.getLogger(__name__)

NAME = "airalo"
LONGEST_CODE = 9
TOKEN_LIMITS = Limits(read=10)
CATALOGUE_LIMITS = Limits(read=60)
ORDER_LIMITS = Limits(read=60)
USAGE_LIMITS = Limits(read=8)
PROFILE_LIMITS = Limits(read=10)

PLACES_A_PAGE = 100
MOST_PAGES = 200
MOST_ORDERS = 100

NOTHING: Mapping[str, str] = MappingProxyType({})
Send = Callable[[Mapping[str, str]], Reply]


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
"""Their words for an object of another account. A token that is no longer valid gets the same status."""
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
    said = f"Airalo returned status {reply.status}" + (f", code {code}" if code is not None else "")
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
    """`{"code": 34, …}`, perhaps inside `data`, perhaps as text; None if absent."""
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
    fields = object_of(reply).get("data")
    if not isinstance(fields, dict):
        return set()
    return {name for name, text in fields.items() if "selected" in str(text) and "invalid" in str(text)}


def is_not_ours(reply: Reply) -> bool:
    """Whether a read of one object is refused because it belongs to another account: with a fresh token, too, it is a 401."""
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
    """An answer that is not as documented says nothing: after a write, the order may well exist."""
    try:
        yield
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, ArithmeticError) as error:
        # Not the error's own words, which may quote an activation code.
        logger.error("a response of Airalo cannot be read: %s", type(error).__name__)
        raise unclear("Airalo's response cannot be read", wrote=wrote) from None


class AiraloClient:
    """Calls that answer parsed JSON, and raise what a refusal means."""

    def __init__(self, *, http: SupplierHTTP, tokens: TokenStore, client_id: str, client_secret: str) -> None:
        self.http = http
        self.tokens = tokens
        self.client_id = client_id
        self._client_secret = client_secret

    def pages(self, kind: str) -> Iterator[Any]:
        """The packages of `local` or `global`, page by page until the last one that an answer names."""
        page = last = 1
        while page <= last:
            if page > MOST_PAGES:
                raise Unavailable("Airalo's catalogue has no end")
            body = self.page(kind, page, limit=PLACES_A_PAGE)
            yield body
            with readable():
                last = count((body.get("meta") or {}).get("last_page") or 1)
            page += 1

    def page(self, kind: str, page: int, *, limit: int) -> Any:
        query = {"filter[type]": kind, "limit": str(limit), "page": str(page)}
        return self._read("/packages", CATALOGUE_LIMITS, ours=False, query=query)

    def order(self, package_id: str, description: str) -> Any:
        """Buys one eSIM, at each call: nothing about this is idempotent."""
        body = {"package_id": package_id, "quantity": 1, "type": "sim", "description": description}
        return self._write("/orders", json=body)

    def top_up(self, iccid: str, package_id: str, description: str) -> Any:
        """Buys one top-up, at each call. A form, as their own client sends it."""
        form = {"package_id": package_id, "iccid": iccid, "description": description}
        return self._write("/orders/topups", form=form)

    def refund(self, iccid: str, reason: str, notes: str) -> Any:
        """Asks for a refund, at each call: whether a second request is guarded is not documented. A form, as their pages say."""
        form = {"iccids[]": iccid, "reason": reason, **({"notes": notes} if notes else {})}
        return self._write("/refund", form=form)

    def _write(self, path: str, **body: Any) -> Any:
        reply = self._authorised(
            lambda headers: self.http.write("POST", path, headers=headers, limits=ORDER_LIMITS, **body),
            wrote=True,
        )
        return answer_of(reply, wrote=True)

    def orders_like(self, description: str) -> Any:
        """The orders whose description contains `description`."""
        return self._orders("description", description)

    def orders_of(self, iccid: str) -> Any:
        """The orders of one profile, its top-ups too."""
        return self._orders("iccid", iccid)

    def _orders(self, filtered_by: str, text: str) -> Any:
        query = {f"filter[{filtered_by}]": text, "include": "sims,status", "limit": str(MOST_ORDERS)}
        return self._read("/orders", ORDER_LIMITS, ours=False, query=query)

    def order_by_id(self, order_id: str) -> Any:
        query = {"include": "sims,status"}
        return self._read(f"/orders/{quote(order_id, safe='')}", ORDER_LIMITS, query=query)

    def usage(self, iccid: str) -> Any:
        return self._read(_profile(iccid, "usage"), USAGE_LIMITS)

    def top_ups(self, iccid: str) -> Any:
        """The packages that a profile can be topped up with."""
        return self._read(_profile(iccid, "topups"), PROFILE_LIMITS)

    def instructions(self, iccid: str, language: str) -> Any:
        language_of = {"Accept-Language": language}
        return self._read(_profile(iccid, "instructions"), PROFILE_LIMITS, headers=language_of)

    def _read(
        self,
        path: str,
        limits: Limits,
        *,
        ours: bool = True,
        query: Mapping[str, str] = NOTHING,
        headers: Mapping[str, str] = NOTHING,
    ) -> Any:
        """`ours`: one object of our account. Raises Missing where they say that it is another account's."""
        reply = self._authorised(
            lambda token: self.http.read(
                "GET", path, query=query, headers={**token, **headers}, limits=limits
            )
        )
        if ours and is_not_ours(reply):
            raise Missing("Airalo has it under no name of ours")
        return answer_of(reply)

    def _authorised(self, send: Send, *, wrote: bool = False) -> Reply:
        """With a token that was renewed once where Airalo no longer took it: a 401 has done nothing, not even on a write."""
        token = self.tokens.get(self._new_token)
        reply = send(_bearer(token))
        if reply.status != 401 or not self._gives_up(token, reply, wrote=wrote):
            return reply
        return send(_bearer(self.tokens.get(self._new_token)))

    def _gives_up(self, token: str, reply: Reply, *, wrote: bool) -> bool:
        """Whether `token` is to be renewed after this 401. A read that is refused in the words for another account's object may
        be refused for the token as well: that is tried now and then, and not for each of them.
        """
        if is_not_ours(reply) and not wrote:
            return self.tokens.doubt(token)
        self.tokens.forget(token)
        return True

    def _new_token(self) -> tuple[str, float]:
        """A token, and for how many seconds they say it is good: a day in their text, a year in their example."""
        form = {
            "client_id": self.client_id,
            "client_secret": self._client_secret,
            "grant_type": "client_credentials",
        }
        reply = self.http.read(
            "POST", "/token", form=form, headers={"Accept": "application/json"}, limits=TOKEN_LIMITS
        )
        body = answer_of(reply)
        with readable():
            return str(body["data"]["access_token"]), float(body["data"]["expires_in"])


def _profile(iccid: str, part: str) -> str:
    return f"/sims/{quote(iccid, safe='')}/{part}"


def _bearer(token: str) -> dict[str, str]:
    return {"Accept": "application/json", "Authorization": f"Bearer {token}"}
