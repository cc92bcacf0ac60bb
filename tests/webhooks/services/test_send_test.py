import orjson
import pytest

from apps.common.errors import Conflict
from apps.webhooks.models import Delivery, DeliveryStatus, Endpoint
from apps.webhooks.services.endpoints import disable_endpoint
from apps.webhooks.services.send_test import send_test
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
    with pytest.raises(Conflict):
        send_test(endpoint=endpoint)
    assert Delivery.objects.count() == 0
