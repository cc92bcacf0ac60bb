"""Test deliveries to one endpoint whatever it subscribes to: `webhook.test`, or the sample of an event type.

Both are stored as `webhook.test`: no recovery takes a sample for an event that was missed, and no list for one that happened.
"""

from datetime import datetime
from functools import cache

import orjson
from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.models import AuditAction
from apps.common import clock
from apps.common.clock import rfc3339
from apps.common.environments import Environment
from apps.common.errors import Conflict, NotFound
from apps.gateway.openapi.examples import EventExample, recorded_events
from apps.webhooks import wakeups
from apps.webhooks.events import TEST, Fact, payload_text
from apps.webhooks.models import Delivery, Endpoint, Event, new_event_id
from apps.webhooks.selectors import lock_endpoint, refuse_disabled
from apps.webhooks.services.endpoints import record_change


@transaction.atomic
def send_test(*, endpoint: Endpoint, request_id: str = "") -> Delivery:
    """The delivery, due now. Raises Conflict while the endpoint is disabled."""
    event_id, now = new_event_id(), endpoint.now()
    fact = Fact(TEST, {"endpointId": endpoint.id, "message": "A test delivery, sent on request."})
    payload = payload_text(
        event_id=event_id, fact=fact, created_at=rfc3339(now), environment=endpoint.environment
    )
    return due_test(endpoint=endpoint, event_id=event_id, payload=payload, now=now, request_id=request_id)


def due_test(
    *, endpoint: Endpoint, event_id: str, payload: str, now: datetime, request_id: str = ""
) -> Delivery:
    """The delivery of this payload as a test, due now, in the caller's transaction. `now` is the time in the environment.

    Raises Conflict while the endpoint is disabled and where its environment was reset meanwhile, NotFound where it was deleted.
    """
    asked_by = endpoint.account_id
    endpoint = lock_endpoint(endpoint)
    if endpoint.account_id != asked_by:
        raise Conflict("This test environment was reset or closed in the meantime.", ours=True)
    refuse_disabled(endpoint)
    event = Event.objects.create(
        id=event_id,
        account_id=endpoint.account_id,
        environment=endpoint.environment,
        type=TEST,
        payload=payload,
        request_id=request_id,
        created_at=now,
    )
    delivery = Delivery.objects.create(
        event=event,
        endpoint=endpoint,
        account_id=endpoint.account_id,
        environment=endpoint.environment,
        event_type=TEST,
        next_attempt_at=clock.now() + endpoint.schedule_ahead,
        created_at=now,
    )
    transaction.on_commit(wakeups.notify)
    return delivery


@cache
def samples() -> dict[str, list[EventExample]]:
    """By event type, each with at least one. Read once from the files."""
    found: dict[str, list[EventExample]] = {}
    for each in recorded_events():
        found.setdefault(each.type, []).append(each)
    return found


def sample_of(type: str, name: str) -> EventExample | None:
    """The sample of this name; the first one for an empty name; None if unknown."""
    return next((each for each in samples().get(type, []) if name in ("", each.name)), None)


LIVE_REFUSED = "A sample is a made-up event: it is for endpoints of the test environment alone."


@transaction.atomic
def send_sample(*, endpoint: Endpoint, type: str, name: str = "", actor: Actor) -> Delivery:
    """The delivery, due now, whatever the endpoint subscribes to. It is signed, sent and repeated like any other.

    Raises NotFound for a type or name without a sample, and Conflict for a live or disabled endpoint.
    """
    sample = sample_of(type, name)
    if sample is None:
        raise NotFound("There is no sample of this event.", ours=True)
    if endpoint.environment != Environment.TEST:
        raise Conflict(LIVE_REFUSED, ours=True)
    event_id, now = new_event_id(), endpoint.now()
    about = {**sample.payload["data"], "sample": True}
    own = {"id": event_id, "createdAt": rfc3339(now), "environment": endpoint.environment, "data": about}
    payload = orjson.dumps({**sample.payload, **own}).decode()
    delivery = due_test(endpoint=endpoint, event_id=event_id, payload=payload, now=now)
    record_change(endpoint, AuditAction.ENDPOINT_SENT_SAMPLE, actor, type=type, delivery=delivery.pk)
    return delivery
