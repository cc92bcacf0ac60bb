"""Facts of a booking that its supplier alters by itself: stored, and told to the partner once for each difference.

The booking and the event are written in one transaction under the booking's lock, as with an airline's changes. A fact that is
told for the first time (a confirmation code, a pick-up time) completes the booking and is no difference.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from apps.bookings.models import Booking
from apps.bookings.services.cancel import STANDING
from apps.bookings.services.settle import emit_events, next_look
from apps.bookings.statements import save_change
from apps.bookings.travellers.rest import at_rest, with_keys
from apps.common.clock import rfc3339
from apps.webhooks.catalogue import BOOKING_SUPPLIER_CHANGED
from apps.webhooks.services.emit import Fact

logger = logging.getLogger(__name__)

Facts = Mapping[str, str | None]
"""By the name of the field as the booking shows it, `pickup.at`; None for what is not told."""


@dataclass(frozen=True, slots=True)
class Altered:
    """A booking's details with what the supplier says now, and the facts before and after."""

    details: Mapping[str, Any]
    before: Facts
    after: Facts
    watched_until: datetime | None = None
    """When the journey is over, where that has changed."""


def keep_facts(booking: Booking, altered: Callable[[Booking], Altered | None]) -> None:
    """Store what `altered` makes of the booking; nothing where that is None, also once it is locked."""
    if altered(booking) is None:
        return
    with transaction.atomic():
        stored = with_keys(Booking.objects.select_for_update(no_key=True)).get(pk=booking.pk)
        found = altered(stored) if stored.status in STANDING else None
        if found is None:
            return
        now = stored.now()
        changes = differences(found.before, found.after)
        stored.details = dict(at_rest(stored, found.details))
        stored.watched_until = found.watched_until or stored.watched_until
        stored.next_news_at = next_look(stored, now) if found.watched_until else stored.next_news_at
        save_change(stored, "details", "watched_until", "next_news_at", now=now)
        if changes:
            told = {"detectedAt": rfc3339(now), "changes": changes}
            emit_events(stored, "", (Fact(BOOKING_SUPPLIER_CHANGED, told),))
    if changes:
        logger.warning("%s: its supplier has altered it", booking)


def differences(before: Facts, after: Facts) -> list[dict[str, str | None]]:
    """The fields that had a value and have another one now."""
    return [
        {"field": name, "before": was, "after": after[name]}
        for name, was in before.items()
        if was is not None and after[name] is not None and was != after[name]
    ]
