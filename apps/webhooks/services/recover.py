"""Start, stop and resume a recovery: what an endpoint missed, sent again in bulk (the sweep paces it)."""

from django.db import IntegrityError, transaction

from apps.common import clock
from apps.gateway.errors import Conflict, InvalidRequest
from apps.webhooks.models import (
    UNDER_WAY,
    Endpoint,
    EndpointStatus,
    ItemState,
    Recovery,
    RecoveryItem,
    RecoveryStatus,
)
from apps.webhooks.selection import Selection, selected_event_ids

DEFAULT_PER_MINUTE = 300
MAX_PER_MINUTE = 6_000
INSERT_BATCH = 5_000

UNDER_WAY_ALREADY = "A recovery of this endpoint is under way; stop it first."


@transaction.atomic
def start_recovery(
    *, endpoint: Endpoint, selection: Selection, per_minute: int = DEFAULT_PER_MINUTE
) -> Recovery:
    """A recovery of what is selected now. Its first delivery goes alone; the others wait until that is accepted.

    Raises InvalidRequest (per_minute), and Conflict where nothing is selected, the endpoint is disabled, or one
    is under way.
    """
    if not 1 <= per_minute <= MAX_PER_MINUTE:
        raise InvalidRequest.field("perMinute", f"must be from 1 to {MAX_PER_MINUTE}")
    _refuse_unless_enabled(endpoint)
    event_ids = selected_event_ids(endpoint, selection)
    if not event_ids:
        raise Conflict("There is nothing to recover.")
    now = clock.now()
    recovery = Recovery(
        account_id=endpoint.account_id,
        environment=endpoint.environment,
        endpoint=endpoint,
        selection=selection.json(),
        per_minute=per_minute,
        paced_at=now,
        created_at=now,
    )
    _save_as_the_only_one(recovery)
    RecoveryItem.objects.bulk_create(
        [RecoveryItem(recovery=recovery, event_id=event_id) for event_id in event_ids],
        batch_size=INSERT_BATCH,
    )
    return recovery


@transaction.atomic
def stop_recovery(*, recovery: Recovery) -> Recovery:
    """Send no more of it; what was sent stays sent. Raises Conflict where it is over."""
    recovery = lock_recovery(recovery)
    if recovery.status not in (*UNDER_WAY, RecoveryStatus.HALTED):
        raise Conflict(f"This recovery is {recovery.status}.")
    recovery.status = RecoveryStatus.STOPPED
    recovery.halt_reason = None
    recovery.finished_at = clock.now()
    recovery.save()
    return recovery


@transaction.atomic
def resume_recovery(*, recovery: Recovery) -> Recovery:
    """Go on with a stopped or halted one, with a canary again; what was not accepted is sent anew.

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
