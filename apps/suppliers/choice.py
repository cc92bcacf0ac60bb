"""Which supplier serves a call: test keys always reach the simulator, live keys what the deployment configures."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar, cast

from django.conf import settings
from django.db import connection

from apps.common.environments import Environment
from apps.suppliers.currency.converted import speaking
from apps.suppliers.currency.exchange import Exchange
from apps.suppliers.errors import Unavailable
from apps.suppliers.simulation.trouble import with_trouble

SIMULATOR = "simulator"

Adapter = TypeVar("Adapter")
Kept = Mapping[str, Any] | None
"""A rate of exchange as it is kept with an offer and a booking; None where the supplier charges the account's currency."""


class InsideTransaction(RuntimeError):
    """A supplier was about to be called while a database transaction was open: locks would be held over the network."""


def supplier_name(product: str, environment: str) -> str:
    """The configured supplier's name, as `SUPPLIERS` knows it."""
    if environment == Environment.TEST:
        return SIMULATOR
    return str(settings.SUPPLIERS[product]["live"])


def choose(
    product: str,
    environment: str,
    adapters: Mapping[str, Callable[[], Adapter]],
    *,
    named: str = "",
    trouble: str = "",
    exchange: Kept = None,
) -> Adapter:
    """The adapter for a call; every method of it refuses to run inside a database transaction.

    `named` is the supplier that an offer or a booking is already with: a deployment that changes its suppliers still speaks to
    the former one of what is there. Raises Unavailable when this release does not know it.
    `exchange` is the rate that the offer or the booking was quoted at: it speaks the account's currency then, at that rate.
    """
    make = adapters.get(named or supplier_name(product, environment))
    if make is None:
        raise Unavailable(f"{named} is no supplier of {product} any more")
    adapter = with_trouble(make(), trouble or None)
    return cast(Adapter, _Outside(speaking(adapter, Exchange.read(exchange))))


class _Outside:
    """Stands in front of an adapter and keeps transactions away from it."""

    def __init__(self, adapter: object) -> None:
        self._adapter = adapter

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._adapter, name)
        if not callable(attribute):
            return attribute

        @wraps(attribute)
        def outside(*args: Any, **kwargs: Any) -> Any:
            refuse_inside_transaction()
            return attribute(*args, **kwargs)

        return outside


def refuse_inside_transaction() -> None:
    """Raises InsideTransaction; the transaction that Django's TestCase wraps around a whole test does not count."""
    if any(not getattr(block, "_from_testcase", False) for block in connection.atomic_blocks):
        raise InsideTransaction
