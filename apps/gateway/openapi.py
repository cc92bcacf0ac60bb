"""GET /v1/openapi.json, and what the document holds beside the operations: the envelope, the security scheme, the webhooks."""

from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.generators import SchemaGenerator

from apps.gateway.envelope import JSON, render
from apps.gateway.schema import OPEN

ENVELOPE: dict[str, Any] = {
    "type": "object",
    "description": "Every failure. Branch on `type`, never on `message`; ignore fields and types you do not know.",
    "properties": {
        "error": {
            "type": "object",
            "properties": {
                "type": {"type": "string", "description": "Machine-readable and stable"},
                "message": {"type": "string"},
                "requestId": {"type": "string", "description": "Equals X-Request-Id"},
                "docUrl": {"type": "string"},
                "details": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {"field": {"type": "string"}, "message": {"type": "string"}},
                        "required": ["field", "message"],
                    },
                },
            },
            "required": ["type", "message", "requestId"],
            "additionalProperties": True,
        }
    },
    "required": ["error"],
}

OF_A_BOOKING: dict[str, Any] = {
    "bookingType": {"type": "string"},
    "bookingReference": {"type": "string"},
    "bookingId": {"type": "string"},
    "externalReference": {"type": ["string", "null"]},
}
EVENT_DATA: dict[str, dict[str, Any]] = {
    "booking.confirmed": {
        **OF_A_BOOKING,
        "totalCents": {"type": "integer"},
        "currency": {"type": "string"},
    },
    "booking.cancelled": {
        **OF_A_BOOKING,
        "refunded": {"type": "boolean"},
        "refundCents": {"type": "integer"},
        "currency": {"type": "string"},
    },
    "payment.refunded": {
        **OF_A_BOOKING,
        "refundCents": {"type": "integer"},
        "currency": {"type": "string"},
    },
    "esim.provisioned": {
        **OF_A_BOOKING,
        "purchaseId": {"type": "string"},
        "iccid": {"type": "string"},
        "planName": {"type": "string"},
        "status": {"type": "string"},
    },
    # Sent on request alone: nobody subscribes to it.
    "webhook.test": {
        "endpointId": {"type": "string"},
        "message": {"type": "string"},
    },
}

DELIVERY_HEADERS = {
    "X-Service-Signature": "`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a "
    "secret rotates",
    "webhook-id": "The event's `id`: the same on every attempt",
    "webhook-timestamp": "When the attempt was signed, in Unix seconds",
    "webhook-signature": "`v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` with the bytes that the "
    "secret's base64 after `whsec_` stands for (Standard Webhooks); more than one, apart by spaces, while a secret rotates",
}


def complete(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """A drf-spectacular postprocessing hook."""
    components = result.setdefault("components", {})
    components.setdefault("schemas", {})["ErrorEnvelope"] = ENVELOPE
    components["securitySchemes"] = {
        "apiKey": {
            "type": "http",
            "scheme": "bearer",
            "description": "Your API key: `svc_test_…` or `svc_live_…`",
        }
    }
    result["webhooks"] = {name: webhook(name, data) for name, data in EVENT_DATA.items()}
    return result


def webhook(name: str, data: dict[str, Any]) -> dict[str, Any]:
    """One delivered event type."""
    properties = {
        "id": {"type": "string", "description": "Deduplicate on this"},
        "type": {"type": "string", "const": name},
        "createdAt": {"type": "string", "format": "date-time"},
        "environment": {"type": "string", OPEN: ["test", "live"]},
        "data": {"type": "object", "properties": data, "required": list(data)},
    }
    schema = {"type": "object", "properties": properties, "required": list(properties)}
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


@cache
def document() -> dict[str, Any]:
    """The whole document, made once a process."""
    found: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return found


@method_decorator(csrf_exempt, name="dispatch")  # a POST is a wrong method here, not a forgery
class OpenApiDocument(View):
    """Public; describes the 43 operations and not itself."""

    http_method_names = ["get", "head"]

    def get(self, request: HttpRequest) -> HttpResponse:
        return HttpResponse(render(document()), content_type=JSON)
