"""The parts of the service that the status page tells of, each by its name for people.

A product is told by the supplier that serves live keys; what is on sale for test keys alone is part of the sandbox.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.conf import settings

from apps.keys.offered import has_live_supplier, live_supplier

API, WEBHOOKS, BACKGROUND, SANDBOX = "api", "webhooks", "background", "sandbox"
PRODUCTS: Mapping[str, str] = {
    "hotels": "Hotels",
    "flights": "Flights",
    "transfers": "Transfers",
    "esim": "eSIM",
}
NAMES: Mapping[str, str] = {
    API: "API",
    **PRODUCTS,
    WEBHOOKS: "Webhook deliveries",
    BACKGROUND: "Settlements and recovery",
    SANDBOX: "Sandbox",
}
"""In the order of the page."""


@dataclass(frozen=True, slots=True)
class Component:
    """One line of the page. `supplier` is empty where no supplier is asked."""

    name: str
    supplier: str = ""

    @property
    def key(self) -> tuple[str, str]:
        return self.name, self.supplier


def current() -> list[Component]:
    """Those that are served now."""
    return [
        Component(name, live_supplier(name) if name in PRODUCTS else "")
        for name in NAMES
        if name not in PRODUCTS or has_live_supplier(name)
    ]


def shown(measured: Iterable[tuple[str, str]]) -> list[Component]:
    """The current ones, and after each product its former suppliers that were measured in the days shown."""
    now = current()
    known = {component.key for component in now}
    former = [Component(*key) for key in sorted(set(measured) - known) if key[0] in PRODUCTS]
    order = list(NAMES)
    return sorted([*now, *former], key=lambda each: (order.index(each.name), each.key not in known))


def public_supplier(supplier: str) -> str | None:
    """The name that the settings allow the public to read."""
    return supplier if supplier and settings.STATUS_SUPPLIER_NAMES else None
