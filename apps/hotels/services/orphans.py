"""Orphans: bookings that stand at a live supplier although we gave them up, or replaced them by a change. Its list is compared
with ours once a night.

A booking that appears at the supplier only after its look-ups have ended costs money that no partner's hold covers any more.
Staff are alerted, and decide: cancel it there, or book it here.
"""

from datetime import timedelta

from apps.bookings.models import Operation, OperationKind, OperationState, Product
from apps.common import clock
from apps.common.environments import Environment
from apps.hotels.services.change import alert_old_stay
from apps.hotels.suppliers.registry import hotel_supplier
from apps.suppliers.alerts import alert
from apps.suppliers.models import AlertKind

LOOKED_BACK = timedelta(days=3)
"""More than a day, so that a missed night does no harm."""


def report_orphans() -> int:
    """Returns how many there are. References that are not ours belong to another deployment on the same account."""
    supplier, today = hotel_supplier(Environment.LIVE), clock.today()
    standing = supplier.standing(today - LOOKED_BACK, today)
    known = Operation.objects.filter(
        kind__in=(OperationKind.BOOK, OperationKind.CHANGE),
        booking__product=Product.HOTEL,
        booking__supplier_name=supplier.name,
        client_ref__in=standing,
    )
    orphans = known.filter(state=OperationState.FAILED).values_list("client_ref", flat=True)
    for client_ref in orphans:
        alert(
            supplier.name,
            AlertKind.UNRESOLVED,
            f"{client_ref} was given up here, {standing[client_ref]} stands there",
        )
    replaced = [
        operation
        for operation in known.filter(
            state=OperationState.CONFIRMED, booking__status="confirmed"
        ).select_related("booking")
        if operation.booking.supplier_reference != standing[operation.client_ref]
    ]
    for operation in replaced:
        alert_old_stay(supplier.name, operation.booking, standing[operation.client_ref])
    return len(orphans) + len(replaced)
