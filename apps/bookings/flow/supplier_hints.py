"""Follows the hints of suppliers' webhooks: what a hint names becomes due now, and the polls read it from the supplier as always.

A plain function, called by the task that a new hint starts, and by a sweep for hints that no task followed. Following a hint
twice does no harm.
"""

import json
import logging
import time
from collections.abc import Iterator
from datetime import timedelta

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from apps.bookings.models import Booking, Operation, OperationState
from apps.common import clock
from apps.common.querysets import prune
from apps.gateway.periodic import Tally
from apps.suppliers.errors import SupplierError
from apps.suppliers.models import SupplierEvent
from apps.suppliers.webhooks import hint_of, webhooks_of

logger = logging.getLogger(__name__)

BATCH = 200
RUN_SECONDS = 45.0
"""No batch begins later than this."""
STALE_AFTER = timedelta(hours=1)
KEPT_FOR = timedelta(days=30)


def follow_hints(batch: int = BATCH, *, tally: Tally | None = None) -> int:
    """Follow every hint once, `batch` by `batch`, the oldest first, for as long as RUN_SECONDS. Returns how many there were.

    Each batch begins after the one before, so that hints which cannot be followed yet keep no newer one waiting. `tally` records
    which suppliers answered.
    """
    tally = tally or Tally()
    followed, ends_at, waiting = 0, time.monotonic() + RUN_SECONDS, waiting_hints(batch)
    while waiting:
        for event in waiting:
            follow(event, tally)
        followed += len(waiting)
        if len(waiting) < batch or time.monotonic() >= ends_at:
            break
        waiting = waiting_hints(batch, after=waiting[-1])
    return followed


def waiting_hints(batch: int, after: SupplierEvent | None = None) -> list[SupplierEvent]:
    hints = SupplierEvent.objects.filter(handled_at=None)
    if after is not None:
        at = after.received_at
        hints = hints.filter(~Q(received_at=at, pk__lte=after.pk), received_at__gte=at)
    return list(hints.order_by("received_at", "pk")[:batch])


def follow(event: SupplierEvent, tally: Tally) -> None:
    """Make due what the hint names, then let the product do its own part. If that fails, the sweep tries again for an hour."""
    make_due(event)
    try:
        refresh(event)
        tally.answered(event.supplier)
    except SupplierError as error:
        logger.info("%s: no answer yet: %s", event, error)
        tally.failed(event.supplier, error)
        if event.received_at > clock.now() - STALE_AFTER:
            return
    except Exception as error:
        logger.exception("%s could not be followed", event)
        tally.failed(event.supplier, error)
    SupplierEvent.objects.filter(pk=event.pk).update(handled_at=clock.now())


def make_due(event: SupplierEvent) -> None:
    """Only what is asked about anyway: a standing booking before its journey is over, or an operation whose end is not known."""
    now = clock.now()
    bookings = set(named_by(event))
    Booking.objects.filter(pk__in=bookings, next_news_at__gt=now).update(next_news_at=now)
    open_operations(event).filter(booking__in=bookings, next_attempt_at__gt=now).update(next_attempt_at=now)


def named_by(event: SupplierEvent) -> Iterator[str]:
    """The ids of the bookings at this supplier that the hint names. It may name one in several ways."""
    at_supplier = Booking.objects.filter(supplier_name=event.supplier).values_list("pk", flat=True)
    if event.supplier_reference:
        yield from at_supplier.filter(supplier_reference=event.supplier_reference)
    if event.client_ref:
        yield from at_supplier.filter(reference=event.client_ref)
        yield from at_supplier.filter(operations__client_ref=event.client_ref)
    if event.offer_id:
        quoted = json.dumps(event.offer_id)
        requests = open_operations(event).annotate(asked=Cast("request", TextField()))
        yield from requests.filter(asked__contains=quoted).values_list("booking_id", flat=True)


def open_operations(event: SupplierEvent) -> QuerySet[Operation]:
    """The operations that are being looked up at the hint's supplier. The call of any other is still under way, or over."""
    return Operation.objects.filter(state=OperationState.UNCERTAIN, booking__supplier_name=event.supplier)


def refresh(event: SupplierEvent) -> None:
    """Do what the vendor declares beyond that."""
    webhooks = webhooks_of(event.supplier)
    if webhooks is not None and webhooks.refresh is not None:
        webhooks.refresh(event.supplier, hint_of(event))


def prune_hints() -> int:
    """Delete hints after 30 days: no supplier sends an event again after so long. Returns how many."""
    return prune(SupplierEvent.objects.filter(received_at__lt=clock.now() - KEPT_FOR))
