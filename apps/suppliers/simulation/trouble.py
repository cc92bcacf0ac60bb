"""What a partner can ask the sandbox to do at any product's supplier (contract §3, sandbox triggers)."""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from django.conf import settings

from apps.suppliers.errors import Rejected

SUPPLIER_ERROR = "supplier_error"
SLOW = "slow"

Adapter = TypeVar("Adapter")


def with_trouble(adapter: Adapter, trouble: str | None) -> Adapter:
    """`adapter`, refusing every call (`supplier_error`) or answering late (`slow`)."""
    if trouble is None:
        return adapter
    if trouble not in (SUPPLIER_ERROR, SLOW):
        raise ValueError(f"no such trouble: {trouble}")
    return cast(Adapter, _Troubled(adapter, trouble))


class _Troubled:
    """Stands in front of an adapter for the length of one request."""

    def __init__(self, adapter: object, trouble: str) -> None:
        self._adapter = adapter
        self._trouble = trouble
        self._waited = False

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._adapter, name)
        return self._in_trouble(attribute) if callable(attribute) else attribute

    def _in_trouble(self, call: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(call)
        def troubled(*args: Any, **kwargs: Any) -> Any:
            if self._trouble == SUPPLIER_ERROR:
                raise Rejected("the sandbox was asked for a supplier error")
            self._wait_once()
            return call(*args, **kwargs)

        return troubled

    def _wait_once(self) -> None:
        """A request that makes two calls (re-price, then book) is late once, not twice."""
        if not self._waited:
            self._waited = True
            time.sleep(settings.SANDBOX_SLOW_SECONDS)
