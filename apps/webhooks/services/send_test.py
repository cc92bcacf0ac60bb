"""A test delivery: an ordinary event and delivery of type webhook.test, to one endpoint whatever it subscribes to."""

from datetime import datetime

from django.db import transaction

from apps.common import clock
from apps.common.clock import rfc3339
from apps.common.errors import Conflict
from apps.webhooks import wakeups
from apps.webhooks.catalogue import TEST
from apps.webhooks.models import Delivery, Endpoint, EndpointStatus, Event, new_event_id
from apps.webhooks.selectors import lock_endpoint
from apps.webhooks.services.emit import Fact, payload_text


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
    """The delivery of this payload as a test, due now, in the transaction of whoever calls. `now` is the time in the environment.

    Raises Conflict while the endpoint is disabled and where its environment was reset meanwhile, NotFound where it was deleted.
    """
    asked_by = endpoint.account_id
    endpoint = lock_endpoint(endpoint)
    if endpoint.account_id != asked_by:
        raise Conflict("This test environment was reset or closed meanwhile.", ours=True)
    if endpoint.status != EndpointStatus.ENABLED:
        raise Conflict("This endpoint is disabled; enable it first.", ours=True)
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
