"""What every call to a supplier passes on its way, whatever the product: one list of steps, in `GuardedAdapter._call`."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.db import connection

from apps.common import tracing
from apps.suppliers.currency.amounts import converted, restored
from apps.suppliers.currency.conversion import Exchange
from apps.suppliers.drift.watching import watched
from apps.suppliers.errors import PriceChanged
from apps.suppliers.simulation.fault_injection import Fault


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
    if any(not getattr(block, "_from_testcase", False) for block in connection.atomic_blocks):
        raise InsideTransaction


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
