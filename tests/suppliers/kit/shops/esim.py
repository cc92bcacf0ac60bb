from dataclasses import dataclass
from typing import Any

from apps.esim.services.sync import sync_environment
from apps.suppliers.errors import SupplierError
from tests.suppliers.kit.shops.base import Offer
from tests.support.api import Api, Reply


@dataclass
class EsimShop:
    """Its search is the sync of the catalogue, and a page of it."""

    api: Api
    standing = "provisioned"
    cancels = False

    def search(self) -> Reply:
        try:
            sync_environment("live")
        except SupplierError as failed:
            return Reply(503, {"error": {"type": "upstream_unavailable", "message": str(failed)}}, {}, b"")
        return self.api.get("/v1/esim/plans?country=PT")

    def offers(self, reply: Reply) -> list[Offer]:
        return [Offer(plan["id"], plan["priceCents"]) for plan in reply.body["data"]]

    def book(self, offer: Offer, key: str, **more: Any) -> Reply:
        more.pop("maxTotalCents", None)
        return self.api.post("/v1/esim/orders", {"planId": offer.handle, **more}, key)

    def read(self, booking_id: str) -> Reply:
        return self.api.get(f"/v1/esim/orders/{booking_id}")

    def cancel(self, booking_id: str, key: str) -> Reply:
        raise AssertionError("an eSIM cannot be cancelled")
