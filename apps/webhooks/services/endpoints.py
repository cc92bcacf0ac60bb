"""Register, change, enable, disable and delete endpoints, and rotate their secrets (contract §3, Webhooks).

Locks are taken endpoint first, then its deliveries: the order in which results are recorded.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.dispatch import receiver

from apps.accounts import clocks
from apps.accounts.actors import SUPPORT, Actor
from apps.accounts.audit import Subject, record
from apps.accounts.models import Account, AuditAction
from apps.accounts.sandboxes import refuse_retired
from apps.accounts.signals import clock_moved
from apps.common import clock
from apps.common.clock import rfc3339
from apps.common.encryption import encrypt
from apps.common.environments import Environment
from apps.common.errors import Conflict, InvalidRequest
from apps.webhooks import wakeups
from apps.webhooks.events import NOT_SUBSCRIBABLE, SUBSCRIBABLE
from apps.webhooks.models import Delivery, DisabledReason, Endpoint, EndpointStatus
from apps.webhooks.selectors import endpoints_of, lock_endpoint
from apps.webhooks.services.retire import end_some
from apps.webhooks.signatures import new_secret
from apps.webhooks.target import UrlRefused, parse_url


def record_change(endpoint: Endpoint, action: AuditAction, actor: Actor, **details: object) -> None:
    record(
        account=endpoint.account_id,
        environment=endpoint.environment,
        action=action,
        actor=actor,
        subject=Subject("endpoint", endpoint.pk, without_query(endpoint.url)),
        details=details,
    )


def without_query(url: str) -> str:
    """`url` without its query, in which receivers put tokens: the trail contains no secret."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


MAX_ENDPOINTS = 20  # per account and environment


def create_endpoint(
    *,
    account_id: str,
    environment: str,
    url: str,
    events: Sequence[str],
    description: str = "",
    actor: Actor = SUPPORT,
) -> tuple[Endpoint, str]:
    """A new endpoint and its signing secret, which is shown this once.

    Raises InvalidRequest (url, events) and Conflict (there are twenty; the sandbox was reset or closed meanwhile).
    """
    _check(url=url, events=events)
    secret, now = new_secret(), clocks.now_in(account_id, environment)
    with transaction.atomic():
        # The account's row is the lock under which endpoints are counted.
        Account.objects.select_for_update(no_key=True).only("id").get(pk=account_id)
        refuse_retired(account_id, environment)
        if endpoints_of(account_id, environment).count() >= MAX_ENDPOINTS:
            raise Conflict(
                f"There are {MAX_ENDPOINTS} endpoints in this environment; delete one first.", ours=True
            )
        endpoint = Endpoint.objects.create(
            account_id=account_id,
            environment=environment,
            url=url,
            events=_once_each(events),
            description=description,
            secret_encrypted=encrypt(secret),
            created_at=now,
            updated_at=now,
        )
        record_change(endpoint, AuditAction.ENDPOINT_CREATED, actor, events=endpoint.events)
    return endpoint, secret


@transaction.atomic
def update_endpoint(
    *,
    endpoint: Endpoint,
    url: str | None = None,
    events: Sequence[str] | None = None,
    description: str | None = None,
    status: str | None = None,
    actor: Actor = SUPPORT,
) -> Endpoint:
    """Change what is given; `enabled` also clears the count of failures.

    Raises InvalidRequest and NotFound.
    """
    _check(url=url, events=events)
    endpoint = lock_endpoint(endpoint)
    before = _facts(endpoint)
    if url is not None:
        endpoint.url = url
    if events is not None:
        endpoint.events = _once_each(events)
    if description is not None:
        endpoint.description = description
    due, place = clock.now(), clocks.place_of(endpoint.account_id, endpoint.environment)
    now = due + place.clock_offset
    if status == EndpointStatus.ENABLED:
        _enable(endpoint, due)
    elif status == EndpointStatus.DISABLED:
        _disable(endpoint, now)
    endpoint.updated_at = now
    endpoint.save()
    _record_changes(endpoint, before, actor)
    transaction.on_commit(wakeups.notify)
    return endpoint


def enable_endpoint(*, endpoint: Endpoint, actor: Actor = SUPPORT) -> Endpoint:
    """Send to it again, what waited at once; the count of failures starts at zero."""
    return update_endpoint(endpoint=endpoint, status=EndpointStatus.ENABLED, actor=actor)


def disable_endpoint(*, endpoint: Endpoint, actor: Actor = SUPPORT) -> Endpoint:
    """Send nothing to it until it is enabled: unfinished deliveries wait, and new events make none for it."""
    return update_endpoint(endpoint=endpoint, status=EndpointStatus.DISABLED, actor=actor)


@transaction.atomic
def delete_endpoint(*, endpoint: Endpoint, actor: Actor = SUPPORT) -> None:
    """Delete the endpoint and erase its secrets. Its deliveries stay in the history.

    Unfinished deliveries end FAILED; those that were being resent get back the status that they had before. Of very many the
    first end at once, and the sweep ends the others (`retire.py`); none of them is claimed any more.
    """
    endpoint = lock_endpoint(endpoint)
    now = endpoint.now()
    _disable(endpoint, now)
    endpoint.deleted_at = endpoint.updated_at = now
    endpoint.secret_encrypted = endpoint.previous_secret_encrypted = ""
    endpoint.previous_secret_expires_at = None
    endpoint.save()
    record_change(endpoint, AuditAction.ENDPOINT_DELETED, actor)
    end_some(endpoint.pk, endpoint.account_id, now)
    transaction.on_commit(partial(wakeups.start, wakeups.END_LEFT_BEHIND))


