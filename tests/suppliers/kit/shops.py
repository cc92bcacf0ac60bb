"""What a partner does, the same with every product: search, book, read, cancel."""

from dataclasses import dataclass
from typing import Any, Protocol
from uuid import uuid4

from apps.esim.services.sync import sync_environment
from apps.suppliers.errors import SupplierError
from tests.flights.desk import Desk, search_body
from tests.hotels.front_desk import FrontDesk, in_days, rates
from tests.support.api import Api, Reply
from tests.transfers.agency import BOTH_WAYS, FEE, SEARCH, cancel, order


@dataclass(frozen=True)
class Offer:
    """What is booked by (`handle`), and the price that the partner was quoted."""

    handle: str
    cents: int


class Shop(Protocol):
    api: Api
    standing: str
    """The status of a booking that stands."""
    cancels: bool
    """Whether partners can cancel."""

    def search(self) -> Reply:
        """However the supplier behaves."""

    def offers(self, reply: Reply) -> list[Offer]:
        """Those of a search that may be cancelled, the kit's favourite first."""

    def book(self, offer: Offer, key: str, **more: Any) -> Reply: ...

    def read(self, booking_id: str) -> Reply: ...

    def cancel(self, booking_id: str, key: str) -> Reply: ...


@dataclass
class HotelShop:
    api: Api
    standing = "confirmed"
    cancels = True

    @property
    def desk(self) -> FrontDesk:
        return FrontDesk(self.api)

    def search(self) -> Reply:
        return self.desk.search()

    def offers(self, reply: Reply) -> list[Offer]:
        return [
            Offer(rate["rateId"], rate["totalCents"])
            for rate in rates(reply.body["hotels"])
            if rate["refundable"]
        ]

    def book(self, offer: Offer, key: str, **more: Any) -> Reply:
        return self.desk.book(offer.handle, key, **more)

    def read(self, booking_id: str) -> Reply:
        return self.desk.read(booking_id)

    def cancel(self, booking_id: str, key: str) -> Reply:
        return self.api.post(f"/v1/hotels/bookings/{booking_id}/cancel", {}, key)

    def changes_of(self, booking: dict[str, Any]) -> list[dict[str, Any]]:
        """To five nights a month later, the cheapest first."""
        return self.desk.options_of(booking, checkIn=in_days(60), checkOut=in_days(65))

    def change(self, booking: dict[str, Any], option: dict[str, Any]) -> Reply:
        return self.desk.change(booking, option)


@dataclass
class FlightShop:
    api: Api
    standing = "ticketed"
    cancels = True

    @property
    def desk(self) -> Desk:
        return Desk(self.api)

    def search(self) -> Reply:
        return self.desk.ask(search_body())

    def offers(self, reply: Reply) -> list[Offer]:
        return [
            Offer(offer["offerId"], offer["totalCents"])
            for offer in reply.body["offers"]
            if offer["conditions"]["refundable"] and offer["conditions"]["changeable"]
        ]

    def book(self, offer: Offer, key: str, **more: Any) -> Reply:
        return self.desk.order({"offerId": offer.handle}, key, **more)

    def read(self, booking_id: str) -> Reply:
        return self.api.get(f"/v1/flights/orders/{booking_id}")

    def cancel(self, booking_id: str, key: str) -> Reply:
        return self.desk.cancel(booking_id, key)

    def changes_of(self, order: dict[str, Any]) -> list[dict[str, Any]]:
        return self.desk.options_of(order)

    def change(self, order: dict[str, Any], option: dict[str, Any]) -> Reply:
        return self.desk.confirm(order, option)

    def services_of(self, offer: Offer) -> list[dict[str, Any]]:
        """A bag and a seat."""
        path = f"/v1/flights/offers/{offer.handle}"
        bags = self.api.get(f"{path}/services").body["services"]
        maps = self.api.get(f"{path}/seat-maps").body["seatMaps"]
        rows = (row for cabin in maps[0]["cabins"] for row in cabin["rows"])
        elements = (element for row in rows for section in row["sections"] for element in section["elements"])
        seat = next(service for element in elements for service in element["services"])
        return [bags[0], seat]

    def add_bag(self, order: dict[str, Any]) -> Reply:
        path = f"/v1/flights/orders/{order['id']}/services"
        bag = self.api.get(path).body["services"][0]
        return self.api.post(path, {"services": [{"serviceId": bag["serviceId"]}]}, f"kit-{uuid4().hex}")


@dataclass
class TransferShop:
    api: Api
    standing = "confirmed"
    cancels = True

    def search(self) -> Reply:
        return self.api.post("/v1/transfers/searches", {**SEARCH, "vehicleClass": FEE})

    def offers(self, reply: Reply) -> list[Offer]:
        return [Offer(offer["quoteId"], offer["totalCents"]) for offer in reply.body["offers"]]

    def both_ways(self) -> tuple[Offer, list[dict[str, Any]]]:
        """There and back, with two of an extra."""
        reply = self.api.post("/v1/transfers/searches", {**BOTH_WAYS, "vehicleClass": FEE})
        offer = reply.body["offers"][0]
        extra = offer["extras"][0]
        cents = offer["totalCents"] + 2 * extra["totalCents"]
        return Offer(offer["quoteId"], cents), [{"code": extra["code"], "quantity": 2}]

    def book(self, offer: Offer, key: str, **more: Any) -> Reply:
        return order(self.api, offer.handle, key=key, **{"flightNumber": "TP1234", **more})

    def read(self, booking_id: str) -> Reply:
        return self.api.get(f"/v1/transfers/orders/{booking_id}")

    def cancel(self, booking_id: str, key: str) -> Reply:
        return cancel(self.api, booking_id, key=key)


@dataclass
class EsimShop:
    """Its search is the sync of the catalogue, and a page of it."""

    api: Api
    standing = "provisioned"
    cancels = False

    def search(self) -> Reply:
        try:
            sync_environment("live")
        except SupplierError as failed:
            return Reply(503, {"error": {"type": "upstream_unavailable", "message": str(failed)}}, {}, b"")
        return self.api.get("/v1/esim/plans?country=PT")

    def offers(self, reply: Reply) -> list[Offer]:
        return [Offer(plan["id"], plan["priceCents"]) for plan in reply.body["data"]]

    def book(self, offer: Offer, key: str, **more: Any) -> Reply:
        more.pop("maxTotalCents", None)
        return self.api.post("/v1/esim/orders", {"planId": offer.handle, **more}, key)

    def read(self, booking_id: str) -> Reply:
        return self.api.get(f"/v1/esim/orders/{booking_id}")

    def cancel(self, booking_id: str, key: str) -> Reply:
        raise AssertionError("an eSIM cannot be cancelled")
