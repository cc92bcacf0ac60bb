"""Hotelbeds' Transfers API in HTTP: paths, headers, seconds to wait. Answers come back as their JSON, refusals as outcomes."""

from datetime import date
from typing import Any
from urllib.parse import quote

from apps.common import clock
from apps.suppliers.alerts import alert
from apps.suppliers.errors import OutcomeUnknown, SupplierError, Unavailable
from apps.suppliers.http import Limits, Reply, SupplierHTTP, Unreadable
from apps.suppliers.results import LONGEST_REFERENCE
from apps.transfers.suppliers.base import TransferSearch
from apps.transfers.suppliers.hotelbeds.errors import Asked, Refusal, error_of, problem_of
from apps.transfers.suppliers.hotelbeds.points import route
from apps.transfers.suppliers.hotelbeds.quota import DailyQuota
from apps.transfers.suppliers.hotelbeds.reading import text
from apps.transfers.suppliers.hotelbeds.signature import signature

NAME = "hotelbeds"
LIVE = "https://api.hotelbeds.com"
PREFIX = "/transfer-api/1.0"
LANGUAGE = "en"

Document = dict[str, Any]


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
        return _listed(_document(reply), "services") if reply.body.strip() else []

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
        return _items(_document(reply), "bookings") if reply.body.strip() else []

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


def _document(reply: Reply) -> Any:
    try:
        return reply.json()
    except Unreadable as error:
        raise Unavailable(f"Hotelbeds: {reply.status} that cannot be read") from error


def _items(document: Any, name: str) -> list[Document]:
    return [item for item in _listed(document, name) if isinstance(item, dict)]


def _listed(document: Any, name: str) -> list[Any]:
    found = document.get(name) if isinstance(document, dict) else None
    return found if isinstance(found, list) else []


def _only_booking(document: Any) -> Document:
    found = _items(document, "bookings")
    reference = text(found[0], "reference") if len(found) == 1 else ""
    if not 0 < len(reference) <= LONGEST_REFERENCE or reference != found[0]["reference"]:
        raise Unavailable("Hotelbeds: an answer without its booking")
    return found[0]
