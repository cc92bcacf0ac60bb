"""Calls through the client libraries of this repository, `clients/python` and `clients/typescript`, where they are there.

Both name an operation alike (`hotels.bookings.create`), each in its language's spelling.
"""

import json
import re
from functools import cache
from typing import Any

from django.conf import settings

from apps.docs.reference.client_methods import NAMES
from apps.docs.reference.operations import Operation
from apps.docs.reference.schemas import Reader, Schema, reference_of
from apps.gateway.openapi import document

KEYWORDS = {"from"}
LINE = 76


@cache
def have_python() -> bool:
    return (settings.BASE_DIR / "clients" / "python" / "pyproject.toml").exists()


@cache
def have_typescript() -> bool:
    return (settings.BASE_DIR / "clients" / "typescript" / "package.json").exists()


def python(operation: Operation, ids: list[str], body: Any) -> str:
    """The call in Python; `ids` fill the path, `body` is the body, or the query of what has none."""
    schema = Reader(document()).merged(operation.body_schema)
    given = [json.dumps(each, ensure_ascii=False) for each in ids]
    given += [
        f"{_snake(name)}={_literal(value, _property(schema, name), 4)}"
        for name, value in (body or {}).items()
    ]
    arguments = ", ".join(given)
    if "\n" in arguments or len(arguments) > LINE - 20:
        arguments = "\n    " + ",\n    ".join(given) + ",\n"
    names = [name for name in ("models",) if "models." in arguments]
    lines = [
        "import os",
        *(["from datetime import date"] if "date(" in arguments else []),
        f"from travel_partner import {', '.join(['TravelPartner', *names])}",
        "",
        'client = TravelPartner(os.environ["KEY"], os.environ["BASE"])',
    ]
    call = f"client.{NAMES[operation.id]}({arguments})"
    if all(answer.status == "204" for answer in operation.answers):
        return "\n".join([*lines, call])
    return "\n".join([*lines, f"answer = {call}", "print(answer)"])


def _literal(value: Any, schema: Schema, indent: int) -> str:
    """A value as the library takes it: an object as its model, a date as a date."""
    reader = Reader(document())
    whole = reader.merged(schema)
    if isinstance(value, dict):
        parts = [
            f"{_snake(name)}={_literal(each, _property(whole, name), indent + 4)}"
            for name, each in value.items()
        ]
        return _fitted(f"models.{reference_of(schema).rpartition('/')[2]}(", parts, ")", indent)
    if isinstance(value, list):
        return _fitted(
            "[", [_literal(each, whole.get("items", {}), indent + 4) for each in value], "]", indent
        )
    if whole.get("format") == "date":
        return f"date({', '.join(str(int(part)) for part in value.split('-'))})"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def _fitted(begin: str, parts: list[str], end: str, indent: int) -> str:
    """On one line where it fits, else a part a line."""
    line = begin + ", ".join(parts) + end
    if len(line) <= LINE - indent - 16 and "\n" not in line:
        return line
    inner = " " * (indent + 4)
    return begin + "\n" + "".join(f"{inner}{part},\n" for part in parts) + " " * indent + end


def _property(schema: Schema, name: str) -> Schema:
    found: Schema = schema.get("properties", {}).get(name, {})
    return found


def _snake(name: str) -> str:
    spelled = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    return f"{spelled}_" if spelled in KEYWORDS else spelled


def typescript(operation: Operation, ids: list[str], body: Any) -> str:
    """The call in TypeScript; `ids` fill the path, `body` is the body, or the query of what has none."""
    given = [json.dumps(each, ensure_ascii=False) for each in ids]
    if body:
        written = json.dumps(body, indent=2, ensure_ascii=False)
        given.append(re.sub(r'^(\s*)"(\w+)":', r"\1\2:", written, flags=re.MULTILINE))
    camel = re.sub(r"_(\w)", lambda found: found[1].upper(), NAMES[operation.id])
    call = f"await client.{camel}({', '.join(given)});"
    lines = [
        'import { TravelPartner } from "travel-partner";',
        "",
        "const client = new TravelPartner({ apiKey: process.env.KEY!, baseUrl: process.env.BASE! });",
    ]
    if all(answer.status == "204" for answer in operation.answers):
        return "\n".join([*lines, call])
    return "\n".join([*lines, f"const answer = {call}", "console.log(answer);"])
