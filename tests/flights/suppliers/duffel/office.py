"""What all of the stand-in's doors share: who may enter, what was ordered of it, and what it remembers."""

import itertools

from tests.flights.suppliers.duffel import wire
from tests.flights.suppliers.duffel.wire import Data, Refused
from tests.support.supplier_stub import Answer, Heard, SupplierStub

TOKEN = "duffel_test_stub-token"


class Office(SupplierStub):
    def __init__(self, *, port: int = 0) -> None:
        super().__init__(port=port)
        self.currency = "EUR"
        self.percent = 100
        self.sold_out = False
        self.offer_minutes = 25
        self.order_status = 201
        self.creation_fails = False
        self.unseen = 0  # how many look-ups find nothing, whatever was booked
        self.refund_to = "balance"
        self.refund_known = True
        self.offers: dict[str, Data] = {}
        self.orders: dict[str, Data] = {}
        self.change_offers: dict[str, Data] = {}
        self.changes: dict[str, Data] = {}
        self.cancellations: dict[str, Data] = {}
        self._numbers = itertools.count(1)

    def authorised(self, heard: Heard) -> bool:
        return heard.headers.get("authorization") == f"Bearer {TOKEN}"

    def unauthorised(self) -> Answer:
        return wire.refusal_of("access_token_not_found")

    def unknown(self) -> Answer:
        return wire.refusal_of("not_found")

    def _answer(self, heard: Heard) -> Answer:
        try:
            self._refuse_headers(heard)
            status, body, *_ = super()._answer(heard)
        except Refused as refused:
            status, body = refused.answer
        return status, body, {"x-request-id": f"stub-req-{len(self.heard)}"}

    def _refuse_headers(self, heard: Heard) -> None:
        wanted = {"duffel-version": "v2", "accept": "application/json", "accept-encoding": "gzip"}
        if heard.method == "POST":
            wanted["content-type"] = "application/json"
        for name, value in wanted.items():
            if heard.headers.get(name) != value:
                raise Refused("invalid_header", field=name)

    def _known(self, objects: dict[str, Data], object_id: str) -> Data:
        if object_id not in objects:
            raise Refused("not_found")
        return objects[object_id]

    def _id(self, prefix: str) -> str:
        return f"{prefix}_0000Stub{next(self._numbers):08}"
