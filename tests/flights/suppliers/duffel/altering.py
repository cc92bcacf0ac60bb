"""Changes and cancellations of orders: quoted first, then confirmed."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from tests.flights.suppliers.duffel import demands, paths, wire
from tests.flights.suppliers.duffel.crediting import Crediting
from tests.flights.suppliers.duffel.ordering import ACTIONS
from tests.flights.suppliers.duffel.selling import BRANDS, CHANGE_PENALTY, CHECKED, FLEX, PENALTY
from tests.flights.suppliers.duffel.wire import Data, Refused, money, stamp
from tests.support.supplier_stub import Answer, Heard, route

# Their test mode answers the first for every change. It has no cheaper ones: those are ours, as live keys may have them.
DIFFERENCES = {7: "125.00", 11: "-12.40", 15: "37.05", 19: "-31.00"}
VALID = timedelta(days=3)
STALE_CHANGE = "order_change_offer_no_longer_selectable"  # our invention: theirs is not documented


class Altering(Crediting):
    def __init__(self, *, port: int = 0) -> None:
        super().__init__(port=port)
        self.change_requests: dict[str, Any] = {}
        self.offers_within = True  # the answer to a request may be without them

    @route("POST", paths.CHANGE_REQUESTS)
    def request_change(self, heard: Heard) -> Answer:
        data = demands.data_of(heard.json, {"order_id", "slices"})
        order = self._standing(data["order_id"])
        if "change" not in ACTIONS[order["fare"]]:
            raise Refused("order_not_changeable")
        demands.only(data["slices"], {"remove", "add"})
        (removed,), (added,) = data["slices"]["remove"], data["slices"]["add"]
        demands.only(removed, {"slice_id"})
        demands.leg(added, cabin=True)
        if removed["slice_id"] not in [one["id"] for one in order["slices"]]:
            raise Refused("validation_inclusion", field="slice_id", pointer="/slices/remove/0/slice_id")
        offers = [self._change_offer(order, removed["slice_id"], added, hour) for hour in DIFFERENCES]
        unpriced = {**offers[0], "id": self._id("oco"), "change_total_amount": None}
        request_id = self._id("ocr")
        self.change_requests[request_id] = [*offers, unpriced]
        return 201, {
            "data": {
                "id": request_id,
                "order_id": order["id"],
                "live_mode": False,
                "order_change_offers": self.change_requests[request_id] if self.offers_within else [],
            }
        }

    @route("GET", paths.CHANGE_OFFERS)
    def list_change_offers(self, heard: Heard) -> Answer:
        demands.only(
            heard.query,
            {"order_change_request_id"},
            {"limit", "after", "before", "sort", "max_connections"},
        )
        found = self._known(self.change_requests, heard.query["order_change_request_id"])
        return 200, {"data": found, "meta": {"after": None, "before": None}}

    def _change_offer(self, order: Data, removed: str, added: Data, hour: int) -> Data:
        difference = Decimal(DIFFERENCES[hour])
        currency = order["total_currency"]
        one = wire.leg(
            added["origin"],
            added["destination"],
            added["departure_date"],
            hour=hour,
            stops=0,
            cabin=added["cabin_class"],
            seats=[wire.seat(one, checked=CHECKED[order["fare"]]) for one in order["passengers"]],
            brand=BRANDS[order["fare"]],
        )
        offer = {
            "id": self._id("oco"),
            "change_total_amount": money(difference),
            "change_total_currency": currency,
            "new_total_amount": money(Decimal(order["total_amount"]) + difference - CHANGE_PENALTY),
            "new_total_currency": currency,
            "penalty_total_amount": money(CHANGE_PENALTY),
            "penalty_total_currency": currency,
            "refund_to": "original_form_of_payment" if self.refund_to == "balance" else self.refund_to,
            "conditions": self._conditions(order["fare"], currency),
            "available_payment_types": ["balance"],
            "private_fares": [],
            "live_mode": False,
            "created_at": stamp(datetime.now(UTC)),
            "updated_at": stamp(datetime.now(UTC)),
            "expires_at": stamp(datetime.now(UTC) + VALID),
            "order_change_id": None,
            "slices": {"remove": [{"id": removed}], "add": [self._under_new_ids(one)]},
        }
        self.change_offers[offer["id"]] = {**offer, "order_id": order["id"], "version": order["version"]}
        return offer

    @route("POST", paths.CHANGES)
    def take_up_change(self, heard: Heard) -> Answer:
        data = demands.data_of(heard.json, {"selected_order_change_offer"})
        offer = self._known(self.change_offers, data["selected_order_change_offer"])
        if self._standing(offer["order_id"])["version"] != offer["version"]:
            raise Refused(STALE_CHANGE)
        change_id = self._id("oce")
        names = (
            "order_id",
            "change_total_amount",
            "change_total_currency",
            "new_total_amount",
            "new_total_currency",
            "penalty_total_amount",
            "penalty_total_currency",
            "available_payment_types",
        )
        self.changes[change_id] = {
            "id": change_id,
            **{name: offer[name] for name in names},
            "refund_to": offer["refund_to"] if Decimal(offer["change_total_amount"]) < 0 else None,
            "confirmed_at": None,
            "expires_at": stamp(datetime.now(UTC) + VALID),
            "slices": offer["slices"],
            "live_mode": False,
        }
        return 201, {"data": self.changes[change_id]}

    @route("GET", paths.CHANGES + "/{change_id}")
    def read_change(self, heard: Heard, change_id: str) -> Answer:
        return 200, {"data": self._known(self.changes, change_id)}

    @route("POST", paths.CONFIRM_CHANGE)
    def confirm_change(self, heard: Heard, change_id: str) -> Answer:
        change = self._known(self.changes, change_id)
        if change["confirmed_at"]:
            raise Refused("order_change_already_actioned")
        order = self._standing(change["order_id"])
        if Decimal(change["change_total_amount"]) > 0:
            data = demands.data_of(heard.json, {"payment"})
            demands.payment(data["payment"], change["change_total_amount"], change["change_total_currency"])
        else:
            demands.data_of(heard.json, set())
        (removed,), (added,) = change["slices"]["remove"], change["slices"]["add"]
        order["slices"] = [added if one["id"] == removed["id"] else one for one in order["slices"]]
        order["services"] = [one for one in order["services"] if self._is_kept(one, order, added)]
        order["total_amount"] = change["new_total_amount"]
        order["version"] += 1
        change["confirmed_at"] = stamp(datetime.now(UTC))
        return 200, {"data": change}

    def _is_kept(self, service: Data, order: Data, added: Data) -> bool:
        """What becomes of services is not documented. Here seats of the slice are lost, and bags go with the traveller."""
        flights = {flight["id"] for part in order["slices"] for flight in part["segments"]}
        if service["type"] == "seat":
            return set(service["segment_ids"]) <= flights
        kept = [flight for flight in service["segment_ids"] if flight in flights]
        service["segment_ids"] = [*kept, *(flight["id"] for flight in added["segments"])]
        return True

    @route("POST", paths.CANCELLATIONS)
    def quote_cancellation(self, heard: Heard) -> Answer:
        data = demands.data_of(heard.json, {"order_id"})
        order = self._standing(data["order_id"])
        unpaid = self._payment_status(order)["paid_at"] is None
        refund = (
            Decimal(order["total_amount"]) - PENALTY if order["fare"] == FLEX and not unpaid else Decimal(0)
        )
        refund += order.get("waived", 0)  # what the airline asks less, or more, than it did
        cancellation = {
            "id": self._id("ore"),
            "order_id": order["id"],
            **self._refund(order, max(Decimal(0), refund)),
            **({"refund_to": "awaiting_payment"} if unpaid else {}),
            "expires_at": stamp(datetime.now(UTC) + self.quote_lasts),
            "confirmed_at": None,
            "live_mode": False,
        }
        self.cancellations[str(cancellation["id"])] = {**cancellation, "version": order["version"]}
        return 201, {"data": cancellation}

    @route("GET", paths.CANCELLATIONS + "/{cancellation_id}")
    def read_cancellation(self, heard: Heard, cancellation_id: str) -> Answer:
        return 200, {"data": self._known(self.cancellations, cancellation_id)}

    @route("POST", paths.CONFIRM_CANCELLATION)
    def confirm_cancellation(self, heard: Heard, cancellation_id: str) -> Answer:
        demands.data_of(heard.json, set())
        cancellation = self._known(self.cancellations, cancellation_id)
        order = self._standing(cancellation["order_id"])
        newest = [key for key, one in self.cancellations.items() if one["order_id"] == order["id"]][-1]
        if cancellation_id != newest or cancellation["version"] != order["version"]:
            raise Refused("order_cancellation_stale")
        now = stamp(datetime.now(UTC))
        cancellation["confirmed_at"] = order["cancelled_at"] = now
        self._issue_credits(cancellation)
        order["cancellation"] = cancellation
        return 200, {"data": cancellation}
