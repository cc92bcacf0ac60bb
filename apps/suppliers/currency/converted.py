"""An adapter that speaks the account's currency while the one behind it speaks the supplier's own."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from apps.suppliers.currency.amounts import converted, restored
from apps.suppliers.currency.exchange import Exchange
from apps.suppliers.errors import PriceChanged

Adapter = TypeVar("Adapter")


def speaking(adapter: Adapter, exchange: Exchange | None) -> Adapter:
    """`adapter` for a booking that was quoted at `exchange`; itself for one in the account's own currency."""
    return adapter if exchange is None else cast(Adapter, _Converted(adapter, exchange))


class _Converted:
    """Stands in front of an adapter for the length of one operation on one booking, or on one offer."""

    def __init__(self, adapter: object, exchange: Exchange) -> None:
        self._adapter = adapter
        self._exchange = exchange

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._adapter, name)
        return self._in_account_currency(attribute) if callable(attribute) else attribute

    def _in_account_currency(self, call: Callable[..., Any]) -> Callable[..., Any]:
        exchange = self._exchange

        @wraps(call)
        def convert(*args: Any, **kwargs: Any) -> Any:
            back = [restored(value, exchange) for value in args]
            named = {name: restored(value, exchange) for name, value in kwargs.items()}
            try:
                return converted(call(*back, **named), exchange)
            except PriceChanged as error:
                raise PriceChanged(exchange.cents(error.current_cents)) from error

        return convert
