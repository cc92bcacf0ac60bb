"""Payments for orders on hold: the whole price, from our balance, once.

Of what their airlines and our balance do to a payment, the attributes decide; and the test routes that answer with another status
than 201, as for orders: LTN to STN (200) and SEN to STN (202).
"""

from datetime import UTC, datetime
from decimal import Decimal

from tests.flights.suppliers.duffel import demands, paths
from tests.flights.suppliers.duffel.airline_moves import AirlineMoves
from tests.flights.suppliers.duffel.ordering import HOLD
from tests.flights.suppliers.duffel.wire import Data, Refused, money, stamp
from tests.support.supplier_stub import Answer, Heard, route

STATUS_OF = {("LTN", "STN"): 200, ("SEN", "STN"): 202}


class Paying(AirlineMoves):
    def __init__(self, *, port: int = 0) -> None:
        super().__init__(port=port)
        self.payments: list[Data] = []
        self.payment_ends = "succeeded"
        self.failure_reason = ""
        self.balance_empty = False
        self.refuses_payment = ""  # a code of theirs, before the order is looked at

    def paid(self, order_id: str) -> list[Data]:
        """The payments that took money for an order."""
        with self.lock:
            return [
                one for one in self.payments if one["order_id"] == order_id and one["status"] == "succeeded"
            ]

    def drift(self, order_id: str, percent: int) -> None:
        """The price of an order on hold once its guarantee is over."""
        with self.lock:
            order = self.orders[order_id]
            order["total_amount"] = money(Decimal(order["total_amount"]) * percent / 100)
            order["payment_status"]["price_guarantee_expires_at"] = None

    def end_payments(self, state: str) -> None:
        """The payments that are under way come to their end."""
        with self.lock:
            for one in self.payments:
                if one["status"] == "pending":
                    self._end(one, state)

    @route("POST", paths.PAYMENTS)
    def pay(self, heard: Heard) -> Answer:
        data = demands.data_of(heard.json, {"order_id", "payment"})
        order = self._payable(data["order_id"])
        demands.payment(data["payment"], order["total_amount"], order["total_currency"])
        payment = {
            "id": self._id("pay"),
            "live_mode": False,
            "created_at": stamp(datetime.now(UTC)),
            **data["payment"],
            "status": "pending",
            "failure_reason": None,
        }
        self.payments.append({**payment, "order_id": order["id"]})
        ends = [order["slices"][0][name]["iata_code"] for name in ("origin", "destination")]
        status = STATUS_OF.get((ends[0], ends[1]), 201)
        if status == 201:
            self._end(self.payments[-1], self.payment_ends)
            return 201, {"data": {name: self.payments[-1][name] for name in payment}}
        self._end(self.payments[-1], "succeeded")
        return status, {"data": {"order_id": order["id"]}}

    def _payable(self, order_id: str) -> Data:
        order = self._standing(order_id)
        if self.refuses_payment:
            raise Refused(self.refuses_payment)
        if order["type"] != HOLD:
            raise Refused("order_type_not_eligible_for_payment")
        status = self._payment_status(order)
        if status["paid_at"]:
            raise Refused("already_paid")
        if not status["awaiting_payment"]:
            raise Refused("past_payment_required_by_date")
        if self.balance_empty:
            raise Refused("insufficient_balance")
        return order

    def _end(self, payment: Data, state: str) -> None:
        payment["status"] = state
        payment["failure_reason"] = self.failure_reason if state == "failed" else None
        told = self.orders[payment["order_id"]]["payment_status"]
        told["awaiting_payment"] = state == "failed"
        if state == "succeeded":
            told["paid_at"] = stamp(datetime.now(UTC))

    @route("GET", paths.PAYMENTS)
    def list_payments(self, heard: Heard) -> Answer:
        demands.query(heard.query, {"order_id", "limit", "after", "before"})
        demands.page(heard.query)
        found = [
            one for one in self.payments if one["order_id"] == heard.query.get("order_id", one["order_id"])
        ]
        shown = [{name: value for name, value in one.items() if name != "order_id"} for one in found]
        return 200, {"data": shown, "meta": {"after": None, "before": None, "limit": 50}}
