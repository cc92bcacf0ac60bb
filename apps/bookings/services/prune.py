"""Deletes search records and answered Idempotency-Keys after 24 h, and keys that were never answered after a week.

A key whose operation is still open is kept, however old it is.
"""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from apps.accounts import clocks
from apps.bookings.models import OPEN_STATES, Operation
from apps.common import clock
from apps.common.pruning import prune
from apps.gateway.models import IdempotencyRecord

UNANSWERED_FOR = timedelta(days=7)
# A replay reads the search record, and may come in the last second of the 24 h.
GRACE = timedelta(hours=1)


def prune_searches(model: type[Model]) -> int:
    """Delete a product's search records that are older than 24 h, by the clock of their environment. Returns how many."""
    before = clock.now() - timedelta(hours=settings.SEARCH_RECORD_HOURS) - GRACE
    manager: Any = model._default_manager
    gone = prune(manager.filter(created_at__lt=before))
    if clocks.any_moved():
        gone += prune(clocks.older_there(manager.all(), "created_at", before))
    return gone


def prune_idempotency_records() -> int:
    """Returns how many were deleted."""
    now = clock.now()
    answered_before = now - timedelta(hours=settings.IDEMPOTENCY_RETENTION_HOURS)
    old = Q(completed_at__lt=answered_before) | Q(completed_at=None, created_at__lt=now - UNANSWERED_FOR)
    records = IdempotencyRecord.objects.filter(~Exists(open_under(OuterRef("pk"))))
    gone = prune(records.filter(old))
    if clocks.any_moved():
        gone += prune(clocks.older_there(records, "completed_at", answered_before))
    return gone


def is_open_under(record_id: int) -> bool:
    """Whether an operation that began under this key is open. The gateway asks this before it gives the key to a new request."""
    return open_under(record_id).exists()


def open_under(record_id: int | OuterRef) -> QuerySet[Operation]:
    return Operation.objects.filter(idempotency_record_id=record_id, state__in=OPEN_STATES)
