"""Suppliers that cancel by themselves, and one that says of each booking what a test says."""

from collections.abc import Callable
from typing import Any

from apps.bookings.models import Booking
from apps.flights.suppliers.simulator.vendor import flight_simulator
from apps.hotels.suppliers.simulator.vendor import hotel_simulator
from apps.transfers.suppliers.simulator.vendor import transfer_simulator

PRODUCTS: dict[str, tuple[str, Callable[[], Any]]] = {
    "flight": ("flight_order", flight_simulator),
    "hotel": ("hotel_booking", hotel_simulator),
    "transfer": ("transfer_order", transfer_simulator),
}


def call_off(booking: Booking) -> None:
    """The supplier cancels, and says nothing."""
    PRODUCTS[booking.product][1]().call_off(booking.supplier_reference)


class Desk:
    """A handler of flights: of each booking it says what the supplier says of it."""

    def __init__(self) -> None:
        self.said: object = None
        self.asked: list[Booking] = []

    def cancelled_by_supplier(self, booking: Booking) -> object:
        self.asked.append(booking)
        if isinstance(self.said, Exception):
            raise self.said
        return self.said
