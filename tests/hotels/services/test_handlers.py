import pytest

from apps.bookings.handlers import handler_for
from apps.bookings.models import Booking, Operation, OperationKind, Product
from apps.hotels.services.book import BookStay
from apps.hotels.services.cancel import CancelStay
from apps.hotels.suppliers.registry import VENDORS
from apps.suppliers.vendors import Vendor
from tests.hotels.suppliers.scripted import ScriptedHotels


def test_both_kinds_of_operation_are_known_to_the_flow() -> None:
    booking = Booking(product=Product.HOTEL)
    works = [
        type(handler_for(Operation(booking=booking, kind=kind)))
        for kind in (OperationKind.BOOK, OperationKind.CANCEL)
    ]
    assert works == [BookStay, CancelStay]


def test_a_booking_stays_with_the_supplier_that_it_was_made_with(monkeypatch: pytest.MonkeyPatch) -> None:
    former = ScriptedHotels()
    former.name = "former"
    monkeypatch.setitem(VENDORS, "former", Vendor("former", lambda: former))
    for environment in ("test", "live"):
        booking = Booking(environment=environment, supplier_name="former")
        assert BookStay().supplier_of(booking).name == "former"
