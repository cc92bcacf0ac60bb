"""Duffel's stand-in: searches, offers, orders, changes and cancellations over HTTP, strict about all that it is sent.

What it was told to do is in its attributes (`percent`, `sold_out`, `order_status` …), set directly or, in a process of its own
(`python -m tests.flights.suppliers.duffel.stub --port 0`), by `POST /_duffel`; `POST /_webhook` makes it send one. Trouble
with the connection, and any error answer, is ordered as with every stub (`tests.support.supplier_stub`).
"""

import hmac
import json
import time
from collections import Counter
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import requests

from tests.flights.suppliers.duffel import paths, wire
from tests.flights.suppliers.duffel.extras import ExtrasAfterwards
from tests.flights.suppliers.duffel.paying import Paying
from tests.flights.suppliers.duffel.wire import Data, stamp
from tests.support.supplier_stub import Answer, Heard, route, run

SECRET = "stub-webhook-secret"


class DuffelStub(ExtrasAfterwards, Paying):
    def store(self) -> Any:
        return {"orders": list(self.orders.values()), "changes": list(self.changes.values())}

    def booked(self) -> Counter[str]:
        """How many orders were really made with each of our references."""
        with self.lock:
            return Counter(order["metadata"]["reference"] for order in self.orders.values())

    def sent(self) -> Counter[str]:
        """How often an order was sent with each of our references."""
        bodies = [heard.json["data"] for heard in self.heard_by("POST", paths.ORDERS)]
        return Counter(body["metadata"]["reference"] for body in bodies)

    @route("GET", "/air/airlines")
    def airlines(self, heard: Heard) -> Answer:
        return 200, {"data": [{"id": "arl_0000Stub0001", **wire.CARRIER}], "meta": {"after": None}}

    def webhook(self, type: str, object: Data) -> tuple[dict[str, str], bytes]:
        """A signed event: its headers and body."""
        event = {
            "id": self._id("wev"),
            "type": type,
            "api_version": "v2",
            "live_mode": False,
            "created_at": stamp(datetime.now(UTC)),
            "idempotency_key": object.get("order_id") or object.get("id"),
            "identity_organisation_id": "org_0000Stub0001",
            "data": {"object": object},
        }
        body = json.dumps(event).encode()
        return {"X-Duffel-Signature": signature(body)}, body

    def send_webhook(self, url: str, type: str, object: Data, *, times: int = 1) -> list[int]:
        """Posts one event to us, as often as told; the statuses that we answered."""
        headers, body = self.webhook(type, object)
        headers["Content-Type"] = "application/json"
        return [requests.post(url, data=body, headers=headers, timeout=10).status_code for _ in range(times)]

    def _controlled(self, heard: Heard) -> Answer:
        if (heard.method, heard.path) == ("POST", "/_duffel"):
            for name, value in heard.json.items():
                assert type(getattr(self, name)) is type(value), name
                setattr(self, name, value)
            return 200, {}
        if (heard.method, heard.path) == ("POST", "/_airline_moves"):
            return 200, self.announced(self.change_by_airline(**heard.json))
        if (heard.method, heard.path) == ("POST", "/_airline_cancels"):
            self.cancel_by_airline(heard.json["order_id"])
            return 200, {"id": heard.json["order_id"]}
        if (heard.method, heard.path) == ("POST", "/_webhook"):
            told = heard.json
            answers = self.send_webhook(told["url"], told["type"], told["object"], times=told.get("times", 1))
            return 200, answers
        return super()._controlled(heard)


def signature(body: bytes, *, at: int | None = None, secret: str = SECRET) -> str:
    moment = str(at if at is not None else int(time.time()))
    signed = hmac.new(secret.encode(), moment.encode() + b"." + body, sha256).hexdigest()
    return f"t={moment},v1={signed}"


if __name__ == "__main__":
    run(DuffelStub)
