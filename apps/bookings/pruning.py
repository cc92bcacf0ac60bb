"""Deletes search records and answered Idempotency-Keys after 24 h, keys that were never answered after a week, and what is in a
sandbox 30 days after it was reset or closed.

However old it is, a key is kept while a call has it, and while its operation is open. Of a key under which an operation began,
what that was is kept.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, ForeignObjectRel, Model, OuterRef, Q, QuerySet

from apps.accounts import clocks
from apps.accounts.models import Sandbox
from apps.bookings.models import (
    OPEN_STATES,
    Booking,
    Operation,
    OperationState,
    PastKey,
    Settlement,
    TravellerKey,
)
from apps.common import clock
from apps.common.environments import Environment
from apps.common.querysets import prune
from apps.gateway.idempotency import delete_remembered
from apps.gateway.models import IdempotencyRecord, SearchQuotaDay, SearchUsage
from apps.request_log.models import CallHour, LoggedCall
from apps.suppliers.models import SimulatedWrite
from apps.webhooks.services.prune import prune_retired

UNANSWERED_FOR = timedelta(days=7)
# A replay reads the search record, and may come in the last second of the 24 h.
GRACE = timedelta(hours=1)
RETIRED_FOR = timedelta(days=30)
SIMULATED = ("hotels", "flights", "transfers", "esim")
BATCH = 1_000
"""Records that are deleted in one transaction."""


def prune_searches(model: type[Model], *, through: str = "") -> int:
    """Delete a product's search records that are older than 24 h, by the clock of their environment. Returns how many.

    `through` leads to account and environment where the records have none: `booking__`.
    """
    before = clock.now() - timedelta(hours=settings.SEARCH_RECORD_HOURS) - GRACE
    manager: Any = model._default_manager
    gone = prune(manager.filter(created_at__lt=before))
    if clocks.any_moved():
        gone += prune(clocks.older_there(manager.all(), "created_at", before, through=through))
    return gone


def prune_idempotency_records(*, batch: int = BATCH) -> int:
    """Returns how many were deleted."""
    now = clock.now()
    answered_before = now - timedelta(hours=settings.IDEMPOTENCY_RETENTION_HOURS)
    unanswered = Q(completed_at=None, created_at__lt=now - UNANSWERED_FOR, lease_until__lte=now)
    old = Q(completed_at__lt=answered_before) | unanswered
    records = IdempotencyRecord.objects.filter(~Exists(open_under(OuterRef("pk"))))
    # None was answered before it was made. The index is of the latter.
    gone = _forget(records.filter(old, created_at__lt=answered_before), batch)
    if clocks.any_moved():
        gone += _forget(clocks.older_there(records, "completed_at", answered_before), batch)
    return gone


def _forget(due: QuerySet[IdempotencyRecord], batch: int) -> int:
    total = 0
    while True:
        ids = list(due.values_list("pk", flat=True)[:batch])
        total += delete_remembered(due.filter(pk__in=ids))
        if len(ids) < batch:
            return total


def is_open_under(record_id: int) -> bool:
    """Whether an operation that began under this key is open. The gateway asks this before it gives the key to a new request."""
    return open_under(record_id).exists()


def open_under(record_id: int | OuterRef) -> QuerySet[Operation]:
    return Operation.objects.filter(idempotency_record_id=record_id, state__in=OPEN_STATES)


def remember_keys(records: Sequence[IdempotencyRecord]) -> None:
    """Keep which operations began under these keys. The gateway calls this as it deletes their records."""
    used = began_under([record.pk for record in records])
    PastKey.objects.bulk_create(
        [
            PastKey(
                record_id=record.pk,
                account_id=record.account_id,
                environment=record.environment,
                key=record.key,
                operation=record.operation,
                request_id=record.request_id,
                status=record.status,
                first_seen_at=record.created_at,
                answered_at=record.completed_at,
            )
            for record in records
            if record.pk in used
        ],
        ignore_conflicts=True,
    )


def began_under(record_ids: Sequence[int]) -> set[int | None]:
    """Those of these keys under which an operation began. Two looks, because failed operations have an index of their own."""
    under = Operation.objects.filter(idempotency_record_id__in=record_ids).values_list(
        "idempotency_record_id", flat=True
    )
    live, failed = under.exclude(state=OperationState.FAILED), under.filter(state=OperationState.FAILED)
    return {*live, *failed}


def prune_sandboxes(*, batch: int = BATCH) -> int:
    """Delete what is in sandboxes that were reset or closed 30 days ago, in real time. Returns of how many nothing is left.

    What stays: the account row with its wallet, holds and ledger entries, and the keys, which the audit trail names. A booking
    stays while staff have to decide about it, and with it the sandbox is left to a later run.
    """
    due = Sandbox.objects.filter(retired_at__lt=clock.now() - RETIRED_FOR, pruned_at=None)
    return sum(_prune_sandbox(account_id, batch) for account_id in due.values_list("pk", flat=True))


def _prune_sandbox(account_id: str, batch: int) -> bool:
    there: dict[str, Any] = {"account": account_id, "environment": Environment.TEST}
    is_empty = prune_retired(account_id, batch=batch)
    for model in (IdempotencyRecord, PastKey, SearchUsage, SearchQuotaDay, LoggedCall, CallHour):
        prune(model._default_manager.filter(**there), batch=batch)
    owed = Settlement.objects.filter(booking=OuterRef("pk"), settled_at=None)
    unresolved = Operation.objects.filter(booking=OuterRef("pk"), state__in=OPEN_STATES)
    bookings = Booking.objects.filter(~Exists(unresolved), ~Exists(owed), **there)
    while _delete_bookings(bookings, batch) == batch:
        pass
    if not is_empty or Booking.objects.filter(**there).exists():
        return False
    return bool(Sandbox.objects.filter(pk=account_id).update(pruned_at=clock.now()))


@transaction.atomic
def _delete_bookings(bookings: QuerySet[Booking], batch: int) -> int:
    """Delete a batch of these, with all that belongs to a booking. Returns how many; those that are locked are left out."""
    locked = bookings.select_for_update(of=("self",), skip_locked=True).order_by("pk")
    rows = list(locked.values_list("pk", "supplier_reference")[:batch])
    ids, references = [pk for pk, _ in rows], [reference for _, reference in rows if reference]
    SimulatedWrite.objects.filter(product__in=SIMULATED, reference__in=references).delete()
    TravellerKey.objects.filter(pk__in=ids).delete()
    Settlement.objects.filter(booking__in=ids).delete()
    for relation in Booking._meta.get_fields(
        include_hidden=True
    ):  # operations, and what products store of it
        if isinstance(relation, ForeignObjectRel):
            relation.related_model._default_manager.filter(**{f"{relation.field.name}__in": ids}).delete()
    Booking.objects.filter(pk__in=ids).delete()
    return len(ids)
