"""Start, stop and resume a recovery, which sends again what an endpoint missed; the sweep sends it (`advance_recoveries.py`)."""

from django.db import IntegrityError, transaction

from apps.common import clock
from apps.common.errors import Conflict, InvalidRequest
from apps.webhooks.models import (
    UNDER_WAY,
    Endpoint,
    EndpointStatus,
    ItemState,
    Recovery,
    RecoveryItem,
    RecoveryStatus,
)
from apps.webhooks.selection import Selection, as_written, selected_event_ids

DEFAULT_PER_MINUTE = 300
MAX_PER_MINUTE = 6_000
INSERT_BATCH = 5_000
BATCHES_AT_ONCE = 40  # in one sweep, which has other recoveries to serve

UNDER_WAY_ALREADY = "A recovery of this endpoint is under way; stop it first."


@transaction.atomic
def start_recovery(
    *, endpoint: Endpoint, selection: Selection, per_minute: int = DEFAULT_PER_MINUTE
) -> Recovery:
    """Start a recovery of what is selected now. Its first delivery is sent alone; the others wait until that is accepted.

    Lists the first events; the sweep goes on with the others (`list_more`).

    Raises InvalidRequest (per_minute), and Conflict where nothing is selected, the endpoint is disabled, or one
    is under way.
    """
    if not 1 <= per_minute <= MAX_PER_MINUTE:
        raise InvalidRequest.field("perMinute", f"must be from 1 to {MAX_PER_MINUTE}")
    _refuse_unless_enabled(endpoint)
    recovery = Recovery(
        account_id=endpoint.account_id,
        environment=endpoint.environment,
        endpoint=endpoint,
        selection=selection.json(),
        per_minute=per_minute,
        paced_at=clock.now(),
        created_at=endpoint.now(),
        listed_to="",
    )
    _save_as_the_only_one(recovery)
    if not list_batch(recovery):
        raise Conflict("There is nothing to recover.")
    return recovery


def list_more(recovery_id: str) -> int:
    """List more events of a recovery under way, each batch in its own transaction. Returns how many; 0 where another process
    lists them.
    """
    total = 0
    for _ in range(BATCHES_AT_ONCE):
        with transaction.atomic():
            under_way = Recovery.objects.select_for_update(no_key=True, skip_locked=True, of=("self",))
            unlisted = under_way.select_related("endpoint").filter(listed_to__isnull=False)
            recovery = unlisted.filter(pk=recovery_id, status__in=UNDER_WAY).first()
            if recovery is None:
                break
            total += list_batch(recovery)
    return total


def list_batch(recovery: Recovery) -> int:
    """List the next events of a locked recovery, those of a booking in their sequence. Returns how many."""
    event_ids = selected_event_ids(
        recovery.endpoint, Selection.of(recovery), after=recovery.listed_to or "", most=INSERT_BATCH
    )
    RecoveryItem.objects.bulk_create(
        [RecoveryItem(recovery=recovery, event_id=event_id) for event_id in as_written(event_ids)]
    )
    recovery.listed_to = event_ids[-1] if len(event_ids) == INSERT_BATCH else None
    recovery.save(update_fields=["listed_to"])
    return len(event_ids)


@transaction.atomic
def stop_recovery(*, recovery: Recovery) -> Recovery:
    """Send nothing more of it. Raises Conflict where it is over."""
    recovery = lock_recovery(recovery)
    if recovery.status not in (*UNDER_WAY, RecoveryStatus.HALTED):
        raise Conflict(f"This recovery is {recovery.status}.")
    recovery.status = RecoveryStatus.STOPPED
    recovery.halt_reason = None
    recovery.finished_at = recovery.endpoint.now()
    recovery.save()
    return recovery


@transaction.atomic
def resume_recovery(*, recovery: Recovery) -> Recovery:
    """Continue a stopped or halted recovery, again with one delivery first; what was not accepted is sent again.

    Raises Conflict where it is under way or finished, where another one is under way, and while the endpoint is
    disabled.
    """
    recovery = lock_recovery(recovery)
    if recovery.status not in (RecoveryStatus.STOPPED, RecoveryStatus.HALTED):
        raise Conflict(f"This recovery is {recovery.status}.")
    _refuse_unless_enabled(recovery.endpoint)
    recovery.status = RecoveryStatus.CANARY
    recovery.halt_reason = recovery.finished_at = None
    recovery.failures_in_a_row = 0
    _save_as_the_only_one(recovery)
    recovery.items.filter(state=ItemState.NOT_ACCEPTED).update(state=ItemState.WAITING)
    return recovery


def lock_recovery(recovery: Recovery) -> Recovery:
    return Recovery.objects.select_for_update(no_key=True, of=("self",)).get(pk=recovery.pk)


def _refuse_unless_enabled(endpoint: Endpoint) -> None:
    if endpoint.status != EndpointStatus.ENABLED:
        raise Conflict("This endpoint is disabled; enable it first.")


def _save_as_the_only_one(recovery: Recovery) -> None:
    try:
        with transaction.atomic():
            recovery.save()
    except IntegrityError:
        raise Conflict(UNDER_WAY_ALREADY) from None
