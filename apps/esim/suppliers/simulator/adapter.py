"""The eSIM simulator: deterministic in what it offers, and it remembers what was ordered."""

import secrets
from dataclasses import replace
from datetime import timedelta

from apps.common.languages import ENGLISH
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
from apps.esim.suppliers.simulator.instructions import LANGUAGES, instructions_in
from apps.esim.suppliers.simulator.profiles import OrderRecord
from apps.suppliers.errors import Expired, Missing, NotPossible, PriceChanged, Rejected
from apps.suppliers.results import Found
from apps.suppliers.simulation import BOOK, CANCEL, REFUND, Simulator


class EsimSimulator(Simulator[OrderRecord]):
    """Fulfils EsimSupplier out of itself."""

    record_type = OrderRecord
    usage_every = timedelta(0)
    languages = LANGUAGES

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
        self.write_first(request.client_ref, record.order.supplier_reference, record)
        return record.at(now)

    def find_order(self, client_ref: str) -> EsimOrder | None:
        write = self.store.find(BOOK, client_ref)
        return self.read_order(write.reference) if write else None

    def read_order(self, supplier_reference: str) -> EsimOrder:
        reference, _, number = supplier_reference.partition("-T")
        record, _ = self.latest(reference)
        if not number:
            return record.at(self.now())
        found = [one.order for one in record.top_ups if one.order.supplier_reference == supplier_reference]
        if not found:
            raise Missing("the top-up is unknown")
        return found[0]

    def usage(self, supplier_reference: str, iccid: str) -> Usage:
        record, _ = self.latest(supplier_reference)
        return profiles.usage_of(record, self.now())

    def top_up_plans(self, supplier_reference: str, iccid: str) -> list[TopUpPlan]:
        if self.market.sold_out:
            return []
        record, _ = self.latest(supplier_reference)
        return profiles.top_ups_for(record, self.market.percent, self.now())

    def top_up(self, request: TopUpRequest) -> EsimOrder:
        """Adds to the profile at the price now. Of two at once the second is refused."""
        reference, now = request.order_reference, self.now()
        record, sequence = self.latest(reference)
        plans = {plan.supplier_plan_id: plan for plan in self.top_up_plans(reference, "")}
        plan = plans.get(request.supplier_plan_id)
        if plan is None or not profiles.is_of(record, request):
            raise Expired("the top-up is not sold for this profile")
        if plan.price_cents > request.price_cents:
            raise PriceChanged(plan.price_cents)
        record = profiles.added(record, plan, now)
        try:
            self.write_next(BOOK, request.client_ref, reference, sequence + 1, record)
        except NotPossible as error:
            raise Rejected("duplicate reference, or another top-up at the same time") from error
        return record.top_ups[-1].order

    def find_top_up(self, request: TopUpRequest) -> EsimOrder | None:
        """The top-up that the write under our reference added: the last one of its record."""
        record = self.written(BOOK, request.client_ref)
        return record.top_ups[-1].order if record else None

    def instructions(self, supplier_reference: str, iccid: str, language: str = ENGLISH) -> Instructions:
        self.latest(supplier_reference)
        return instructions_in(language)

    def request_refund(
        self, client_ref: str, supplier_reference: str, iccid: str, reason: str, notes: str
    ) -> str:
        """Refunds what was not used, a day later."""
        now = self.now()
        record, sequence = self.latest(supplier_reference)
        if record.at(now).cancelled or profiles.usage_of(record, now).used_mb:
            raise NotPossible("It was used, or refunded before.")
        asked = replace(record, refund_asked_at=now)
        self.write_next(REFUND, client_ref, supplier_reference, sequence + 1, asked)
        return f"{supplier_reference}-R{sequence + 1}"

    def call_off(self, supplier_reference: str) -> EsimOrder:
        """The operator refunds an order or a top-up by itself, which `read_order` then shows. No part of the promise."""
        reference = supplier_reference.partition("-T")[0]
        record, sequence = self.latest(reference)
        refunded = profiles.refunded(record, supplier_reference)
        self.write_next(CANCEL, f"{supplier_reference}-refunded", reference, sequence + 1, refunded)
        return self.read_order(supplier_reference)

    def _price(self, plan: SupplierPlan) -> int:
        return plan.price_cents * self.market.percent // 100
