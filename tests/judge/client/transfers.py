"""The transfer simulator in a process of its own, behind the same promise."""

from apps.suppliers.results import Found
from apps.transfers.suppliers.base import (
    Cancellation,
    OrderRequest,
    TransferOffer,
    TransferOrder,
    TransferSearch,
)
from tests.judge.client.remote import RemoteSimulator


class RemoteTransfers:
    """Fulfils TransferSupplier over HTTP."""

    name = "simulator"

    def __init__(self, url: str) -> None:
        self.remote = RemoteSimulator(url, "transfers")

    def search(self, request: TransferSearch) -> Found[TransferOffer]:
        return Found(self.remote.read(list[TransferOffer], "search", request=request))

    def reprice(self, request: TransferSearch, offer: TransferOffer) -> TransferOffer:
        return self.remote.read(TransferOffer, "reprice", request=request, offer=offer)

    def refuse_lacking(self, request: OrderRequest) -> None:
        """Nothing lacks for the simulator."""

    def book(self, request: OrderRequest) -> TransferOrder:
        return self.remote.write(TransferOrder, "book", request=request)

    def find_order(self, client_ref: str, request: OrderRequest) -> TransferOrder | None:
        return self.remote.find(TransferOrder, "find_order", client_ref=client_ref, request=request)

    def read_order(self, supplier_reference: str) -> TransferOrder:
        return self.remote.read(TransferOrder, "read_order", supplier_reference=supplier_reference)

    def quote_cancellation(self, supplier_reference: str) -> Cancellation:
        return self.remote.read(Cancellation, "quote_cancellation", supplier_reference=supplier_reference)

    def cancel(self, client_ref: str, supplier_reference: str, quote: Cancellation) -> Cancellation:
        return self.remote.write(
            Cancellation, "cancel", client_ref=client_ref, supplier_reference=supplier_reference, quote=quote
        )

    def find_cancellation(self, client_ref: str, supplier_reference: str) -> Cancellation | None:
        return self.remote.find(
            Cancellation, "find_cancellation", client_ref=client_ref, supplier_reference=supplier_reference
        )
