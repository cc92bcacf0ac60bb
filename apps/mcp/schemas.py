"""The input schemas of tools, derived from the OpenAPI document: without references, and trimmed for assistants."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from apps.gateway.openapi.serving import document
from apps.mcp.calls import routes

Schema = dict[str, Any]

KEPT = (
    *("type", "description", "enum", "const", "default", "format", "items", "properties", "required"),
    *("minimum", "maximum", "minItems", "maxItems", "additionalProperties"),
)
"""Patterns and lengths cost an assistant more than they help. The service checks them."""


def of_body(operation_id: str, *, without: Collection[str] = ()) -> Schema:
    content = routes()[operation_id].operation["requestBody"]["content"]["application/json"]["schema"]
    schema = inlined(content)
    properties = {name: each for name, each in schema["properties"].items() if name not in without}
    required = [name for name in schema.get("required", ()) if name in properties]
    return of_properties(properties, required)


def of_query(operation_id: str, *, without: Collection[str] = ()) -> Schema:
    components = document()["components"]["parameters"]
    declared = routes()[operation_id].operation.get("parameters", ())
    found = [components[each["$ref"].rpartition("/")[2]] if "$ref" in each else each for each in declared]
    query = [each for each in found if each["in"] == "query" and each["name"] not in without]
    properties = {
        each["name"]: {**inlined(each["schema"]), "description": each["description"]} for each in query
    }
    return of_properties(properties, [each["name"] for each in query if each.get("required")])


def of_properties(properties: Mapping[str, Schema], required: Iterable[str] = ()) -> Schema:
    schema: Schema = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    return {**schema, "required": needed} if (needed := list(required)) else schema


def inlined(schema: Schema) -> Schema:
    """`schema` with what it refers to in place of its references. What stands next to a reference wins."""
    if "$ref" in schema:
        named = document()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        schema = {**named, **{name: value for name, value in schema.items() if name != "$ref"}}
    kept = {name: schema[name] for name in KEPT if name in schema}
    if kept.get("format") in {"int64", "double"}:
        del kept["format"]
    if "items" in kept:
        kept["items"] = inlined(kept["items"])
    if "properties" in kept:
        kept["properties"] = {name: inlined(each) for name, each in kept["properties"].items()}
    return kept
