"""Every answer given in the suite is held against the OpenAPI document: what it lacks, and what it has beside it."""

import copy
import re
from functools import cache
from typing import Any

import jsonschema_rs
from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import best_match

from apps.gateway.operations import OPEN

FORMATS = FormatChecker()
RFC3339 = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})")


def document() -> dict[str, Any]:
    """The document. Imported late, because programs without Django use this package too."""
    from apps.gateway.openapi import document

    return document()


def sandbox_document() -> dict[str, Any]:
    from apps.gateway.openapi import sandbox_document

    return sandbox_document()


def document_of(path: str) -> dict[str, Any]:
    """The document that describes the path."""
    return sandbox_document() if path.startswith("/sandbox/") else document()


@FORMATS.checks("date-time")
def is_timestamp(value: object) -> bool:
    return not isinstance(value, str) or RFC3339.fullmatch(value) is not None


def refuse_undocumented(method: str, url: str, status: int, body: object) -> None:
    """AssertionError unless the document foresees this answer: path, method, status and body."""
    validator = _validator(*_place(method, url, status))
    if validator is None:
        assert body is None, f"{method} {url}: {status} has a body, and the document has none"
        return
    if not validator.is_valid(body):
        fault = best_match(_slow_validator(*_place(method, url, status)).iter_errors(body))
        assert fault is None, (
            f"{method} {url} {status}: {fault.message} at {fault.json_path}: not as documented"
        )


def is_file(method: str, url: str, status: int, media: str) -> bool:
    """Whether the document foresees a file of this media type, which has no schema to be compared with."""
    template, method = operation_at(method, url)
    responses = document_of(url)["paths"].get(template, {}).get(method, {}).get("responses", {})
    content = followed(responses.get(str(status), {})).get("content", {})
    return media != "application/json" and media in content


def operation_at(method: str, url: str) -> tuple[str, str]:
    """The path with its parameters, and the method, as the document names them; the path is empty if it is in none."""
    path = url.partition("?")[0]
    known_paths = _templates("/sandbox/" if path.startswith("/sandbox/") else "")
    template = next((known for known, pattern in known_paths if pattern.fullmatch(path)), "")
    return template, "get" if method == "HEAD" else method.lower()


def _place(method: str, url: str, status: int) -> tuple[str, str, str]:
    """Where the document describes the answer; a path or a method that it does not know is a refusal in the envelope."""
    template, method = operation_at(method, url)
    if template and method in document_of(url)["paths"].get(template, {}):
        return template, method, str(status)
    assert status in {400, 401, 403, 404, 405, 413, 429, 503}, (
        f"{method} {url} is not documented, and answered {status}"
    )
    return "", "", ""


@cache
def _templates(prefix: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Paths without parameters first: one of those is never an id."""
    paths = sorted(document_of(prefix)["paths"], key=lambda path: (path.count("{"), path))
    return tuple((path, _pattern(path)) for path in paths)


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{\w+\}", "[^/]+", path))


@cache
def _validator(template: str, method: str, status: str) -> jsonschema_rs.Draft202012Validator | None:
    """Passes what is as documented, in a hundredth of the other's time; what it refuses is for the other to judge."""
    schema = _schema(template, method, status)
    if schema is None:
        return None
    return jsonschema_rs.Draft202012Validator(
        schema, validate_formats=True, formats={"date-time": is_timestamp}
    )


@cache
def _slow_validator(template: str, method: str, status: str) -> Draft202012Validator:
    return Draft202012Validator(_schema(template, method, status), format_checker=FORMATS)


def _schema(template: str, method: str, status: str) -> dict[str, Any] | None:
    if not template:
        from apps.gateway.openapi import ENVELOPE

        return {**ENVELOPE, "components": _components()}
    responses = document_of(template)["paths"][template][method]["responses"]
    assert status in responses, f"{method} {template} answers {status}, which is not documented"
    content = followed(responses[status]).get("content", {})
    if "application/json" not in content:  # nothing, or a file
        return None
    return {**content["application/json"]["schema"], "components": _components()}


def followed(part: dict[str, Any]) -> dict[str, Any]:
    """What a reference of the document names; the part itself where it is none."""
    while "$ref" in part:
        kind, name = part["$ref"].removeprefix("#/components/").split("/")
        both = sandbox_document()["components"][kind] | document()["components"][kind]
        part = both[name]
    return part


@cache
def _components() -> dict[str, Any]:
    components: dict[str, Any] = closed_document()["components"]
    return components


@cache
def closed_document() -> dict[str, Any]:
    """The document, its answers closed: a property or a value of an enumeration that is not described there is a fault. Its
    schemas include those of the sandbox.
    """
    closed = copy.deepcopy(document())
    for name, schema in sandbox_document()["components"]["schemas"].items():
        closed["components"]["schemas"].setdefault(name, copy.deepcopy(schema))
    _close(closed["components"]["schemas"])
    return closed


def _close(schema: object) -> None:
    if isinstance(schema, dict):
        if OPEN in schema:
            schema["enum"] = [*schema[OPEN], *([None] if "null" in schema["type"] else [])]
        if "properties" in schema and "additionalProperties" not in schema:
            schema["additionalProperties"] = False
        for below in schema.values():
            _close(below)
    elif isinstance(schema, list):
        for below in schema:
            _close(below)
