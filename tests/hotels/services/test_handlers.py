from apps.bookings.handlers import handler_for
from apps.bookings.models import Booking, Operation, OperationKind, Product
from apps.hotels.services.book import BookStay
from apps.hotels.services.cancel import CancelStay


def test_both_kinds_of_operation_are_known_to_the_flow() -> None:
    booking = Booking(product=Product.HOTEL)
    works = [
        type(handler_for(Operation(booking=booking, kind=kind)))
        for kind in (OperationKind.BOOK, OperationKind.CANCEL)
    ]
    assert works == [BookStay, CancelStay]
