"""Orders: taken once for each offer request, paid to the cent."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

from tests.flights.suppliers.duffel import demands, identity, paths
from tests.flights.suppliers.duffel.extras import Extras, total_of
from tests.flights.suppliers.duffel.selling import (
    CLASSIC,
    FLEX,
    GONE_WHEN_ORDERED,
    LIGHT,
    TAX_PERCENT,
    route_of,
)
from tests.flights.suppliers.duffel.wire import Data, Refused, money, stamp
from tests.support.supplier_stub import Answer, Heard, route

HOLD = "hold"
UNPAID_ACTIONS = ["cancel", "update"]
PAID_AT_ONCE: Data = {
    "awaiting_payment": False,
    "payment_required_by": None,
    "price_guarantee_expires_at": None,
}
ACTIONS = {LIGHT: ["cancel", "update"], CLASSIC: ["cancel", "change"], FLEX: ["cancel", "change", "update"]}


class Ordering(Extras):
    @route("POST", paths.ORDERS)
    def create_order(self, heard: Heard) -> Answer:
        demands.query(heard.query, set())
        wanted, optional = (
            {"type", "selected_offers", "passengers", "payments"},
            {"metadata", "services", "users"},
        )
        if heard.json["data"].get("type") == HOLD:
            return self.hold(demands.data_of(heard.json, wanted - {"payments"}, {*optional, "payments"}))
        data = demands.data_of(heard.json, wanted, optional)
        if data["type"] != "instant":
            raise Refused("invalid_order_create_type", field="type", pointer="/type")
        for name in ("selected_offers", "payments"):
            if len(data[name]) != 1:
                raise Refused("validation_length", field=name, pointer=f"/{name}")
        (offer_id,), (payment,) = data["selected_offers"], data["payments"]
        offer = self._offer_for(offer_id, data)
        chosen = self._ordered_services(offer, data.get("services", ()))
        total = money(self._total_of(offer) + total_of(chosen))
        if self.percent != 100 and payment["amount"] != total:
            raise Refused("price_changed")
        demands.payment(payment, total, offer["currency"])
        return self._made(offer, total, data, chosen)

    def hold(self, data: Data) -> Answer:
        """Without payment. What the codes are for an offer that must be paid at once is recorded; for the rest documented."""
        if "payments" in data:
            raise Refused("payments_not_allowed_for_order_type")
        if data.get("services"):
            raise Refused("services_not_allowed_for_order_type")
        (offer_id,) = data["selected_offers"]
        offer = self._offer_for(offer_id, data)
        if self._payment_requirements(offer)["requires_instant_payment"]:
            raise Refused("invalid_order_create_type", field="type", pointer="/type")
        return self._made(offer, money(self._total_of(offer)), data, [])

    def _offer_for(self, offer_id: str, data: Data) -> Data:
        offer = self._standing_offer(offer_id)
        if route_of(offer) == GONE_WHEN_ORDERED:
            raise Refused("offer_no_longer_available")
        if any(order["request"] == offer["request"] for order in self.orders.values()):
            raise Refused("offer_request_already_booked", field="selected_offers", pointer="/selected_offers")
        last = date.fromisoformat(offer["slices"][-1]["segments"][0]["departing_at"][:10])
        demands.passengers(data["passengers"], offer["passengers"], last)
        identity.documents(data["passengers"], offer)
        identity.accounts(data["passengers"], offer)
        demands.metadata(data.get("metadata", {}))
        return offer

    def _made(self, offer: Data, total: str, data: Data, chosen: list[tuple[Data, int]]) -> Answer:
        status, metadata = self.order_status, data.get("metadata", {})
        order = None
        if not self.creation_fails:
            order = self._issue(offer, total, data, awaits_details=status == 200)
            order["services"] = self._booked_services(chosen, _renamed(offer["slices"], order["slices"]))
        if status == 202 or order is None:
            return 202, {"data": {"offer_id": offer["id"], "metadata": metadata}}
        return status, {"data": self._order_now(order)}

    def _issue(self, offer: Data, total: str, data: Data, *, awaits_details: bool) -> Data:
        order_id = self._id("ord")
        kinds = {one["id"]: one["type"] for one in offer["passengers"]}
        tax = money(Decimal(total) * TAX_PERCENT / 100)
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
            "metadata": data.get("metadata", {}),
            "version": 0,
            "owner": offer["owner"],
            "base_amount": money(Decimal(total) - Decimal(tax)),
            "base_currency": offer["currency"],
            "tax_amount": tax,
            "tax_currency": offer["currency"],
            "services": [],
            "synced_at": stamp(datetime.now(UTC)),
            "passengers": [{**one, "type": kinds[one["id"]]} for one in data["passengers"]],
            "slices": [self._under_new_ids(one) for one in offer["slices"]],
            "cancellation": None,
            "awaits_details": awaits_details,
            "airline_initiated_changes": [],
            "type": data["type"],
            "payment_status": self._unpaid(offer) if data["type"] == HOLD else PAID_AT_ONCE,
        }
        return self.orders[order_id]

    def _unpaid(self, offer: Data) -> Data:
        terms = self._payment_requirements(offer)
        until = {name: terms[name] for name in ("payment_required_by", "price_guarantee_expires_at")}
        return {"awaiting_payment": True, "paid_at": None, **until}

    def _payment_status(self, order: Data) -> Data:
        """An order that was not paid in time awaits no payment any more, and nothing else says so."""
        told = order["payment_status"]
        if told is PAID_AT_ONCE:
            return {**told, "paid_at": order["created_at"]}
        late = told["awaiting_payment"] and self.now() >= datetime.fromisoformat(told["payment_required_by"])
        return {**told, "awaiting_payment": False} if late else told

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=self.seconds_ahead)

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
        hidden = ("request", "fare", "version", "awaits_details", "waived")
        shown = {name: value for name, value in order.items() if name not in hidden}
        payment = self._payment_status(order)
        unpaid, waiting = payment["paid_at"] is None, order["awaits_details"]
        number = int(order["id"][-8:]) * 100 + order["version"]
        return {
            **shown,
            "cancellation": shown["cancellation"] if self.cancellation_told else None,
            "booking_reference": None if waiting else f"QK{number % 10_000:04}",
            "available_actions": []
            if order["cancelled_at"]
            else UNPAID_ACTIONS
            if unpaid
            else ACTIONS[order["fare"]],
            "payment_status": payment,
            "conditions": self._conditions(order["fare"], order["total_currency"]),
            "documents": []
            if waiting or unpaid
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
        wanted = {"offer_id", "limit", "after", "before", "booking_reference", "awaiting_payment", "sort"}
        demands.query(heard.query, wanted)
        demands.page(heard.query)
        found = [
            one
            for one in self.orders.values()
            if one["offer_id"] == heard.query.get("offer_id", one["offer_id"])
        ]
        if self.unseen:
            self.unseen -= 1
            found = []
        page = found[: int(heard.query.get("limit", "50"))]
        meta = {"after": None, "before": None, "limit": int(heard.query.get("limit", "50"))}
        return 200, {"data": [self._order_now(one) for one in page], "meta": meta}

    @route("GET", paths.ORDER)
    def read_order(self, heard: Heard, order_id: str) -> Answer:
        return 200, {"data": self._order_now(self._known(self.orders, order_id))}

    def _standing(self, order_id: str) -> Data:
        order = self._known(self.orders, order_id)
        if order["cancelled_at"]:
            raise Refused("already_cancelled")
        return order


def _renamed(slices: list[Data], others: list[Data]) -> dict[str, str]:
    """The flights of `others` by the ids that the same flights have in `slices`."""
    return {
        flight["id"]: other["id"]
        for part, another in zip(slices, others, strict=True)
        for flight, other in zip(part["segments"], another["segments"], strict=True)
    }


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
