"""When a test environment is reset or closed: its endpoints move on or stay, and what was still to be sent of it ends.

A delivery belongs to the environment that its event belongs to. One whose endpoint belongs to another by now is never claimed.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Case, F, Q, Value, When

from apps.common import clock
from apps.common.environments import Environment
from apps.common.querysets import no_later_than
from apps.webhooks import wakeups
from apps.webhooks.models import (
    UNDER_WAY,
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
    still has. The sweep ends what is unfinished (`left_behind.py`).

    Call it inside a transaction. A process that is just sending some sends these to their end, as when an endpoint is disabled.
    """
    now = clock.now()
    _stop_recoveries(account_id, now)
    endpoints = Endpoint.objects.filter(account=account_id, environment=Environment.TEST)
    locked = endpoints.select_for_update().order_by("pk").values_list("pk", flat=True)
    Endpoint.objects.filter(pk__in=list(locked), status=EndpointStatus.ENABLED).update(
        status=EndpointStatus.DISABLED, disabled_reason=DisabledReason.BY_PARTNER, disabled_at=now
    )
    transaction.on_commit(wakeups.notify_left_behind)


def _stop_recoveries(account_id: str, now: datetime) -> None:
    """Call it before endpoints are locked: the sweep locks a recovery first, and then its endpoint."""
    recoveries = Recovery.objects.filter(
        account=account_id, environment=Environment.TEST, status__in=UNDER_WAY
    )
    recoveries.update(status=RecoveryStatus.STOPPED, finished_at=now)
