"""The values of the API as msgspec structs, written by datamodel-code-generator."""

import ast
import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# What says the form of a value. Bounds, patterns and defaults are the service's to judge: it may widen them, and a client
# that is older than that must not refuse what is allowed by then.
FORM = {
    *("type", "properties", "required", "items", "additionalProperties", "enum", "const", "format", "$ref"),
    *("oneOf", "anyOf", "allOf", "discriminator", "description"),
}
OF_REFUSALS = {"ErrorEnvelope", "ApiError", "ApiErrorDetail"}
OPTIONS = [
    *("--input-file-type", "openapi", "--output-model-type", "msgspec.Struct", "--keyword-only"),
    *("--base-class", "travel_partner._model.Model", "--target-python-version", "3.10"),
    *("--snake-case-field", "--use-standard-collections", "--use-union-operator", "--no-use-annotated"),
    *("--collapse-root-models", "--enum-field-as-literal", "all"),
    *("--output-datetime-class", "datetime", "--output-date-class", "date"),
    *(
        "--use-schema-description",
        "--use-field-description",
        "--disable-timestamp",
        "--formatters",
        "builtin",
    ),
]


@dataclass(frozen=True)
class Field:
    """One field of a struct: its names here and on the wire, its type as it is written, and its sentence."""

    name: str
    wire: str
    type: str
    required: bool
    sentence: str


Structs = dict[str, list[Field]]


def models(document: dict[str, Any]) -> tuple[str, Structs]:
    """The module's text, and the fields of every struct.

    The bodies of requests are no part of the text, because their fields are the arguments of the methods; nor is what only a
    refusal holds, which `errors.py` reads.
    """
    text = _shorter(_without_unset(_generated(document)))
    classes = [node for node in ast.parse(text).body if isinstance(node, ast.ClassDef)]
    left_out = [node for node in classes if node.name.endswith("Request") or node.name in OF_REFUSALS]
    lines = text.splitlines()
    for node in reversed(left_out):
        assert node.end_lineno
        del lines[node.lineno - 1 : node.end_lineno]
    return "\n".join(lines), {node.name: _fields(node) for node in classes}


def _generated(document: dict[str, Any]) -> str:
    schemas = {name: _form(schema) for name, schema in document["components"]["schemas"].items()}
    info = {"title": "values", "version": "1"}
    slim = {"openapi": "3.1.0", "info": info, "paths": {}, "components": {"schemas": schemas}}
    with tempfile.TemporaryDirectory() as place:
        source, target = Path(place, "openapi.json"), Path(place, "models.py")
        source.write_text(json.dumps(slim))
        command = [sys.executable, "-m", "datamodel_code_generator", *OPTIONS]
        subprocess.run([*command, "--input", source, "--output", target], check=True)  # noqa: S603 - our own words
        return target.read_text()


def _form(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_form(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {word: value for word, value in schema.items() if word in FORM}
    return {
        word: {name: _form(part) for name, part in value.items()}
        if word == "properties"
        else value
        if word == "discriminator"
        else _form(value)
        for word, value in kept.items()
    }


def _without_unset(text: str) -> str:
    """What may be left out is None where it is: no request of the API means null by anything else."""
    text = re.sub(r"from msgspec import .*", "from msgspec import field", text)
    text = text.replace("UnsetType", "None").replace("UNSET", "None")
    text = text.replace(
        "tag_field='booking_type'", "tag_field='bookingType'"
    )  # the wire's name, as it is there
    return re.sub(r"( \| None)+\b", " | None", text)


def _shorter(text: str) -> str:
    """A sentence between two lines of quotes as one line."""
    return re.sub(r'"""\n +(.*[^"\\\n])\n +"""', r'"""\1"""', text)


def _fields(node: ast.ClassDef) -> list[Field]:
    found = []
    for position, line in enumerate(node.body):
        if not isinstance(line, ast.AnnAssign):
            continue
        assert isinstance(line.target, ast.Name)
        settings = _settings(line.value)
        following = node.body[position + 1] if position + 1 < len(node.body) else None
        found.append(
            Field(
                name=line.target.id,
                wire=settings.get("name", line.target.id),
                type=ast.unparse(line.annotation),
                required=line.value is None or (bool(settings) and "default" not in settings),
                sentence=_text(following),
            )
        )
    return found


def _settings(value: ast.expr | None) -> dict[str, Any]:
    """The arguments of msgspec's `field(name=…, default=…)`."""
    if not isinstance(value, ast.Call):
        return {}
    return {word.arg: ast.literal_eval(word.value) for word in value.keywords if word.arg}


def _text(line: ast.stmt | None) -> str:
    """A sentence that stands below a field."""
    if isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant):
        return str(line.value.value).strip()
    return ""
