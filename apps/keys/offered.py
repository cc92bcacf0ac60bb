"""The products that this deployment sells, and to which keys (README, "Live suppliers").

`<PRODUCT>_SUPPLIER=off` takes a product out of sale, for test keys too. Live keys get no product that only the simulator serves:
that would take their money for nothing.
"""

from collections.abc import Iterable

from django.conf import settings

from apps.common.environments import Environment

OFF, SIMULATOR = "off", "simulator"


def product_of(scope: str) -> str:
    """The product that a scope belongs to; empty for those of the account and of webhooks."""
    product = scope.partition(":")[0]
    return product if product in settings.SUPPLIERS else ""


def live_supplier(product: str) -> str:
    """What the settings say: the name of a supplier, or OFF."""
    return str(settings.SUPPLIERS.get(product, {}).get("live", SIMULATOR))


def is_sold(product: str) -> bool:
    """Whether any key may buy it."""
    return live_supplier(product) != OFF


def is_sold_to(product: str, environment: str) -> bool:
    """Whether keys of this environment may buy it."""
    return is_sold(product) and (environment == Environment.TEST or has_live_supplier(product))


def has_live_supplier(product: str) -> bool:
    """Whether a supplier serves live keys. The simulator does so where nothing is at stake (SIMULATE_LIVE_KEYS)."""
    live = live_supplier(product)
    return live != OFF and (live != SIMULATOR or bool(settings.SIMULATE_LIVE_KEYS))


def products_not_sold() -> frozenset[str]:
    return frozenset(product for product in settings.SUPPLIERS if not is_sold(product))


def of_what_is_sold(scopes: Iterable[str]) -> list[str]:
    """Those of `scopes` that a new key may have."""
    absent = products_not_sold()
    return [scope for scope in scopes if product_of(scope) not in absent]
