"""A small document that holds what v1's own does not: a kind of break is planted there before v1 has a place for it."""

from typing import Any

TRAIN: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "discriminator": {"propertyName": "kind"},
    "required": ["kind", "seats"],
    "properties": {
        "kind": {"type": "string", "enum": ["day", "night"]},
        "seats": {
            "type": "array",
            "uniqueItems": True,
            "minItems": 1,
            "maxItems": 9,
            "items": {"type": "integer", "multipleOf": 2, "exclusiveMinimum": 0, "exclusiveMaximum": 100},
        },
        "price": {"type": "number", "format": "double"},
        "stops": {"type": "array"},
        "class": {"type": "string", "pattern": "^[12]$", "default": "2"},
        "berth": {"oneOf": [{"type": "string", "maxLength": 3}, {"type": "integer"}, {"type": "null"}]},
        "coach": {"anyOf": [{"type": "string"}, {"type": "boolean"}]},
        "notes": {},
        "marks": {
            "type": "object",
            "minProperties": 1,
            "maxProperties": 5,
            "additionalProperties": {"type": "string"},
        },
        "company": {"const": "ours", "type": "string"},
        "ticket": {
            "allOf": [{"$ref": "#/components/schemas/Ticket"}, {"type": "object", "required": ["code"]}]
        },
    },
}
TICKET: dict[str, Any] = {
    "type": "object",
    "properties": {
        "code": {"type": "string", "minLength": 2, "maxLength": 8},
        "next": {"oneOf": [{"$ref": "#/components/schemas/Ticket"}, {"type": "null"}]},
    },
}
BODY: dict[str, Any] = {"application/json": {"schema": {"$ref": "#/components/schemas/Train"}}}
EVERYTHING: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Trains", "version": "1"},
    "servers": [{"url": "https://one.example"}, {"url": "https://two.example"}],
    "security": [{"apiKey": []}],
    "paths": {
        "/trains/{id}": {
            "parameters": [{"in": "path", "name": "id", "required": True, "schema": {"type": "string"}}],
            "post": {
                "operationId": "bookTrain",
                "servers": [{"url": "https://one.example"}],
                "parameters": [
                    {"$ref": "#/components/parameters/Market"},
                    {"in": "query", "name": "days", "schema": {"type": "array", "items": {"type": "string"}}},
                ],
                "requestBody": {"$ref": "#/components/requestBodies/Train"},
                "responses": {"200": {"$ref": "#/components/responses/Train", "description": "booked"}},
                "callbacks": {"later": {"{$request.body#/url}": {"post": {"responses": {"200": {}}}}}},
            },
            "get": {
                "operationId": "getTrain",
                "security": [{}],
                "responses": {"200": {"$ref": "#/components/responses/Train"}},
            },
        }
    },
    "webhooks": {
        "train.late": {
            "post": {
                "parameters": [
                    {"in": "header", "name": "X-Signature", "required": True, "schema": {"type": "string"}},
                    {"$ref": "#/components/parameters/Signed"},
                ],
                "requestBody": {"required": True, "content": BODY},
                "responses": {"2XX": {"description": "taken"}},
            }
        }
    },
    "components": {
        "schemas": {"Train": TRAIN, "Ticket": TICKET},
        "parameters": {
            "Market": {"in": "query", "name": "market", "schema": {"type": "string"}},
            "Signed": {"in": "header", "name": "X-Signed", "required": True, "schema": {"type": "integer"}},
        },
        "headers": {"Line": {"required": True, "schema": {"type": "string", "enum": ["red", "blue"]}}},
        "requestBodies": {"Train": {"content": {**BODY, "text/csv": {"schema": {"type": "string"}}}}},
        "responses": {
            "Train": {
                "description": "the train",
                "headers": {
                    "X-Count": {"required": True, "schema": {"type": "integer", "minimum": 0}},
                    "X-Line": {"$ref": "#/components/headers/Line"},
                },
                "links": {"ticket": {"operationId": "getTrain"}},
                "content": {**BODY, "text/csv": {"schema": {"type": "string"}}},
            }
        },
        "securitySchemes": {"apiKey": {"type": "http", "scheme": "bearer"}},
    },
}
