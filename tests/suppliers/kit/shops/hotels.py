from dataclasses import dataclass
from typing import Any

from tests.hotels.front_desk import FrontDesk, rates
from tests.suppliers.kit.shops.base import Offer
from tests.support.api import Api, Reply


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
