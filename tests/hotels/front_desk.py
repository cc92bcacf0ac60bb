"""Hotels as a partner's client would use them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from apps.common import clock
from tests.support.api import Api, Reply

LISBON = {"destination": {"city": "Lisbon", "countryCode": "PT"}}
ADA = {"firstName": "Ada", "lastName": "Lovelace", "type": "adult"}
CHARLES = {"firstName": "Charles", "lastName": "Babbage", "type": "adult"}
BYRON = {"firstName": "Byron", "lastName": "King", "type": "child", "age": 7}
OTHER_NAME = {"guest": 0, "firstName": "Ada", "lastName": "Byron"}
CONTACT = {"email": "ada@example.com", "phone": "+351210000000"}


def in_days(days: int) -> str:
    """A date so many days ahead, as the wire writes it."""
    return (clock.today() + timedelta(days=days)).isoformat()


@dataclass
class FrontDesk:
    """A partner at work."""

    api: Api

    def search(self, body: dict[str, Any] | None = None, **headers: str) -> Reply:
        """Lisbon unless `body` says where."""
        return self.api.post("/v1/hotels/searches", LISBON if body is None else body, **headers)

    def hotels(self, body: dict[str, Any] | None = None) -> list[dict[str, Any]]:
        """What a search finds; it must succeed."""
        reply = self.search(body)
        assert reply.status == 201, reply.body
        return reply.body["hotels"]

    def rate(self, body: dict[str, Any] | None = None, *, refundable: bool = True) -> dict[str, Any]:
        """The first rate found that is refundable, or is not."""
        return next(r for r in rates(self.hotels(body)) if r["refundable"] is refundable)

    def book(self, rate: dict[str, Any] | str, key: str | None = None, **more: Any) -> Reply:
        """A booking for Ada; keywords in the wire's spelling replace or add fields, X_… ones are headers."""
        headers = {name: more.pop(name) for name in list(more) if name.startswith("X_")}
        rate_id = rate if isinstance(rate, str) else rate["rateId"]
        body = {"rateId": rate_id, "guests": [ADA], "contact": CONTACT, **more}
        return self.api.post("/v1/hotels/bookings", body, key=key, **headers)

    def booked(self, rate: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        """A confirmed booking, of a refundable rate unless another is given."""
        reply = self.book(rate or self.rate(), **more)
        assert reply.status == 201, reply.body
        return reply.body

    def read(self, booking_id: str) -> Reply:
        return self.api.get(f"/v1/hotels/bookings/{booking_id}")

    def cancel(self, booking: dict[str, Any], body: object | None = None, **headers: str) -> Reply:
        return self.api.post(f"/v1/hotels/bookings/{booking['id']}/cancel", body, **headers)

    def correct(
        self, booking: dict[str, Any], key: str | None = None, body: object | None = None, **headers: str
    ) -> Reply:
        """Ada Lovelace becomes Ada Byron, unless `body` says otherwise."""
        asked = OTHER_NAME if body is None else body
        path = f"/v1/hotels/bookings/{booking['id']}/correct-guest"
        return self.api.post(path, asked, key=key, **headers)

    def options(self, booking: dict[str, Any], **wanted: Any) -> Reply:
        return self.api.post(f"/v1/hotels/bookings/{booking['id']}/change-options", wanted)

    def options_of(self, booking: dict[str, Any], **wanted: Any) -> list[dict[str, Any]]:
        """What a booking can be changed to, the cheapest first; it must succeed, and find something."""
        reply = self.options(booking, **wanted)
        assert reply.status == 200, reply.body
        assert reply.body["options"]
        return reply.body["options"]

    def change(
        self, booking: dict[str, Any], option: dict[str, Any] | str, key: str | None = None, **more: Any
    ) -> Reply:
        headers = {name: more.pop(name) for name in list(more) if name.startswith("X_")}
        change_id = option if isinstance(option, str) else option["changeId"]
        body = {"changeId": change_id, **more}
        return self.api.post(f"/v1/hotels/bookings/{booking['id']}/change", body, key=key, **headers)

    def balance(self) -> tuple[int, int]:
        """Available and held."""
        balance = self.api.get("/v1/account").body["balance"]
        return balance["availableCents"], balance["heldCents"]


def rates(hotels: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    return (rate for hotel in hotels for rate in hotel["rates"])


def faults(reply: Reply) -> list[str]:
    """The fields that a 400 names."""
    assert (reply.status, reply.error_type) == (400, "invalid_request"), reply.body
    return [detail["field"] for detail in reply.error["details"]]
