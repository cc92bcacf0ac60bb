"""The recorded calls read as one story: what a call names was answered before, and a delivery is signed with the secret told."""

import json
import re

import orjson

from apps.gateway.openapi.examples import Example, recorded, recorded_events
from apps.webhooks.signatures import signature_headers

HANDLE = re.compile(r"\b[a-z]+_[0-9a-z]{26,}\b")


def named(call: Example) -> set[str]:
    """The ids and handles that the call was made with."""
    request = call.request
    return set(HANDLE.findall(json.dumps([*request.path_parameters.values(), request.query, request.body])))


def test_what_a_call_names_was_answered_before() -> None:
    known: set[str] = set()
    unknown: dict[str, set[str]] = {}
    for call in recorded():
        if new := named(call) - known:
            unknown[f"{call.operation_id} {call.name}"] = new
        known |= set(HANDLE.findall(json.dumps(call.answer.body)))

    assert len(known) > 40
    assert unknown == {}


def test_each_delivery_is_signed_with_the_secret_that_the_partner_was_told() -> None:
    secrets = [
        call.answer.body["secret"] for call in recorded() if call.operation_id == "createWebhookEndpoint"
    ]
    deliveries = recorded_events()

    assert len(deliveries) > 4
    for event in deliveries:
        assert dict(event.headers) in [
            signature_headers(
                event_id=event.payload["id"],
                timestamp=int(event.headers["webhook-timestamp"]),
                body=orjson.dumps(event.payload),
                signing_secrets=[secret],
            )
            for secret in secrets
        ], event.payload["type"]
