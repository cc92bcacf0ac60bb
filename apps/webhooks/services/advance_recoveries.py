"""The sweep over recoveries: read the results of what was sent, then send as much as the rate allows.

The first delivery, the canary, is sent alone. When it is accepted the others follow, oldest first. Ten failures in a row, or a
disabled endpoint, halt the recovery: a receiver that is down again must not lose these deliveries a second time.
"""

import logging
from collections import Counter
from datetime import datetime

from django.db import connection, transaction

from apps.accounts import clocks
from apps.common import clock
from apps.gateway.periodic import ITSELF, Tally
from apps.webhooks import wakeups
from apps.webhooks.models import (
    UNDER_WAY,
    Delivery,
    DeliveryStatus,
    Endpoint,
    EndpointStatus,
    Event,
    HaltReason,
    ItemState,
    Recovery,
    RecoveryStatus,
)
from apps.webhooks.selectors import lock_endpoint
from apps.webhooks.services.recover import UNSUCCESSFUL, Selection, list_more
from apps.webhooks.services.resend import MOST_ATTEMPTS, bring_forward, make_due, new_delivery

logger = logging.getLogger(__name__)

MAX_FAILURES_IN_A_ROW = 10
BATCH = 500  # at most so many in one transaction

READ_RESULTS = """
UPDATE webhooks_recoveryitem item
   SET state = CASE d.status WHEN 'DELIVERED' THEN 'delivered' ELSE 'not_accepted' END  -- one that waits again was not
  FROM webhooks_delivery d
 WHERE item.recovery_id = %(recovery_id)s::text
   AND item.state = 'sent'
   AND d.event_id = item.event_id
   AND d.endpoint_id = %(endpoint_id)s::text
   AND (d.next_attempt_at IS NULL OR d.next_attempt_at > %(due)s)
RETURNING item.state"""


def advance_recoveries(*, tally: Tally | None = None) -> int:
    """One step of every recovery under way that no other process is advancing. Returns how many deliveries became due.

    `tally` gets failures, which are faults of this service.
    """
    tally = tally or Tally()
    ids = Recovery.objects.filter(status__in=UNDER_WAY).order_by("created_at").values_list("pk", flat=True)
    return sum(_advance_or_log(recovery_id, tally) for recovery_id in list(ids))


def _advance_or_log(recovery_id: str, tally: Tally) -> int:
    """A recovery that fails must not stop the others."""
    try:
        list_more(recovery_id)
        return advance(recovery_id)
    except Exception as error:
        logger.exception("The recovery %s could not be advanced", recovery_id)
        tally.failed(ITSELF, error)
        return 0


@transaction.atomic
def advance(recovery_id: str) -> int:
    """One step of one recovery. Returns how many deliveries became due."""
    under_way = Recovery.objects.select_for_update(no_key=True, skip_locked=True, of=("self",))
    recovery = under_way.filter(pk=recovery_id, status__in=UNDER_WAY).first()
    if recovery is None:
        return 0
    with clocks.working_for(recovery.account_id, recovery.environment):
        return _advance(recovery)


def _advance(recovery: Recovery) -> int:
    now = clock.now()
    endpoint = lock_endpoint(recovery.endpoint, deleted=True)
    _read_results(recovery)
    if endpoint.status != EndpointStatus.ENABLED:
        _halt(recovery, HaltReason.ENDPOINT_DISABLED)
    sent = _send(recovery, endpoint, _admitted(recovery, now), now)
    _finish_if_over(recovery)
    recovery.save()
    if sent:
        transaction.on_commit(wakeups.notify)
    return sent


