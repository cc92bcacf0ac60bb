"""What happens to a test booking without its partner: the simulated supplier cancels, moves or alters it, or ends what is open.

Each goes the way that it goes in live: the simulator is altered, and the same reading finds it and sends the same events.
"""

from collections.abc import Callable
from typing import Any

from django.db.models import TextChoices

from apps.bookings.flow.lease import take_lease
from apps.bookings.flow.polling import poll_at_once
from apps.bookings.flow.reconcile import settle
from apps.bookings.flow.recover import wait_anyway
from apps.bookings.flow.settle import confirm, fail
from apps.bookings.handlers import Accepted, handler_for
from apps.bookings.models import OPEN_STATES, Booking, Operation, OperationKind, OperationState, Product
from apps.bookings.refusals import NOT_FOUND
from apps.common.environments import Environment
from apps.common.errors import Conflict, InvalidRequest, NotFound
from apps.esim.suppliers.registry import esim_supplier
from apps.flights.services.airline_changes import let_airline_move
from apps.flights.suppliers.registry import flight_supplier
from apps.hotels.services.hotel_changes import let_hotel_alter
from apps.hotels.suppliers.registry import hotel_supplier
from apps.suppliers.errors import SupplierError
from apps.transfers.services.pickup import let_company_alter
from apps.transfers.suppliers.registry import transfer_supplier


class What(TextChoices):
    SUPPLIER_CANCELS = "supplier_cancels", "The supplier cancels"
    AIRLINE_MOVES = "airline_moves", "The airline moves the first flight"
    SUPPLIER_CHANGES = "supplier_changes", "Supplier changes the booking"
    SETTLES = "settles", "What is open settles"
    NOT_MADE = "not_made", "It turns out not to exist"


Way = Callable[[Booking], None]
SUPPLIERS: dict[str, Callable[..., Any]] = {
    Product.HOTEL: hotel_supplier,
    Product.FLIGHT: flight_supplier,
    Product.TRANSFER: transfer_supplier,
    Product.ESIM: esim_supplier,
}
ALTERING: dict[str, Way] = {Product.HOTEL: let_hotel_alter, Product.TRANSFER: let_company_alter}


def simulate(booking: Booking, what: str) -> Booking:
    """Let it happen, and return the booking as it is then.

    Raises InvalidRequest (400) for what cannot happen to a booking of that product, Conflict (409) for what cannot happen to one
    in its state. Nothing is changed then.
    """
    if booking.environment != Environment.TEST:
        raise NotFound
    way = ways_of(booking.product).get(What(what))
    if way is None:
        possible = ", ".join(ways_of(booking.product))
        raise InvalidRequest.field("what", f"must be one of {possible} for a booking of this product")
    try:
        way(booking)
    except SupplierError as refused:
        raise Conflict("The simulated supplier does not do this now.", ours=True) from refused
    return Booking.objects.get(pk=booking.pk)


def ways_of(product: str) -> dict[What, Way]:
    """What can happen to a booking of the product."""
    ways: dict[What, Way] = {What.SUPPLIER_CANCELS: supplier_cancels}
    if product == Product.FLIGHT:
        ways[What.AIRLINE_MOVES] = airline_moves
    if product in ALTERING:
        ways[What.SUPPLIER_CHANGES] = supplier_changes
    return {**ways, What.SETTLES: settles, What.NOT_MADE: not_made}


def possible_now(booking: Booking, *, owed: bool) -> list[What]:
    """What can happen to the booking in its present state, as far as its own row shows. `owed`: a settlement is still to come."""
    if booking.environment != Environment.TEST:
        return []
    open_ends = [What.SETTLES, What.NOT_MADE]
    if booking.status in Booking.STANDING:
        found = [what for what in ways_of(booking.product) if what not in open_ends]
        return [*found, What.SETTLES] if owed else found
    return open_ends if booking.status == Booking.PENDING else []


def supplier_cancels(booking: Booking) -> None:
    refuse_unless_at_rest(booking)
    simulator = SUPPLIERS[booking.product](booking.environment, named=booking.supplier_name)
    simulator.call_off(booking.supplier_reference)
    poll_at_once(booking)


def airline_moves(booking: Booking) -> None:
    refuse_unless_at_rest(booking)
    let_airline_move(booking)


def supplier_changes(booking: Booking) -> None:
    refuse_unless_at_rest(booking)
    ALTERING[booking.product](booking)


def refuse_unless_at_rest(booking: Booking) -> None:
    """Raises Conflict unless the booking is active and no change of it is in progress."""
    if booking.status not in Booking.STANDING:
        raise Conflict(f"The booking is {booking.status}: this needs an active booking.", ours=True)
    if booking.operations.filter(state__in=OPEN_STATES).exists():
        raise Conflict("A change or a cancellation of the booking is in progress.", ours=True)


def settles(booking: Booking) -> None:
    """A pending booking is delivered. Of a standing one, the funds that are still held are captured, or a credit is paid."""
    if booking.status == Booking.PENDING:
        deliver(owned(booking))
        return
    owed = list(booking.settlements.filter(settled_at=None).values_list("pk", flat=True))
    if not owed:
        raise Conflict("Nothing of this booking is open: neither its outcome nor its funds.", ours=True)
    for settlement in owed:
        settle(settlement)


def not_made(booking: Booking) -> None:
    """Nothing was booked, and the hold is released."""
    operation = owned(booking)
    try:
        if found(operation) is not None:
            raise Conflict("Its supplier has it: it can only be settled.", ours=True)
    except Exception:
        wait_anyway(operation)
        raise
    fail(operation, failure=NOT_FOUND)


def owned(booking: Booking) -> Operation:
    """The open booking call of a pending booking, owned by this process now. Raises Conflict."""
    if booking.status != Booking.PENDING:
        raise Conflict(f"The booking is {booking.status}: this needs a pending booking.", ours=True)
    operation = (
        booking.operations.select_related("booking")
        .filter(kind=OperationKind.BOOK, state=OperationState.UNCERTAIN)
        .first()
    )
    if operation is None or not take_lease(operation):
        raise Conflict("Its call is still in progress; try again in a moment.", ours=True)
    return operation


def deliver(operation: Operation) -> None:
    """The supplier makes now what it accepted, unless it has it already."""
    try:
        result = found(operation) or handler_for(operation).call(operation, "")
    except Exception:
        wait_anyway(operation)
        raise
    confirm(operation, result)


def found(operation: Operation) -> Any | None:
    """What the supplier has of it. Raises Conflict where it delivers by itself in a moment."""
    try:
        return handler_for(operation).find(operation)
    except Accepted:
        raise Conflict("The supplier delivers it in a moment.", ours=True) from None
