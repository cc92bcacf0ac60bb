"""Airalo behind the promise of `EsimSupplier`."""

import logging
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.conf import settings

from apps.common.languages import ENGLISH
from apps.esim.suppliers.airalo import mapping
from apps.esim.suppliers.airalo.client import NAME, AiraloClient, readable
from apps.esim.suppliers.base import (
    EsimOrder,
    Instructions,
    OrderRequest,
    SupplierPlan,
    TopUpPlan,
    TopUpRequest,
    Usage,
)
from apps.suppliers.alerts import alert
from apps.suppliers.errors import PriceChanged
from apps.suppliers.http import SupplierHTTP
from apps.suppliers.models import AlertKind
from apps.suppliers.results import LONGEST_REFERENCE, NONE_WITHHELD, Found
from apps.suppliers.tokens import TokenStore

logger = logging.getLogger(__name__)


class AiraloEsim:
    """Fulfils EsimSupplier over Airalo's Partner API.

    They hold no price for us. `last_price` says what the last sync of their catalogue found, in minor units: an order for less
    than that is refused here. What they charged all the same is looked at afterwards.
    """

    name = NAME
    usage_every = timedelta(minutes=20)  # what they answer in between is no fresher
    languages = tuple(mapping.LANGUAGES)

    def __init__(
        self, client: AiraloClient, *, currency: str, last_price: Callable[[str], int | None]
    ) -> None:
        self.client = client
        self.currency = currency
        self.last_price = last_price

    def plans(self) -> Found[SupplierPlan]:
        """All or nothing: a page that does not come ends the sync, and nothing is withdrawn for that."""
        sold: dict[str, SupplierPlan] = {}
        withheld = NONE_WITHHELD
        for kind in mapping.KINDS:
            for page in self.client.pages(kind):
                with readable():
                    found = mapping.plans_of(page, kind, self.currency)
                sold.update({plan.supplier_plan_id: plan for plan in found})
                withheld += found.withheld
        return Found(sold.values(), withheld)

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
        found = self._orders_with(client_ref)
        self._tell_of_doubles(client_ref, found)
        return min(found, key=_by_age, default=None)

    def _orders_with(self, client_ref: str) -> list[EsimOrder]:
        """Their filter finds what contains the reference, `E-7KQ2M9XD-2` for `E-7KQ2M9XD`: compared once more here.

        A row without a description cannot have been found by it: such an answer says nothing.
        """
        answer = self.client.orders_like(client_ref)
        with readable():
            rows = listed(answer)
            ours = [row for row in rows if mapping.named(row["description"]) == client_ref]
            return [mapping.order_of(row, self.currency) for row in ours if _was_made(row)]

    def read_order(self, supplier_reference: str) -> EsimOrder:
        answer = self.client.order_by_id(supplier_reference)
        with readable():
            return mapping.order_of(answer["data"], self.currency)

    def usage(self, supplier_reference: str, iccid: str) -> Usage:
        answer = self.client.usage(iccid)
        with readable():
            return mapping.usage_of(answer["data"])

    def top_up_plans(self, supplier_reference: str, iccid: str) -> list[TopUpPlan]:
        answer = self.client.top_ups(iccid)
        with readable():
            return list(mapping.top_up_plans_of(answer, self.currency))

    def top_up(self, request: TopUpRequest) -> EsimOrder:
        """Their price was read just before, with the list of what the profile can be topped up with."""
        answer = self.client.top_up(request.iccid, request.supplier_plan_id, request.client_ref)
        with readable(wrote=True):
            data = answer["data"]
            order = mapping.order_of(data, self.currency)
        if mapping.says_what_we_paid(data):
            self._compare_price(request, order)
        return order

    def find_top_up(self, request: TopUpRequest) -> EsimOrder | None:
        """By our reference, and where they did not store it, among the profile's orders."""
        found = self._orders_with(request.client_ref) or self._top_ups_like(request)
        self._tell_of_doubles(request.client_ref, found)
        return min(found, key=_by_age, default=None)

    def _top_ups_like(self, request: TopUpRequest) -> list[EsimOrder]:
        answer = self.client.orders_of(request.iccid)
        with readable():
            ours = mapping.ours_among(listed(answer), request)
            return [mapping.order_of(row, self.currency) for row in ours]

    def instructions(self, supplier_reference: str, iccid: str, language: str = ENGLISH) -> Instructions:
        answer = self.client.instructions(iccid, mapping.LANGUAGES.get(language, ENGLISH))
        with readable():
            return mapping.instructions_of(answer["data"], language)

    def request_refund(
        self, client_ref: str, supplier_reference: str, iccid: str, reason: str, notes: str
    ) -> str:
        """They keep no reference of ours with it."""
        answer = self.client.refund(iccid, mapping.REFUND_REASONS[reason], notes)
        with readable(wrote=True):
            return mapping.named(answer["data"]["refund_id"])[:LONGEST_REFERENCE]

    def prove(self) -> None:
        """A cheap read that only our credentials can make. Raises SupplierError."""
        page = self.client.page(mapping.GLOBAL, 1, limit=1)
        with readable():
            mapping.items(page["data"])

    def _tell_of_doubles(self, client_ref: str, found: list[EsimOrder]) -> None:
        if len(found) > 1:
            references = ", ".join(order.supplier_reference for order in found)
            alert(self.name, AlertKind.DUPLICATE_REFERENCE, f"{client_ref} was ordered as {references}")

    def _compare_price(self, request: OrderRequest | TopUpRequest, order: EsimOrder) -> None:
        """There is no way back: the order stands, and staff hear of what it cost us more."""
        if order.currency == self.currency and order.price_cents <= request.price_cents:
            return
        logger.warning("%s cost more than it was sold for", request.client_ref)
        charged = f"{order.price_cents} {order.currency} charged, not {request.price_cents} {self.currency}"
        alert(self.name, AlertKind.PRICE_ABOVE_QUOTE, f"{order.supplier_plan_id}: {charged}")


def listed(answer: Any) -> list[Any]:
    """The rows of a list. Raises ValueError for an object that has none: an empty list of theirs is a list."""
    data = answer["data"]
    if data == {}:
        raise ValueError("no list")
    return mapping.items(data)


def _was_made(row: Any) -> bool:
    return mapping.status_of(row) != mapping.FAILED


def _by_age(order: EsimOrder) -> tuple[int, str]:
    return len(order.supplier_reference), order.supplier_reference


def airalo_esim() -> AiraloEsim:
    """With this deployment's credentials."""
    # Imported late: the adapter itself needs no models.
    from apps.esim.selectors import price_at_last_sync

    credentials = settings.SUPPLIER_CREDENTIALS[NAME]
    base_url, client_id = credentials["base_url"], credentials["client_id"]
    # Other credentials have other tokens.
    digest = sha256(f"{base_url}\0{client_id}".encode()).hexdigest()[:16]
    client = AiraloClient(
        http=SupplierHTTP(NAME, base_url=base_url),
        tokens=TokenStore(f"{NAME}:{digest}"),
        client_id=client_id,
        client_secret=credentials["client_secret"],
    )
    return AiraloEsim(
        client,
        currency=credentials["currency"],
        last_price=lambda plan: price_at_last_sync(NAME, plan),
    )
