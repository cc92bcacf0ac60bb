"""Generates the resources and models of the PHP client with OpenAPI Generator and the templates next to this file.

The generator runs on Java, which comes as a wheel: requirements/clients.lock, installed by `make clients-build` into a directory
of its own. The service and its tests need neither.
"""

import copy
import json
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from apps.docs.client_methods import NAMES
from clients.python.generator.operations import declarations

PHP = Path(__file__).resolve().parent
FORM = {"type", "properties", "required", "items", "additionalProperties", "$ref", "description"}
"""What of a schema the client needs. Bounds, patterns and formats are checked by the service, which may widen them."""
OF_ERRORS = {"ErrorEnvelope", "ApiError", "ApiErrorDetail"}
"""ApiException reads these."""
WORDS = "models,apis,modelDocs=false,apiDocs=false,modelTests=false,apiTests=false"


def generate(document: dict[str, Any], program: Path, target: Path) -> None:
    """Writes `target`/Model and `target`/Resource. `program`: openapi-generator-cli."""
    with tempfile.TemporaryDirectory() as place:
        source, out = Path(place, "openapi.json"), Path(place, "out")
        source.write_text(json.dumps(prepared(document)))
        options = {"invokerPackage": "TravelPartner", "apiPackage": "Resource", "srcBasePath": "src"}
        command = [
            *(str(program), "generate", "--generator-name", "php-nextgen", "--skip-validate-spec"),
            *("--input-spec", str(source), "--output", str(out), "--template-dir", str(PHP / "templates")),
            *("--global-property", WORDS, "--api-name-suffix", ""),
            *("--additional-properties", ",".join(f"{name}={value}" for name, value in options.items())),
        ]
        done = subprocess.run(command, capture_output=True, text=True)  # noqa: S603 - our own words
        if done.returncode:
            raise SystemExit(done.stdout + done.stderr)
        for folder in ("Model", "Resource"):
            (target / folder).mkdir(parents=True)
            for path in (out / "src" / folder).glob("*.php"):
                (target / folder / path.name).write_text(tidy(path.read_text()))


def tidy(text: str) -> str:
    """Without the blank lines and spaces that templates leave."""
    text = re.sub(r"[ \t]+\n", "\n", text)
    return re.sub(r"\n+(\n\}|\n\n)", r"\1", text).strip() + "\n"


# --- The document as the templates need it ---------------------------------------------------------------------------


def prepared(document: dict[str, Any]) -> dict[str, Any]:
    """A class for each resource, named by client_methods.py, and its methods. `x-` members are read by the templates."""
    schemas = {
        name: shaped(schema)
        for name, schema in document["components"]["schemas"].items()
        if name not in OF_ERRORS
    }
    paths: dict[str, Any] = {}
    children = children_of_resources()
    for path, method, declared in declarations(document):
        *resource, name = NAMES[declared["operationId"]].split(".")
        if not resource:  # Client has these by hand
            continue
        operation = prepared_operation(name, declared, schemas)
        key = tuple(resource)
        operation["tags"] = [class_of(key)]
        if key in children:  # at one operation of the class
            operation["x-tree"] = {"children": children.pop(key)}
        paths.setdefault(path, {})[method] = operation
    info = {"title": "Travel Partner API", "version": document["info"]["version"]}
    return {"openapi": "3.1.0", "info": info, "paths": paths, "components": {"schemas": schemas}}


