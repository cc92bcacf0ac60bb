from dataclasses import dataclass
from typing import Any

from tests.suppliers.kit.shops.base import Offer
from tests.support.api import Api, Reply
from tests.transfers.agency import FEE, SEARCH, cancel, order


@dataclass
class TransferShop:
    api: Api
    standing = "confirmed"
    cancels = True

    def search(self) -> Reply:
        return self.api.post("/v1/transfers/searches", {**SEARCH, "vehicleClass": FEE})

    def offers(self, reply: Reply) -> list[Offer]:
        return [Offer(offer["quoteId"], offer["totalCents"]) for offer in reply.body["offers"]]

    def book(self, offer: Offer, key: str, **more: Any) -> Reply:
        return order(self.api, offer.handle, key=key, flightNumber="TP1234", **more)

    def read(self, booking_id: str) -> Reply:
        return self.api.get(f"/v1/transfers/orders/{booking_id}")

    def cancel(self, booking_id: str, key: str) -> Reply:
        return cancel(self.api, booking_id, key=key)
