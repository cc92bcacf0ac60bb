"""A call of an operation in four languages. Address and key come from the environment, so that samples run as pasted."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from apps.common import clock
from apps.docs.client_methods import NAMES
from apps.docs.clients import install
from apps.docs.reference import Operation, Schema, merged
from apps.gateway.openapi.examples import request_examples

# Placeholders for ids in paths, by the collection before them.
HANDLES = {
    "hotels/searches": "hsr_…",
    "hotels/rates": "rate_…",
    "hotels/properties": "htl_…",
    "hotels/bookings": "hbk_…",
    "flights/searches": "fsr_…",
    "flights/offers": "offer_…",
    "flights/orders": "ford_…",
    "transfers/orders": "tord_…",
    "esim/plans": "plan_…",
    "esim/orders": "eord_…",
    "sandbox/bookings": "hbk_…",
    "ford_…/schedule-changes": "schedule_…",
    "webhooks/endpoints": "we_…",
    "webhooks/deliveries": "whd_…",
}
FILE = "document.pdf"


@dataclass(frozen=True, slots=True)
class Sample:
    language: str
    lexer: str
    """The Pygments lexer."""
    code: str


def samples_of(operation: Operation) -> tuple[Sample, ...]:
    if operation.id not in NAMES:
        return without_methods(operation)
    return (
        Sample("curl", "bash", curl(operation)),
        Sample("Python", "python", through_client(operation, python_client)),
        Sample("TypeScript", "typescript", through_client(operation, typescript_client)),
        Sample("PHP", "php", through_client(operation, php_client)),
    )


def through_client(operation: Operation, write: Callable[[Operation, list[str], Any], str]) -> str:
    """The call through our client library for this language."""
    ids = [part for part, named in _parts(operation) if named]
    return write(
        operation, ids, body_of(operation) if operation.takes_body else dict(operation.required_query)
    )


def body_of(operation: Operation) -> Any:
    """A sample body: built from the examples of its fields, with future dates, or else recorded in the document."""
    made = _made_on(clock.today()).get(operation.id)
    if not made and operation.recorded_bodies:
        made = operation.recorded_bodies[0].value
    return {**(made or {}), **operation.added} if operation.added else made


@lru_cache(maxsize=1)
def _made_on(_day: date) -> dict[str, Any]:
    """Cached for a day, because the examples contain future dates."""
    return request_examples()


def path_of(operation: Operation) -> str:
    """The path with a placeholder for each id, and the required query parameters: `/v1/hotels/bookings/hbk_…/cancel`."""
    query = f"?{urlencode(operation.required_query)}" if operation.required_query else ""
    return "/".join(part for part, _ in _parts(operation)) + query


def _parts(operation: Operation) -> list[tuple[str, bool]]:
    """The parts of the path, and whether each is an id."""
    found: list[tuple[str, bool]] = []
    for part in operation.path.split("/"):
        collection = "/".join(each for each, _ in found[-2:])
        named = part.startswith("{")
        found.append((HANDLES.get(collection, "…") if named else part, named))
    return found


def curl(operation: Operation) -> str:
    address = f"$BASE{path_of(operation)}"
    options = "-sOJ" if operation.is_file else "-s"  # saved under the name in the response
    lines = [
        f"curl {options} {_method_for_curl(operation)}" + (f'"{address}"' if "?" in address else address)
    ]
    if operation.scope:
        lines.append('-H "Authorization: Bearer $KEY"')
    if operation.takes_body:
        lines.append('-H "Content-Type: application/json"')
    if operation.method == "POST":
        lines.append('-H "Idempotency-Key: sample-$RANDOM$RANDOM"')
    if operation.takes_body:
        lines.append("-d '" + _json(body_of(operation)).replace("'", "'\\''") + "'")
    return " \\\n  ".join(lines)


def _method_for_curl(operation: Operation) -> str:
    """Empty for curl's defaults: GET, and POST with a body."""
    silent = operation.method == "GET" or (operation.method == "POST" and operation.takes_body)
    return "" if silent else f"-X {operation.method} "


def _php_value(value: Any) -> str:
    """JSON as a PHP literal. `[]` would be an empty list, so an empty object is a stdClass."""
    if isinstance(value, dict):
        if not value:
            return "new stdClass()"
        inner = ",\n".join(
            f"    {_php_text(name)} => {_indented(_php_value(each), 4)}" for name, each in value.items()
        )
        return "[\n" + inner + ",\n]"
    if isinstance(value, list):
        if any(isinstance(each, dict | list) for each in value):
            return "[\n" + ",\n".join("    " + _indented(_php_value(each), 4) for each in value) + ",\n]"
        return "[" + ", ".join(map(_php_value, value)) + "]"
    return _php_text(value) if isinstance(value, str) else json.dumps(value)


def _php_text(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _json(value: Any) -> str:
    return json.dumps({} if value is None else value, indent=2, ensure_ascii=False)


def _indented(text: str, spaces: int) -> str:
    """Indent all lines but the first."""
    return text.replace("\n", "\n" + " " * spaces)


KEYWORDS = {"from"}
LINE = 76


def python_client(operation: Operation, ids: list[str], body: Any) -> str:
    """The call in Python; `ids` fill the path, `body` is the body, or the query of an operation without one."""
    schema = merged(operation.body_schema)
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
        f"# {install('Python')}",
        "import os",
        *(["from datetime import date"] if "date(" in arguments else []),
        *(["from pathlib import Path"] if operation.is_file else []),
        f"from travel_partner import {', '.join(['TravelPartner', *names])}",
        "",
        'client = TravelPartner(os.environ["KEY"], os.environ["BASE"])',
    ]
    call = f"client.{NAMES[operation.id]}({arguments})"
    if all(answer.status == "204" for answer in operation.answers):
        return "\n".join([*lines, call])
    shown = f'Path("{FILE}").write_bytes(answer)' if operation.is_file else "print(answer)"
    return "\n".join([*lines, f"answer = {call}", shown])


