"""The eSIM simulator: deterministic in what it offers, and it remembers what was ordered."""

import secrets
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from apps.common import clock
from apps.esim.suppliers.base import EsimOrder, OrderRequest, SupplierPlan, Usage
from apps.esim.suppliers.simulator import catalogue, profiles
from apps.esim.suppliers.simulator.profiles import OrderRecord
from apps.suppliers.codec import from_json, to_json
from apps.suppliers.errors import Expired, Missing, PriceChanged, Rejected
from apps.suppliers.simulation.market import Market
from apps.suppliers.simulation.store import BOOK, AlreadyWrittenError, Store, Write


class EsimSimulator:
    """Fulfils EsimSupplier out of itself.

    It is not idempotent: whether a reference can be used twice is its store's rule.
    """

    name = "simulator"
    usage_every = timedelta(0)

    def __init__(
        self, store: Store, *, market: Market | None = None, now: Callable[[], datetime] = clock.now
    ) -> None:
        self.store = store
        self.market = market or Market()
        self.now = now

    def plans(self) -> list[SupplierPlan]:
        if self.market.sold_out:
            return []
        return [replace(plan, price_cents=self._price(plan)) for plan in catalogue.plans().values()]

    def order(self, request: OrderRequest) -> EsimOrder:
        """Orders at the price now; raises PriceChanged when that is above what the plan was sold for."""
        plan = catalogue.plans().get(request.supplier_plan_id)
        if plan is None or self.market.sold_out:
            raise Expired("the plan is not sold")
        price = self._price(plan)
        if price > request.price_cents:
            raise PriceChanged(price)
        now = self.now()
        record = profiles.issue(plan, price, f"sim_{secrets.token_hex(8)}", now)
        try:
            reference = record.order.supplier_reference
            self.store.add(Write(BOOK, request.client_ref, reference, 0, to_json(record)))
        except AlreadyWrittenError as error:
            raise Rejected("duplicate reference") from error
        return record.at(now)

    def find_order(self, client_ref: str) -> EsimOrder | None:
        write = self.store.find(BOOK, client_ref)
        return self.read_order(write.reference) if write else None

    def read_order(self, supplier_reference: str) -> EsimOrder:
        return self._record(supplier_reference).at(self.now())

    def usage(self, supplier_reference: str, iccid: str) -> Usage:
        return profiles.usage_of(self._record(supplier_reference), self.now())

    def _price(self, plan: SupplierPlan) -> int:
        return plan.price_cents * self.market.percent // 100

    def _record(self, reference: str) -> OrderRecord:
        """The order as it stands. Raises Missing."""
        write = self.store.latest(reference)
        if write is None:
            raise Missing("the order is unknown")
        return from_json(OrderRecord, write.record)
