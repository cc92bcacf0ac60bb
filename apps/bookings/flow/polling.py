"""Polls suppliers: what a supplier has cancelled by itself is cancelled here too, refunded and reported (specification §6).

Every booking is polled until its journey is over. A plain function, called by beat and by a management command. Facts of a
booking that its supplier alters by itself are stored, and reported to the partner once for each difference: booking and event in
one transaction under the booking's lock. A fact that is stated for the first time (a confirmation code, a pick-up time) completes
the booking and is no difference.
"""

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction

from apps.accounts import clocks
from apps.bookings.flow.reserve import reserve_supplier_cancellation
from apps.bookings.flow.settle import confirm, emit_events, next_look, poll_soon
from apps.bookings.handlers import cancel_handler_for
from apps.bookings.last_names import rename
from apps.bookings.models import Booking
from apps.bookings.statements import save_change
from apps.bookings.travellers import at_rest, with_keys
from apps.common import clock, tracing
from apps.common.clock import rfc3339
from apps.common.environments import Environment
from apps.common.progress import SILENT, Progress
from apps.gateway.periodic import Tally
from apps.suppliers.errors import SupplierError
from apps.webhooks.events import BOOKING_SUPPLIER_CHANGED, Fact

logger = logging.getLogger(__name__)

BATCH = 20
RUN_SECONDS = 45.0
"""No batch begins later than this: beat calls every minute."""


def poll_suppliers(
    batch: int = BATCH,
    *,
    seconds: float = RUN_SECONDS,
    tally: Tally | None = None,
    more_is_due: Callable[[], object] = lambda: None,
    progress: Progress = SILENT,
) -> int:
    """Ask the suppliers of all due bookings, `batch` by `batch`, whether they still stand. Returns how many no longer do.

    What time does not allow stays due for the next run (`how_late`). `tally` records which suppliers answered. `more_is_due` is
    called once, where there is more than a batch.
    """
    ended, ends_at, full = 0, time.monotonic() + seconds, False
    while due := claim_due(batch):
        if len(due) == batch and not full:
            full = True
            more_is_due()
        for booking in due:
            ended += has_ended(booking, tally)
            progress.advance()
        if len(due) < batch or time.monotonic() >= ends_at:
            break
    return ended


def has_ended(booking: Booking, tally: Tally | None = None) -> bool:
    """Whether the booking was found to have ended. Never raises: an error with one booking must not stop the others."""
    tally = tally or Tally()
    try:
        with (
            clocks.working_for(booking.account_id, booking.environment),
            tracing.within("poll", booking_id=booking.pk),
        ):
            ended = poll(booking)
    except Exception as error:
        tally.failed(booking.supplier_name, error)
        if isinstance(error, SupplierError):
            logger.info("%s: no response to the poll: %s", booking, error)
        else:
            logger.exception("%s could not be polled", booking)
        return False
    tally.answered(booking.supplier_name)
    return ended


def how_many_are_due() -> int:
    return Booking.objects.filter(next_news_at__lte=clock.now()).count()


def how_late(now: datetime) -> timedelta:
    """How long the oldest live booking that is due has waited to be polled."""
    due = Booking.objects.filter(environment=Environment.LIVE, next_news_at__lte=now)
    oldest = due.order_by("next_news_at").values_list("next_news_at", flat=True).first()
    return now - oldest if oldest is not None else timedelta()


def claim_due(batch: int) -> list[Booking]:
    """The bookings to poll. Their next poll is set at once, so that workers share them; if one dies, its bookings wait for that
    poll.

    Live ones come first: real journeys must not wait for the sandbox, however much is booked there.
    """
    now = clock.now()
    with transaction.atomic():
        due = due_in(Environment.LIVE, now, batch)
        due += due_in(Environment.TEST, now, batch - len(due))
        offsets = clocks.offsets_of({b.account_id for b in due if b.environment == Environment.TEST})
        for booking in due:
            is_test = booking.environment == Environment.TEST
            ahead = offsets.get(booking.account_id, clock.NOT_MOVED) if is_test else clock.NOT_MOVED
            booking.next_news_at = next_look(booking, now + ahead, ahead)
        Booking.objects.bulk_update(due, ["next_news_at"])
    return due


