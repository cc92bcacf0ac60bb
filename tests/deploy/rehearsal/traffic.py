"""Partners who read, order, search at two suppliers and receive webhooks, each once in a while, and take any answer."""

import secrets
import threading
from collections import Counter
from collections.abc import Callable

from tests.support.api import Reply
from tests.support.flight_shop import FlightShop, day
from tests.support.stack import HttpApi, NoAnswer

LEAD = {"firstName": "Ada", "lastName": "Lovelace", "email": "ada@example.com", "phone": "+351210000000"}
FLIGHT = {"origin": "LHR", "destination": "JFK", "departureDate": day(60).isoformat()}
RIDE = {
    "from": {"type": "IATA", "code": "PMI"},
    "to": {"type": "HOTEL", "code": "265"},
    "outbound": f"{day(60).isoformat()}T14:30:00",
    "adults": 2,
}


class Traffic:
    """Runs from `with` to its end. `answers` counts by kind and status."""

    def __init__(self, url: str, test_key: str, live_key: str, receiver: str) -> None:
        self.test, self.live = HttpApi(url, test_key, timeout=10), HttpApi(url, live_key, timeout=10)
        self.answers: Counter[str] = Counter()
        made = self.test.post("/v1/webhooks/endpoints", {"url": receiver, "events": ["booking.confirmed"]})
        assert made.status == 201, made.body
        shop = FlightShop(self.test)
        offer = shop.offer()
        self._stop = threading.Event()
        self._threads = [
            self._every(0.2, "read", lambda: self.test.get("/v1/account")),
            self._every(1.0, "order", lambda: shop.order(offer)),
            self._every(0.3, "flights", lambda: self.live.post("/v1/flights/searches", FLIGHT)),
            self._every(0.3, "transfers", lambda: self.live.post("/v1/transfers/searches", RIDE)),
        ]

    def ride(self) -> None:
        """A transfer is ordered with the test key: its money stays held until it is settled."""
        found = self.test.post("/v1/transfers/searches", RIDE)
        assert found.status == 201, found.body
        quote = {"quoteId": found.body["offers"][0]["quoteId"], "leadPassenger": LEAD}
        made = self.test.post("/v1/transfers/orders", {**quote, "externalReference": secrets.token_hex(8)})
        assert made.status == 201, made.body

    def __enter__(self) -> "Traffic":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _every(self, seconds: float, kind: str, send: Callable[[], Reply]) -> threading.Thread:
        def work() -> None:
            while not self._stop.wait(seconds):
                try:
                    reply = send()
                except NoAnswer:
                    self.answers[f"{kind} no answer"] += 1
                else:
                    self.answers[f"{kind} {reply.status}"] += 1

        return threading.Thread(target=work, daemon=True)
