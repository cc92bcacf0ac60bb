"""One of every kind that a partner can buy, as the crash run buys and cancels it: five ways through the one booking flow."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from tests.chaos.app import LATE_POINTS, POINTS
from tests.chaos.persistence import insist
from tests.contract.goods import LEAD
from tests.hotels.front_desk import ADA, CONTACT
from tests.support.api import Reply
from tests.support.flight_shop import day, order_body
from tests.support.stack import HttpApi
from tests.transfers.agency import FEE, FREE, NOTHING_BACK, SEARCH

LISBON = {"destination": {"city": "Lisbon", "countryCode": "PT"}}
LATE_REGION = "oceania"
"""Whose eSIM plans the simulator delivers some seconds after it took the order on."""


@dataclass(frozen=True)
class Good:
    """`bodies` asks the service for offers and answers the bodies of orders, each with other terms of cancellation."""

    name: str
    path: str
    """Of its bookings or orders."""
    bodies: Callable[[HttpApi], list[dict[str, Any]]]
    writes: str = "book"
    """The supplier's method that books it."""
    standing: str = "confirmed"
    """The status of a booking that its supplier confirmed."""
    late: bool = False
    """Whether the answer may still be `pending`."""
    points: tuple[str, ...] = tuple(POINTS)
    """Where the process of an order can die."""

    def order(self, api: HttpApi, body: dict[str, Any], key: str) -> Reply:
        """`key` is the externalReference as well."""
        return api.post(self.path, {**body, "externalReference": key}, key)

    def cancel(self, api: HttpApi, booking_id: str, key: str) -> Reply:
        return api.post(f"{self.path}/{booking_id}/cancel", {}, key)

    def statuses(self) -> set[str]:
        """What the final answer to an order may say that it is."""
        return {self.standing, "pending"} if self.late else {self.standing}


def stays(api: HttpApi) -> list[dict[str, Any]]:
    """A stay that can be cancelled, and one that is paid whatever comes."""
    hotels = found(partial(api.post, "/v1/hotels/searches", LISBON))["hotels"]
    rates = {rate["refundable"]: rate["rateId"] for hotel in hotels for rate in hotel["rates"]}
    return [
        {"rateId": rates[refundable], "guests": [ADA], "contact": CONTACT} for refundable in (True, False)
    ]


def flights(api: HttpApi) -> list[dict[str, Any]]:
    """As for stays."""
    search = {"origin": "LIS", "destination": "BER", "departureDate": day(60).isoformat()}
    offers = found(partial(api.post, "/v1/flights/searches", search))["offers"]
    fares = {offer["conditions"]["refundable"]: offer for offer in offers}
    return [order_body(fares[refundable]) for refundable in (True, False)]


def transfers(api: HttpApi) -> list[dict[str, Any]]:
    """Cancelled for nothing, for a fee, for everything."""
    offers = found(partial(api.post, "/v1/transfers/searches", SEARCH))["offers"]
    quotes = {offer["vehicle"]["class"]: offer["quoteId"] for offer in offers}
    return [{"quoteId": quotes[vehicle], "leadPassenger": LEAD} for vehicle in (FREE, FEE, NOTHING_BACK)]


def plans(query: str, api: HttpApi) -> list[dict[str, Any]]:
    """An eSIM is not cancelled: one plan will do."""
    return [{"planId": plan["id"]} for plan in found(partial(api.get, f"/v1/esim/plans?{query}"))["data"][:1]]


def found(ask: Callable[[], Reply]) -> dict[str, Any]:
    """What is on offer, asked for until it is told: a machine at its limits may be slower than a supplier is given."""
    reply = insist(ask).reply
    assert reply.status in (200, 201), reply.body
    return dict(reply.body)


HOTEL = Good("hotel", "/v1/hotels/bookings", stays)
FLIGHT = Good("flight", "/v1/flights/orders", flights, standing="ticketed")
TRANSFER = Good("transfer", "/v1/transfers/orders", transfers)
ESIM = Good("esim", "/v1/esim/orders", partial(plans, "country=PT"), "order", "provisioned")
LATE_ESIM = replace(
    ESIM,
    name="late-esim",
    bodies=partial(plans, f"region={LATE_REGION}"),
    late=True,
    points=tuple(LATE_POINTS),
)
GOODS = {good.name: good for good in (HOTEL, FLIGHT, TRANSFER, ESIM, LATE_ESIM)}
CANCELLABLE = {good.name: good for good in (HOTEL, FLIGHT, TRANSFER)}