def _facts(endpoint: Endpoint) -> dict[str, object]:
    names = ("status", "url", "events", "description")
    return {name: getattr(endpoint, name) for name in names}


def _record_changes(endpoint: Endpoint, before: dict[str, object], actor: Actor) -> None:
    """A change of the status and other changes are two entries in the audit trail; without a change there is no entry."""
    changed = [name for name, value in _facts(endpoint).items() if value != before[name]]
    if "status" in changed:
        changed.remove("status")
        enabled = endpoint.status == EndpointStatus.ENABLED
        record_change(
            endpoint, AuditAction.ENDPOINT_ENABLED if enabled else AuditAction.ENDPOINT_DISABLED, actor
        )
    if changed:
        record_change(endpoint, AuditAction.ENDPOINT_CHANGED, actor, changed=changed)


def _enable(endpoint: Endpoint, due: datetime) -> None:
    if endpoint.status == EndpointStatus.DISABLED:
        # The schedule moves to the last that waits: all of them are due, and no row of theirs is written.
        waiting = Delivery.objects.filter(
            endpoint=endpoint, account=endpoint.account_id, next_attempt_at__isnull=False
        )
        last = waiting.order_by("-next_attempt_at").values_list("next_attempt_at", flat=True).first()
        if last is not None:
            endpoint.schedule_ahead = max(endpoint.schedule_ahead, last - due)
        endpoint.due_from = due
    endpoint.status = EndpointStatus.ENABLED
    endpoint.disabled_reason = None
    endpoint.disabled_at = None
    endpoint.consecutive_failures = 0


def _disable(endpoint: Endpoint, now: datetime) -> None:
    if endpoint.status == EndpointStatus.DISABLED:
        return
    endpoint.status = EndpointStatus.DISABLED
    endpoint.disabled_reason = DisabledReason.BY_PARTNER
    endpoint.disabled_at = now


def _check(*, url: str | None, events: Sequence[str] | None) -> None:
    """Raises InvalidRequest with everything that is wrong."""
    details = []
    if url is not None and (refusal := refusal_of_url(url)):
        details.append({"field": "url", "message": refusal})
    if events is not None:
        if not events:
            details.append({"field": "events", "message": "must name at least one event type"})
        details += [
            {"field": f"events.{position}", "message": NOT_SUBSCRIBABLE}
            for position, event in enumerate(events)
            if event not in SUBSCRIBABLE
        ]
    if details:
        raise InvalidRequest(details=details)


def refusal_of_url(url: str) -> str:
    """Why nothing can be delivered to it; empty where that is only seen when connecting."""
    try:
        parse_url(url, allow_local=settings.WEBHOOK_ALLOW_LOCAL_TARGETS)
    except UrlRefused as refused:
        return str(refused)
    return ""


def _once_each(events: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(events))


OVERLAP = timedelta(hours=24)


@transaction.atomic
def rotate_secret(
    *, endpoint: Endpoint, immediate: bool = False, actor: Actor = SUPPORT
) -> tuple[Endpoint, str]:
    """Returns the endpoint and its new secret, which is shown this once. For 24 h deliveries are signed with both.

    A second rotation within those hours would cut off a receiver that still knows only the oldest secret:
    InvalidRequest with `safeAfter`. `immediate` is for a leaked secret: allowed at any time, the old ones are
    void at once.
    """
    endpoint = lock_endpoint(endpoint)
    now = endpoint.now()
    window_ends = endpoint.previous_secret_expires_at
    if not immediate and window_ends is not None and window_ends > now:
        safe_after = rfc3339(window_ends)
        raise InvalidRequest(
            f"The secret was rotated less than 24 hours ago; it is safe again after {safe_after}.",
            ours=True,
            safeAfter=safe_after,
        )
    secret = new_secret()
    endpoint.previous_secret_encrypted = "" if immediate else endpoint.secret_encrypted
    endpoint.previous_secret_expires_at = None if immediate else now + OVERLAP
    endpoint.secret_encrypted = encrypt(secret)
    endpoint.updated_at = now
    endpoint.save()
    record_change(endpoint, AuditAction.ENDPOINT_SECRET_ROTATED, actor, immediate=immediate)
    return endpoint, secret


@receiver(clock_moved)
def pull_deliveries_back(*, account_id: str, advance: timedelta, **_: Any) -> None:
    """Retries become due sooner by as much as the clock moved: the schedule of each endpoint moves, however many wait there."""
    endpoints = Endpoint.objects.filter(account_id=account_id, environment=Environment.TEST, deleted_at=None)
    locked = endpoints.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True)
    Endpoint.objects.filter(pk__in=list(locked)).update(
        schedule_ahead=F("schedule_ahead") + advance, due_from=F("due_from") - advance
    )
    transaction.on_commit(wakeups.notify)
    transaction.on_commit(partial(wakeups.start, wakeups.PRUNE_SANDBOXES))
