"""The envelope that every failure wears, as the document describes it: the words are those of its serializers."""

from typing import Any

from apps.gateway.declared import fields_of
from apps.gateway.descriptions import notes
from apps.gateway.serializers import DetailBody, ErrorBody

OF_AN_ERROR = {name: notes(field) for name, field in fields_of(ErrorBody()).items()}
OF_A_DETAIL = {name: notes(field) for name, field in fields_of(DetailBody()).items()}
ENVELOPE: dict[str, Any] = {
    "type": "object",
    "description": "Every failure. Branch on `type`, never on `message`; ignore fields and types you do not know.",
    "properties": {
        "error": {
            "$ref": "#/components/schemas/ApiError",
            "description": "What went wrong, and what to name to support.",
        }
    },
    "required": ["error"],
}
ERROR: dict[str, Any] = {
    "type": "object",
    "description": "What went wrong. Some types add fields of their own; the pages of the errors name them.",
    "properties": {
        "type": {"type": "string", **OF_AN_ERROR["type"]},
        "message": {"type": "string", **OF_AN_ERROR["message"]},
        "requestId": {"type": "string", **OF_AN_ERROR["requestId"]},
        "docUrl": {"type": "string", **OF_AN_ERROR["docUrl"]},
        "details": {
            "type": "array",
            **OF_AN_ERROR["details"],
            "items": {"$ref": "#/components/schemas/ApiErrorDetail"},
        },
        "detailsOmitted": {"type": "integer", **OF_AN_ERROR["detailsOmitted"]},
    },
    "required": ["type", "message", "requestId"],
    "additionalProperties": True,
}
ERROR_DETAIL: dict[str, Any] = {
    "type": "object",
    "description": "One thing that is wrong with the request.",
    "properties": {
        "field": {"type": "string", **OF_A_DETAIL["field"]},
        "message": {"type": "string", **OF_A_DETAIL["message"]},
    },
    "required": ["field", "message"],
}
