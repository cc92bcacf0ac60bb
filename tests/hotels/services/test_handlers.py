import pytest

from apps.bookings.models import OperationKind, Product
from apps.hotels.services.book import BookStay
from apps.hotels.services.cancel import CancelStay
from apps.hotels.suppliers.registry import VENDORS
from tests.hotels.suppliers.scripted import ScriptedHotels
from tests.support.product_handlers import assert_stays_with_its_supplier, works


def test_both_kinds_of_operation_are_known_to_the_flow() -> None:
    assert works(Product.HOTEL, OperationKind.BOOK, OperationKind.CANCEL) == [BookStay, CancelStay]


def test_a_booking_stays_with_the_supplier_that_it_was_made_with(monkeypatch: pytest.MonkeyPatch) -> None:
    assert_stays_with_its_supplier(BookStay(), VENDORS, ScriptedHotels(), monkeypatch)
