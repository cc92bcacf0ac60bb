"""Duffel as the kit attacks it."""

from decimal import Decimal
from typing import Any

from tests.flights.suppliers.duffel.office import TOKEN
from tests.flights.suppliers.duffel.stub import SECRET, DuffelStub
from tests.flights.suppliers.duffel.wire import refusal_of
from tests.suppliers.kit.bench import Bench, Carried
from tests.suppliers.kit.damage import Damage, instead
from tests.support.supplier_stub import Heard

REFUSALS = {
    "gone": "offer_no_longer_available",
    "refused": "order_not_created",
    "reference used": "offer_request_already_booked",
    "not cancellable": "order_not_cancellable",
    "throttled": "rate_limit_exceeded",
    "unauthorised": "access_token_not_found",
    "credit used up": "insufficient_balance",
    "price moved": "price_changed",
    "unclear": "airline_unknown",
}


class DuffelBench(Bench):
    product, vendor, word = "flights", "duffel", "flight"
    steps = {
        "search": "POST /air/offer_requests",
        "check": "GET /air/offers/*",
        "book": "POST /air/orders",
        "find": "GET /air/orders",
        "seat_maps": "GET /air/seat_maps",
        "addable": "GET /air/orders/*/available_services",
        "services": "POST /air/orders/*/services",
        "read": "GET /air/orders/*",
        "quote": "POST /air/order_cancellations",
        "cancel": "POST /air/order_cancellations/*/actions/confirm",
        "pay": "POST /air/payments",
        "payments": "GET /air/payments",
        "find_cancel": "GET /air/order_cancellations/*",
        "options": "POST /air/order_change_requests",
        "take_up": "POST /air/order_changes",
        "change": "POST /air/order_changes/*/actions/confirm",
        "airline_changes": "GET /air/airline_initiated_changes",
        "find_change": "GET /air/order_changes/*",
    }
    certain = frozenset({503})
    stub: DuffelStub

    def credentials(self) -> dict[str, Any]:
        return {
            "access_token": TOKEN,
            "webhook_secret": SECRET,
            "base_url": self.stub.url,
            "cancel_into_vouchers": False,
        }

    def our_reference(self, heard: Heard) -> str:
        return str(heard.json["data"]["metadata"]["reference"])

    def their_reference(self, step: str, heard: Heard, answer: Any) -> str:
        if step == "pay":
            return str(heard.json["data"]["order_id"])
        return str(answer["data"]["id" if step in ("book", "services") else "order_id"])

    def cost(self, answer: Any) -> Decimal:
        return Decimal(answer["data"]["total_amount"])

    def stands(self, reference: str) -> bool:
        _, answer = self.ask("GET", f"/air/orders/{reference}")
        return answer["data"]["cancelled_at"] is None

    def prepare(self) -> None:
        self.stub.holds = True

    def move_prices(self, percent: int) -> None:
        self.stub.percent = percent

    def sell_out(self) -> None:
        self.stub.sold_out = True

    def call_off(self, reference: str) -> None:
        self.stub.cancel_by_airline(reference)

    def refusal(self, meaning: str) -> Damage | None:
        return instead(*refusal_of(REFUSALS[meaning])) if meaning in REFUSALS else None

    def pass_time(self, seconds: float) -> None:
        """It has the machine's clock: what it offers has to last longer instead."""
        self.stub.offer_minutes += int(seconds // 60) + 1

    def webhook(self, made: Carried) -> tuple[bytes, dict[str, str]]:
        order = {"id": made.reference, "metadata": {"reference": made.client_ref}}
        headers, body = self.stub.webhook("order.updated", order)
        return body, headers
