"""The partner's webhook receiver: it believes what the `stripe` and the `standardwebhooks` libraries both verify."""

import threading
from collections import Counter
from typing import Any

import stripe
from standardwebhooks import Webhook, WebhookVerificationError

from tests.support.receiver import Received, Receiver, Reply

TOLERANCE_SECONDS = 300

Heard = tuple[str, str]
"""An event's type and the id of its booking; "" where it has none."""


class Inbox:
    """Answers 200 to what it could verify and 400 to the rest, and takes an event that comes twice once."""

    def __init__(self) -> None:
        self.secret = ""
        self.events: dict[str, dict[str, Any]] = {}
        self.refused: list[str] = []
        self.last: Received | None = None
        self._lock = threading.Lock()
        self._receiver = Receiver(self._take)

    @property
    def url(self) -> str:
        return self._receiver.url

    def close(self) -> None:
        self._receiver.stop()

    def count(self) -> Counter[Heard]:
        with self._lock:
            return Counter(heard(event) for event in self.events.values())

    def _take(self, received: Received) -> Reply:
        objections = objections_to(received, self.secret)
        with self._lock:
            if objections:
                self.refused += objections
                return Reply(400)
            self.events.setdefault(received.json["id"], received.json)
            self.last = received
        return Reply(200)


def heard(event: dict[str, Any]) -> Heard:
    return event["type"], event["data"].get("bookingId", "")


def objections_to(received: Received, secret: str) -> list[str]:
    """What the two verifiers, neither of them ours, have against a delivery; nothing when it is genuine and recent."""
    objections = []
    try:
        stripe.WebhookSignature.verify_header(
            received.body, received.headers.get("X-Service-Signature"), secret, TOLERANCE_SECONDS
        )
    except stripe.SignatureVerificationError as error:
        objections.append(f"stripe: {error}")
    try:
        Webhook(secret).verify(received.body, received.headers)
    except WebhookVerificationError as error:
        objections.append(f"standardwebhooks: {error}")
    return objections
