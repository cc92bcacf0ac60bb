"""Bags and seats: listed under new ids with each read, ordered by those of the latest one, added to orders that have no bag."""

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from tests.flights.suppliers.duffel import demands, paths
from tests.flights.suppliers.duffel.selling import Selling
from tests.flights.suppliers.duffel.wire import Data, Refused, money, stamp
from tests.support.supplier_stub import Answer, Heard, route

SIZES = {"maximum_length_cm": None, "maximum_height_cm": None, "maximum_depth_cm": None}
BAGS: tuple[tuple[str, str, int, Data], ...] = (
    ("22.19", "checked", 3, {"maximum_weight_kg": 15, **SIZES}),
    ("30.0", "checked", 3, {"maximum_weight_kg": 23, **SIZES}),
    (
        "12.50",
        "carry_on",
        1,
        {
            "maximum_weight_kg": None,
            "maximum_length_cm": 45,
            "maximum_height_cm": 56,
            "maximum_depth_cm": 25,
        },
    ),
)
ROW_PRICES = {1: "20.0", 2: "0.0"}
TAKEN, RESTRICTED = "1C", "2C"
NOT_A_SEAT = {"designator": None, "name": None, "disclosures": [], "available_services": []}


class Extras(Selling):
    def __init__(self, *, port: int = 0) -> None:
        super().__init__(port=port)
        self.seat_maps_shown = True
        self.gone: set[str] = set()  # designators, and weights of bags, that are gone when they are ordered
        self.unlisted: set[str] = set()  # those that are no longer listed
        self.listed: dict[str, dict[str, Data]] = {}
        self.on_map: dict[str, dict[str, Data]] = {}

    def _services_of(self, offer: Data) -> list[Data]:
        """Under new ids: those of earlier reads are unknown from now on. What nobody knows is among them."""
        flights = [flight["id"] for part in offer["slices"] for flight in part["segments"]]
        found = [
            self._service(
                offer["currency"],
                "baggage",
                price,
                most,
                [traveller["id"]],
                flights,
                {"type": kind, **metadata},
            )
            for traveller in offer["passengers"]
            if traveller["type"] != "infant_without_seat"
            for price, kind, most, metadata in BAGS
        ]
        everybody = [traveller["id"] for traveller in offer["passengers"]]
        refund = {
            "refund_amount": "90.00",
            "merchant_copy": "Cancel",
            "terms_and_conditions_url": "https://x.example",
        }
        found.append(
            self._service(offer["currency"], "cancel_for_any_reason", "9.00", 1, everybody, flights, refund)
        )
        found.append(self._service(offer["currency"], "meal", "7.00", 1, everybody[:1], flights[:1], {}))
        listed = [one for one in found if _name(one) not in self.unlisted]
        self.listed[offer["id"]] = {one["id"]: one for one in listed}
        return listed

    def _service(
        self,
        currency: str,
        type: str,
        price: str,
        most: int,
        travellers: list[str],
        flights: list[str],
        metadata: Data,
    ) -> Data:
        return {
            "id": self._id("ase"),
            "type": type,
            "total_amount": self._priced(price),
            "total_currency": currency,
            "maximum_quantity": most,
            "passenger_ids": travellers,
            "segment_ids": flights,
            "metadata": metadata,
        }

    def _priced(self, amount: str) -> str:
        return amount if self.percent == 100 else money(Decimal(amount) * self.percent / 100)

    @route("GET", paths.SEAT_MAPS)
    def seat_maps(self, heard: Heard) -> Answer:
        demands.query(heard.query, {"offer_id"})
        offer = self._standing_offer(heard.query.get("offer_id", ""))
        if not self.seat_maps_shown:
            return 200, {"data": []}
        self.on_map[offer["id"]] = {}
        flights = [(part["id"], flight) for part in offer["slices"] for flight in part["segments"]]
        return 200, {"data": [self._map(offer, *flight) for flight in reversed(flights)]}

    def _map(self, offer: Data, slice_id: str, flight: Data) -> Data:
        rows: list[list[list[Data]]] = [
            [[_element("galley")], [_element("lavatory")]],
            [[_element("exit_row")]] * 2,
        ]
        for row in ROW_PRICES:
            seats = [self._seat(offer, flight, f"{row}{letter}") for letter in "ACDF"]
            rows.append([seats[:2], seats[2:]])
        rows.append([[], [_element("espresso_bar")]])
        cabin = {
            "cabin_class": flight["passengers"][0]["cabin_class"],
            "deck": 0,
            "aisles": 1,
            "wings": None,
            "rows": [{"sections": [{"elements": section} for section in row]} for row in rows],
        }
        return {"id": self._id("sea"), "slice_id": slice_id, "segment_id": flight["id"], "cabins": [cabin]}

    def _seat(self, offer: Data, flight: Data, designator: str) -> Data:
        services = [
            {
                "id": self._id("ase"),
                "passenger_id": traveller["id"],
                "total_amount": self._priced(ROW_PRICES[int(designator[0])]),
                "total_currency": offer["currency"],
            }
            for traveller in offer["passengers"]
            if designator not in {TAKEN, RESTRICTED, *self.unlisted}
        ]
        for one in services:
            self.on_map[offer["id"]][one["id"]] = {
                **one,
                "type": "seat",
                "maximum_quantity": 1,
                "passenger_ids": [one["passenger_id"]],
                "segment_ids": [flight["id"]],
                "metadata": {"designator": designator, "name": "", "disclosures": []},
            }
        exit_rule = ["Passenger must be an adult"] if designator[0] == "1" else []
        return {
            "type": "restricted_seat_general" if designator == RESTRICTED else "seat",
            "designator": designator,
            "name": "",
            "disclosures": exit_rule,
            "available_services": services,
        }

    # --- In an order ----------------------------------------------------------------------------------------------

    def _ordered_services(self, offer: Data, wanted: Any) -> list[tuple[Data, int]]:
        """With how many of each. Raises what they would refuse."""
        known = {**self.listed.get(offer["id"], {}), **self.on_map.get(offer["id"], {})}
        return self._chosen(known, wanted, "services")

    def _chosen(self, known: dict[str, Data], wanted: Any, field: str) -> list[tuple[Data, int]]:
        found = []
        for at, one in enumerate(wanted):
            demands.only(one, {"id", "quantity"})
            if one["id"] not in known:
                raise Refused(
                    "not_found", status=422, type="validation_error", field=field, pointer=f"/{field}/{at}/id"
                )
            service = known[one["id"]]
            if not 1 <= one["quantity"] <= service["maximum_quantity"]:
                raise Refused("validation_inclusion", field="quantity", pointer=f"/{field}/{at}/quantity")
            if _name(service) in self.gone:
                raise Refused("ancillary_service_not_available")
            found.append((service, one["quantity"]))
        seats = [(one["segment_ids"][0], _name(one)) for one, _ in found if one["type"] == "seat"]
        if len(set(seats)) != len(seats):
            raise Refused("ancillary_service_not_available")
        return found

    def _booked_services(self, chosen: list[tuple[Data, int]], flights: dict[str, str]) -> list[Data]:
        """As an order has them, under other ids. `flights`: its own ids of them, by the offer's."""
        return [
            {
                "id": self._id("ser"),
                "type": service["type"],
                "quantity": quantity,
                "total_amount": money(Decimal(service["total_amount"]) * quantity),
                "total_currency": service["total_currency"],
                "passenger_ids": service["passenger_ids"],
                "segment_ids": [flights[flight] for flight in service["segment_ids"]],
                "metadata": service["metadata"],
            }
            for service, quantity in chosen
        ]


