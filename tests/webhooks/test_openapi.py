"""What the OpenAPI document says of deliveries."""

import json
import re

from apps.gateway.descriptions import SINCE
from apps.webhooks.event_data import EVENT_DATA
from apps.webhooks.events import EMITTED, TEST
from apps.webhooks.openapi import DELIVERY_HEADERS, changed_fact, delivery, describe_deliveries, payload


def test_each_type_that_is_sent_is_a_webhook_of_the_document() -> None:
    described = describe_deliveries({"paths": {}})
    assert described["paths"] == {}
    assert set(described["webhooks"]) == set(EVENT_DATA) == EMITTED | {TEST}
    for name, webhook in described["webhooks"].items():
        assert webhook == delivery(name)
        assert payload(name, EVENT_DATA[name]).items() <= described["components"]["schemas"].items()


def test_every_component_of_their_own_that_deliveries_name_is_in_the_document() -> None:
    described = describe_deliveries({})
    named = re.findall(r"#/components/schemas/(Webhook\w+)", json.dumps(described))
    assert set(named) <= set(described["components"]["schemas"])


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


def test_each_delivery_says_when_it_is_sent_and_what_to_do() -> None:
    described = {name: delivery(name)["post"]["description"] for name in EVENT_DATA}
    assert described[TEST].startswith("Sent to one endpoint")
    assert {text for name, text in described.items() if name != TEST} == {described["booking.confirmed"]}
    assert "signature" in described["booking.confirmed"]


def test_a_delivery_says_which_release_added_it_and_nothing_of_what_was_always_there() -> None:
    since = {name: delivery(name)["post"].get(SINCE) for name in EVENT_DATA}
    assert {name: release for name, release in since.items() if release is not None} == {
        "booking.schedule_changed": "1.2",
        "booking.supplier_changed": "1.2",
        "booking.rejected": "1.2",
        "esim.topped_up": "1.2",
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


def test_what_a_supplier_altered_may_have_been_untold_before() -> None:
    members = changed_fact()["WebhookChangedFact"]["properties"]
    assert [members[name]["type"] for name in ("before", "after")] == [["string", "null"]] * 2


def test_an_airline_may_name_no_end_for_an_answer_and_what_can_be_done_is_told_in_words() -> None:
    type_ = "booking.schedule_changed"
    data = payload(type_, EVENT_DATA[type_])["WebhookBookingScheduleChangedData"]
    assert data["properties"]["respondBy"]["type"] == ["string", "null"]
    assert data["properties"]["availableActions"]["items"]["type"] == "string"
