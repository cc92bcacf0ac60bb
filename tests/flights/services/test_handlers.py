import pytest

from apps.bookings.handlers import cancel_handler_for, handler_for
from apps.bookings.models import Booking, Operation, OperationKind, Product
from apps.flights.services.book import OrderFlight
from apps.flights.services.cancel import CancelFlight
from apps.flights.services.change import ChangeFlight
from apps.flights.suppliers.registry import VENDORS
from apps.suppliers.vendors import Vendor
from tests.support.scripted_flights import ScriptedFlights


def test_the_three_kinds_of_operation_are_known_to_the_flow() -> None:
    booking = Booking(product=Product.FLIGHT)
    handlers = {kind: type(handler_for(Operation(booking=booking, kind=kind))) for kind in OperationKind}
    assert handlers == {
        OperationKind.BOOK: OrderFlight,
        OperationKind.CHANGE: ChangeFlight,
        OperationKind.CANCEL: CancelFlight,
    }
    assert type(cancel_handler_for(booking)) is CancelFlight


def test_an_order_stays_with_the_supplier_that_it_was_made_with(monkeypatch: pytest.MonkeyPatch) -> None:
    former = ScriptedFlights()
    former.name = "former"
    monkeypatch.setitem(VENDORS, "former", Vendor("former", lambda: former))
    for environment in ("test", "live"):
        booking = Booking(environment=environment, supplier_name="former")
        assert OrderFlight().supplier_of(booking).name == "former"
