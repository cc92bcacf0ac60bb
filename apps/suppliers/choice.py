"""Which supplier serves a call: test keys always reach the simulator, live keys what the deployment configures."""

from collections.abc import Mapping
from typing import Any, TypeVar

from django.conf import settings

from apps.common.environments import Environment
from apps.keys.offered import OFF, SIMULATOR, has_live_supplier
from apps.suppliers.currency.conversion import Exchange
from apps.suppliers.errors import Unavailable
from apps.suppliers.guarded_adapter import GuardedAdapter
from apps.suppliers.simulation.fault_injection import fault_named
from apps.suppliers.vendors import Vendor

__all__ = ["OFF", "SIMULATOR", "Adapter", "StoredRate", "choose", "supplier_name"]

Adapter = TypeVar("Adapter")
StoredRate = Mapping[str, Any] | None
"""The exchange rate as an offer and a booking store it; None where the supplier charges the account's currency."""


def supplier_name(product: str, environment: str) -> str:
    """The configured supplier's name, as `SUPPLIERS` has it."""
    if environment == Environment.TEST:
        return SIMULATOR
    return str(settings.SUPPLIERS[product]["live"])


def choose(
    product: str,
    environment: str,
    vendors: Mapping[str, Vendor[Adapter]],
    *,
    named: str = "",
    fault: str = "",
    exchange: StoredRate = None,
) -> Adapter:
    """The adapter for a call, guarded as `GuardedAdapter` says.

    `named` is the supplier that an offer or a booking is already with: a deployment that changes its suppliers still asks the
    former one about what was sold there. Raises Unavailable when this release does not know it, and for live keys where nobody
    serves them.
    `fault` is what a sandbox trigger asks of the simulator, empty for none. `exchange` is the rate that the offer or the booking
    was quoted at: the adapter then takes and returns amounts in the account's currency.
    """
    if not named and environment == Environment.LIVE and not has_live_supplier(product):
        raise Unavailable(f"no supplier serves live keys with {product}")
    vendor = vendors.get(named or supplier_name(product, environment))
    if vendor is None:
        raise Unavailable(f"{named} is no supplier of {product} any more")
    guarded: Any = GuardedAdapter(vendor.build(), fault=fault_named(fault), exchange=Exchange.read(exchange))
    adapter: Adapter = guarded
    return adapter
