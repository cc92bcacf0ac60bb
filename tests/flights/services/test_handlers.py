import pytest

from apps.bookings.handlers import cancel_handler_for
from apps.bookings.models import Booking, OperationKind, Product
from apps.flights.services.accept_schedule_change import AcceptScheduleChange
from apps.flights.services.book import OrderFlight
from apps.flights.services.cancel import CancelFlight
from apps.flights.services.change import ChangeFlight
from apps.flights.suppliers.registry import VENDORS
from tests.support.product_handlers import assert_stays_with_its_supplier, works
from tests.support.scripted_flights import ScriptedFlights


def test_the_four_kinds_of_operation_are_known_to_the_flow() -> None:
    assert dict(zip(OperationKind, works(Product.FLIGHT, *OperationKind), strict=True)) == {
        OperationKind.BOOK: OrderFlight,
        OperationKind.CHANGE: ChangeFlight,
        OperationKind.CANCEL: CancelFlight,
        OperationKind.ACCEPT: AcceptScheduleChange,
    }
    assert type(cancel_handler_for(Booking(product=Product.FLIGHT))) is CancelFlight


def test_an_order_stays_with_the_supplier_that_it_was_made_with(monkeypatch: pytest.MonkeyPatch) -> None:
    assert_stays_with_its_supplier(OrderFlight(), VENDORS, ScriptedFlights(), monkeypatch)
