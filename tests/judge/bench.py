"""What the judge sits on: the simulators of the products, their books, the faults and the market."""

from datetime import UTC, datetime
from typing import Any, get_type_hints

from apps.esim.suppliers.base import EsimSupplier
from apps.esim.suppliers.simulator.adapter import EsimSimulator
from apps.flights.suppliers.base import FlightSupplier
from apps.flights.suppliers.simulator.adapter import FlightSimulator
from apps.hotels.suppliers.base import HotelSupplier
from apps.hotels.suppliers.simulator.adapter import HotelSimulator
from apps.suppliers.errors import Rejected, Unavailable
from apps.suppliers.simulation import Market
from apps.suppliers.values import from_json, to_json
from apps.transfers.suppliers.base import TransferSupplier
from apps.transfers.suppliers.simulator.adapter import TransferSimulator
from tests.judge.books import Books
from tests.judge.faults import Fault, Faults

PROMISES = {
    "hotels": HotelSupplier,
    "flights": FlightSupplier,
    "esim": EsimSupplier,
    "transfers": TransferSupplier,
}


class Bench:
    """One judge's state, and its verdicts."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self.books = Books()
        self.faults = Faults()
        self.blind_lookups = 0
        self.simulators: dict[str, Any] = {
            "hotels": HotelSimulator(self.books, now=wall_clock),
            "flights": FlightSimulator(self.books, now=wall_clock),
            "esim": EsimSimulator(self.books, now=wall_clock),
            "transfers": TransferSimulator(self.books, now=wall_clock),
        }

    def control(self, command: str, body: dict[str, Any]) -> Any:
        match command:
            case "report":
                return self.books.report()
            case "written":
                return self.books.written()
            case "fault":
                self.faults.plan(Fault(**body))
            case "market":
                for simulator in self.simulators.values():
                    simulator.market = from_json(Market, body)
            case "blind-lookups":
                self.blind_lookups = body["count"]
            case "clear":
                self.clear()
            case _:
                raise KeyError(command)
        return None

    def arrive(self, method: str, body: dict[str, Any]) -> tuple[Fault | None, bool]:
        """Count a call: the fault that spoils it, and whether it is a look-up that has to find nothing."""
        client_ref = body.get("client_ref") or body.get("request", {}).get("client_ref")
        count = self.books.called(method, client_ref)
        blind = method.startswith("find_") and count <= self.blind_lookups
        return self.faults.next_for(method, client_ref), blind

    def perform(self, product: str, method: str, body: dict[str, Any]) -> Any:
        """Carry out a call of the product's promise; raises SupplierError."""
        hints = get_type_hints(getattr(PROMISES[product], method))
        arguments = {name: from_json(hints[name], value) for name, value in body.items()}
        return to_json(getattr(self.simulators[product], method)(**arguments))

    @staticmethod
    def refuse(fault: Fault) -> None:
        """Raises what a fault of refusal says."""
        if fault.kind == "reject":
            raise Rejected("the judge was told to reject")
        if fault.kind == "unavailable":
            raise Unavailable("the judge was told to be unavailable")


def wall_clock() -> datetime:
    return datetime.now(UTC)