def total_of(chosen: list[tuple[Data, int]]) -> Decimal:
    return sum((Decimal(service["total_amount"]) * quantity for service, quantity in chosen), Decimal(0))


def _element(type: str) -> Data:
    return {"type": type, **NOT_A_SEAT}


def _name(service: Data) -> str:
    """`1A`, `23`, `carry_on`: how a test names what is gone."""
    metadata = service["metadata"]
    return str(metadata.get("designator") or metadata.get("maximum_weight_kg") or metadata.get("type"))


class ExtrasAfterwards(Extras):
    """For orders that stand."""

    _order_now: Callable[[Data], Data]

    @route("GET", paths.ORDER_SERVICES)
    def order_services(self, heard: Heard, order_id: str) -> Answer:
        order = self._known(self.orders, order_id)
        return 200, {"data": self._addable(order)}

    def _addable(self, order: Data) -> list[Data]:
        """Bags alone, for an order that was made without one."""
        if order["cancelled_at"] or any(one["type"] == "baggage" for one in order["services"]):
            return []
        offer = {
            "id": order["id"],
            "currency": order["total_currency"],
            "slices": order["slices"],
            "passengers": order["passengers"],
        }
        return [one for one in self._services_of(offer) if one["type"] == "baggage"]

    @route("POST", paths.ORDER_SERVICES_ADDED)
    def add_services(self, heard: Heard, order_id: str) -> Answer:
        order = self._known(self.orders, order_id)
        data = demands.data_of(heard.json, {"add_services"}, {"payment"})
        if order["cancelled_at"]:
            raise Refused("already_cancelled")
        chosen = self._chosen(self.listed.get(order_id, {}), data["add_services"], "add_services")
        total = total_of(chosen)
        if total:
            demands.payment(data.get("payment", {}), money(total), order["total_currency"])
        flights = {flight["id"]: flight["id"] for part in order["slices"] for flight in part["segments"]}
        order["services"] = [*order["services"], *self._booked_services(chosen, flights)]
        order["total_amount"] = money(Decimal(order["total_amount"]) + total)
        order["synced_at"] = stamp(datetime.now(UTC))
        return 200, {"data": self._order_now(order)}
