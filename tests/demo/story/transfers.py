"""Transfers: an order whose held funds are captured shortly, and one that is cancelled while they are held."""

from typing import Any

from tests.demo.partner import tell
from tests.demo.story.plot import CONTACT, Story, days_ahead
from tests.demo.telling import chapter, insist, least, returned, total

ORDERS = "/v1/transfers/orders"
LEAD = {"firstName": "Ada", "lastName": "Byron", **CONTACT}


def play(story: Story) -> None:
    chapter("Transfers")
    offer = search(story)
    captured(story, offer)
    # The reconciliation worker has just been here, so that there is time before it comes again.
    cancelled_while_held(story, offer)
    story.hear()


def search(story: Story) -> dict[str, Any]:
    """The cheapest that is free to cancel until the day before."""
    found = story.partner.post("/v1/transfers/searches", ride(60), expect=201)
    offers = found.body["offers"]
    insist(bool(offers), "no transfers from Lisbon airport")
    tell(found, f"LIS–Rossio: {len(offers)} offers from {least(offers)}")
    return dict(next(o for o in offers if all(step["from"] for step in o["cancellationPolicy"])))


def captured(story: Story, offer: dict[str, Any]) -> None:
    reference = story.reference("transfer")
    order = order_one(story, offer, reference)
    listed = story.partner.get(f"{ORDERS}?externalReference={reference}")
    insist([row["id"] for row in listed.body["data"]] == [order["id"]], f"not one order: {listed.body}")
    tell(listed, "one order has it")
    path = f"{ORDERS}/{order['orderId']}"
    read = story.partner.poll(
        path, lambda body: body["settlement"]["funds"] != "still_held", what="settlement"
    )
    settlement = read.body["settlement"]
    insist(
        (settlement["funds"], settlement["amountCents"]) == ("captured", order["totalCents"]),
        f"not captured: {settlement}",
    )
    tell(read, f"funds {settlement['funds']} after {read.seconds:.1f} s")


def cancelled_while_held(story: Story, offer: dict[str, Any]) -> None:
    order = order_one(story, offer, story.reference("transfer-2"))
    done = story.partner.post(f"{ORDERS}/{order['orderId']}/cancel", {"maxPenaltyCents": 0})
    settlement = done.body["settlement"]
    insist(
        # `refunded` where the worker came between the two calls after all
        settlement["funds"] in ("released", "refunded") and settlement["amountCents"] == order["totalCents"],
        f"not given back: {settlement}",
    )
    story.cancelled(done.body)
    tell(done, f"{done.body['status']}, {returned(done.body)}, funds {settlement['funds']}")


def order_one(story: Story, offer: dict[str, Any], reference: str) -> dict[str, Any]:
    made = story.partner.post(ORDERS, {**order_of(offer), "externalReference": reference}, expect=201)
    order, funds = made.body, made.body["settlement"]["funds"]
    insist((order["status"], funds) == ("confirmed", "still_held"), f"not confirmed with funds held: {order}")
    story.booked(order)
    tell(made, f"{order['reference']} {order['status']}, {total(order)}, funds {funds}")
    return dict(order)


def new_booking(story: Story) -> tuple[str, dict[str, Any]]:
    """A fresh quote, ready to be ordered: the path and the body."""
    found = story.partner.post("/v1/transfers/searches", {**ride(45), "limit": 1}, expect=201)
    return ORDERS, order_of(found.body["offers"][0])


def ride(ahead: int) -> dict[str, Any]:
    return {
        "from": {"type": "IATA", "code": "LIS"},
        "to": {
            "type": "GEO",
            "latitude": 38.7139,
            "longitude": -9.1394,
            "address": "Praça do Rossio 23",
            "town": "Lisboa",
            "country": "PT",
            "zip": "1100-200",
        },
        "outbound": f"{days_ahead(ahead).isoformat()}T14:30:00",
        "adults": 2,
    }


def order_of(offer: dict[str, Any]) -> dict[str, Any]:
    return {"quoteId": offer["quoteId"], "leadPassenger": LEAD, "flightNumber": "TP1350"}
