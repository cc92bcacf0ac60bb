"""Where and when the driver waits, and who drives, where that is told or altered after the booking. It is shown from then on."""

from dataclasses import replace

from apps.bookings.models import Booking
from apps.bookings.services.supplier_facts import Altered, Facts, keep_facts
from apps.suppliers.codec import to_json
from apps.transfers.details import OrderDetails
from apps.transfers.suppliers.base import Operator, Pickup, TransferOrder


def keep_pickup(booking: Booking, told: Pickup, operator: Operator | None = None) -> None:
    """Store the pick-up and the operator. Changes nothing where nothing new is told."""
    keep_facts(booking, lambda stored: altered(OrderDetails.of(stored), told, operator))


def keep_order(booking: Booking, order: TransferOrder) -> None:
    """The same of an order as it was just read."""
    keep_pickup(booking, order.pickup, order.operator)


def altered(details: OrderDetails, told: Pickup, operator: Operator | None) -> Altered | None:
    pickup = merged(details.pickup, told) or details.pickup
    after = replace(details, pickup=pickup, operator=operator or details.operator)
    if details.pickup is None or after == details:
        return None  # not confirmed yet: the confirmation has it
    return Altered(to_json(after), facts_of(details), facts_of(after))


def merged(known: Pickup | None, told: Pickup) -> Pickup | None:
    """The known pick-up with what is told now; None where that changes nothing. What is not told now stays as it is known."""
    if known is None:
        return None  # not confirmed yet: the confirmation has it
    pickup = Pickup(
        at=told.at or known.at,
        instructions=told.instructions or known.instructions,
        emergency_phone=told.emergency_phone or known.emergency_phone,
    )
    return None if pickup == known else pickup


def facts_of(details: OrderDetails) -> Facts:
    pickup, operator = details.pickup, details.operator
    at = pickup.at if pickup is not None else None
    return {
        "pickup.at": at.replace(tzinfo=None).isoformat(timespec="seconds") if at is not None else None,
        "pickup.instructions": (pickup.instructions or None) if pickup is not None else None,
        "pickup.emergencyPhone": pickup.emergency_phone if pickup is not None else None,
        "operator.name": operator.name if operator is not None else None,
    }
