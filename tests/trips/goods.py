"""A booking of any product, through the API."""

from typing import Any

from tests.esim.shop import a_plan
from tests.hotels.front_desk import FrontDesk
from tests.support.api import Api, Reply
from tests.support.flight_shop import FlightShop
from tests.transfers.agency import an_offer
from tests.transfers.agency import order as order_transfer

LISTS = {
    "hotel": "/v1/hotels/bookings",
    "flight": "/v1/flights/orders",
    "transfer": "/v1/transfers/orders",
    "esim": "/v1/esim/orders",
}


def booked(api: Api, product: str, **more: Any) -> Reply:
    if product == "hotel":
        desk = FrontDesk(api)
        return desk.book(desk.rate(), **more)
    if product == "flight":
        shop = FlightShop(api)
        return shop.order(shop.offer(), **more)
    if product == "transfer":
        return order_transfer(api, an_offer(api)["quoteId"], **more)
    return api.post("/v1/esim/orders", {"planId": a_plan("sim-pt-1gb-7d").id, **more})


def ids(reply: Reply) -> list[str]:
    assert reply.status == 200, reply.body
    return [booking["id"] for booking in reply.body["data"]]
