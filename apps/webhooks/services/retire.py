"""End the deliveries that will never be sent: their endpoint was deleted, or their test environment was reset or closed.

A delivery belongs to the environment of its event; one whose endpoint belongs to another by now is never claimed. No request
waits until such rows are written: a sweep writes them, in small transactions. It waits for no lock, and may stop anywhere or run
several times at once.
"""

import time
from datetime import datetime, timedelta
from functools import partial

from django.db import connection, transaction
from django.db.models import Case, F, Q, Value, When
from django.db.models.functions import Coalesce

from apps.common import clock
from apps.common.environments import Environment
from apps.common.querysets import no_later_than
from apps.webhooks import wakeups
from apps.webhooks.models import (
    UNDER_WAY,
    Delivery,
    DeliveryStatus,
    DisabledReason,
    Endpoint,
    EndpointStatus,
    Recovery,
    RecoveryStatus,
)


def move_endpoints(*, account_id: str, to_account_id: str, ahead: timedelta) -> int:
    """Move the test endpoints that were not deleted: ids, settings and secrets stay, failures are forgotten. Returns how many.

    Call it inside a transaction. It waits for events that are being written for them. Their times are those of a clock that was
    `ahead`, and are put back with it. An endpoint that failures have disabled is enabled again.
    """
    now = clock.now()
    _stop_recoveries(account_id, now)
    endpoints = Endpoint.objects.filter(account=account_id, environment=Environment.TEST, deleted_at=None)
    ids = list(endpoints.select_for_update().order_by("pk").values_list("pk", flat=True))
    failed = Q(disabled_reason=DisabledReason.CONSECUTIVE_FAILURES)
    return Endpoint.objects.filter(pk__in=ids).update(
        account=to_account_id,
        consecutive_failures=0,
        status=Case(When(failed, then=Value(EndpointStatus.ENABLED)), default=F("status")),
        disabled_at=Case(When(failed, then=Value(None)), default=no_later_than(now, "disabled_at")),
        disabled_reason=Case(When(failed, then=Value(None)), default=F("disabled_reason")),
        previous_secret_expires_at=F("previous_secret_expires_at") - ahead,
        created_at=no_later_than(now, "created_at"),
        updated_at=no_later_than(now, "updated_at"),
    )


def end_deliveries(*, account_id: str) -> None:
    """Send nothing more of a test environment that is no longer in use: end its recoveries and disable the endpoints that it
    still has. The sweep ends what is unfinished (`end_left_behind`).

    Call it inside a transaction. A process that is just sending some sends these to their end, as when an endpoint is disabled.
    """
    now = clock.now()
    _stop_recoveries(account_id, now)
    endpoints = Endpoint.objects.filter(account=account_id, environment=Environment.TEST)
    locked = endpoints.select_for_update().order_by("pk").values_list("pk", flat=True)
    Endpoint.objects.filter(pk__in=list(locked), status=EndpointStatus.ENABLED).update(
        status=EndpointStatus.DISABLED, disabled_reason=DisabledReason.BY_PARTNER, disabled_at=now
    )
    transaction.on_commit(partial(wakeups.start, wakeups.END_LEFT_BEHIND))


def _stop_recoveries(account_id: str, now: datetime) -> None:
    """Call it before endpoints are locked: the sweep locks a recovery first, and then its endpoint."""
    recoveries = Recovery.objects.filter(
        account=account_id, environment=Environment.TEST, status__in=UNDER_WAY
    )
    recoveries.update(status=RecoveryStatus.STOPPED, finished_at=now)


END_BATCH = 500
RUN_SECONDS = 45.0


# Each pair of an endpoint and an account with unfinished deliveries is found by one descent of the index `delivery_waiting`. It
# also finds what was written in the moment in which its endpoint was deleted, or its environment reset.
LEFT_BEHIND = """
WITH RECURSIVE pair AS (
    (SELECT endpoint_id, account_id FROM webhooks_delivery WHERE next_attempt_at IS NOT NULL
      ORDER BY endpoint_id, account_id LIMIT 1)
    UNION ALL
    SELECT next.endpoint_id, next.account_id
      FROM pair
     CROSS JOIN LATERAL (
           SELECT d.endpoint_id, d.account_id FROM webhooks_delivery d
            WHERE d.next_attempt_at IS NOT NULL
              AND (d.endpoint_id, d.account_id) > (pair.endpoint_id, pair.account_id)
            ORDER BY d.endpoint_id, d.account_id LIMIT 1) AS next
)
SELECT pair.endpoint_id, pair.account_id, e.deleted_at
  FROM pair
  JOIN webhooks_endpoint e ON e.id = pair.endpoint_id
 WHERE e.deleted_at IS NOT NULL
    OR e.environment = 'test' AND EXISTS (
       SELECT FROM accounts_sandbox s WHERE s.account_id = pair.account_id AND s.retired_at IS NOT NULL)"""


def end_left_behind(*, seconds: float = RUN_SECONDS) -> int:
    """End them all, or as many as can be ended in `seconds`; the next run continues. Returns how many."""
    with connection.cursor() as cursor:
        cursor.execute(LEFT_BEHIND)
        pairs = cursor.fetchall()
    ends_at, ended = time.monotonic() + seconds, 0
    for endpoint_id, account_id, deleted_at in pairs:
        after = None
        while batch := end_some(endpoint_id, account_id, deleted_at or clock.now(), after=after):
            ended += len(batch)
            after = batch[-1]
            if time.monotonic() >= ends_at:
                return ended
    return ended


@transaction.atomic
def end_some(
    endpoint_id: str, account_id: str, at: datetime, *, after: datetime | None = None
) -> list[datetime]:
    """End the first END_BATCH of these deliveries, unsent. One that was being resent gets back its status.

    Returns the `next_attempt_at` of each. The last of them is `after` for the next batch, which then begins there in the index,
    behind all that ended before.
    """
    waiting = Delivery.objects.filter(endpoint=endpoint_id, account=account_id, next_attempt_at__isnull=False)
    if after is not None:
        waiting = waiting.filter(next_attempt_at__gte=after)
    free = waiting.select_for_update(no_key=True, skip_locked=True).order_by("next_attempt_at")
    found = list(free.values_list("pk", "next_attempt_at")[:END_BATCH])
    resent = Q(status_before_resend__isnull=False)
    Delivery.objects.filter(pk__in=[pk for pk, _ in found]).update(
        status=Coalesce("status_before_resend", Value(DeliveryStatus.FAILED)),
        completed_at=Case(When(resent, then=Coalesce("completed_at", Value(at))), default=Value(at)),
        status_before_resend=None,
        next_attempt_at=None,
        lease_token=None,
        lease_until=None,
    )
    return [next_attempt_at for _, next_attempt_at in found if next_attempt_at]
