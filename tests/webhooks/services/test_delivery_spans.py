"""A delivery belongs to the trace in which its event was written, and its receiver hears nothing of that."""

import pytest
from opentelemetry.trace import StatusCode

from apps.webhooks.models import Endpoint
from tests.factories.webhooks import DeliveryFactory
from tests.support.receiver import Receiver, Reply
from tests.support.recorded import recording, stored
from tests.webhooks.conftest import Deliver

pytestmark = pytest.mark.django_db

WRITTEN_IN = bytes(range(1, 25))


def test_each_attempt_is_a_span_of_the_events_trace(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver
) -> None:
    receiver.answer = Reply(status=503, body=b"Ada Canary")
    delivery = DeliveryFactory(endpoint=endpoint, event__trace_context=WRITTEN_IN)
    with recording() as recorded:
        assert deliver() == 1
    span = recorded.named("webhook delivery")
    assert stored(span.parent) == WRITTEN_IN
    assert span.status.status_code is StatusCode.ERROR
    assert span.attributes == {
        "travel_partner.delivery_id": delivery.id,
        "travel_partner.event_id": delivery.event_id,
        "travel_partner.endpoint_id": endpoint.id,
        "travel_partner.attempt": 1,
        "travel_partner.status": 503,
        "error.type": "status",
    }
    (request,) = receiver.requests
    assert not {"traceparent", "tracestate"} & {name.lower() for name in request.headers}


def test_a_delivery_of_an_event_that_was_not_recorded_is_not(endpoint: Endpoint, deliver: Deliver) -> None:
    DeliveryFactory(endpoint=endpoint)
    with recording() as recorded:
        assert deliver() == 1
    assert recorded.spans == ()
