"""What the OpenAPI document says of deliveries: one webhook for each event type that is sent."""

from typing import Any

from apps.gateway.envelope import JSON
from apps.gateway.schema import OPEN, type_of
from apps.gateway.serializers import AnswerBody
from apps.webhooks.serializers import EVENT_DATA

DELIVERY_HEADERS = {
    "X-Service-Signature": "`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a "
    "secret rotates",
    "webhook-id": "The event's `id`: the same on every attempt",
    "webhook-timestamp": "When the attempt was signed, in Unix seconds",
    "webhook-signature": "`v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` with the bytes that the "
    "secret's base64 after `whsec_` stands for (Standard Webhooks); more than one, apart by spaces, while a secret rotates",
}


# openapi-generator writes Python without the types of a webhook's parameters, which does not compile, unless it is told them.
PYTHON_TYPE = "x-py-typing"


def describe_deliveries(result: dict[str, Any], **kwargs: object) -> dict[str, Any]:
    """A drf-spectacular postprocessing hook."""
    result["webhooks"] = {name: delivery(name, data) for name, data in EVENT_DATA.items()}
    return result


def delivery(name: str, data: type[AnswerBody]) -> dict[str, Any]:
    """One event type, whose payload's `data` is a `data`. Of its members the document gives the type alone."""
    members = {member: {"type": type_of(field)} for member, field in data().fields.items()}
    properties = {
        "id": {"type": "string", "description": "Deduplicate on this"},
        "type": {"type": "string", "const": name},
        "createdAt": {"type": "string", "format": "date-time"},
        "environment": {"type": "string", OPEN: ["test", "live"]},
        "data": {
            "title": title_of(name, "Data"),
            "type": "object",
            "properties": members,
            "required": list(members),
        },
    }
    schema = {
        "title": title_of(name, "Event"),
        "type": "object",
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
            PYTHON_TYPE: "str",
        }
        for header, description in DELIVERY_HEADERS.items()
    ]
    return {
        "post": {
            "operationId": name,
            "summary": f"Delivery of {name}",
            "parameters": headers,
            "requestBody": {"required": True, "content": {JSON: {"schema": schema}}, PYTHON_TYPE: "object"},
            "responses": {"2XX": {"description": "Received. Answer within 10 seconds."}},
        }
    }


def title_of(name: str, kind: str) -> str:
    """The name that generated clients give to a part of the payload: `BookingConfirmedEvent`, `BookingConfirmedData`."""
    words = name.replace("_", ".").split(".")
    return "".join(word.capitalize() for word in words) + kind
