"""What a test looks at after the end of an operation."""

from collections.abc import Callable
from typing import Any

from apps.bookings.models import Booking, Operation
from apps.common import clock
from apps.flights.suppliers.simulator.vendor import flight_simulator
from apps.hotels.suppliers.simulator.vendor import hotel_simulator
from apps.ledger.models import Hold
from apps.ledger.selectors import balance_of
from apps.onboarding.partners import Onboarded
from apps.transfers.suppliers.simulator.vendor import transfer_simulator
from apps.webhooks.models import Event


def funds(onboarded: Onboarded) -> tuple[int, int]:
    """Available and held, in cents."""
    balance = balance_of(onboarded.account.id, "test")
    return balance.available_cents, balance.held_cents


def latest() -> Operation:
    return Operation.objects.select_related("booking").latest("id")


def hold_of(operation: Operation) -> Hold:
    return Hold.objects.get(pk=operation.hold_id)


def events() -> list[str]:
    return list(Event.objects.order_by("created_at", "id").values_list("type", flat=True))


def seconds_to_next(operation: Operation) -> int:
    assert operation.next_attempt_at is not None
    return round((operation.next_attempt_at - clock.now()).total_seconds())


def with_staff_still(operation: Operation) -> bool:
    """As it was: nothing is due, the lease is free, the funds are held."""
    now = latest()
    assert now.pk == operation.pk
    free = (now.state, now.next_attempt_at) == ("review", None) and now.lease_until <= clock.now()
    return free and hold_of(now).status == "open" and now.booking.status == "pending"


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
