"""The eSIM simulator: deterministic in what it offers, and it remembers what was ordered."""

import secrets
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from apps.accounts import clocks
from apps.esim.suppliers.base import (
    EsimOrder,
    Instructions,
    OrderRequest,
    SupplierPlan,
    TopUpPlan,
    TopUpRequest,
    Usage,
)
from apps.esim.suppliers.simulator import catalogue, profiles
from apps.esim.suppliers.simulator.catalogue import INSTRUCTIONS
from apps.esim.suppliers.simulator.profiles import OrderRecord
from apps.suppliers.errors import Expired, Missing, NotPossible, PriceChanged, Rejected
from apps.suppliers.results import Found
from apps.suppliers.simulation import BOOK, CANCEL, AlreadyWrittenError, Market, Store, Write
from apps.suppliers.values import from_json, to_json


class EsimSimulator:
    """Fulfils EsimSupplier out of itself.

    It is not idempotent: whether a reference can be used twice is its store's rule.
    """

    name = "simulator"
    usage_every = timedelta(0)

    def __init__(
        self, store: Store, *, market: Market | None = None, now: Callable[[], datetime] = clocks.now_here
    ) -> None:
        self.store = store
        self.market = market or Market()
        self.now = now

    def plans(self) -> Found[SupplierPlan]:
        if self.market.sold_out:
            return Found()
        return Found(replace(plan, price_cents=self._price(plan)) for plan in catalogue.plans().values())

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
        reference, _, number = supplier_reference.partition("-T")
        record = self._record(reference)
        if not number:
            return record.at(self.now())
        found = [one.order for one in record.top_ups if one.order.supplier_reference == supplier_reference]
        if not found:
            raise Missing("the top-up is unknown")
        return found[0]

    def usage(self, supplier_reference: str, iccid: str) -> Usage:
        return profiles.usage_of(self._record(supplier_reference), self.now())

    def top_up_plans(self, supplier_reference: str, iccid: str) -> list[TopUpPlan]:
        if self.market.sold_out:
            return []
        return profiles.top_ups_for(self._record(supplier_reference), self.market.percent, self.now())

    def top_up(self, request: TopUpRequest) -> EsimOrder:
        """Adds to the profile at the price now. Of two at once the second is refused."""
        write = self._write(request.order_reference)
        record, now = from_json(OrderRecord, write.record), self.now()
        plans = {plan.supplier_plan_id: plan for plan in self.top_up_plans(request.order_reference, "")}
        plan = plans.get(request.supplier_plan_id)
        if plan is None or not profiles.is_of(record, request):
            raise Expired("the top-up is not sold for this profile")
        if plan.price_cents > request.price_cents:
            raise PriceChanged(plan.price_cents)
        record = profiles.added(record, plan, now)
        try:
            self.store.add(
                Write(BOOK, request.client_ref, write.reference, write.sequence + 1, to_json(record))
            )
        except AlreadyWrittenError as error:
            raise Rejected("duplicate reference, or another top-up at the same time") from error
        return record.top_ups[-1].order

    def find_top_up(self, request: TopUpRequest) -> EsimOrder | None:
        """The top-up that the write under our reference added: the last one of its record."""
        write = self.store.find(BOOK, request.client_ref)
        return from_json(OrderRecord, write.record).top_ups[-1].order if write else None

    def instructions(self, supplier_reference: str, iccid: str) -> Instructions:
        self._record(supplier_reference)
        return INSTRUCTIONS

    def call_off(self, supplier_reference: str) -> EsimOrder:
        """The operator refunds an order or a top-up by itself: news that `read_order` brings. No part of the promise."""
        write = self._write(supplier_reference.partition("-T")[0])
        record = profiles.refunded(from_json(OrderRecord, write.record), supplier_reference)
        try:
            self.store.add(
                Write(
                    CANCEL,
                    f"{supplier_reference}-refunded",
                    write.reference,
                    write.sequence + 1,
                    to_json(record),
                )
            )
        except AlreadyWrittenError as error:
            raise NotPossible("the order was written to meanwhile") from error
        return self.read_order(supplier_reference)

    def _price(self, plan: SupplierPlan) -> int:
        return plan.price_cents * self.market.percent // 100

    def _record(self, reference: str) -> OrderRecord:
        """The order as it stands. Raises Missing."""
        return from_json(OrderRecord, self._write(reference).record)

    def _write(self, reference: str) -> Write:
        write = self.store.latest(reference)
        if write is None:
            raise Missing("the order is unknown")
        return write
