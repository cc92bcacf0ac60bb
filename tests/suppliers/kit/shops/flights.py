from dataclasses import dataclass
from typing import Any

from tests.flights.desk import Desk, search_body
from tests.suppliers.kit.shops.base import Offer
from tests.support.api import Api, Reply


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
