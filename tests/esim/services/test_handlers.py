import pytest

from apps.bookings.handlers import cancel_handler_for
from apps.bookings.models import Booking, OperationKind, Product
from apps.esim.services.book import BookEsim
from apps.esim.services.handlers import RefundEsim
from apps.esim.suppliers.registry import VENDORS
from tests.esim.shop import Shop
from tests.support.product_handlers import assert_stays_with_its_supplier, works


def test_both_kinds_of_operation_are_known_to_the_flow() -> None:
    assert works(Product.ESIM, OperationKind.BOOK, OperationKind.CANCEL) == [BookEsim, RefundEsim]
    assert type(cancel_handler_for(Booking(product=Product.ESIM))) is RefundEsim


def test_an_order_stays_with_the_supplier_that_it_was_made_with(monkeypatch: pytest.MonkeyPatch) -> None:
    assert_stays_with_its_supplier(BookEsim(), VENDORS, Shop(), monkeypatch)
