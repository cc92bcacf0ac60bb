"""What is asked of every product's handlers alike."""

from typing import Any

import pytest

from apps.bookings.handlers import ProductHandler, handler_for
from apps.bookings.models import Booking, Operation, Product
from apps.suppliers.vendors import Vendor


def works(product: Product, *kinds: str) -> list[type]:
    """The handlers to which the flow gives operations of these kinds."""
    booking = Booking(product=product)
    return [type(handler_for(Operation(booking=booking, kind=kind))) for kind in kinds]


def assert_stays_with_its_supplier(
    handler: ProductHandler[Any],
    vendors: dict[str, Vendor[Any]],
    former: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A booking is asked for at the supplier that it was made with, though no key is served by that one any more."""
    former.name = "former"
    monkeypatch.setitem(vendors, "former", Vendor("former", lambda: former))
    for environment in ("test", "live"):
        booking = Booking(environment=environment, supplier_name="former")
        assert handler.supplier_of(booking).name == "former"
