"""GET /v1/esim/orders/{id}/usage: the supplier is asked as often as it allows, and its answer is stored for the time between.

Where it cannot be reached, the last known values are returned, and marked as such.
"""

import logging
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q, QuerySet
from django.db.models.expressions import RawSQL

from apps.bookings.models import Booking, Product
from apps.common.errors import Conflict
from apps.esim.details import OrderDetails
from apps.esim.models import LastUsage
from apps.esim.suppliers.base import EsimSupplier, Usage
from apps.esim.suppliers.registry import esim_supplier
from apps.gateway.requests import Caller
from apps.suppliers.errors import SupplierError
from apps.suppliers.http import all_within

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KnownUsage:
    """`usage.status` is None where these are last known values, from `updated_at`."""

    iccid: str
    usage: Usage
    updated_at: datetime


def read_usage(*, caller: Caller, booking: Booking) -> KnownUsage:
    """Raises Conflict for an order without a profile: one that is pending or failed."""
    details = OrderDetails.of(booking)
    if details.profile is None:
        raise Conflict(f"The order is {booking.status}: it has no profile that could be used.", ours=True)
    fault = caller.trigger.at_supplier()
    try:
        supplier = esim_supplier(booking.environment, fault, named=booking.supplier_name)
        if supplier.usage_every and not claim_turn(booking, details, supplier.usage_every):
            return stored(booking, details)
        usage = ask(supplier, booking, details.profile.iccid)
    except SupplierError as error:
        logger.warning("usage of %s: last known values, for %r", booking.reference, error)
        known = stored(booking, details)
        return replace(known, usage=replace(known.usage, status=None))
    return KnownUsage(details.profile.iccid, *usage)


def refresh_usage(*, supplier_name: str, iccid: str) -> None:
    """Ask the supplier now, because it has notified us that this profile's usage has changed. Raises SupplierError."""
    booking = orders_of(supplier_name, iccid).order_by("-created_at").first()
    if booking is None:
        logger.info("%s names a profile that is not ours", supplier_name)
        return
    claim_turn(booking, OrderDetails.of(booking), timedelta(0))
    ask(esim_supplier(booking.environment, named=booking.supplier_name), booking, iccid)


def orders_of(supplier_name: str, iccid: str) -> QuerySet[Booking]:
    """The order that this profile was sold with. The expression is that of the index `booking_by_iccid`."""
    sold_by = Booking.objects.filter(product=Product.ESIM, supplier_name=supplier_name)
    return sold_by.annotate(iccid=RawSQL("details #>> '{profile,iccid}'", [])).filter(iccid=iccid)


def claim_turn(booking: Booking, details: OrderDetails, every: timedelta) -> bool:
    """Whether this call may ask; of several at once, one may. A turn that got no answer counts, too."""
    now = booking.now()
    unused = LastUsage(
        booking=booking, total_mb=details.plan.data_mb, used_mb=0, updated_at=booking.updated_at
    )
    LastUsage.objects.bulk_create([unused], ignore_conflicts=True)
    mine = LastUsage.objects.filter(Q(asked_at=None) | Q(asked_at__lte=now - every), pk=booking.pk)
    return bool(mine.update(asked_at=now))


def ask(supplier: EsimSupplier, booking: Booking, iccid: str) -> tuple[Usage, datetime]:
    """Ask, and store the answer. Raises SupplierError; that there was no answer is stored for the reads until the next turn."""
    try:
        with all_within(settings.SUPPLIER_CALL_SECONDS):  # the call may have to wait for a token as well
            usage = supplier.usage(booking.supplier_reference, iccid)
    except SupplierError:
        LastUsage.objects.filter(pk=booking.pk).update(unanswered_at=booking.now())
        raise
    return remember(booking, usage)


def remember(booking: Booking, usage: Usage) -> tuple[Usage, datetime]:
    """Store what the supplier says. Where it says no status, the last known one stays."""
    now = booking.now()
    stated = asdict(usage)
    if usage.status is None:
        del stated["status"]
    known, _ = LastUsage.objects.update_or_create(booking=booking, defaults={**stated, "updated_at": now})
    return replace(usage, status=known.status), now


def stored(booking: Booking, details: OrderDetails) -> KnownUsage:
    """What was stored last, without a status where the last turn got no answer. Before anything was stored: the plan as
    delivered, unused. While another call is asking, the last known values are returned with their status.
    """
    assert details.profile is not None
    iccid = details.profile.iccid
    last = LastUsage.objects.filter(pk=booking.pk).first()
    if last is None:
        return KnownUsage(iccid, Usage(None, details.plan.data_mb, 0, None), booking.updated_at)
    status = None if went_unanswered(last) else last.status
    return KnownUsage(iccid, Usage(status, last.total_mb, last.used_mb, last.valid_until), last.updated_at)


def went_unanswered(last: LastUsage) -> bool:
    """Whether the supplier did not answer the last time."""
    silent = last.unanswered_at
    return (
        silent is not None and silent > last.updated_at and (last.asked_at is None or silent >= last.asked_at)
    )
