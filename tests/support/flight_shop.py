"""A partner who sells flights: the requests of a journey, through any client with `get` and `post`."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Protocol

from tests.support.api import Reply

PASSENGER = {
    "title": "ms",
    "firstName": "Ada",
    "lastName": "Lovelace",
    "dateOfBirth": "1990-12-10",
    "type": "adult",
}
PASSPORT = {"type": "passport", "number": "AB1234567", "issuingCountry": "PT", "expiresOn": "2035-01-31"}
CONTACT = {"email": "ada@example.com", "phone": "+351210000000"}


class Client(Protocol):
    def get(self, path: str, **headers: str) -> Reply: ...

    def post(
        self, path: str, body: object | None = None, key: str | None = None, **headers: str
    ) -> Reply: ...


@dataclass
class FlightShop:
    api: Client

    def search(self, **changes: Any) -> list[dict[str, Any]]:
        """Offers from Lisbon to Berlin, two months ahead."""
        body = {"origin": "LIS", "destination": "BER", "departureDate": day(60).isoformat(), **changes}
        reply = self.ask(body)
        assert reply.status == 201, reply.body
        offers: list[dict[str, Any]] = reply.body["offers"]
        return offers

    def ask(self, search: dict[str, Any]) -> Reply:
        return self.api.post("/v1/flights/searches", search)

    def offer(self, *, refundable: bool = True) -> dict[str, Any]:
        """A flexible offer, or one that is neither refundable nor changeable."""
        return next(
            offer
            for offer in self.search()
            if offer["conditions"]["refundable"] == refundable
            and offer["conditions"]["changeable"] == refundable
        )

    def order(self, offer: dict[str, Any], key: str | None = None, /, **more: Any) -> Reply:
        headers = {name: more.pop(name) for name in list(more) if name.startswith("X_")}
        return self.api.post("/v1/flights/orders", order_body(offer, **more), key, **headers)

    def ordered(self, offer: dict[str, Any] | None = None) -> dict[str, Any]:
        """A ticketed order."""
        reply = self.order(offer or self.offer())
        assert reply.status == 201, reply.body
        return dict(reply.body)

    def holdable(self, *, guaranteed: bool = True, **changes: Any) -> dict[str, Any]:
        """The first offer of a search that can be held; at a price that is kept until it is to be paid, or not."""
        return next(
            offer
            for offer in self.search(**changes)
            if offer["holdable"] and (offer["priceGuaranteedUntil"] == offer["payBy"]) == guaranteed
        )

    def held(self, offer: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        """An order on hold."""
        reply = self.order(offer or self.holdable(), hold=True, **more)
        assert (reply.status, reply.body.get("status")) == (201, "on_hold"), reply.body
        return dict(reply.body)

    def ordered_in_full(self) -> dict[str, Any]:
        """A ticketed order with a passport, a seat and a checked bag of 23 kg."""
        offers = self.search(includeDocumentOffers=True, limit=100)
        offer = next(one for one in offers if one["requirements"]["identityDocument"] == "required")
        path = f"/v1/flights/offers/{offer['offerId']}"
        bags = self.api.get(f"{path}/services").body["services"]
        bag = next(one for one in bags if one["kind"] == "checked_bag" and one["weightKg"] == 23)
        seats = self.api.get(f"{path}/seat-maps").body["seatMaps"][0]["cabins"][0]["rows"][2]["sections"]
        seat = next(one for section in seats for each in section["elements"] for one in each["services"])
        chosen = [{"serviceId": one["serviceId"], "quantity": 1} for one in (bag, seat)]
        traveller = {**PASSENGER, "identityDocuments": [PASSPORT]}
        reply = self.order(offer, passengers=[traveller], services=chosen)
        assert reply.status == 201, reply.body
        return dict(reply.body)

    def bag_of(self, order: dict[str, Any]) -> str:
        """The first bag that can be bought for an order."""
        sold = self.api.get(f"/v1/flights/orders/{order['id']}/services").body["services"]
        return next(str(one["serviceId"]) for one in sold if one["totalCents"])

    def add(self, order: dict[str, Any], service_id: str, key: str | None = None, /) -> Reply:
        chosen = {"services": [{"serviceId": service_id, "quantity": 1}]}
        return self.api.post(f"/v1/flights/orders/{order['id']}/services", chosen, key)

    def pay(self, order: dict[str, Any], key: str | None = None, /, **body: Any) -> Reply:
        headers = {name: body.pop(name) for name in list(body) if name.startswith("X_")}
        return self.api.post(f"/v1/flights/orders/{order['id']}/pay", body, key, **headers)

    def read(self, order_id: str) -> dict[str, Any]:
        return dict(self.api.get(f"/v1/flights/orders/{order_id}").body)

    def cancel(self, order_id: str, key: str | None = None, /, **body: Any) -> Reply:
        return self.api.post(f"/v1/flights/orders/{order_id}/cancel", body, key)

    def options(self, order: dict[str, Any]) -> list[dict[str, Any]]:
        """The ways to change the order's first slice, the cheapest first."""
        leg = order["slices"][0]
        added = {
            "origin": leg["origin"],
            "destination": leg["destination"],
            "departureDate": day(67).isoformat(),
        }
        body = {"removeSliceId": leg["sliceId"], "add": added}
        reply = self.api.post(f"/v1/flights/orders/{order['id']}/change-options", body)
        assert reply.status == 200, reply.body
        return sorted(reply.body["options"], key=lambda option: option["differenceCents"])

    def change(self, order_id: str, option: dict[str, Any], key: str | None = None) -> Reply:
        return self.api.post(f"/v1/flights/orders/{order_id}/change", {"changeId": option["changeId"]}, key)


def day(ahead: int) -> date:
    return datetime.now(UTC).date() + timedelta(days=ahead)


def order_body(offer: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"offerId": offer["offerId"], "passengers": [PASSENGER], "contact": CONTACT, **more}
