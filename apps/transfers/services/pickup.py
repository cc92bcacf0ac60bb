"""Where and when the driver waits, and who drives, where that is told or altered after the booking. It is shown from then on."""

from dataclasses import replace

from apps.bookings.flow.polling import Altered, Facts, keep_facts
from apps.bookings.models import Booking
from apps.suppliers.values import to_json
from apps.transfers.details import OrderDetails
from apps.transfers.suppliers.base import Operator, Pickup, TransferOrder


def keep_pickup(booking: Booking, told: Pickup, operator: Operator | None = None) -> None:
    """Store the pick-up and the operator. Changes nothing where nothing new is told."""
    keep_facts(booking, lambda stored: altered(OrderDetails.of(stored), told, operator))


def keep_order(booking: Booking, order: TransferOrder) -> None:
    """The same of an order as it was just read."""
    keep_pickup(booking, order.pickup, order.operator)


def altered(details: OrderDetails, told: Pickup, operator: Operator | None) -> Altered | None:
    if details.pickup is None:
        return None  # not confirmed yet: the confirmation has it
    pickup = merged(details.pickup, told)
    after = replace(details, pickup=pickup, operator=operator or details.operator)
    if after == details:
        return None
    return Altered(
        to_json(after), facts_of(details.pickup, details.operator), facts_of(pickup, after.operator)
    )


def merged(known: Pickup, told: Pickup) -> Pickup:
    """The known pick-up with what is told now. What is not told now stays as it is known."""
    return Pickup(
        at=told.at or known.at,
        instructions=told.instructions or known.instructions,
        emergency_phone=told.emergency_phone or known.emergency_phone,
    )


def facts_of(pickup: Pickup, operator: Operator | None) -> Facts:
    at = pickup.at
    return {
        "pickup.at": at.replace(tzinfo=None).isoformat(timespec="seconds") if at is not None else None,
        "pickup.instructions": pickup.instructions or None,
        "pickup.emergencyPhone": pickup.emergency_phone,
        "operator.name": operator.name if operator is not None else None,
    }
