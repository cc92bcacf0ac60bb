"""An operation's page as Markdown, for machines and for people who read plain text."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from apps.docs.reference import Field, Operation, Product, products
from apps.docs.samples import samples_of


def of_operation(operation: Operation) -> str:
    return "\n\n".join(_parts(operation)) + "\n"


def _parts(operation: Operation) -> Iterator[str]:
    yield f"# {operation.summary}"
    yield f"`{operation.method} {operation.path}` (`{operation.id}`)"
    if operation.since:
        yield f"Since {operation.since}."
    if operation.description:
        yield operation.description
    for where, fields in operation.parameters:
        yield f"## {where}"
        yield rows(fields, asked=True)
    if operation.takes_body:
        yield "## Body"
        if operation.body_note:
            yield operation.body_note
        yield rows(operation.body, asked=True) or "An empty object, `{}`."
    for answer in operation.answers:
        yield f"## Response {answer.status}"
        yield rows(answer.fields) or "No body."
        for example in answer.examples:
            yield f"{example.summary or 'Example'}:\n\n" + fenced("json", written(example.value))
    if operation.refusals:
        yield "## Errors"
        yield "\n".join(
            f"- {each.status} [`{each.type}`](/docs/errors/{each.type}.md)" for each in operation.refusals
        )
    yield "## Samples"
    for sample in samples_of(operation):
        yield f"{sample.language}:\n\n{fenced(sample.lexer, sample.code)}"


def of_product(product: Product) -> str:
    lines = [
        f"- [{each.summary}]({address(each)}.md): `{each.method} {each.path}`" for each in product.operations
    ]
    note = [product.description] if product.description else []
    return "\n\n".join([f"# {product.title}", *note, "\n".join(lines)]) + "\n"


def of_all() -> str:
    parts = [of_product(product).replace("# ", "## ", 1) for product in products()]
    documents = "OpenAPI documents: [of the API](/v1/openapi.json), [of the sandbox](/sandbox/openapi.json)."
    return "\n\n".join(["# API reference", documents, *parts])


def address(operation: Operation) -> str:
    return f"/docs/reference/{operation.product}/{operation.slug}"


def rows(fields: Iterable[Field], *, asked: bool = False, depth: int = 0) -> str:
    """A nested list. `asked`: fields of a request, where required ones are marked; in an answer, optional ones are."""
    lines = []
    for field in fields:
        mark = (
            "required"
            if asked and field.required
            else "may be absent"
            if not asked and not field.required
            else ""
        )
        facts = ", ".join(
            filter(None, [field.kind, mark, field.limits, field.since and f"since {field.since}"])
        )
        text = " ".join(field.description.split())
        lines.append(f"{'  ' * depth}- `{field.name}` ({facts}){': ' + text if text else ''}")
        if field.children:
            lines.append(rows(field.children, asked=asked, depth=depth + 1))
    return "\n".join(lines)


def written(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def fenced(language: str, code: str) -> str:
    return f"```{language}\n{code}\n```"
