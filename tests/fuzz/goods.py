"""Real ids and handles of the fuzzing partner: with made-up ones no case would get beyond 404 and 410."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

from tests.support.flight_shop import CONTACT, PASSENGER
from tests.support.own_service import Service
from tests.support.stack import HttpApi, manage

NAMES = {"firstName": "Ada", "lastName": "Lovelace"}
GUESTS = [{**NAMES, "type": "adult"}, {**NAMES, "type": "adult"}]
KEPT = 20
DELIVERED = 10  # a delivery can be sent again once it is finished, and nobody sends any after these


def ahead(days: int) -> str:
    return (date.today() + timedelta(days=days)).isoformat()


FLIGHT = {"origin": "LIS", "destination": "BER", "departureDate": ahead(60)}
TRANSFER = {
    "from": {"type": "IATA", "code": "BCN"},
    "to": {"type": "GEO", "latitude": 41.39, "longitude": 2.17, "town": "Barcelona"},
    "outbound": f"{ahead(60)}T14:30:00",
    "adults": 2,
}
STAY = {"checkIn": ahead(60), "checkOut": ahead(62)}
TRIP = "fuzz-trip"


@dataclass
class Goods:
    """What there is to name in a request. Every answer adds to it."""

    service: Service
    receiver: str
    """The URL that webhooks are sent to."""
    ids: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """By the path they belong in: `/v1/hotels/bookings`."""
    change: dict[str, Any] = field(default_factory=dict)
    """An order that can be changed, as the body of change-options and its order's id."""

    top_up: dict[str, Any] = field(default_factory=dict)
    """An order whose eSIM can be topped up, and the plan for that."""

    def __post_init__(self) -> None:
        self.api = HttpApi(self.service.url, self.service.secret)
        self.stock()

    def stock(self) -> None:
        """One of everything, through the API."""
        rate = self.post("/v1/hotels/searches", STAY)["hotels"][0]["rates"][0]
        self.post("/v1/hotels/bookings", {"rateId": rate["rateId"], "guests": GUESTS[:1], "contact": CONTACT})
        self.keep("/v1/flights/orders", self.order_flight())
        self.order_flight()
        quote = self.post("/v1/transfers/searches", TRANSFER)["offers"][0]
        self.post(
            "/v1/transfers/orders", {"quoteId": quote["quoteId"], "leadPassenger": {**NAMES, **CONTACT}}
        )
        self.learn("/v1/esim/plans", self.api.get("/v1/esim/plans").body)
        esim = self.post("/v1/esim/orders", {"planId": self.ids["/v1/esim/plans"][0], "tripReference": TRIP})
        offered = self.api.get(f"/v1/esim/orders/{esim['id']}/topups").body["plans"]
        self.top_up = {"id": esim["id"], "planId": offered[0]["id"]}
        endpoint = self.post(
            "/v1/webhooks/endpoints",
            {"url": self.receiver, "events": ["booking.confirmed", "booking.cancelled"]},
        )
        for _ in range(DELIVERED):
            self.post(f"/v1/webhooks/endpoints/{endpoint['id']}/test", {})
        manage(self.service.environment, "deliver_webhooks")
        self.learn("/v1/webhooks/deliveries", self.api.get("/v1/webhooks/deliveries").body)

    def order_flight(self) -> str:
        """The id of an order that is to be changed, and by nobody cancelled before; its change options are known."""
        offers = self.post("/v1/flights/searches", FLIGHT)["offers"]
        offer = next(offer for offer in offers if offer["conditions"]["changeable"])
        order = self.post(
            "/v1/flights/orders",
            {"offerId": offer["offerId"], "passengers": [PASSENGER], "contact": CONTACT},
        )
        self.ids["/v1/flights/orders"].remove(order["id"])
        leg = order["slices"][0]
        later = (datetime.fromisoformat(leg["departureAt"]) + timedelta(days=7)).date().isoformat()
        added = {"origin": leg["origin"], "destination": leg["destination"], "departureDate": later}
        self.change = {"id": order["id"], "removeSliceId": leg["sliceId"], "add": added}
        body = {"removeSliceId": leg["sliceId"], "add": added}
        self.post(f"/v1/flights/orders/{order['id']}/change-options", body)
        return str(order["id"])

    def post(self, path: str, body: object) -> dict[str, Any]:
        reply = self.api.post(path, body)
        assert reply.status in {200, 201, 202}, reply.body
        self.learn(path, reply.body)
        return dict(reply.body)

    def learn(self, path: str, body: Any) -> None:
        """Keep the ids that an answer of `path` names, the latest of each kind."""
        rows = body["data"] if isinstance(body, dict) and isinstance(body.get("data"), list) else [body]
        for row in rows:
            if isinstance(row, dict):
                if path.count("/") == 3 and "id" in row and row.get("status") != "PENDING":
                    self.keep(path, row["id"])
                for hotel in row.get("hotels", []):
                    self.keep("rates", *(rate["rateId"] for rate in hotel["rates"][:2]))
                self.keep(
                    "offers", *(offer["offerId"] for offer in row.get("offers", []) if "offerId" in offer)
                )
                self.keep(
                    "quotes", *(offer["quoteId"] for offer in row.get("offers", []) if "quoteId" in offer)
                )
                self.keep("changes", *(option["changeId"] for option in row.get("options", [])))

    def keep(self, kind: str, *found: str) -> None:
        self.ids[kind] = [*self.ids[kind], *found][-KEPT:]

    def one(self, kind: str, number: int) -> str:
        """One of the latest, or an id that nobody has."""
        found = self.ids[kind]
        return found[number % len(found)] if found else f"none_{number}"
