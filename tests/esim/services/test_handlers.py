import pytest

from apps.bookings.handlers import cancel_handler_for, handler_for
from apps.bookings.models import Booking, Operation, OperationKind, Product
from apps.esim.services.order import OrderEsim
from apps.esim.services.refund import RefundEsim
from apps.esim.suppliers.registry import VENDORS
from apps.suppliers.vendors import Vendor
from tests.esim.shop import Shop


def test_both_kinds_of_operation_are_known_to_the_flow() -> None:
    booking = Booking(product=Product.ESIM)
    works = [
        type(handler_for(Operation(booking=booking, kind=kind)))
        for kind in (OperationKind.BOOK, OperationKind.CANCEL)
    ]
    assert works == [OrderEsim, RefundEsim]
    assert type(cancel_handler_for(booking)) is RefundEsim


def test_an_order_stays_with_the_supplier_that_it_was_made_with(monkeypatch: pytest.MonkeyPatch) -> None:
    former = Shop()
    former.name = "former"
    monkeypatch.setitem(VENDORS, "former", Vendor("former", lambda: former))
    for environment in ("test", "live"):
        booking = Booking(environment=environment, supplier_name="former")
        assert OrderEsim().supplier_of(booking).name == "former"
