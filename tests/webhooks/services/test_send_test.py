from datetime import timedelta
from typing import Any

import orjson
import pytest

from apps.common import clock
from apps.common.errors import Conflict
from apps.onboarding.services.sandboxes.reset import reset_sandbox
from apps.webhooks.models import Delivery, DeliveryStatus, Endpoint
from apps.webhooks.services.endpoints import disable_endpoint
from apps.webhooks.services.send_test import send_test
from tests.factories.accounts import SandboxFactory
from tests.factories.webhooks import EndpointFactory
from tests.support.receiver import Receiver
from tests.webhooks.conftest import Deliver


@pytest.mark.django_db(transaction=True)
def test_test_delivery_is_delivered_as_any_other(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver
) -> None:
    delivery = send_test(endpoint=endpoint, request_id="req")
    assert (delivery.event_type, delivery.status) == ("webhook.test", DeliveryStatus.PENDING)
    assert (delivery.event.type, delivery.event.request_id) == ("webhook.test", "req")
    assert deliver() == 1
    delivery.refresh_from_db()
    assert delivery.status == DeliveryStatus.DELIVERED
    [received] = receiver.requests
    assert received.body.decode() == delivery.event.payload
    assert received.json["id"] == received.headers["webhook-id"] == delivery.event_id
    assert received.json["type"] == "webhook.test"
    assert orjson.loads(delivery.event.payload)["data"]["endpointId"] == endpoint.id


@pytest.mark.django_db
def test_disabled_endpoint_gets_no_test(endpoint: Endpoint) -> None:
    disable_endpoint(endpoint=endpoint)
    with pytest.raises(Conflict) as refused:
        send_test(endpoint=endpoint)
    assert refused.value.own_texts == {"This endpoint is disabled; enable it first."}
    assert Delivery.objects.count() == 0


@pytest.mark.django_db
def test_a_call_that_a_reset_overtakes_sends_no_test_of_the_new_environment(endpoint: Endpoint) -> None:
    """The endpoint has moved there by then; what was asked for before is not seen afterwards."""
    before = Endpoint.objects.get(pk=endpoint.pk)
    reset_sandbox(account_id=endpoint.account_id)
    with pytest.raises(Conflict) as refused:
        send_test(endpoint=before)
    assert refused.value.own_texts == {"This test environment was reset or closed meanwhile."}
    assert Delivery.objects.count() == 0
    assert send_test(endpoint=Endpoint.objects.get(pk=endpoint.pk)).status == DeliveryStatus.PENDING


@pytest.mark.django_db
def test_test_is_of_this_instant_and_wakes_a_dispatcher(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    now, endpoint = clock.now(), EndpointFactory(environment="live")
    monkeypatch.setattr(clock, "_database_now", lambda: now)
    with django_capture_on_commit_callbacks() as woken:
        made = Delivery.objects.get(pk=send_test(endpoint=endpoint).pk)
    assert len(woken) == 1
    assert (made.created_at, made.next_attempt_at, made.event.created_at) == (now, now, now)
    assert (made.account_id, made.environment) == (endpoint.account_id, "live")
    assert (made.event.account_id, made.event.environment) == (endpoint.account_id, "live")
    payload = orjson.loads(made.event.payload)
    assert (payload["environment"], payload["createdAt"]) == ("live", clock.rfc3339(now))


@pytest.mark.django_db
def test_where_the_clock_was_moved_a_test_is_of_the_time_there_and_sent_in_real_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, endpoint, ahead = clock.now(), EndpointFactory(), timedelta(days=3)
    monkeypatch.setattr(clock, "_database_now", lambda: now)
    SandboxFactory(account=endpoint.account, clock_offset=ahead)
    made = Delivery.objects.get(pk=send_test(endpoint=endpoint).pk)
    assert (made.created_at, made.event.created_at, made.next_attempt_at) == (now + ahead, now + ahead, now)
    assert orjson.loads(made.event.payload)["createdAt"] == clock.rfc3339(now + ahead)
