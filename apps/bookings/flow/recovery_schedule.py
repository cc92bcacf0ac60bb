"""When the supplier is asked about a lost answer: at the times that its vendor declares, else (the simulator) at those of the
settings.
"""

from datetime import datetime, timedelta

from django.conf import settings

from apps.bookings.handlers import lookups_of
from apps.bookings.models import Operation, OperationKind
from apps.suppliers.vendors import Lookups

HOURLY = timedelta(hours=1)
DONE_ONCE = frozenset({OperationKind.CANCEL, OperationKind.ACCEPT})
"""Kinds that have one effect, however often or late the supplier carries them out."""


def patience_of(operation: Operation) -> Lookups | None:
    """The times that the vendor declares. None for kinds of `DONE_ONCE`: the partner learns soon that the booking stands as it
    was, before cancelling costs more. If it is cancelled or accepted later all the same, the polls find that.
    """
    return None if operation.kind in DONE_ONCE else lookups_of(operation)


def called_at(operation: Operation) -> datetime:
    return operation.call_started_at or operation.created_at


def first_look(operation: Operation, now: datetime) -> datetime:
    """When to look first, after the answer was lost."""
    lookups = patience_of(operation)
    if lookups is None:
        return now + timedelta(seconds=settings.LOOKUP_BACKOFF_SECONDS[0])
    began = called_at(operation)
    return began + timedelta(seconds=lookups.first((now - began).total_seconds()))


def following_look(operation: Operation, now: datetime) -> datetime:
    """When to look next, after a look-up without an answer: 10 s, 30 s, 2 min, 10 min (or the vendor's times), then hourly."""
    lookups = patience_of(operation)
    if lookups is None:
        steps = settings.LOOKUP_BACKOFF_SECONDS
        return now + timedelta(seconds=steps[min(operation.lookups, len(steps) - 1)])
    began = called_at(operation)
    when = lookups.following((now - began).total_seconds())
    return now + HOURLY if when is None else began + timedelta(seconds=when)


def look_again(operation: Operation, now: datetime) -> datetime | None:
    """When to look next, after a look-up that found nothing. None where "not found" is believed now.

    It must be said twice, `LOOKUP_NOT_FOUND_APART_SECONDS` apart, and neither time too early: by the simulator not before
    `LOOKUP_FIRST_NOT_FOUND_SECONDS` after the call, by a real supplier the second time not before its `give_up_after`.
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
    """From when on a "not found" counts as the first of the two."""
    if patience_of(operation) is not None:
        return called_at(operation)
    return called_at(operation) + timedelta(seconds=settings.LOOKUP_FIRST_NOT_FOUND_SECONDS)
