"""Airline credits: what an airline keeps for the passengers of a cancelled order, each with a code that it issues."""

from datetime import UTC, datetime, timedelta
from decimal import ROUND_DOWN, Decimal

from tests.flights.suppliers.duffel import paths
from tests.flights.suppliers.duffel.ordering import Ordering
from tests.flights.suppliers.duffel.wire import Data, money, stamp
from tests.support.supplier_stub import Answer, Heard, route

CREDITS = "airline_credits"


class Crediting(Ordering):
    def _refund(self, order: Data, refund: Decimal) -> Data:
        """What a cancellation says of its refund. One in money has no list of credits."""
        told: Data = {
            "refund_amount": money(refund) if self.refund_known else None,
            "refund_currency": order["total_currency"],
            "refund_to": self.refund_to,
        }
        return (
            {**told, CREDITS: self._credits(order, refund)} if self.refund_to == CREDITS and refund else told
        )

    def _credits(self, order: Data, refund: Decimal) -> list[Data]:
        """`credited` percent of the refund, for all passengers alike."""
        count = len(order["passengers"])
        share = (refund * self.credited / 100 / count).quantize(Decimal("0.01"), ROUND_DOWN)
        return [self._credit(order, passenger["id"], share) for passenger in order["passengers"]]

    def _credit(self, order: Data, passenger_id: str, amount: Decimal) -> Data:
        credit = {
            "id": self._id("acd"),
            "credit_name": None,
            "credit_code": None,
            "credit_amount": money(amount),
            "credit_currency": order["total_currency"],
            "issued_on": None,
            "passenger_id": passenger_id,
        }
        self.credits[credit["id"]] = {**credit, "order_id": order["id"]}
        return credit

    def _issue_credits(self, cancellation: Data) -> None:
        """Their codes, unless they come later."""
        for credit in cancellation.get(CREDITS, ()):
            if not self.codes_later:
                credit["credit_code"] = self._issued(credit["id"])["credit_code"]

    def _issued(self, credit_id: str) -> Data:
        now = datetime.now(UTC)
        self.credits[credit_id] |= {
            "credit_code": f"MCO{credit_id[-8:]}",
            "issued_on": now.date().isoformat(),
            "expires_at": stamp(now + timedelta(days=365)),
        }
        return self.credits[credit_id]

    def issue_codes(self) -> list[str]:
        """The airline issues what it has not yet. Only reading a credit by itself tells the code. The ids."""
        with self.lock:
            waiting = [credit_id for credit_id, one in self.credits.items() if one["credit_code"] is None]
            for credit_id in waiting:
                self._issued(credit_id)
            return waiting

    @route("GET", paths.AIRLINE_CREDIT)
    def read_credit(self, heard: Heard, credit_id: str) -> Answer:
        """Most of its fields have two names, and it may have been spent or withdrawn."""
        credit = self._known(self.credits, credit_id)
        again = {
            "amount": credit["credit_amount"],
            "amount_currency": credit["credit_currency"],
            "code": credit["credit_code"],
        }
        return 200, {
            "data": {
                "expires_at": None,
                **credit,
                **again,
                "type": "mco",
                "spent_at": None,
                "invalidated_at": None,
            }
        }