def prepared_operation(name: str, declared: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    responses = declared["responses"]
    success = next(found for status, found in responses.items() if status < "300")
    media = success.get("content", {})
    is_file = bool(media) and "application/json" not in media
    schema = media.get("application/json", {}).get("schema", {})
    listed = schemas.get(schema.get("$ref", "").rpartition("/")[2], {}).get("properties", {})
    items = listed.get("data", {}).get("x-items", "")
    query = {one["name"]: one for one in declared["parameters"] if one["in"] == "query"}
    paged = "cursor" in query and "nextCursor" in listed
    body = declared.get("requestBody", {})
    body_schema = body.get("content", {}).get("application/json", {}).get("schema", {})
    returned = model(schema.get("$ref", ""))
    marks = {
        "x-method": camel(name),
        "x-query": ", ".join(
            f"{name}{'' if one.get('required') else '?'}: {query_type(one)}" for name, one in query.items()
        ),
        "x-body": model(body_schema.get("$ref", "")),
        "x-optional": bool(body) and not body.get("required"),
        "x-model": returned,
        "x-returns": f"Model\\{returned}" if returned else "string" if is_file else "void",
        "x-file": is_file,
        "x-download": len(media) > 1 and not is_file,
        "x-iterate": items if paged else "",
        "x-follow": items if "after" in query else "",
        "x-also": ", ".join(also_read(responses)),
    }
    return {
        "operationId": declared["operationId"],
        "summary": one_line(declared.get("summary", "")),
        "parameters": [
            {"name": one["name"], "in": "path", "required": True, "schema": {"type": "string"}}
            for one in declared["parameters"]
            if one["in"] == "path"
        ],
        "responses": {"200": {"description": ""}},
        **{name: value for name, value in marks.items() if value},
    }


def also_read(responses: dict[str, Any]) -> list[str]:
    """Statuses besides success that return the same value as success."""
    return [
        status
        for status, found in responses.items()
        if status >= "300" and "ErrorEnvelope" not in json.dumps(found.get("content", "ErrorEnvelope"))
    ]


def query_type(parameter: dict[str, Any]) -> str:
    return SCALARS.get(parameter["schema"].get("type"), "string")


def children_of_resources() -> dict[tuple[str, ...], list[dict[str, str]]]:
    """The resources below each: `orders` and `offers` below `flights`."""
    found: dict[tuple[str, ...], list[dict[str, str]]] = {}
    for name in NAMES.values():
        resource = tuple(name.split(".")[:-1])
        if len(resource) > 1:
            child = {"name": camel(resource[-1]), "class": class_of(resource)}
            if child not in found.setdefault(resource[:-1], []):
                found[resource[:-1]].append(child)
    return found


def class_of(resource: tuple[str, ...]) -> str:
    """`FlightsOrders`."""
    return "".join(part[:1].upper() + camel(part)[1:] for part in resource)


def shaped(schema: dict[str, Any]) -> dict[str, Any]:
    """The form of an object, each property with its type in PHP."""
    found: dict[str, Any] = {name: copy.deepcopy(part) for name, part in schema.items() if name in FORM}
    if "description" in found:
        found["description"] = one_line(found["description"])
    if "properties" in found:
        required = set(found.get("required", []))
        found["properties"] = {
            name: property_of(part, name in required) for name, part in schema["properties"].items()
        }
    return found


def property_of(schema: dict[str, Any], required: bool) -> dict[str, Any]:
    kind, doc, read, nullable = typed(schema)
    nullable = nullable or not required
    optional = "" if kind == "mixed" or not nullable else "?"
    found = {
        "type": "string",  # the templates read the members below
        "description": one_line(schema.get("description", "")),
        "x-type": optional + kind,
        "x-doc": f"{doc}|null" if nullable and doc != "mixed" else doc,
        "x-read": read,
        "x-default": "" if required else " = null",
        "x-items": doc.removeprefix("list<").removesuffix(">").replace("|", "|Model\\")
        if kind == "array"
        else "",
    }
    return {name: value for name, value in found.items() if value}


def typed(schema: dict[str, Any]) -> tuple[str, str, str, bool]:
    """The type of a value in PHP, the same for PHPDoc, how its objects are read, and whether it may be null."""
    union = schema.get("oneOf", [])
    some = [one for one in union if one.get("type") != "null"]
    if len(some) == 1:
        kind, doc, read, _ = typed(some[0])
        return kind, doc, read, len(union) > 1
    if some:
        by = schema["discriminator"]
        kinds = {value: model(ref) for value, ref in by["mapping"].items()}
        read = ", ".join(f"'{value}' => {kind}::class" for value, kind in kinds.items())
        return "Base", "|".join(kinds.values()), f"['{by['propertyName']}', [{read}]]", len(some) < len(union)
    if "$ref" in schema:
        kind = model(schema["$ref"])
        return ("string", "string", "", False) if kind in ENUMS else (kind, kind, f"{kind}::class", False)
    names = schema.get("type", [])
    names = [names] if isinstance(names, str) else names
    plain = [name for name in names if name != "null"]
    nullable = len(plain) < len(names)
    if len(plain) != 1:
        return "mixed", "mixed", "", True
    if plain[0] == "array":
        _, doc, read, _ = typed(schema["items"])
        return "array", f"list<{doc}>", read, nullable
    if plain[0] == "object":
        return "array", "array<string, mixed>", "", nullable
    kind = SCALARS[plain[0]]
    return kind, kind, "", nullable


SCALARS = {"string": "string", "integer": "int", "number": "float", "boolean": "bool"}
ENUMS = {"WebhookEventType"}
"""Components that are texts."""


def model(reference: str) -> str:
    return reference.rpartition("/")[2]


def camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda found: found[1].upper(), name)


def one_line(text: str) -> str:
    """As a comment can hold it."""
    return " ".join(text.split()).replace("*/", "* /")
