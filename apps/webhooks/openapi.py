"""What the OpenAPI document says of deliveries: one webhook for each event type that is sent."""

from typing import Any

from apps.gateway.openapi.schema import GatewaySchema, event_name
from apps.gateway.operations import OPEN, SINCE
from apps.gateway.renderers import JSON
from apps.gateway.serializers import AnswerBody
from apps.webhooks import events as catalogue
from apps.webhooks.event_data import EVENT_DATA, PARTS, BookingEventData, ListOf

DELIVERY_HEADERS = {
    "X-Service-Signature": "`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a "
    "secret rotates.",
    "webhook-id": "The event's `id`: the same on every attempt.",
    "webhook-timestamp": "When the attempt was signed, in Unix seconds.",
    "webhook-signature": (
        "`v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` keyed with the base64-decoded part of "
        "the secret after `whsec_` (Standard Webhooks); more than one, separated by spaces, while a secret rotates."
    ),
}

DELIVERY = (
    "Sent to each enabled endpoint that subscribes to this event. Verify one of the signatures over the bytes of the body "
    "before you parse it, respond with 2xx, and do the work afterwards. Without a 2xx it is sent again, up to seven times in "
    "all."
)
TEST_DELIVERY = "Sent to one endpoint, whatever it subscribes to, by `testWebhookEndpoint`. Signed and retried like any delivery."

SEQUENCE = {
    "type": "integer",
    "minimum": 1,
    "description": "Which event of its booking it is: 1, 2, 3 and so on, without gaps. Keep the highest, and drop what is older. "
    "Left out of events from before 1.2.",
    SINCE: "1.2",
}

# openapi-generator writes Python without the types of a webhook's parameters, which does not compile, unless they are declared.
PYTHON_TYPE = "x-py-typing"


def describe_deliveries(result: dict[str, Any], **kwargs: object) -> dict[str, Any]:
    """A drf-spectacular postprocessing hook."""
    schemas = result.setdefault("components", {}).setdefault("schemas", {})
    for name, data in EVENT_DATA.items():
        schemas |= payload(name, data)
    schemas |= parts()
    result["webhooks"] = {name: delivery(name) for name in EVENT_DATA}
    return result


def payload(name: str, data: type[AnswerBody]) -> dict[str, Any]:
    """The components of an event type: what is delivered, and what that holds as `data`."""
    members = members_of(data)
    component = event_name(name)
    properties = {
        "id": {
            "type": "string",
            "description": (
                "The event's id, `evt_…`: the same on every attempt and at every endpoint. Deduplicate by it."
            ),
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
            "$ref": f"#/components/schemas/{component}Data",
            "description": "Its details.",
        },
    }
    required = list(properties)
    if issubclass(data, BookingEventData):
        properties["sequence"] = SEQUENCE
    return {
        component: {
            "type": "object",
            "description": f"What a delivery of `{name}` holds. Its bytes are the same on every attempt.",
            "properties": properties,
            "required": required,
        },
        f"{component}Data": {
            "type": "object",
            "description": data.__doc__,
            "properties": members,
            "required": list(members),
        },
    }


def members_of(data: type[AnswerBody]) -> dict[str, Any]:
    return {member: drawn(field) for member, field in data().fields.items()}


def drawn(field: Any) -> dict[str, Any]:
    if not isinstance(field, ListOf):
        return GatewaySchema().draw(field)
    return {**GatewaySchema().draw(field), "items": {"$ref": f"#/components/schemas/{field.component}"}}


def parts() -> dict[str, Any]:
    """The components that events have lists of, and that nothing else has."""
    return {name: part(kind) for name, kind in PARTS.items()}


def part(kind: type[AnswerBody]) -> dict[str, Any]:
    members = members_of(kind)
    return {
        "type": "object",
        "description": kind.__doc__,
        "properties": members,
        "required": list(members),
    }


def since_of(name: str) -> str:
    """The release that added the event type; nothing for what was there in 1.1."""
    return next((event.since for event in catalogue.CATALOGUE if event.name == name), "")


def delivery(name: str) -> dict[str, Any]:
    """The webhook of one event type."""
    schema = {"$ref": f"#/components/schemas/{event_name(name)}"}
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
            **({SINCE: since} if (since := since_of(name)) else {}),
            "operationId": name,
            "summary": f"Delivery of {name}",
            "description": TEST_DELIVERY if name == catalogue.TEST else DELIVERY,
            "security": [],  # signed, not with an API key
            "parameters": headers,
            "requestBody": {"required": True, "content": {JSON: {"schema": schema}}, PYTHON_TYPE: "object"},
            "responses": {"2XX": {"description": "Received. Respond within 10 seconds."}},
        }
    }
