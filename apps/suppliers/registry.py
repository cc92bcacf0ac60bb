"""Which supplier serves a call, and what every call to it passes on its way, whatever the product.

Test keys always reach the simulator, live keys what the deployment configures.
"""

import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from django.conf import settings
from django.db import connection, transaction

from apps.common import tracing
from apps.common.environments import Environment
from apps.keys.scopes import OFF, SIMULATOR, has_live_supplier
from apps.suppliers.currency import Exchange, converted, restored
from apps.suppliers.drift import watched
from apps.suppliers.errors import PriceChanged, Rejected, Unavailable
from apps.suppliers.vendors import Vendor

SUPPLIER_ERROR = "supplier_error"
SLOW = "slow"


def fault_named(name: str) -> "Fault | None":
    """The fault of that name; None for an empty one. Raises ValueError for an unknown name."""
    if not name:
        return None
    if name not in (SUPPLIER_ERROR, SLOW):
        raise ValueError(f"no such fault: {name}")
    return Fault(name)


class Fault:
    """One fault, for the length of one request."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._waited = False

    def happen(self) -> None:
        """At each call: `supplier_error` refuses it, `slow` delays the first. Raises Rejected, Unavailable.

        A request that makes two calls (re-price, then book) is late once, not twice.
        """
        if self._name == SUPPLIER_ERROR:
            raise Rejected("the sandbox simulates a supplier error")
        if not self._waited:
            self._waited = True
            be_late()


_late = threading.Lock()
_late_calls = 0


def be_late() -> None:
    """Keep the thread for SANDBOX_SLOW_SECONDS; half of a process's threads at most, as many as one test account may have.

    Raises Unavailable at once for any call beyond those: nothing was begun, and the call may be repeated.
    """
    global _late_calls
    with _late:
        if _late_calls >= max(4, settings.WEB_THREADS // 2):
            raise Unavailable("the sandbox already answers as many calls late as it can")
        _late_calls += 1
    try:
        time.sleep(settings.SANDBOX_SLOW_SECONDS)
    finally:
        with _late:
            _late_calls -= 1


class InsideTransaction(RuntimeError):
    """A supplier was about to be called while a database transaction was open: locks would be held over the network."""


class GuardedAdapter:
    """Stands in front of an adapter for the length of one request, or of one operation on one booking.

    It has the adapter's own methods and attributes. The products' protocols name them, so they are not written out again here.
    """

    def __init__(
        self, adapter: object, *, fault: Fault | None = None, exchange: Exchange | None = None
    ) -> None:
        self._adapter = adapter
        self._fault = fault
        self._exchange = exchange

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._adapter, name)
        if not callable(attribute):
            return attribute
        return partial(self._call, name, attribute)

    def _call(self, name: str, method: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call one method of the adapter. Raises InsideTransaction, the fault that the sandbox was asked for, supplier errors."""
        refuse_inside_transaction()
        if self._fault is not None:
            self._fault.happen()
        with watched(), tracing.within(f"supplier {name}"):
            if self._exchange is None:
                return method(*args, **kwargs)
            return in_account_currency(self._exchange, method, args, kwargs)


def refuse_inside_transaction() -> None:
    """Raises InsideTransaction; the transaction that Django's TestCase wraps around a whole test does not count."""
    if connection.in_atomic_block:
        try:
            with transaction.atomic(durable=True, savepoint=False):  # Django's own check
                pass
        except RuntimeError as error:
            raise InsideTransaction from error


def in_account_currency(
    exchange: Exchange, method: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Call `method` with all amounts in the supplier's currency, and return its answer in the account's."""
    theirs = [restored(value, exchange) for value in args]
    named = {name: restored(value, exchange) for name, value in kwargs.items()}
    try:
        return converted(method(*theirs, **named), exchange)
    except PriceChanged as error:
        raise PriceChanged(exchange.cents(error.current_cents)) from error


__all__ = ["OFF", "SIMULATOR", "Adapter", "StoredRate", "choose", "supplier_name"]

Adapter = TypeVar("Adapter")
StoredRate = Mapping[str, Any] | None
"""The exchange rate as an offer and a booking store it; None where the supplier charges the account's currency."""


def supplier_name(product: str, environment: str) -> str:
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
    former one about what was sold there. Raises Unavailable when this release does not know it, and for live keys of a product
    without a supplier.
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
