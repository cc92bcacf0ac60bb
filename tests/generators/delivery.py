"""One real delivery, as it came over the wire, for the programs to verify."""

import json
import queue
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from tests.demo.partner import Partner
from tests.support.receiver import Received, Reply, receiving

DELIVERY_SECONDS = 120


@dataclass(frozen=True)
class Delivery:
    booking_id: str
    secret: str
    received: Received

    def keep(self, place: Path) -> None:
        """Write down what a receiver knows of it."""
        body = self.received.body.decode()
        known = {"secret": self.secret, "headers": self.received.headers, "body": body}
        place.write_text(json.dumps(known))


def deliver_one(partner: Partner) -> Delivery:
    """Register an endpoint, book a hotel, and wait for what the service tells of it."""
    came: queue.Queue[Received] = queue.Queue()

    def take(received: Received) -> Reply:
        came.put(received)
        return Reply(200)

    with receiving(take) as receiver:
        wanted = {"url": receiver.url, "events": ["booking.confirmed"]}
        endpoint = partner.post("/v1/webhooks/endpoints", wanted, expect=201).body
        booking_id = book(partner)["id"]
        received = came.get(timeout=DELIVERY_SECONDS)
        partner.call("DELETE", f"/v1/webhooks/endpoints/{endpoint['id']}", None, 204, {})
    return Delivery(booking_id, endpoint["secret"], received)


def book(partner: Partner) -> dict[str, Any]:
    day = date.today() + timedelta(days=60)
    stay = {"checkIn": day.isoformat(), "checkOut": (day + timedelta(days=1)).isoformat(), "limit": 1}
    found = partner.post("/v1/hotels/searches", stay, expect=201).body
    guest = {"firstName": "Ada", "lastName": "Byron", "type": "adult"}
    wanted = {
        "rateId": found["hotels"][0]["rates"][0]["rateId"],
        "guests": [guest, guest],
        "contact": {"email": "ada@example.com", "phone": "+351210000000"},
    }
    booking: dict[str, Any] = partner.post("/v1/hotels/bookings", wanted, expect=201).body
    return booking
