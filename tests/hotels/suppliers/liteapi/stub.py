"""LiteAPI on this machine: both its hosts on one port, `/api/v3.0` to search and `/book/v3.0` to book.

    python -m tests.hotels.suppliers.liteapi.stub --port 9601

Strict about the key, the hosts, the paths, the parameters and the bodies (`asked`). `books` is the account behind it, whose
prices a test moves.
"""

import json
from collections.abc import Callable
from typing import Any
from urllib.request import Request, urlopen

from tests.hotels.suppliers.liteapi import asked
from tests.hotels.suppliers.liteapi.asked import Json, Refusal, demand
from tests.hotels.suppliers.liteapi.books import Books
from tests.support.supplier_stub import Answer, Heard, SupplierStub, Trouble, refusal, route, run

KEY = "sand_stub-key-Zq81"
WEBHOOK_TOKEN = "stub-webhook-token-Zq82"
SEARCHING, BOOKING = "/api/v3.0", "/book/v3.0"

RATES = ("POST", f"{SEARCHING}/hotels/rates")
LEAST = ("POST", f"{SEARCHING}/hotels/min-rates")
FACTS = ("GET", f"{SEARCHING}/data/hotel")
CATALOGUE = ("GET", f"{SEARCHING}/data/hotels")
PREBOOK = ("POST", f"{BOOKING}/rates/prebook")
BOOK = ("POST", f"{BOOKING}/rates/book")
LIST = ("GET", f"{BOOKING}/bookings")
LIST_BY_DAYS = ("GET", f"{BOOKING}/bookings/")
READ = ("GET", f"{BOOKING}/bookings/{{booking}}")
CANCEL = ("PUT", f"{BOOKING}/bookings/{{booking}}")
AMEND = ("PUT", f"{BOOKING}/bookings/{{booking}}/amend")
ALTERNATIVES = ("POST", f"{BOOKING}/bookings/{{booking}}/alternative-prebooks")
REBOOK = ("POST", f"{BOOKING}/rates/rebook")


def refused(code: int | str, status: int = 400, *, told: str = "stub", times: int = 1) -> Trouble:
    """Their form of a refusal, which comes with 200, too."""
    return refusal(status, {"error": {"code": code, "description": "stub", "message": told}}, times=times)


class LiteApiStub(SupplierStub):
    def __init__(self, *, port: int = 0) -> None:
        super().__init__(port=port)
        self.books = Books()

    def credentials(self) -> dict[str, str]:
        """As SUPPLIER_CREDENTIALS["liteapi"] would have them."""
        return {
            "key": KEY,
            "base_url": self.url + SEARCHING,
            "booking_base_url": self.url + BOOKING,
            "payment_method": self.books.payment_method,
            "webhook_token": WEBHOOK_TOKEN,
        }

    def authorised(self, heard: Heard) -> bool:
        return heard.headers.get("x-api-key") == KEY

    def unauthorised(self) -> Answer:
        return 401, {"error": {"code": 401, "message": "stub: Unauthorized"}}

    def store(self) -> Any:
        return self.books.report()

    @route(*RATES)
    def rates(self, heard: Heard) -> Answer:
        return answered(lambda: self.books.rates(body_of(heard)), lambda: no_parameters(heard))

    @route(*LEAST)
    def least(self, heard: Heard) -> Answer:
        return answered(lambda: self.books.least(body_of(heard)), lambda: no_parameters(heard))

    @route(*FACTS)
    def hotel(self, heard: Heard) -> Answer:
        query = heard.query
        return answered(
            lambda: self.books.hotel(query["hotelId"], query.get("language", "en")),
            lambda: asked.of_hotel(query),
        )

    @route(*CATALOGUE)
    def hotels(self, heard: Heard) -> Answer:
        return answered(lambda: self.books.hotels(heard.query), lambda: asked.of_hotels(heard.query))

    @route(*PREBOOK)
    def prebook(self, heard: Heard) -> Answer:
        return answered(lambda: self.books.prebook(body_of(heard)), lambda: asked.waiting(heard.query))

    @route(*BOOK)
    def book(self, heard: Heard) -> Answer:
        return answered(lambda: self.books.book(body_of(heard)), lambda: asked.waiting(heard.query))

    @route(*LIST)
    def list_bookings(self, heard: Heard) -> Answer:
        return answered(
            lambda: self.books.bookings_of(heard.query.get("clientReference", "")),
            lambda: asked.by_reference(heard.query),
        )

    @route(*LIST_BY_DAYS)
    def list_bookings_by_days(self, heard: Heard) -> Answer:
        query = heard.query
        return answered(
            lambda: self.books.bookings_made(
                query["bookingStartDate"], query["bookingEndDate"], query.get("status", "confirmed")
            ),
            lambda: asked.by_days(query),
        )

    @route(*READ)
    def read(self, heard: Heard, booking: str) -> Answer:
        return answered(lambda: self.books.booking(booking), lambda: asked.waiting(heard.query))

    @route(*CANCEL)
    def cancel(self, heard: Heard, booking: str) -> Answer:
        return answered(lambda: self.books.cancel(booking), lambda: asked.waiting(heard.query))

    @route(*AMEND)
    def amend(self, heard: Heard, booking: str) -> Answer:
        return answered(lambda: self.books.amend(booking, body_of(heard)), lambda: no_parameters(heard))

    @route(*ALTERNATIVES)
    def alternatives(self, heard: Heard, booking: str) -> Answer:
        return answered(
            lambda: self.books.alternatives(booking, body_of(heard)), lambda: no_parameters(heard)
        )

    @route(*REBOOK)
    def rebook(self, heard: Heard) -> Answer:
        status, answer = answered(
            lambda: self.books.rebook(body_of(heard)), lambda: asked.waiting(heard.query)
        )[:2]
        return (202, answer) if status == 200 and "audit_trail" in answer["data"] else (status, answer)

    def event(self, name: str, booking_id: str, event_id: str) -> bytes:
        """A webhook's body: what was asked and answered as JSON in strings."""
        booking = self.books.bookings[booking_id]
        response = {
            "data": {"bookingId": booking_id, "status": booking["status"], "holder": booking["holder"]}
        }
        return json.dumps(
            {
                "event_id": event_id,
                "event_name": name,
                "request": json.dumps({"clientReference": booking["clientReference"]}),
                "response": json.dumps(response),
                "sandbox": True,
            }
        ).encode()

    def send_webhook(self, to: str, name: str, booking_id: str, event_id: str, times: int = 2) -> list[int]:
        """At least once, which is often twice; the statuses of the answers."""
        headers = {"authorization": WEBHOOK_TOKEN, "content-type": "application/json"}
        body = self.event(name, booking_id, event_id)
        return [urlopen(Request(to, body, headers), timeout=10).status for _ in range(times)]


def answered(act: Callable[[], Json], check: Callable[[], None]) -> Answer:
    """What `act` answers to a call that `check` has let pass."""
    try:
        check()
        return 200, act()
    except Refusal as refusal:
        if refusal.code == 0:
            return refusal.status, None
        return refusal.status, {"error": {"code": refusal.code, "message": refusal.message}}


def body_of(heard: Heard) -> Json:
    demand(heard.headers.get("content-type", "").startswith("application/json"), "request body validation")
    body = heard.json
    demand(isinstance(body, dict), "request body validation")
    return dict(body)


def no_parameters(heard: Heard) -> None:
    asked.members(heard.query, (), (), where="query")


if __name__ == "__main__":
    run(LiteApiStub)
