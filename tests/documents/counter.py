"""Where a partner books, and asks for documents of what was booked."""

import re
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from typing import Any

from apps.bookings.models import Booking
from tests.contract.goods import Goods
from tests.hotels.front_desk import ADA, BYRON, CHARLES, FrontDesk, in_days
from tests.support.api import Api, Reply
from tests.support.flight_shop import CONTACT, PASSENGER, FlightShop, day

PATHS = {
    "hotel": "hotels/bookings",
    "flight": "flights/orders",
    "transfer": "transfers/orders",
    "esim": "esim/orders",
}
PRODUCTS = sorted(PATHS)
ROOMS = [{"adults": 2, "childrenAges": [7]}, {"adults": 1}]
LISBON = {"destination": {"city": "Lisbon", "countryCode": "PT"}}


@dataclass
class Counter:
    api: Api

    @cached_property
    def goods(self) -> Goods:
        return Goods(self.api)

    def booked(self, product: str) -> dict[str, Any]:
        """A confirmed booking of the product."""
        booking: dict[str, Any] = getattr(
            self.goods,
            {
                "hotel": "hotel_booking",
                "flight": "flight_order",
                "transfer": "transfer_order",
                "esim": "esim_order",
            }[product],
        )
        return booking

    def stay(self, **more: Any) -> dict[str, Any]:
        """A family in two rooms in Lisbon."""
        desk = FrontDesk(self.api)
        found = desk.rate({**LISBON, "checkIn": in_days(40), "checkOut": in_days(43), "rooms": ROOMS})
        return desk.booked(found, **{"guests": [ADA, CHARLES, BYRON, {**ADA, "firstName": "Mary"}], **more})

    def flights(
        self, passengers: list[dict[str, Any]], *legs: tuple[str, str], **more: Any
    ) -> dict[str, Any]:
        """An order of these legs, ten days apart."""
        search: dict[str, Any] = {
            "slices": [
                {"origin": start, "destination": end, "departureDate": day(60 + 10 * at).isoformat()}
                for at, (start, end) in enumerate(legs)
            ],
            "passengers": {"adults": len(passengers)},
        }
        reply = FlightShop(self.api).ask(search)
        assert reply.status == 201, reply.body
        offer = {"offerId": reply.body["offers"][0]["offerId"], "passengers": passengers, "contact": CONTACT}
        reply = self.api.post("/v1/flights/orders", {**offer, **more})
        assert reply.status == 201, reply.body
        return dict(reply.body)

    def cancel(self, booking: dict[str, Any]) -> None:
        product = Booking.objects.get(pk=booking["id"]).product
        reply = self.api.post(f"/v1/{PATHS[product]}/{booking['id']}/cancel", {})
        assert reply.status == 200, reply.body

    def ask(self, booking: dict[str, Any], **query: str) -> Reply:
        """Names with a capital are headers."""
        product = Booking.objects.get(pk=booking["id"]).product
        headers = {name: query.pop(name) for name in list(query) if name[0].isupper()}
        parameters = "&".join(f"{name}={value}" for name, value in query.items())
        return self.api.get(f"/v1/{PATHS[product]}/{booking['id']}/document?{parameters}", **headers)

    def page(self, booking: dict[str, Any], **query: str) -> str:
        """The document as a page."""
        reply = self.ask(booking, format="html", **query)
        assert reply.status == 200, reply.body
        return reply.content.decode()

    def text(self, booking: dict[str, Any], **query: str) -> str:
        """What one reads on the page, a space between its parts."""
        return text_of(self.page(booking, **query))


def text_of(page: str) -> str:
    _, _, body = page.partition("<body>")
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


def named(first: str, last: str) -> dict[str, Any]:
    return {**PASSENGER, "firstName": first, "lastName": last}
