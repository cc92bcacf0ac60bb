"""Flights: search, re-price, order, read back, change to a dearer and then to a cheaper flight, cancel."""

import uuid
from typing import Any

from tests.demo.partner import Answer, tell
from tests.demo.story import airline
from tests.demo.story.plot import CONTACT, Story, days_ahead
from tests.demo.telling import chapter, insist, least, returned, signed, total

ORDERS = "/v1/flights/orders"
ORIGIN, DESTINATION = "LHR", "JFK"
PASSENGER = {
    "title": "ms",
    "gender": "f",
    "firstName": "Ada",
    "lastName": "Byron",
    "dateOfBirth": "1990-12-10",
    "type": "adult",
}


def play(story: Story) -> None:
    chapter("Flights")
    order = buy(story, search(story))
    order = change(story, order, dearer=True)
    order = change(story, order, dearer=False)
    cancel(story, order)
    airline.play(story, *new_booking(story))
    story.hear()


def search(story: Story) -> dict[str, Any]:
    """A fare that may be changed and given back, re-priced."""
    body = {"origin": ORIGIN, "destination": DESTINATION, "departureDate": days_ahead(60).isoformat()}
    found = story.partner.post("/v1/flights/searches", body, expect=201)
    offers = found.body["offers"]
    insist(bool(offers), f"no flights from {ORIGIN} to {DESTINATION}")
    tell(found, f"{ORIGIN}–{DESTINATION}: {len(offers)} offers from {least(offers)}")
    flexible = [o for o in offers if o["conditions"]["refundable"] and o["conditions"]["changeable"]]
    insist(bool(flexible), "no offer is refundable and changeable")
    offer = min(flexible, key=lambda o: o["totalCents"])
    repriced = story.partner.get(f"/v1/flights/offers/{offer['offerId']}")
    changed = "changed" if repriced.body["priceChanged"] else "unchanged"
    tell(repriced, f"{offer['carrier']['name']}, {total(repriced.body)}, {changed}, refundable")
    return dict(repriced.body)


def buy(story: Story, offer: dict[str, Any]) -> dict[str, Any]:
    """Order once, send it again as after a lost answer, read it back and find it."""
    reference, key = story.reference("flight"), str(uuid.uuid4())
    body = {**order_of(offer), "externalReference": reference, "maxTotalCents": offer["totalCents"]}
    made = story.partner.post(ORDERS, body, expect=201, key=key)
    order = made.body
    insist(
        (order["status"], order["totalCents"]) == ("ticketed", offer["totalCents"]),
        f"not ticketed as priced: {order}",
    )
    story.booked(order)
    tell(made, f"{order['reference']} {order['status']}, PNR {order['pnr']}, {total(order)}")
    replay(story, body, key, made)
    read = story.partner.get(f"{ORDERS}/{order['id']}")
    insist(read.body == order, "the order reads otherwise than it was answered")
    tell(read, f"{order['reference']} reads as answered")
    listed = story.partner.get(f"{ORDERS}?externalReference={reference}")
    insist([row["id"] for row in listed.body["data"]] == [order["id"]], f"not one order: {listed.body}")
    tell(listed, "one order has it")
    return order


def replay(story: Story, body: dict[str, Any], key: str, first: Answer) -> None:
    again = story.partner.post(ORDERS, body, expect=201, key=key)
    replayed = again.headers.get("Idempotent-Replayed")
    insist(replayed == "true" and again.body == first.body, "the same Idempotency-Key was not replayed")
    tell(again, f"same key, same answer: Idempotent-Replayed: {replayed}")


def change(story: Story, order: dict[str, Any], *, dearer: bool) -> dict[str, Any]:
    """The leg moved by some days. A dearer one is paid at once; the difference of a cheaper one comes back shortly."""
    option = choose(story, order, dearer=dearer)
    made = story.partner.post(f"{ORDERS}/{order['id']}/change", {"changeId": option["changeId"]})
    difference = made.body["differenceCents"]
    insist(difference == option["differenceCents"], "the change costs otherwise than its option")
    insist(made.body["settled"] is dearer, f"settled is {made.body['settled']}")
    story.spent[order["reference"]] += difference
    tell(made, f"{signed(option)}: {total(made.body['order'])}, settled: {str(dearer).lower()}")
    if dearer:
        return dict(made.body["order"])
    story.expect("payment.refunded", order["id"])
    settled = story.partner.poll(
        f"{ORDERS}/{order['id']}",
        lambda body: all(change["settled"] for change in body["changes"]),
        what="settled: true",
    )
    tell(settled, f"settled: true after {settled.seconds:.1f} s")
    return dict(settled.body)


def choose(story: Story, order: dict[str, Any], *, dearer: bool) -> dict[str, Any]:
    """The option that costs least of those dearer, or that gives back most."""
    leg = order["slices"][0]["sliceId"]
    wanted = {"origin": ORIGIN, "destination": DESTINATION, "departureDate": days_ahead(63).isoformat()}
    found = story.partner.post(
        f"{ORDERS}/{order['id']}/change-options", {"removeSliceId": leg, "add": wanted}
    )
    options = found.body["options"]
    fitting = [o for o in options if (o["differenceCents"] > 0) is dearer and o["differenceCents"]]
    insist(bool(fitting), f"no {'dearer' if dearer else 'cheaper'} option among {len(options)}")
    option = min(fitting, key=lambda o: o["differenceCents"])
    tell(found, f"{len(options)} options, this one {signed(option)}")
    return dict(option)


def cancel(story: Story, order: dict[str, Any]) -> None:
    done = story.partner.post(f"{ORDERS}/{order['id']}/cancel", {"reason": "plans changed"})
    story.cancelled(done.body)
    tell(done, f"{done.body['status']}, {returned(done.body)}")


def new_booking(story: Story) -> tuple[str, dict[str, Any]]:
    """A fresh offer, ready to be ordered: the path and the body."""
    body = {"origin": "LIS", "destination": "CDG", "departureDate": days_ahead(45).isoformat(), "limit": 1}
    found = story.partner.post("/v1/flights/searches", body, expect=201)
    return ORDERS, order_of(found.body["offers"][0])


def order_of(offer: dict[str, Any]) -> dict[str, Any]:
    return {"offerId": offer["offerId"], "passengers": [PASSENGER], "contact": CONTACT}
