"""The flight simulator in a process of its own, behind the same promise."""

from apps.flights.suppliers.base import (
    Cancellation,
    ChangeOption,
    ChangeSearch,
    FlightOffer,
    FlightOrder,
    FlightSearch,
    OrderRequest,
    Passenger,
)
from apps.suppliers.errors import InvalidField
from apps.suppliers.results import Found
from tests.judge.client.remote import RemoteSimulator


class RemoteFlights:
    """Fulfils FlightSupplier over HTTP."""

    name = "simulator"

    def __init__(self, url: str) -> None:
        self.remote = RemoteSimulator(url, "flights")

    def search(self, request: FlightSearch) -> Found[FlightOffer]:
        return Found(self.remote.read(list[FlightOffer], "search", request=request))

    def reprice(self, offer: FlightOffer) -> FlightOffer:
        return self.remote.read(FlightOffer, "reprice", offer=offer)

    def objections(self, passengers: tuple[Passenger, ...]) -> list[InvalidField]:
        return []

    def book(self, request: OrderRequest) -> FlightOrder:
        return self.remote.write(FlightOrder, "book", request=request)

    def find_order(self, client_ref: str, offer: FlightOffer) -> FlightOrder | None:
        return self.remote.find(FlightOrder, "find_order", client_ref=client_ref, offer=offer)

    def read_order(self, supplier_reference: str) -> FlightOrder:
        return self.remote.read(FlightOrder, "read_order", supplier_reference=supplier_reference)

    def change_options(self, request: ChangeSearch) -> Found[ChangeOption]:
        return Found(self.remote.read(list[ChangeOption], "change_options", request=request))

    def prepare_change(self, supplier_reference: str, option: ChangeOption) -> ChangeOption:
        """As it is: no call for what the simulator does not need."""
        return option

    def change(self, client_ref: str, supplier_reference: str, option: ChangeOption) -> FlightOrder:
        return self.remote.write(
            FlightOrder, "change", client_ref=client_ref, supplier_reference=supplier_reference, option=option
        )

    def find_change(
        self, client_ref: str, supplier_reference: str, option: ChangeOption
    ) -> FlightOrder | None:
        return self.remote.find(
            FlightOrder,
            "find_change",
            client_ref=client_ref,
            supplier_reference=supplier_reference,
            option=option,
        )

    def quote_cancellation(self, supplier_reference: str) -> Cancellation:
        return self.remote.read(Cancellation, "quote_cancellation", supplier_reference=supplier_reference)

    def cancel(self, client_ref: str, supplier_reference: str, quote: Cancellation) -> Cancellation:
        return self.remote.write(
            Cancellation, "cancel", client_ref=client_ref, supplier_reference=supplier_reference, quote=quote
        )

    def find_cancellation(
        self, client_ref: str, supplier_reference: str, quote: Cancellation
    ) -> Cancellation | None:
        return self.remote.find(
            Cancellation,
            "find_cancellation",
            client_ref=client_ref,
            supplier_reference=supplier_reference,
            quote=quote,
        )
