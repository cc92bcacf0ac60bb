"""Airalo behind the promise of `EsimSupplier`."""

import logging
from collections.abc import Callable
from datetime import timedelta

from apps.esim.suppliers.airalo import catalogue, mapping
from apps.esim.suppliers.airalo.client import AiraloClient
from apps.esim.suppliers.airalo.errors import NAME, readable
from apps.esim.suppliers.base import EsimOrder, OrderRequest, SupplierPlan, Usage
from apps.suppliers.alerts import alert
from apps.suppliers.alerts.models import AlertKind
from apps.suppliers.errors import PriceChanged

logger = logging.getLogger(__name__)


class AiraloEsim:
    """Fulfils EsimSupplier over Airalo's Partner API.

    They keep no price for us. `last_price` says what the last sync of their catalogue found, in minor units: an order for less
    than that is refused here. What they charged all the same is looked at afterwards.
    """

    name = NAME
    usage_every = timedelta(minutes=20)  # what they answer in between is no fresher

    def __init__(
        self, client: AiraloClient, *, currency: str, last_price: Callable[[str], int | None]
    ) -> None:
        self.client = client
        self.currency = currency
        self.last_price = last_price

    def plans(self) -> list[SupplierPlan]:
        """All or nothing: a page that does not come ends the sync, and nothing is withdrawn for that."""
        sold: dict[str, SupplierPlan] = {}
        for kind in catalogue.KINDS:
            for page in self.client.pages(kind):
                with readable():
                    found = list(catalogue.plans_of(page, kind, self.currency))
                sold.update({plan.supplier_plan_id: plan for plan in found})
        return list(sold.values())

    def order(self, request: OrderRequest) -> EsimOrder:
        now = self.last_price(request.supplier_plan_id)
        if now is not None and now > request.price_cents:
            raise PriceChanged(now)
        answer = self.client.order(request.supplier_plan_id, request.client_ref)
        with readable(wrote=True):
            order = mapping.order_of(answer["data"], self.currency)
        self._compare_price(request, order)
        return order

    def find_order(self, client_ref: str) -> EsimOrder | None:
        """Their filter finds what contains the reference, `E-7KQ2M9XD-2` for `E-7KQ2M9XD`: compared once more here."""
        answer = self.client.orders_like(client_ref)
        with readable():
            ours = [o for o in catalogue.items(answer["data"]) if o.get("description") == client_ref]
            made = [order for order in ours if mapping.status_of(order) != mapping.FAILED]
            found = [mapping.order_of(order, self.currency) for order in made]
        if len(found) > 1:
            references = ", ".join(order.supplier_reference for order in found)
            alert(self.name, AlertKind.DUPLICATE_REFERENCE, f"{client_ref} was ordered as {references}")
        return min(found, key=_by_age, default=None)

    def read_order(self, supplier_reference: str) -> EsimOrder:
        answer = self.client.order_by_id(supplier_reference)
        with readable():
            return mapping.order_of(answer["data"], self.currency)

    def usage(self, supplier_reference: str, iccid: str) -> Usage:
        answer = self.client.usage(iccid)
        with readable():
            return mapping.usage_of(answer["data"])

    def prove(self) -> None:
        """A cheap read that only our credentials can make. Raises SupplierError."""
        page = self.client.page(catalogue.GLOBAL, 1, limit=1)
        with readable():
            catalogue.items(page["data"])

    def _compare_price(self, request: OrderRequest, order: EsimOrder) -> None:
        """There is no way back: the order stands, and staff hear of what it cost us more."""
        if order.currency == self.currency and order.price_cents <= request.price_cents:
            return
        logger.warning("%s cost more than it was sold for", request.client_ref)
        charged = f"{order.price_cents} {order.currency} charged, not {request.price_cents} {self.currency}"
        alert(self.name, AlertKind.PRICE_ABOVE_QUOTE, f"{order.supplier_plan_id}: {charged}")


def _by_age(order: EsimOrder) -> tuple[int, str]:
    return len(order.supplier_reference), order.supplier_reference
