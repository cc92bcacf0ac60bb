"""GET /v1/esim/orders/{id}/usage: the supplier is asked as often as it allows, and its answer is stored for the time between.

Where it cannot be reached, the last known values are returned, and marked as such. The partner is notified once of another status
and of each level of low data, whether a read, a poll or the supplier's webhook reports it.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.expressions import RawSQL

from apps.bookings.flow.settle import emit_events
from apps.bookings.models import Booking, Product
from apps.common.errors import Conflict
from apps.esim.details import OrderDetails
from apps.esim.models import LastUsage
from apps.esim.selectors import top_ups_of
from apps.esim.suppliers.base import NOT_INSTALLED, EsimSupplier, LowData, Usage
from apps.esim.suppliers.registry import esim_supplier
from apps.gateway.requests import Caller
from apps.suppliers.errors import SupplierError
from apps.suppliers.http import all_within
from apps.webhooks.events import ESIM_DATA_LOW, ESIM_STATUS_CHANGED, Fact

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


def refresh_usage(*, supplier_name: str, iccid: str, low: LowData | None = None) -> None:
    """Notify the partner of a level that the supplier reports, then ask it for this profile's usage. Raises SupplierError."""
    booking = orders_of(supplier_name, iccid).order_by("-created_at").first()
    if booking is None:
        logger.info("%s names a profile that is not ours", supplier_name)
        return
    if low is not None:
        with transaction.atomic():
            report(booking, locked_usage(booking), (), (low,))
    claim_turn(booking, OrderDetails.of(booking), timedelta(0))
    ask(esim_supplier(booking.environment, named=booking.supplier_name), booking, iccid)


def look_at_usage(booking: Booking) -> None:
    """Poll while the partner does not read it, as often as the supplier allows, so that the partner is notified of what
    changes. Never raises SupplierError: the poll that this is part of is about more.
    """
    details = OrderDetails.of(booking)
    if details.profile is None:
        return
    try:
        supplier = esim_supplier(booking.environment, named=booking.supplier_name)
        if not supplier.usage_every or claim_turn(booking, details, supplier.usage_every):
            ask(supplier, booking, details.profile.iccid)
    except SupplierError as error:
        logger.info("usage of %s: no response to the poll: %s", booking.reference, error)


def orders_of(supplier_name: str, iccid: str) -> QuerySet[Booking]:
    """The order that this profile was sold with. The expression is that of the index `booking_by_iccid`."""
    sold_by = Booking.objects.filter(product=Product.ESIM, supplier_name=supplier_name)
    return sold_by.annotate(iccid=RawSQL("details #>> '{profile,iccid}'", [])).filter(iccid=iccid)


def claim_turn(booking: Booking, details: OrderDetails, every: timedelta) -> bool:
    """Whether this call may ask; of several at once, one may. A turn that got no answer counts, too."""
    now = booking.now()
    LastUsage.objects.bulk_create([unused(booking, details)], ignore_conflicts=True)
    mine = LastUsage.objects.filter(Q(asked_at=None) | Q(asked_at__lte=now - every), pk=booking.pk)
    return bool(mine.update(asked_at=now))


def unused(booking: Booking, details: OrderDetails) -> LastUsage:
    return LastUsage(booking=booking, total_mb=details.plan.data_mb, used_mb=0, updated_at=booking.updated_at)


def locked_usage(booking: Booking) -> LastUsage:
    """What is known, locked. It comes before the booking's own lock everywhere."""
    rows = LastUsage.objects.select_for_update()
    known = rows.filter(pk=booking.pk).first()
    if known is None:
        LastUsage.objects.bulk_create([unused(booking, OrderDetails.of(booking))], ignore_conflicts=True)
        known = rows.get(pk=booking.pk)
    return known


def ask(supplier: EsimSupplier, booking: Booking, iccid: str) -> tuple[Usage, datetime]:
    """Ask, and store the answer. Raises SupplierError; that there was no answer is stored for the reads until the next turn."""
    asked_at = booking.now()
    try:
        with all_within(settings.SUPPLIER_CALL_SECONDS):  # the call may have to wait for a token as well
            usage = supplier.usage(booking.supplier_reference, iccid)
    except SupplierError:
        LastUsage.objects.filter(pk=booking.pk).update(unanswered_at=booking.now())
        raise
    return remember(booking, usage, asked_at)


def remember(booking: Booking, usage: Usage, asked_at: datetime) -> tuple[Usage, datetime]:
    """Store what the supplier says, and notify the partner of what is new. Where it says no status, the last one known stays.

    An answer that was asked for before the stored one is not stored: of two at once, the earlier may arrive later.
    """
    now = booking.now()
    with transaction.atomic():
        known = locked_usage(booking)
        before = known.status or NOT_INSTALLED
        status = usage.status or known.status
        if known.updated_at <= asked_at:
            known.status, known.updated_at = status, now
            known.total_mb, known.used_mb, known.valid_until = (
                usage.total_mb,
                usage.used_mb,
                usage.valid_until,
            )
            known.save(update_fields=["status", "total_mb", "used_mb", "valid_until", "updated_at"])
            changed = (status_changed(before, status),) if status not in (None, before) else ()
            report(booking, known, changed, usage.low)
    return replace(usage, status=status), now


Notice = tuple[str, dict[str, object]]
"""The type of an event, and what it says beside what all of them say."""


def status_changed(before: str, status: str | None) -> Notice:
    return ESIM_STATUS_CHANGED, {"status": status, "previousStatus": before}


def report(booking: Booking, known: LastUsage, changed: tuple[Notice, ...], low: tuple[LowData, ...]) -> None:
    """Store the events, where the eSIM still stands. Call it in the transaction that has locked `known`."""
    profile = OrderDetails.of(booking).profile
    if booking.status != "provisioned" or profile is None or not (changed or low):
        return
    notices = [*changed, *new_levels(booking, known, low)]
    common = {"orderId": booking.pk, "iccid": profile.iccid}
    emit_events(booking, "", tuple(Fact(kind, {**common, **data}) for kind, data in notices))


def new_levels(booking: Booking, known: LastUsage, low: tuple[LowData, ...]) -> Iterator[Notice]:
    """Those that were not reported yet, nor a worse one of their kind. A top-up begins the count again."""
    top_ups = top_ups_of(booking).filter(status="provisioned").count() if low else 0
    for level in low:
        kind, bad = ("data", level.percent_used) if level.percent_used else ("days", -(level.days_left or 0))
        begins = f"{top_ups} {kind} "
        reported = [int(one.removeprefix(begins)) for one in known.reported if one.startswith(begins)]
        if all(one < bad for one in reported):
            known.reported = [*known.reported, f"{begins}{bad}"]
            known.save(update_fields=["reported"])
            yield ESIM_DATA_LOW, {"percentUsed": level.percent_used, "daysLeft": level.days_left}


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
