"""What the OpenAPI document says of deliveries: one webhook for each event type that is sent."""

from typing import Any

from apps.gateway.descriptions import notes
from apps.gateway.envelope import JSON
from apps.gateway.schema import OPEN, type_of
from apps.gateway.serializers import AnswerBody
from apps.webhooks.serializers import EVENT_DATA

DELIVERY_HEADERS = {
    "X-Service-Signature": "`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a "
    "secret rotates.",
    "webhook-id": "The event's `id`: the same on every attempt.",
    "webhook-timestamp": "When the attempt was signed, in Unix seconds.",
    "webhook-signature": "`v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` with the bytes that the "
    "secret's base64 after `whsec_` stands for (Standard Webhooks); more than one, apart by spaces, while a secret rotates.",
}


def describe_deliveries(result: dict[str, Any], **kwargs: object) -> dict[str, Any]:
    """A drf-spectacular postprocessing hook."""
    result["webhooks"] = {name: delivery(name, data) for name, data in EVENT_DATA.items()}
    return result


def delivery(name: str, data: type[AnswerBody]) -> dict[str, Any]:
    """One event type, whose payload's `data` is a `data`. Of its members the document gives type and sentence."""
    members = {member: {"type": type_of(field), **notes(field)} for member, field in data().fields.items()}
    properties = {
        "id": {
            "type": "string",
            "description": "The event's id, `evt_…`: the same on every attempt and at every endpoint. Deduplicate on it.",
        },
        "type": {
            "type": "string",
            "const": name,
            "description": "What happened. Ignore types that you do not know.",
        },
        "createdAt": {
            "type": "string",
            "format": "date-time",
            "description": "When it happened. RFC 3339, in UTC.",
        },
        "environment": {
            "type": "string",
            OPEN: ["test", "live"],
            "description": "Where it happened: in the sandbox or in the live service.",
        },
        "data": {
            "type": "object",
            "description": "What there is to know of it.",
            "properties": members,
            "required": list(members),
        },
    }
    schema = {
        "type": "object",
        "description": "The event. Its bytes never change.",
        "properties": properties,
        "required": list(properties),
    }
    headers = [
        {
            "in": "header",
            "name": header,
            "required": True,
            "description": description,
            "schema": {"type": "string"},
        }
        for header, description in DELIVERY_HEADERS.items()
    ]
    return {
        "post": {
            "operationId": name,
            "summary": f"Delivery of {name}",
            "parameters": headers,
            "requestBody": {"required": True, "content": {JSON: {"schema": schema}}},
            "responses": {"2XX": {"description": "Received. Answer within 10 seconds."}},
        }
    }
