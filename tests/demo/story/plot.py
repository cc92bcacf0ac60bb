"""What the chapters share: the partner, its inbox, and what must have happened once all is told."""

import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

from tests.demo.partner import Partner
from tests.demo.receiver import Heard, Inbox, heard
from tests.demo.telling import Failed, insist, line

HEAR_SECONDS = 60
CONTACT = {"email": "ada@example.com", "phone": "+351210000000"}


@dataclass
class Story:
    partner: Partner
    inbox: Inbox
    run: str
    """Begins every externalReference of this run."""
    live: bool = False
    """Whether a live key plays, before stand-ins of the real suppliers."""
    endpoint_id: str = ""
    events: Counter[Heard] = field(default_factory=Counter)
    """Every webhook that must come."""
    spent: Counter[str] = field(default_factory=Counter)
    """Cents by booking reference: what each must have cost in the end."""
    _told: set[str] = field(default_factory=set)

    def reference(self, name: str) -> str:
        return f"{self.run}-{name}"

    def booked(self, booking: dict[str, Any], event: str = "booking.confirmed") -> None:
        """The booking was made: it costs its total, and its webhook comes."""
        self.spent[booking["reference"]] += booking["totalCents"]
        self.expect(event, booking["id"])

    def cancelled(self, booking: dict[str, Any]) -> None:
        """What is not penalty comes back, and the webhooks say so."""
        end, total = booking["cancellation"], booking["totalCents"]
        insist(
            booking["status"] == "cancelled" and end["penaltyCents"] + end["refundCents"] == total,
            f"{booking['reference']}: penalty and refund are not its total: {end}, {total}",
        )
        self.spent[booking["reference"]] -= end["refundCents"]
        self.expect("booking.cancelled", booking["id"])
        if end["refundCents"]:
            self.expect("payment.refunded", booking["id"])

    def expect(self, event: str, booking_id: str = "") -> None:
        self.events[event, booking_id] += 1

    def hear(self) -> None:
        """Wait for the webhooks of what was told so far, and tell of them."""
        give_up = time.monotonic() + HEAR_SECONDS
        while missing := self.events - self.inbox.count():
            insist(not self.inbox.refused, f"a webhook was not verified: {self.inbox.refused}")
            if time.monotonic() > give_up:
                raise Failed(f"webhooks that did not come within {HEAR_SECONDS} s: {dict(missing)}")
            time.sleep(0.05)
        for event in list(self.inbox.events.values()):
            if event["id"] not in self._told:
                self._told.add(event["id"])
                line(
                    "hook", f"{event['type']}  {named(event)}", "200", "verified by stripe, standardwebhooks"
                )


def named(event: dict[str, Any]) -> str:
    return str(event["data"].get("bookingReference") or heard(event)[1])


def days_ahead(days: int) -> date:
    return datetime.now(UTC).date() + timedelta(days=days)
