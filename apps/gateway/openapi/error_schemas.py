"""The envelope that every failure wears, as the document describes it."""

from typing import Any

ENVELOPE: dict[str, Any] = {
    "type": "object",
    "description": "Every failure. Branch on `type`, never on `message`; ignore fields and types you do not know.",
    "properties": {"error": {"$ref": "#/components/schemas/ApiError"}},
    "required": ["error"],
}
ERROR: dict[str, Any] = {
    "type": "object",
    "properties": {
        "type": {"type": "string", "description": "Machine-readable and stable"},
        "message": {"type": "string"},
        "requestId": {"type": "string", "description": "Equals X-Request-Id"},
        "docUrl": {"type": "string"},
        "details": {"type": "array", "items": {"$ref": "#/components/schemas/ApiErrorDetail"}},
        "detailsOmitted": {
            "type": "integer",
            "description": "How many details are left out; absent where all are given",
            "x-since": "1.2",
        },
    },
    "required": ["type", "message", "requestId"],
    "additionalProperties": True,
}
ERROR_DETAIL: dict[str, Any] = {
    "type": "object",
    "properties": {"field": {"type": "string"}, "message": {"type": "string"}},
    "required": ["field", "message"],
}
