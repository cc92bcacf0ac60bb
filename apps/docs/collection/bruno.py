"""The journey as a Bruno collection: a zip of text files, one a request, with an environment."""

import io
import json
import re
import zipfile
from collections.abc import Iterator
from functools import cache
from urllib.parse import urlencode

from django.conf import settings

from apps.docs.collection.postman import NAME, TRIES, WAITS
from apps.docs.collection.shapes import shape_of
from apps.docs.collection.steps import RECEIVER, REPEATED, Step, chapters, days
from apps.gateway.openapi import document

LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""Of every file, so that the archive of a release is the same in every process."""


@cache
def archive() -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, text in files():
            entry = zipfile.ZipInfo(f"travel-partner-api/{name}", LONG_AGO)
            zipped.writestr(entry, text, zipfile.ZIP_DEFLATED)
    return written.getvalue()


def files() -> Iterator[tuple[str, str]]:
    yield "bruno.json", json.dumps({"version": "1", "name": NAME, "type": "collection"}, indent=2)
    yield (
        "collection.bru",
        written_out(
            ("auth", "mode: bearer"),
            ("auth:bearer", "token: {{apiKey}}"),
            ("script:pre-request", days_ahead()),
            ("docs", document()["info"]["description"]),
        ),
    )
    variables = f"baseUrl: {settings.PUBLIC_BASE_URL}\nwebhookUrl: {RECEIVER}"
    yield "environments/Sandbox.bru", written_out(("vars", variables)) + "vars:secret [\n  apiKey\n]\n"
    for place, (folder, told) in enumerate(chapters(), 1):
        yield (
            f"{folder}/folder.bru",
            written_out(("meta", f"name: {folder}\nseq: {place}"), ("auth", "mode: inherit")),
        )
        for number, step in enumerate(told, 1):
            yield f"{folder}/{number:02} {file_name(step)}.bru", request(step, number)


def file_name(step: Step) -> str:
    return re.sub(r"[^\w ,-]", "", step.name)


def request(step: Step, number: int) -> str:
    told = step.example.request
    query = f"?{urlencode(step.query, safe='{}')}" if step.query else ""
    call = [
        f"url: {{{{baseUrl}}}}{step.path}{query}",
        f"body: {'none' if step.body is None else 'json'}",
        "auth: inherit",
    ]
    operation = document()["paths"][told.path][told.method.lower()]
    return written_out(
        ("meta", f"name: {file_name(step)}\ntype: http\nseq: {number}"),
        (told.method.lower(), "\n".join(call)),
        ("params:query", lines(step.query)),
        ("headers", lines(step.headers)),
        ("body:json", step.body or ""),
        ("script:pre-request", before(step, number)),
        ("script:post-response", kept(step)),
        ("tests", checks(step)),
        ("docs", operation.get("description", operation["summary"])),
    )


NEW_RUN = 'bru.setVar("run", Math.random().toString(36).slice(2, 10));'


NEW_KEY = f'bru.setVar("{REPEATED}", `key-${{Date.now()}}-${{Math.random().toString(36).slice(2)}}`);'


def before(step: Step, number: int) -> str:
    return "\n".join([*([NEW_RUN] if number == 1 else []), *([NEW_KEY] if step.begins_key else [])])


def days_ahead() -> str:
    return "\n".join(
        [
            "const ahead = (days) => new Date(Date.now() + days * 86400000).toISOString().slice(0, 10);",
            *(f'bru.setVar("day{ahead}", ahead({ahead}));' for ahead in days()),
        ]
    )


def kept(step: Step) -> str:
    told = ["const answer = res.getBody();"]
    told += [f'bru.setVar("{keep.variable}", {keep.expression});' for keep in step.keeps]
    if waiting := WAITS.get(step.example.operation_id):
        told += [
            'const tries = Number(bru.getVar("tries")) || 0;',
            f"if ({waiting} && tries < {TRIES}) {{",
            '  bru.setVar("tries", tries + 1);',
            "  await bru.sleep(500);",
            f"  bru.setNextRequest({json.dumps(file_name(step))});",
            "}",
        ]
    return "\n".join(told) if len(told) > 1 else ""


def checks(step: Step) -> str:
    answer = step.example.answer
    told = [
        f'test("answers {answer.status}", function () {{',
        f"  expect(res.getStatus()).to.equal({answer.status});",
        "});",
    ]
    if step.is_replay:
        told += [
            'test("is a replay", function () {',
            '  expect(res.getHeader("idempotent-replayed")).to.equal("true");',
            "});",
        ]
    if answer.body is not None:
        told += [
            'test("has what its example has", function () {',
            '  const Ajv = require("ajv");',
            "  const ajv = new Ajv({ allowUnionTypes: true });",
            f"  expect(ajv.validate({json.dumps(shape_of(answer.body))}, res.getBody()), ajv.errorsText()).to.be.true;",
            "});",
        ]
    return "\n".join(told)


def lines(members: dict[str, str]) -> str:
    return "\n".join(f"{name}: {value}" for name, value in members.items())


def written_out(*blocks: tuple[str, str]) -> str:
    """Blocks as Bruno writes them, each line of theirs indented by two; empty ones are left out."""
    return "".join(
        f"{name} {{\n" + "".join(f"  {line}\n" if line else "\n" for line in text.splitlines()) + "}\n\n"
        for name, text in blocks
        if text
    )
