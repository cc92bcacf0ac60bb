"""Start a receiver exam of an endpoint of the test environment."""

from datetime import timedelta

from django.db import IntegrityError, transaction

from apps.accounts.actors import SUPPORT, Actor
from apps.accounts.models import Account, AuditAction
from apps.common import clock
from apps.common.environments import Environment
from apps.common.errors import Conflict
from apps.webhooks import wakeups
from apps.webhooks.models import Endpoint, EndpointStatus, Exam
from apps.webhooks.selectors import lock_endpoint
from apps.webhooks.services.audit import record_change

PER_HOUR = 20
"""Exams of one account: some ten requests each, to addresses that partners chose."""
LIVE_REFUSED = "An exam sends made-up events: it is for endpoints of the test environment alone."


@transaction.atomic
def start_exam(*, endpoint: Endpoint, actor: Actor = SUPPORT) -> Exam:
    """A queued exam; the sweep sends its cases.

    Raises Conflict for a live or disabled endpoint, while one is under way, and after PER_HOUR in an hour.
    """
    if endpoint.environment != Environment.TEST:
        raise Conflict(LIVE_REFUSED)
    # The account's row is the lock under which exams are counted.
    Account.objects.select_for_update(no_key=True).only("id").get(pk=endpoint.account_id)
    endpoint = lock_endpoint(endpoint)
    if endpoint.status != EndpointStatus.ENABLED:
        raise Conflict("This endpoint is disabled; enable it first.")
    now = clock.now()
    recent = Exam.objects.filter(account_id=endpoint.account_id, created_at__gt=now - timedelta(hours=1))
    if recent.count() >= PER_HOUR:
        raise Conflict(f"There were {PER_HOUR} exams in the last hour; try again later.")
    exam = Exam(
        account_id=endpoint.account_id, environment=endpoint.environment, endpoint=endpoint, created_at=now
    )
    _save_as_the_only_one(exam)
    record_change(endpoint, AuditAction.ENDPOINT_EXAMINED, actor, exam=exam.pk)
    transaction.on_commit(wakeups.notify_exam)
    return exam


def _save_as_the_only_one(exam: Exam) -> None:
    try:
        with transaction.atomic():
            exam.save()
    except IntegrityError:
        raise Conflict("An exam of this endpoint is under way; wait for its end.") from None
