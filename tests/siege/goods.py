"""What requests name: days to come, and ids of the attackers' own."""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.siege.stage import Stage

CONTACT = {"email": "ada@example.com", "phone": "+351210000000"}
NAMES = {"firstName": "Ada", "lastName": "Lovelace"}


def day(ahead: int) -> str:
    return (datetime.now(UTC) + timedelta(days=ahead)).date().isoformat()


FLIGHT: dict[str, Any] = {"origin": "LIS", "destination": "BER", "departureDate": day(60), "limit": 5}
TRANSFER: dict[str, Any] = {
    "from": {"type": "IATA", "code": "PMI"},
    "to": {"type": "HOTEL", "code": "265"},
    "outbound": f"{day(60)}T14:30:00",
    "adults": 2,
}


def passengers() -> list[dict[str, str]]:
    return [{"title": "ms", **NAMES, "dateOfBirth": "1990-12-10", "type": "adult"}]


class Goods:
    """One of each thing that a route of the sandbox needs, bought through the API. Kept by the stage."""

    def __init__(self, stage: "Stage") -> None:
        self.stage = stage

    def told(self) -> dict[str, str]:
        if not self.stage.goods:
            self.stage.goods.update(self._buy())
        return self.stage.goods

    def _buy(self) -> dict[str, str]:
        api = self.stage.api("heavy", "test")
        offers = api.post("/v1/flights/searches", {**FLIGHT, "limit": 50}).body["offers"]
        offer = next(one for one in offers if one["conditions"]["changeable"])
        order = api.post(
            "/v1/flights/orders",
            {"offerId": offer["offerId"], "passengers": passengers(), "contact": CONTACT},
        ).body
        rate = api.post("/v1/hotels/searches", {}).body["hotels"][0]["rates"][0]
        quote = api.post("/v1/transfers/searches", TRANSFER).body["offers"][0]
        plan = api.get("/v1/esim/plans").body["data"][0]
        usual = self.stage.api("attacker", "test")
        guests = [{**NAMES, "type": "adult"}]
        stay = api.post(
            "/v1/hotels/bookings", {"rateId": rate["rateId"], "guests": guests, "contact": CONTACT}
        ).body
        ride = api.post(
            "/v1/transfers/orders", {"quoteId": quote["quoteId"], "leadPassenger": {**NAMES, **CONTACT}}
        ).body
        endpoint = api.post(
            "/v1/webhooks/endpoints", {"url": "http://127.0.0.1:65000/hooks", "events": ["booking.confirmed"]}
        ).body
        return {
            "stayId": stay["id"],
            "rideId": ride["id"],
            "endpointId": endpoint["id"],
            "offerId": offer["offerId"],
            "orderId": order["id"],
            "sliceId": order["slices"][0]["sliceId"],
            "rateId": rate["rateId"],
            "quoteId": quote["quoteId"],
            "planId": plan["id"],
            "esimId": api.post("/v1/esim/orders", {"planId": plan["id"]}).body["id"],
            "usualEsimId": usual.post("/v1/esim/orders", {"planId": plan["id"]}).body["id"],
        }
