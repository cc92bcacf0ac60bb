"""Send the sample of an event type to an endpoint: what a receiver would get, with `data.sample`, and stored as a test.

Its event is stored as `webhook.test`, whatever type its payload names: no recovery takes it for something that was missed, and
no list for something that happened.
"""

from typing import Any

import orjson
from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.models import AuditAction
from apps.common.clock import rfc3339
from apps.common.environments import Environment
from apps.common.errors import Conflict, NotFound
from apps.webhooks.models import Delivery, Endpoint, new_event_id
from apps.webhooks.samples import Sample, sample_of
from apps.webhooks.services.audit import record_change
from apps.webhooks.services.send_test import due_test

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
    payload = orjson.dumps(body_of(sample, event_id, rfc3339(now), endpoint.environment)).decode()
    delivery = due_test(endpoint=endpoint, event_id=event_id, payload=payload, now=now)
    record_change(endpoint, AuditAction.ENDPOINT_SENT_SAMPLE, actor, type=type, delivery=delivery.pk)
    return delivery


def body_of(sample: Sample, event_id: str, created_at: str, environment: str) -> dict[str, Any]:
    """The sample as an event of this instant, marked."""
    marked = {**sample.payload["data"], "sample": True}
    own = {"id": event_id, "createdAt": created_at, "environment": environment, "data": marked}
    return {**sample.payload, **own}
