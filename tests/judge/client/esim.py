"""The eSIM simulator in a process of its own, behind the same promise."""

from datetime import timedelta

from apps.esim.suppliers.base import (
    EsimOrder,
    Instructions,
    OrderRequest,
    SupplierPlan,
    TopUpPlan,
    TopUpRequest,
    Usage,
)
from apps.suppliers.results import Found
from tests.judge.client.remote import RemoteSimulator


class RemoteEsim:
    """Fulfils EsimSupplier over HTTP."""

    name = "simulator"
    usage_every = timedelta(0)

    def __init__(self, url: str) -> None:
        self.remote = RemoteSimulator(url, "esim")

    def plans(self) -> Found[SupplierPlan]:
        return Found(self.remote.read(list[SupplierPlan], "plans"))

    def order(self, request: OrderRequest) -> EsimOrder:
        return self.remote.write(EsimOrder, "order", request=request)

    def find_order(self, client_ref: str) -> EsimOrder | None:
        return self.remote.find(EsimOrder, "find_order", client_ref=client_ref)

    def read_order(self, supplier_reference: str) -> EsimOrder:
        return self.remote.read(EsimOrder, "read_order", supplier_reference=supplier_reference)

    def usage(self, supplier_reference: str, iccid: str) -> Usage:
        return self.remote.read(Usage, "usage", supplier_reference=supplier_reference, iccid=iccid)

    def top_up_plans(self, supplier_reference: str, iccid: str) -> list[TopUpPlan]:
        named = {"supplier_reference": supplier_reference, "iccid": iccid}
        return self.remote.read(list[TopUpPlan], "top_up_plans", **named)

    def top_up(self, request: TopUpRequest) -> EsimOrder:
        return self.remote.write(EsimOrder, "top_up", request=request)

    def find_top_up(self, request: TopUpRequest) -> EsimOrder | None:
        return self.remote.find(EsimOrder, "find_top_up", request=request)

    def instructions(self, supplier_reference: str, iccid: str) -> Instructions:
        named = {"supplier_reference": supplier_reference, "iccid": iccid}
        return self.remote.read(Instructions, "instructions", **named)
