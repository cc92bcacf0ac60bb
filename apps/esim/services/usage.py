"""GET /v1/esim/orders/{id}/usage: asked of the supplier each time, and remembered for when it cannot be reached."""

import logging
from dataclasses import dataclass
from datetime import datetime

from apps.bookings.models import Booking
from apps.common import clock
from apps.esim.details import OrderDetails
from apps.esim.models import LastUsage
from apps.esim.suppliers.base import Usage
from apps.esim.suppliers.registry import esim_supplier
from apps.gateway.call import Caller
from apps.gateway.errors import Conflict
from apps.suppliers.errors import SupplierError

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KnownUsage:
    """`usage.status` is None when these are last known values, as they were at `updated_at`."""

    iccid: str
    usage: Usage
    updated_at: datetime


def read_usage(*, caller: Caller, booking: Booking) -> KnownUsage:
    """Raises Conflict for an order without a profile: pending or failed."""
    details = OrderDetails.of(booking)
    if details.profile is None:
        raise Conflict(f"The order is {booking.status}: it has no profile that could be used.")
    iccid = details.profile.iccid
    supplier = esim_supplier(booking.environment, caller.trigger.at_supplier())
    try:
        usage = supplier.usage(booking.supplier_reference, iccid)
    except SupplierError as error:
        logger.warning("usage of %s: last known values, for %r", booking.reference, error)
        return last_known(booking, details, iccid)
    return KnownUsage(iccid, *remember(booking, usage))


def remember(booking: Booking, usage: Usage) -> tuple[Usage, datetime]:
    """Store what the supplier says; where it does not say the status, the last one known stands."""
    if usage.status is None:
        last = LastUsage.objects.filter(pk=booking.pk).first()
        usage = Usage(last.status if last else None, usage.total_mb, usage.used_mb, usage.valid_until)
    now = clock.now()
    LastUsage.objects.bulk_create(
        [
            LastUsage(
                booking=booking,
                status=usage.status,
                total_mb=usage.total_mb,
                used_mb=usage.used_mb,
                valid_until=usage.valid_until,
                updated_at=now,
            )
        ],
        update_conflicts=True,
        unique_fields=["booking"],
        update_fields=["status", "total_mb", "used_mb", "valid_until", "updated_at"],
    )
    return usage, now


def last_known(booking: Booking, details: OrderDetails, iccid: str) -> KnownUsage:
    """What was stored last; before anything was, the plan as it was delivered, unused."""
    last = LastUsage.objects.filter(pk=booking.pk).first()
    if last is None:
        return KnownUsage(iccid, Usage(None, details.plan.data_mb, 0, None), booking.updated_at)
    return KnownUsage(iccid, Usage(None, last.total_mb, last.used_mb, last.valid_until), last.updated_at)
