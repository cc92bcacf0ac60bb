"""A purchase of ours at a supplier of eSIMs, for a recording. There is no cancelling: what is bought is paid."""

from collections.abc import Mapping
from typing import Any

from apps.esim.suppliers.base import EsimSupplier, OrderRequest


def travel(
    supplier: EsimSupplier, client_ref: str, _traveller: Mapping[str, str], *, book: bool
) -> list[Any]:
    """What each call answered. Raises SupplierError; ValueError where nothing is on offer."""
    plans = supplier.plans()
    if not book:
        return [plans]
    cheapest = min(plans, key=lambda plan: (plan.price_cents, plan.supplier_plan_id))
    order = supplier.order(OrderRequest(client_ref, cheapest.supplier_plan_id, cheapest.price_cents))
    found = supplier.find_order(client_ref)
    read = supplier.read_order(order.supplier_reference)
    iccid = order.profile.iccid if order.profile else ""
    return [plans, order, found, read, supplier.usage(order.supplier_reference, iccid)]