def _literal(value: Any, schema: Schema, indent: int) -> str:
    """A value as the library expects it: models for objects, dates for dates."""
    whole = merged(schema)
    if isinstance(value, dict):
        parts = [
            f"{_snake(name)}={_literal(each, _property(whole, name), indent + 4)}"
            for name, each in value.items()
        ]
        return _fitted(f"models.{schema['$ref'].rpartition('/')[2]}(", parts, ")", indent)
    if isinstance(value, list):
        return _fitted(
            "[", [_literal(each, whole.get("items", {}), indent + 4) for each in value], "]", indent
        )
    if whole.get("format") == "date":
        return f"date({', '.join(str(int(part)) for part in value.split('-'))})"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def _fitted(begin: str, parts: list[str], end: str, indent: int) -> str:
    """On one line if it fits, otherwise one line for each part."""
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


def typescript_client(operation: Operation, ids: list[str], body: Any) -> str:
    """The call in TypeScript; `ids` fill the path, `body` is the body, or the query of an operation without one."""
    given = [json.dumps(each, ensure_ascii=False) for each in ids]
    if body:
        written = json.dumps(body, indent=2, ensure_ascii=False)
        given.append(re.sub(r'^(\s*)"(\w+)":', r"\1\2:", written, flags=re.MULTILINE))
    camel = re.sub(r"_(\w)", lambda found: found[1].upper(), NAMES[operation.id])
    call = f"await client.{camel}({', '.join(given)});"
    lines = [
        f"// {install('TypeScript')}",
        *(['import { writeFile } from "node:fs/promises";'] if operation.is_file else []),
        'import { TravelPartner } from "travel-partner";',
        "",
        "const client = new TravelPartner({ apiKey: process.env.KEY!, baseUrl: process.env.BASE! });",
    ]
    if all(answer.status == "204" for answer in operation.answers):
        return "\n".join([*lines, call])
    shown = f'await writeFile("{FILE}", answer);' if operation.is_file else "console.log(answer);"
    return "\n".join([*lines, f"const answer = {call}", shown])


def php_client(operation: Operation, ids: list[str], body: Any) -> str:
    """The call in PHP; `ids` fill the path, `body` is the body, or the query of an operation without one."""
    given = [_php_text(each) for each in ids]
    if body:
        given.append(_php_value(body))
    camel = re.sub(r"_(\w)", lambda found: found[1].upper(), NAMES[operation.id])
    call = f"$client->{camel.replace('.', '->')}({', '.join(given)});"
    lines = _php_client_lines()
    if all(answer.status == "204" for answer in operation.answers):
        return "\n".join([*lines, call])
    shown = f"file_put_contents('{FILE}', $answer);" if operation.is_file else "print_r($answer);"
    return "\n".join([*lines, f"$answer = {call}", shown])


# --- Operations without a method in the client libraries: those of the sandbox ------------------------------------------


def without_methods(operation: Operation) -> tuple[Sample, ...]:
    return (
        Sample("curl", "bash", curl(operation)),
        Sample("Python", "python", python_request(operation)),
        Sample("TypeScript", "typescript", typescript_fetch(operation)),
        Sample("PHP", "php", php_send(operation)),
    )


def python_request(operation: Operation) -> str:
    """The call through the library's `request`, which takes any path."""
    given = [f'"{operation.method}"', f'"{path_of(operation)}"']
    if operation.takes_body:
        given.append(f"body={body_of(operation) or {}!r}")
    return "\n".join(
        [
            f"# {install('Python')}",
            "import os",
            "from travel_partner import TravelPartner",
            "",
            'client = TravelPartner(os.environ["KEY"], os.environ["BASE"])',
            f"answer = client.request({', '.join(given)})",
            "print(answer)",
        ]
    ).replace("'", '"')


def typescript_fetch(operation: Operation) -> str:
    headers = ["    Authorization: `Bearer ${process.env.KEY}`,"]
    if operation.takes_body:
        headers.append('    "Content-Type": "application/json",')
    if operation.method == "POST":
        headers.append('    "Idempotency-Key": crypto.randomUUID(),')
    body = (
        [f"  body: JSON.stringify({json.dumps(body_of(operation) or {})}),"] if operation.takes_body else []
    )
    return "\n".join(
        [
            f"const answer = await fetch(`${{process.env.BASE}}{path_of(operation)}`, {{",
            f'  method: "{operation.method}",',
            "  headers: {",
            *headers,
            "  },",
            *body,
            "});",
            "console.log(await answer.json());",
        ]
    )


def php_send(operation: Operation) -> str:
    """The call through the library's `send`, which takes any path."""
    given = [f"'{operation.method}'", _php_text(path_of(operation))]
    if operation.takes_body:
        body = body_of(operation)
        given.append(f"body: {_php_value(body) if body else '[]'}")
    return "\n".join([*_php_client_lines(), f"print_r($client->send({', '.join(given)})->json());"])


def _php_client_lines() -> list[str]:
    return [
        "<?php",
        f"// {install('PHP')}",
        "require 'travel-partner/autoload.php';",
        "",
        "$client = new TravelPartner\\Client(getenv('KEY'), getenv('BASE'));",
    ]
