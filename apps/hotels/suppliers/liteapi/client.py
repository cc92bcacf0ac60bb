"""LiteAPI v3.0 in its own words: two hosts, one key, and how long each call may take."""

from collections.abc import Mapping
from datetime import date
from typing import Any
from urllib.parse import quote

from django.conf import settings

from apps.hotels.suppliers.liteapi.errors import (
    BOOK,
    CANCEL,
    FACTS,
    LIST,
    NAME,
    PREBOOK,
    READ,
    SEARCH,
    Kind,
    NothingThere,
    answer_of,
)
from apps.suppliers.errors import Missing, OutcomeUnknown, Unavailable
from apps.suppliers.http import Limits, Reply, SupplierHTTP

# What they are told to take, in seconds, and how long we wait for it. What is asked before a write ends within the lease of its
# operation (OPERATION_LEASE_SECONDS).
SEARCH_TIMEOUT, SEARCH_LIMITS = 8, Limits(read=15)
PREBOOK_TIMEOUT, PREBOOK_LIMITS = 30, Limits(read=40, total=40)
BOOK_TIMEOUT, BOOK_LIMITS = 100, Limits(read=110)
READ_TIMEOUT, READ_LIMITS = 30, Limits(read=40, total=40)
CANCEL_TIMEOUT, CANCEL_LIMITS = 30, Limits(read=40)
FACTS_LIMITS = Limits(read=10)


class LiteApiClient:
    """Calls that answer parsed JSON, and raise what a refusal means."""

    def __init__(self, credentials: Mapping[str, str]) -> None:
        headers = {"X-API-Key": credentials["key"]}
        self.search_host = SupplierHTTP(NAME, base_url=credentials["base_url"], headers=headers)
        self.booking_host = SupplierHTTP(NAME, base_url=credentials["booking_base_url"], headers=headers)
        self.payment_method = credentials["payment_method"]

    @classmethod
    def configured(cls) -> "LiteApiClient":
        return cls(settings.SUPPLIER_CREDENTIALS[NAME])

    def rates(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """What hotels offer; nothing in it where nothing is to be had."""
        body = {**question, "timeout": SEARCH_TIMEOUT}
        reply = self.search_host.read("POST", "/hotels/rates", json=body, limits=SEARCH_LIMITS)
        try:
            return answer_of(reply, SEARCH)
        except NothingThere:
            return {"data": []}

    def hotel(self, hotel_id: str) -> Any:
        """What does not change from search to search. Raises Missing."""
        query = {"hotelId": hotel_id}
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
            raise Unavailable("no answer to the prebook, which costs nothing") from error
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

    def cancel(self, booking_id: str) -> Any:
        """Raises Missing, NotPossible."""
        query = {"timeout": CANCEL_TIMEOUT}
        reply = self.booking_host.write("PUT", _path(booking_id), query=query, limits=CANCEL_LIMITS)
        return answer_of(reply, CANCEL)["data"]


def _path(booking_id: str) -> str:
    return f"/bookings/{quote(booking_id, safe='')}"


def _there(reply: Reply, kind: Kind) -> Any:
    """The one object that was asked for."""
    try:
        return answer_of(reply, kind)["data"]
    except NothingThere as error:
        raise Missing(str(error)) from error
