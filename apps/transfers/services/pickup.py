"""Where and when the driver waits, and who drives, as the supplier states or alters it after the booking."""

from dataclasses import replace
from typing import Any

from apps.bookings.flow.polling import Altered, Facts, keep_facts, poll_at_once
from apps.bookings.models import Booking
from apps.suppliers.values import to_json
from apps.transfers.details import OrderDetails
from apps.transfers.suppliers.base import Operator, Pickup
from apps.transfers.suppliers.registry import transfer_supplier


def keep_pickup(
    booking: Booking, stated: Pickup, operator: Operator | None = None, back: Pickup | None = None
) -> None:
    """Store the pick-ups, `back` of the second leg, and the operator as they were read. Changes nothing where nothing new is
    stated.
    """
    keep_facts(booking, lambda stored: altered(OrderDetails.of(stored), stated, operator, back))


def altered(
    details: OrderDetails, stated: Pickup, operator: Operator | None, back: Pickup | None = None
) -> Altered | None:
    if details.pickup is None:
        return None  # not confirmed yet: the confirmation has it
    pickup = merged(details.pickup, stated)
    back_pickup = details.back_pickup
    if details.back is not None and back is not None:
        back_pickup = merged(back_pickup, back) if back_pickup is not None else back
    after = replace(details, pickup=pickup, back_pickup=back_pickup, operator=operator or details.operator)
    if after == details:
        return None
    before = facts_of(details.pickup, details.operator, details.back_pickup)
    return Altered(to_json(after), before, facts_of(pickup, after.operator, back_pickup))


def merged(known: Pickup, stated: Pickup) -> Pickup:
    """The known pick-up with what is stated now. What is not stated now stays as it is known."""
    return Pickup(
        at=stated.at or known.at,
        instructions=stated.instructions or known.instructions,
        emergency_phone=stated.emergency_phone or known.emergency_phone,
    )


def facts_of(pickup: Pickup, operator: Operator | None, back: Pickup | None = None) -> Facts:
    of_back = pickup_facts("legs.1.pickup", back) if back is not None else {}
    return {
        **pickup_facts("pickup", pickup),
        "operator.name": operator.name if operator is not None else None,
        **of_back,
    }


def pickup_facts(name: str, pickup: Pickup) -> dict[str, str | None]:
    at = pickup.at
    return {
        f"{name}.at": at.replace(tzinfo=None).isoformat(timespec="seconds") if at is not None else None,
        f"{name}.instructions": pickup.instructions or None,
        f"{name}.emergencyPhone": pickup.emergency_phone,
    }


def let_company_alter(booking: Booking) -> None:
    """The sandbox trigger `sbx_supplier_changed`. The order is read at once, so that the next answer shows it.

    Only test keys have triggers, so the supplier is the simulator. Raises NotPossible for an order that no longer stands.
    """
    simulator: Any = transfer_supplier(booking.environment)
    simulator.alter(booking.supplier_reference)
    poll_at_once(booking)
