"""The hotel simulator in a process of its own, behind the same promise."""

from datetime import date

from apps.hotels.suppliers.base import Cancellation, HotelOffer, Rate, Stay, StayRequest, StaySearch
from apps.suppliers.results import Found
from tests.judge.client.remote import RemoteSimulator


class RemoteHotels:
    """Fulfils HotelSupplier over HTTP."""

    name = "simulator"

    def __init__(self, url: str) -> None:
        self.remote = RemoteSimulator(url, "hotels")

    def search(self, request: StaySearch) -> Found[HotelOffer]:
        return Found(self.remote.read(list[HotelOffer], "search", request=request))

    def check_rate(self, rate: Rate) -> Rate:
        return self.remote.read(Rate, "check_rate", rate=rate)

    def book(self, request: StayRequest) -> Stay:
        return self.remote.write(Stay, "book", request=request)

    def find_booking(self, client_ref: str, rate: Rate) -> Stay | None:
        return self.remote.find(Stay, "find_booking", client_ref=client_ref, rate=rate)

    def read_booking(self, supplier_reference: str, policy: str = "") -> Stay:
        return self.remote.read(Stay, "read_booking", supplier_reference=supplier_reference)

    def quote_cancellation(self, supplier_reference: str, policy: str = "") -> Cancellation:
        return self.remote.read(Cancellation, "quote_cancellation", supplier_reference=supplier_reference)

    def cancel(
        self, client_ref: str, supplier_reference: str, quote: Cancellation, policy: str = ""
    ) -> Cancellation:
        return self.remote.write(
            Cancellation, "cancel", client_ref=client_ref, supplier_reference=supplier_reference, quote=quote
        )

    def find_cancellation(
        self, client_ref: str, supplier_reference: str, quote: Cancellation | None = None
    ) -> Cancellation | None:
        return self.remote.find(
            Cancellation, "find_cancellation", client_ref=client_ref, supplier_reference=supplier_reference
        )

    def standing(self, first: date, last: date) -> dict[str, str]:
        return {}

    def learn(self) -> int:
        return 0
