"""Orders: taken once for each offer request, paid to the cent."""

from datetime import UTC, datetime
from typing import Any

from tests.flights.suppliers.duffel import demands, paths
from tests.flights.suppliers.duffel.selling import CLASSIC, FLEX, LIGHT, Selling
from tests.flights.suppliers.duffel.wire import Data, Refused, stamp
from tests.support.supplier_stub import Answer, Heard, route

ACTIONS = {LIGHT: ["cancel", "update"], CLASSIC: ["cancel", "change"], FLEX: ["cancel", "change", "update"]}


class Ordering(Selling):
    @route("POST", paths.ORDERS)
    def create_order(self, heard: Heard) -> Answer:
        data = demands.data_of(heard.json, {"type", "selected_offers", "passengers", "payments", "metadata"})
        demands.one_of(data["type"], {"instant"}, "type")
        (offer_id,), (payment,) = data["selected_offers"], data["payments"]
        offer = self._standing_offer(offer_id)
        if any(order["request"] == offer["request"] for order in self.orders.values()):
            raise Refused("offer_request_already_booked")
        demands.passengers(data["passengers"], offer["passengers"])
        demands.only(data["metadata"], {"reference"})
        total = self._offer_now(offer)["total_amount"]
        if self.percent != 100 and payment["amount"] != total:
            raise Refused("price_changed")
        demands.payment(payment, total, offer["currency"])
        order = None if self.creation_fails else self._issue(offer, total, data["metadata"])
        if self.order_status == 202 or order is None:
            return 202, {"data": {"offer_id": offer_id, "metadata": data["metadata"]}}
        return self.order_status, {"data": self._order_now(order)}

    def _issue(self, offer: Data, total: str, metadata: Data) -> Data:
        order_id = self._id("ord")
        self.orders[order_id] = {
            "id": order_id,
            "request": offer["request"],
            "fare": offer["fare"],
            "offer_id": offer["id"],
            "live_mode": False,
            "created_at": stamp(datetime.now(UTC)),
            "total_amount": total,
            "total_currency": offer["currency"],
            "cancelled_at": None,
            "metadata": metadata,
            "version": 0,
            "passengers": offer["passengers"],
            "slices": [{**one, "id": self._id("sli")} for one in offer["slices"]],
            "cancellation": None,
            "awaits_details": self.order_status == 200,
            "airline_initiated_changes": [],
        }
        return self.orders[order_id]

    def complete_orders(self) -> None:
        """The airline has issued all tickets."""
        with self.lock:
            for order in self.orders.values():
                order["awaits_details"] = False

    def cancel_by_airline(self, order_id: str) -> None:
        with self.lock:
            self.orders[order_id]["cancelled_at"] = stamp(datetime.now(UTC))

    def cancel_by_staff(self, order_id: str, *, refund: str, **changes: Any) -> None:
        """In their dashboard, at a penalty."""
        with self.lock:
            order, now = self.orders[order_id], stamp(datetime.now(UTC))
            order["cancelled_at"] = now
            order["cancellation"] = {
                "id": self._id("ore"),
                "order_id": order_id,
                "refund_amount": refund,
                "refund_currency": order["total_currency"],
                "refund_to": "balance",
                "confirmed_at": now,
                "airline_credits": [],
                **changes,
            }

    def move_by_airline(self, order_id: str, *, departs: str, arrives: str) -> None:
        """All its legs, under new ids and another flight number."""
        with self.lock:
            self.orders[order_id]["slices"] = [
                {**one, "id": self._id("sli"), "segments": [_moved(one["segments"], departs, arrives)]}
                for one in self.orders[order_id]["slices"]
            ]

    def _order_now(self, order: Data) -> Data:
        shown = {
            name: value
            for name, value in order.items()
            if name not in ("request", "fare", "version", "awaits_details")
        }
        waiting = order["awaits_details"]
        number = int(order["id"][-8:]) * 100 + order["version"]
        return {
            **shown,
            "booking_reference": None if waiting else f"QK{number % 10_000:04}",
            "available_actions": [] if order["cancelled_at"] else ACTIONS[order["fare"]],
            "payment_status": {
                "awaiting_payment": False,
                "paid_at": order["created_at"],
                "payment_required_by": None,
            },
            "conditions": self._conditions(order["fare"], order["total_currency"]),
            "documents": []
            if waiting
            else [
                {
                    "type": "electronic_ticket",
                    "unique_identifier": f"999{number * 10 + place:010}",
                    "passenger_ids": [passenger["id"]],
                }
                for place, passenger in enumerate(order["passengers"])
            ],
        }

    @route("GET", paths.ORDERS)
    def list_orders(self, heard: Heard) -> Answer:
        assert set(heard.query) == {"offer_id", "limit"}
        found = [one for one in self.orders.values() if one["offer_id"] == heard.query["offer_id"]]
        if self.unseen:
            self.unseen -= 1
            found = []
        return 200, {"data": [self._order_now(one) for one in found], "meta": {"after": None, "before": None}}

    @route("GET", paths.ORDER)
    def read_order(self, heard: Heard, order_id: str) -> Answer:
        return 200, {"data": self._order_now(self._known(self.orders, order_id))}

    def _standing(self, order_id: str) -> Data:
        order = self._known(self.orders, order_id)
        if order["cancelled_at"]:
            raise Refused("already_cancelled")
        return order


def _moved(segments: list[Data], departs: str, arrives: str) -> Data:
    """One flight for them all, at other times of the same day."""
    first, last = segments[0], segments[-1]
    return {
        **first,
        "destination": last["destination"],
        "departing_at": f"{first['departing_at'][:10]}T{departs}:00",
        "arriving_at": f"{first['departing_at'][:10]}T{arrives}:00",
        "duration": None,
        "marketing_carrier_flight_number": "999",
    }
