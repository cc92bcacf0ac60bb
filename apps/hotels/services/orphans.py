"""Orphans: bookings that stand at a live supplier although we gave them up. Its list is compared with ours once a night.

A booking that appears at the supplier only after its look-ups have ended costs money that no partner's hold covers any more.
Staff are alerted, and decide: cancel it there, or book it here.
"""

from datetime import timedelta

from apps.bookings.models import Operation, OperationKind, OperationState, Product
from apps.common import clock
from apps.common.environments import Environment
from apps.hotels.suppliers.registry import hotel_supplier
from apps.suppliers.alerts import alert
from apps.suppliers.models import AlertKind

LOOKED_BACK = timedelta(days=3)
"""More than a day, so that a missed night does no harm."""


def report_orphans() -> int:
    """Returns how many there are. References that are not ours belong to another deployment on the same account."""
    supplier, today = hotel_supplier(Environment.LIVE), clock.today()
    standing = supplier.standing(today - LOOKED_BACK, today)
    orphans = Operation.objects.filter(
        kind=OperationKind.BOOK,
        state=OperationState.FAILED,
        booking__product=Product.HOTEL,
        booking__supplier_name=supplier.name,
        client_ref__in=standing,
    ).values_list("client_ref", flat=True)
    for client_ref in orphans:
        alert(
            supplier.name,
            AlertKind.UNRESOLVED,
            f"{client_ref} was given up here, {standing[client_ref]} stands there",
        )
    return len(orphans)
