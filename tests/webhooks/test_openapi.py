"""What the OpenAPI document says of deliveries."""

from apps.webhooks.event_data import EVENT_DATA
from apps.webhooks.events import EMITTED, TEST
from apps.webhooks.openapi import DELIVERY_HEADERS, delivery, describe_deliveries, payload


def test_each_type_that_is_sent_is_a_webhook_of_the_document() -> None:
    described = describe_deliveries({"paths": {}})
    assert described["paths"] == {}
    assert set(described["webhooks"]) == set(EVENT_DATA) == EMITTED | {TEST}
    for name, webhook in described["webhooks"].items():
        assert webhook == delivery(name)
        assert payload(name, EVENT_DATA[name]).items() <= described["components"]["schemas"].items()


def test_a_delivery_has_all_its_headers_and_a_body_of_its_type() -> None:
    described = delivery("booking.confirmed")["post"]
    assert {header["name"]: header["required"] for header in described["parameters"]} == dict.fromkeys(
        DELIVERY_HEADERS, True
    )
    body = described["requestBody"]
    assert (body["required"], described["operationId"]) == (True, "booking.confirmed")
    assert body["content"]["application/json"]["schema"] == {
        "$ref": "#/components/schemas/WebhookBookingConfirmed"
    }


def test_a_payload_holds_what_its_type_says() -> None:
    found = payload("booking.confirmed", EVENT_DATA["booking.confirmed"])
    schema, data = found["WebhookBookingConfirmed"], found["WebhookBookingConfirmedData"]
    assert schema["required"] == ["id", "type", "createdAt", "environment", "data"]
    assert schema["properties"]["type"]["const"] == "booking.confirmed"
    assert schema["properties"]["data"]["$ref"] == "#/components/schemas/WebhookBookingConfirmedData"
    assert data["required"] == list(data["properties"])
    sequence = schema["properties"]["sequence"]
    assert (sequence["type"], sequence["minimum"]) == ("integer", 1)
    assert "sequence" not in payload(TEST, EVENT_DATA[TEST])["WebhookTest"]["properties"]
    assert data["properties"]["externalReference"]["type"] == ["string", "null"]
