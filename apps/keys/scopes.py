"""The scopes a key may carry (contract §3), and the products that this deployment sells, and to which keys.

A scope is `<resource>:<action>`; there is no generic read or write. `<PRODUCT>_SUPPLIER=off` takes a product out of sale, for
test keys too. Live keys get no product that only the simulator serves: that would take their money for nothing.
"""

from collections.abc import Iterable

from django.conf import settings

from apps.common.environments import Environment
from apps.common.errors import InvalidRequest

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


OPENS = {
    "account:read": "the account, its balance, its limits and the key itself",
    "ledger:read": "balance, ledger lines, billable searches",
    "hotels:search": "hotel searches and rates",
    "hotels:book": "booking, reading and cancelling hotels",
    "flights:search": "flight searches and re-pricing",
    "flights:book": "ordering, reading, changing and cancelling flights",
    "transfers:search": "transfer searches",
    "transfers:book": "ordering, reading and cancelling transfers",
    "esim:read": "plans, eSIM orders, their usage, instructions and top-up plans",
    "esim:book": "ordering and topping up eSIMs",
    "webhooks:manage": "webhook endpoints, deliveries and the feed of events",
}
"""What each scope that the gateway enforces allows, in words for partners."""

ENFORCED = tuple(OPENS)
WITHOUT_EFFECT = ("bookings:read", "bookings:cancel", "stream:subscribe")
"""Can be granted, but no route needs them (specification §5)."""

GRANTABLE = ENFORCED + WITHOUT_EFFECT
DEFAULT = tuple(scope for scope in ENFORCED if scope != "webhooks:manage")


def grantable() -> list[str]:
    """What a new key may have here: no scope of a product that is not sold."""
    return of_what_is_sold(GRANTABLE)


def offered() -> list[str]:
    """Those of them that open something: what forms offer."""
    return of_what_is_sold(ENFORCED)


def default() -> list[str]:
    """What a new key has that asks for nothing else."""
    return of_what_is_sold(DEFAULT)


def validate_scopes(scopes: Iterable[str]) -> list[str]:
    """`scopes` without repetitions, in the contract's order. Raises InvalidRequest for unknown ones, those of a product that is
    not sold here, or for none.
    """
    asked, possible = list(scopes), grantable()
    refused = [(index, scope) for index, scope in enumerate(asked) if scope not in possible]
    if refused:
        raise InvalidRequest(
            details=[{"field": f"scopes.{index}", "message": why_not(scope)} for index, scope in refused]
        )
    if not asked:
        raise InvalidRequest.field("scopes", "A key needs at least one scope.")
    return [scope for scope in possible if scope in asked]


def why_not(scope: str) -> str:
    known = scope in GRANTABLE
    return (
        f"{scope!r} belongs to a product that is not offered here." if known else f"{scope!r} is not a scope."
    )