def _read_results(recovery: Recovery) -> None:
    """Note which deliveries ended: the canary decides whether the others follow, and failures in a row are counted."""
    with connection.cursor() as cursor:
        cursor.execute(
            READ_RESULTS,
            {
                "recovery_id": recovery.pk,
                "endpoint_id": recovery.endpoint_id,
                "due": clock.now() + recovery.endpoint.schedule_ahead,
            },
        )
        results = Counter(state for (state,) in cursor.fetchall())
    accepted, failed = results[ItemState.DELIVERED], results[ItemState.NOT_ACCEPTED]
    recovery.failures_in_a_row = 0 if accepted else recovery.failures_in_a_row + failed
    if recovery.status == RecoveryStatus.CANARY:
        if accepted:
            recovery.status = RecoveryStatus.RUNNING
            recovery.allowance, recovery.paced_at = 1.0, clock.now()
        elif failed:
            _halt(recovery, HaltReason.CANARY_FAILED)
    elif recovery.failures_in_a_row >= MAX_FAILURES_IN_A_ROW:
        _halt(recovery, HaltReason.FAILURES_IN_A_ROW)


def _halt(recovery: Recovery, reason: HaltReason) -> None:
    recovery.status, recovery.halt_reason = RecoveryStatus.HALTED, reason
    recovery.finished_at = recovery.endpoint.now()


def _admitted(recovery: Recovery, now: datetime) -> int:
    """How many may be sent now: the canary alone; then what the rate has accumulated, at most for one minute.

    What was sent and has no result yet counts against that minute, so that a slow dispatcher is not flooded.
    """
    under_way = recovery.items.filter(state=ItemState.SENT).count()
    if recovery.status == RecoveryStatus.CANARY:
        return 0 if under_way else 1
    if recovery.status != RecoveryStatus.RUNNING:
        return 0
    seconds = max(0.0, (now - recovery.paced_at).total_seconds())
    saved = recovery.allowance + seconds * recovery.per_minute / 60
    recovery.allowance, recovery.paced_at = min(saved, float(recovery.per_minute)), now
    return max(0, min(int(recovery.allowance), recovery.per_minute - under_way, BATCH))


def _send(recovery: Recovery, endpoint: Endpoint, count: int, now: datetime) -> int:
    """Make the next `count` items due; those that need no delivery any more are skipped. Returns how many are due."""
    if not count:
        return 0
    waiting = recovery.items.filter(state=ItemState.WAITING).order_by("pk")[:count]
    event_ids = dict(waiting.values_list("event_id", "pk"))
    takes_waiting = DeliveryStatus.RETRYING in Selection.of(recovery).statuses
    sent = _make_due(endpoint, list(event_ids), now, takes_waiting=takes_waiting)
    recovery.items.filter(pk__in=event_ids.values()).update(state=ItemState.SKIPPED)
    recovery.items.filter(pk__in=[event_ids[event_id] for event_id in sent]).update(state=ItemState.SENT)
    recovery.allowance = max(0.0, recovery.allowance - len(sent))
    return len(sent)


def _make_due(endpoint: Endpoint, event_ids: list[str], now: datetime, *, takes_waiting: bool) -> list[str]:
    """Make the deliveries of these events due. Returns the ids of those that are.

    Left out: events that were delivered meanwhile, that will be sent anyway, that were deleted, or that were sent too often.
    """
    deliveries = {
        delivery.event_id: delivery
        for delivery in Delivery.objects.select_for_update(no_key=True)
        .filter(endpoint=endpoint, event_id__in=event_ids)
        .order_by("pk")
    }
    again = [
        delivery
        for delivery in deliveries.values()
        if delivery.status in UNSUCCESSFUL and delivery.attempt_count < MOST_ATTEMPTS
    ]
    make_due([delivery.pk for delivery in again], now)
    early = [
        delivery
        for delivery in deliveries.values()
        if takes_waiting
        and delivery.next_attempt_at is not None
        and delivery.next_attempt_at > now + endpoint.schedule_ahead
    ]
    bring_forward([delivery.pk for delivery in early], now)
    missed = Event.objects.filter(pk__in=set(event_ids) - deliveries.keys())
    made = Delivery.objects.bulk_create([new_delivery(event, endpoint) for event in missed])
    return [delivery.event_id for delivery in (*again, *early, *made)]


def _finish_if_over(recovery: Recovery) -> None:
    if recovery.status not in UNDER_WAY or recovery.listed_to is not None:
        return
    if not recovery.items.filter(state__in=[ItemState.WAITING, ItemState.SENT]).exists():
        recovery.status, recovery.finished_at = RecoveryStatus.FINISHED, recovery.endpoint.now()
