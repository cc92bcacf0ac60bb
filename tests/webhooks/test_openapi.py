"""What the OpenAPI document says of deliveries."""

from apps.webhooks.catalogue import EMITTED, TEST
from apps.webhooks.openapi import DELIVERY_HEADERS, delivery, describe_deliveries
from apps.webhooks.serializers import EVENT_DATA


def test_each_type_that_is_sent_is_a_webhook_of_the_document() -> None:
    described = describe_deliveries({"paths": {}})
    assert described["paths"] == {}
    assert set(described["webhooks"]) == set(EVENT_DATA) == EMITTED | {TEST}
    for name, webhook in described["webhooks"].items():
        assert webhook == delivery(name, EVENT_DATA[name])


def test_a_delivery_has_all_its_headers_and_a_body_of_its_type() -> None:
    described = delivery("booking.confirmed", EVENT_DATA["booking.confirmed"])["post"]
    assert {header["name"]: header["required"] for header in described["parameters"]} == dict.fromkeys(
        DELIVERY_HEADERS, True
    )
    body = described["requestBody"]
    schema = body["content"]["application/json"]["schema"]
    assert (body["required"], described["operationId"]) == (True, "booking.confirmed")
    assert schema["required"] == ["id", "type", "createdAt", "environment", "data"]
    assert schema["properties"]["type"] == {"type": "string", "const": "booking.confirmed"}
    assert schema["properties"]["data"]["required"] == list(schema["properties"]["data"]["properties"])
