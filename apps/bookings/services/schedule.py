"""When a lost answer is looked for: as the supplier's own data says, or the settings where it has none (the simulator)."""

from datetime import datetime, timedelta

from django.conf import settings

from apps.bookings.models import Operation, OperationKind
from apps.bookings.work import lookups_of
from apps.suppliers.lookups import Lookups

HOURLY = timedelta(hours=1)


def patience_of(operation: Operation) -> Lookups | None:
    """The supplier's own times, for what could be done twice. Cancelling cannot: whoever waits for it is told soon that the
    booking stands, before it becomes dearer, and a cancellation that comes late all the same is told by the news.
    """
    return None if operation.kind == OperationKind.CANCEL else lookups_of(operation)


def called_at(operation: Operation) -> datetime:
    return operation.call_started_at or operation.created_at


def first_look(operation: Operation, now: datetime) -> datetime:
    """After the answer was lost."""
    lookups = patience_of(operation)
    if lookups is None:
        return now + timedelta(seconds=settings.LOOKUP_BACKOFF_SECONDS[0])
    began = called_at(operation)
    return began + timedelta(seconds=lookups.first((now - began).total_seconds()))


def following_look(operation: Operation, now: datetime) -> datetime:
    """After a look without answer: 10 s, 30 s, 2 min, 10 min (or the supplier's own times), then every hour."""
    lookups = patience_of(operation)
    if lookups is None:
        steps = settings.LOOKUP_BACKOFF_SECONDS
        return now + timedelta(seconds=steps[min(operation.lookups, len(steps) - 1)])
    began = called_at(operation)
    when = lookups.following((now - began).total_seconds())
    return now + HOURLY if when is None else began + timedelta(seconds=when)


def look_again(operation: Operation, now: datetime) -> datetime | None:
    """After a look that found nothing; None where that is believed now.

    It takes two of them, `LOOKUP_NOT_FOUND_APART_SECONDS` apart, and neither counts too early: the simulator's not within
    `LOOKUP_FIRST_NOT_FOUND_SECONDS` of the call, a real supplier's second one not before its time to give up.
    """
    lookups, first = patience_of(operation), operation.first_not_found_at
    apart = timedelta(seconds=settings.LOOKUP_NOT_FOUND_APART_SECONDS)
    if lookups is not None and now < called_at(operation) + timedelta(seconds=lookups.give_up_after):
        return following_look(operation, now)
    if lookups is None and now < counts_from(operation):
        return counts_from(operation)
    if first is None:
        return now + apart
    return first + apart if now < first + apart else None


def counts_from(operation: Operation) -> datetime:
    """From when on a "not found" is the first of two."""
    if patience_of(operation) is not None:
        return called_at(operation)
    return called_at(operation) + timedelta(seconds=settings.LOOKUP_FIRST_NOT_FOUND_SECONDS)