def due_in(environment: Environment, now: datetime, batch: int) -> list[Booking]:
    """Those of one environment, locked: an index has them in this order."""
    due = Booking.objects.select_for_update(skip_locked=True, no_key=True).filter(
        environment=environment, next_news_at__lte=now
    )
    return list(with_keys(due).order_by("next_news_at")[:batch])


def poll(booking: Booking) -> bool:
    """Whether the supplier has ended this booking by itself, and it was cancelled here for that. Raises SupplierError."""
    handler = cancel_handler_for(booking)
    if handler is None:
        return False
    result = handler.cancelled_by_supplier(booking)
    return result is not None and follow_cancellation(booking, result)


def poll_at_once(booking: Booking) -> None:
    """Before it is due, because its supplier is known to have changed something. Never raises: the polls find what breaks."""
    poll_soon(booking)
    has_ended(booking)


def follow_cancellation(booking: Booking, result: Any) -> bool:
    """Cancel as the supplier did. Returns False while the partner's own operation on the booking is open: its result decides."""
    try:
        with transaction.atomic():
            locked = Booking.objects.select_for_update(no_key=True).get(pk=booking.pk)
            if locked.status not in Booking.STANDING:
                return False
            if locked.supplier_reference != booking.supplier_reference:
                return False  # a change has replaced what was read
            operation = reserve_supplier_cancellation(locked, reason="Cancelled by the supplier.")
    except IntegrityError:
        return False
    confirm(operation, result)
    logger.warning("%s was cancelled by its supplier", booking)
    return True


Facts = Mapping[str, str | None]
"""By the name of the field as the booking shows it, `pickup.at`; None for what is not stated."""


@dataclass(frozen=True, slots=True)
class Altered:
    """A booking's details with what the supplier says now, and the facts before and after."""

    details: Mapping[str, Any]
    before: Facts
    after: Facts
    watched_until: datetime | None = None
    """When the journey is over, where that has changed."""
    reworded: tuple[str, ...] = ()
    """Fields that are reported without their texts, which may name travellers."""
    store: Callable[[Booking], None] | None = None
    """Writes what the product keeps in tables of its own, in the same transaction."""


def keep_facts(booking: Booking, altered: Callable[[Booking], Altered | None]) -> bool:
    """Store what `altered` makes of the booking; nothing where that is None, also once it is locked. Returns whether it did."""
    if altered(booking) is None:
        return False
    with transaction.atomic():
        stored = with_keys(Booking.objects.select_for_update(no_key=True)).get(pk=booking.pk)
        found = altered(stored) if stored.status in Booking.STANDING else None
        if found is None:
            return False
        now = stored.now()
        changes = differences(found.before, found.after)
        changes += [{"field": name, "before": None, "after": None} for name in found.reworded]
        rename(stored, found.details)
        stored.details = dict(at_rest(stored, found.details))
        stored.watched_until = found.watched_until or stored.watched_until
        stored.next_news_at = next_look(stored, now) if found.watched_until else stored.next_news_at
        save_change(stored, "details", "watched_until", "next_news_at", now=now)
        if found.store is not None:
            found.store(stored)
        if changes:
            data = {"detectedAt": rfc3339(now), "changes": changes}
            emit_events(stored, "", (Fact(BOOKING_SUPPLIER_CHANGED, data),))
    if changes:
        logger.warning("%s: its supplier has altered it", booking)
    return True


def differences(before: Facts, after: Facts) -> list[dict[str, str | None]]:
    """The fields that had a value and have another one now."""
    return [
        {"field": name, "before": was, "after": after[name]}
        for name, was in before.items()
        if was is not None and after[name] is not None and was != after[name]
    ]
