"""What an airline does by itself: it moves a flight, which the partner accepts, and at last it cancels the order.

Before the stand-ins it is Duffel's that does it, and says so by its webhook. In the sandbox a trigger moves the order; no airline
cancels there.
"""

import os
from typing import Any

from tests.demo.partner import direct_session, tell
from tests.demo.story.plot import Story
from tests.demo.telling import insist, line, returned

ORDERS = "/v1/flights/orders"
MOVED, CANCELLED = "order.airline_initiated_change_detected", "order.updated"


def play(story: Story, path: str, body: dict[str, Any]) -> None:
    order = buy(story, path, body)
    if story.live:
        announce(story, MOVED, told_to(story, "/_airline_moves", order))
    story.expect("booking.schedule_changed", order["id"])
    story.hear()
    accept(story, order["id"])
    if story.live:
        announce(story, CANCELLED, told_to(story, "/_airline_cancels", order))
        follow_cancellation(story, order["id"])


def buy(story: Story, path: str, body: dict[str, Any]) -> dict[str, Any]:
    trigger = "" if story.live else "sbx_schedule_changed"
    made = story.partner.post(path, body, expect=201, trigger=trigger)
    story.booked(made.body)
    tell(made, f"{made.body['reference']} {made.body['status']}, leaves {leaves(made.body)}")
    return dict(made.body)


def accept(story: Story, order_id: str) -> None:
    read = story.partner.get(f"{ORDERS}/{order_id}")
    (change,) = read.body["scheduleChanges"]
    insist(change["status"] == "open" and change["after"] == read.body["slices"], f"not moved: {change}")
    tell(read, f"moved by its airline: leaves {leaves(read.body)}; {', '.join(change['availableActions'])}")
    done = story.partner.post(f"{ORDERS}/{order_id}/schedule-changes/{change['changeId']}/accept", {})
    (accepted,) = done.body["scheduleChanges"]
    insist(accepted["status"] == "accepted", f"not accepted: {accepted}")
    tell(done, f"schedule change {accepted['status']}, nothing to pay")


def follow_cancellation(story: Story, order_id: str) -> None:
    ended = story.partner.poll(
        f"{ORDERS}/{order_id}",
        lambda body: body["status"] == "cancelled",
        what="the airline's own cancellation",
    )
    story.cancelled(ended.body)
    tell(ended, f"cancelled by its airline, {returned(ended.body)}")


def leaves(order: dict[str, Any]) -> str:
    return str(order["slices"][0]["departureAt"])[:16]


def told_to(story: Story, path: str, order: dict[str, Any]) -> dict[str, Any]:
    """The stand-in does it; the object of its webhook."""
    reference = order["supplier"]["reference"]
    answer = direct_session().post(
        os.environ["DUFFEL_BASE_URL"] + path, json={"order_id": reference}, timeout=10
    )
    insist(answer.status_code == 200, f"the stand-in did not: {answer.status_code}")
    return dict(answer.json())


def announce(story: Story, type: str, object: dict[str, Any]) -> None:
    """The stand-in's webhook, twice, as real ones may come."""
    url = f"{story.partner.base_url}/suppliers/duffel/webhooks"
    told = {"url": url, "type": type, "object": object, "times": 2}
    answer = direct_session().post(os.environ["DUFFEL_BASE_URL"] + "/_webhook", json=told, timeout=20)
    insist(answer.json() == [200, 200], f"its webhook was answered {answer.text}")
    line("hook", f"duffel says: {type}", "200", "twice")
