"""The OpenAPI document for readers: operations, and nested fields with their types in words."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.utils.text import slugify

from apps.docs.error_pages import BY_TYPE
from apps.gateway.openapi import document, sandbox_document
from apps.gateway.openapi.components import DISPOSITION
from apps.gateway.openapi.serving import without
from apps.gateway.operations import ANY_SCOPE, OPEN, SINCE
from apps.gateway.renderers import JSON
from apps.keys.scopes import products_not_sold

Schema = Mapping[str, Any]

FORMATS = {
    "date": "date, `YYYY-MM-DD`",
    "date-time": "time, RFC 3339",
    "uuid": "UUID",
    "email": "e-mail address",
}


@dataclass(frozen=True, slots=True)
class Field:
    """One field. `kind` and `limits` are short Markdown; `children` are the fields of an object or of a list's objects."""

    name: str
    kind: str
    description: str
    limits: str
    required: bool
    since: str
    children: tuple["Field", ...]


def resolve(node: Schema) -> Schema:
    """Resolve a `$ref`. Members next to it override those of its target."""
    if "$ref" not in node:
        return node
    kind, name = node["$ref"].removeprefix("#/components/").split("/")
    found = _components(kind)[name]
    return {**found, **{name: value for name, value in node.items() if name != "$ref"}}


@cache
def _components(kind: str) -> dict[str, Any]:
    """Those of both documents: what has the same name is the same in both."""
    found: dict[str, Any] = sandbox_document()["components"][kind] | document()["components"][kind]
    return found


def merged(schema: Schema) -> dict[str, Any]:
    """The schema with its reference resolved, and "or null" as one of its types."""
    whole = dict(resolve(schema))
    if "discriminator" in whole:
        return any_kind(whole)
    if "oneOf" in whole:  # a reference or null
        named, _null = whole.pop("oneOf")
        found = merged(named)
        whole = {**found, **whole, "type": [*_types(found), "null"]}
    return whole


def any_kind(schema: Schema) -> dict[str, Any]:
    """The members that several kinds of object share. One that differs lists the values of all kinds."""
    first, *others = [merged(kind) for kind in schema["oneOf"]]
    shared: dict[str, Any] = {}
    for name, member in first["properties"].items():
        members = [member, *(kind["properties"].get(name) for kind in others)]
        if None in members:
            continue
        if values := list(dict.fromkeys(value for each in members for value in _values(each))):
            known = OPEN if OPEN in member else "enum"
            member = {"type": member["type"], known: values, "description": member.get("description", "")}
        shared[name] = member
    return {
        "type": "object",
        "description": str(schema.get("description", "")),
        "properties": shared,
        "required": [name for name in first["required"] if name in shared],
    }


def _values(schema: Schema) -> list[Any]:
    return [schema["const"]] if "const" in schema else list(schema.get("enum") or schema.get(OPEN) or [])


def fields_of(schema: Schema) -> tuple[Field, ...]:
    """The fields of an object, the required ones first, otherwise in the document's order."""
    whole = merged(schema)
    required = set(whole.get("required", ()))
    found = [_field(name, child, name in required) for name, child in whole.get("properties", {}).items()]
    return tuple(sorted(found, key=lambda field: not field.required))


def _field(name: str, schema: Schema, required: bool) -> Field:
    whole = merged(schema)
    inner = merged(whole["items"]) if "items" in whole else whole
    return Field(
        name=name,
        kind=kind_of(whole),
        description=str(whole.get("description", "")).strip(),
        limits="; ".join(limits_of(whole)),
        required=required,
        since=str(whole.get(SINCE, "")),
        children=fields_of(inner),
    )


def kind_of(schema: Schema) -> str:
    """The type in words: `list of objects, or null`."""
    whole = merged(schema)
    types = _types(whole)
    words = " or ".join(_word(each, whole) for each in types if each != "null") or "any JSON"
    return f"{words}, or null" if "null" in types else words


def _word(name: str, schema: Schema) -> str:
    if name == "array":
        return f"list of {plural(kind_of(schema.get('items', {})))}"
    if name == "object" and schema.get("additionalProperties"):
        return f"object of {plural(kind_of(schema['additionalProperties']))}, by name"
    if "const" in schema:
        return f"`{schema['const']}`"
    return FORMATS.get(schema.get("format", ""), "string") if name == "string" else name


def _types(schema: Schema) -> list[str]:
    named = schema.get("type", [])
    return [named] if isinstance(named, str) else list(named)


def plural(kind: str) -> str:
    word, comma, rest = kind.partition(",")
    return kind if "list of" in word else f"{word}s{comma}{rest}"


def limits_of(schema: Schema) -> Iterator[str]:
    """The constraints of a value besides its type, in short words."""
    if choices := schema.get("enum"):
        yield "one of " + ", ".join(f"`{each}`" for each in choices if each is not None)
    elif choices := schema.get(OPEN):
        yield "known today: " + ", ".join(f"`{each}`" for each in choices)
    yield from _bounds(schema, "minimum", "maximum", "")
    if not choices:
        # Defaults of every text, not worth showing: not empty, 255 characters at most.
        yield from _bounds(
            {"least": _above_one(schema), "most": schema.get("maxLength")}, "least", "most", " characters"
        )
    yield from _bounds(schema, "minItems", "maxItems", " items")
    items = schema.get("items")
    if isinstance(items, Mapping) and (items.get("enum") or items.get(OPEN)):
        yield from limits_of({name: items[name] for name in ("enum", OPEN) if name in items})
    if schema.get("default") not in (None, "", [], {}):
        yield f"`{str(schema['default']).lower() if isinstance(schema['default'], bool) else schema['default']}` by default"


def _above_one(schema: Schema) -> int | None:
    least = schema.get("minLength")
    return least if least is not None and least > 1 else None


def _bounds(schema: Schema, low: str, high: str, unit: str) -> Iterator[str]:
    least, most = schema.get(low), schema.get(high)
    if least is not None and most is not None:
        yield f"{least:,} to {most:,}{unit}" if least != most else f"exactly {least:,}{unit}"
    elif least is not None:
        yield f"at least {least:,}{unit}"
    elif most is not None:
        yield f"at most {most:,}{unit}"


METHODS = ("get", "post", "put", "patch", "delete")
BACKTICKED = re.compile(r"`([a-z_]+)`")
SAMPLED = {("searchPlaces", "query")}
"""Operations that need one of several parameters: samples send these."""
PLACES = {"path": "Path parameters", "query": "Query parameters", "header": "Headers"}
SANDBOX = "sandbox"
TITLES = {"esim": "eSIM", SANDBOX: "Sandbox (test only)"}


@dataclass(frozen=True, slots=True)
class Example:
    """A body that the document records."""

    name: str
    summary: str
    value: Any


@dataclass(frozen=True, slots=True)
class Answer:
    """A successful answer."""

    status: str
    description: str
    fields: tuple[Field, ...]
    headers: tuple[Field, ...]
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class Refusal:
    status: str
    type: str
    retry: str


@dataclass(frozen=True, slots=True)
class Operation:
    id: str
    method: str
    path: str
    tag: str
    """As the document names it."""
    product: str
    """The tag as a part of an address."""
    summary: str
    description: str
    scope: str
    since: str
    parameters: tuple[tuple[str, tuple[Field, ...]], ...]
    """(where, fields), in the order of a request: path, query, headers."""
    required_query: tuple[tuple[str, str | int], ...]
    """(name, example) of the required query parameters."""
    body: tuple[Field, ...]
    body_note: str
    takes_body: bool
    body_schema: Schema
    recorded_bodies: tuple[Example, ...]
    answers: tuple[Answer, ...]
    refusals: tuple[Refusal, ...]
    added: Schema = field(default_factory=dict)
    """Optional fields that a sample of the operation sends as well."""

    @property
    def slug(self) -> str:
        """`create-hotel-booking`, of createHotelBooking."""
        return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", self.id).lower()

    @property
    def is_file(self) -> bool:
        """Whether it answers with a file and nothing else."""
        return any(
            not answer.fields and any(header.name == DISPOSITION for header in answer.headers)
            for answer in self.answers
        )


@dataclass(frozen=True, slots=True)
class Product:
    """The operations of one tag."""

    slug: str
    title: str
    description: str
    operations: tuple[Operation, ...]


def products() -> tuple[Product, ...]:
    """The operations that are offered here by tag, in the document's order; those of the sandbox last."""
    return (*_products(products_not_sold()), sandbox())


@cache
def sandbox() -> Product:
    """The operations of the sandbox's own document."""
    (found,) = _by_tag(sandbox_document())
    return found


@cache
def _products(absent: frozenset[str]) -> tuple[Product, ...]:
    """Cached for the life of the process, like the document."""
    return _by_tag(without(document(), absent))


def _by_tag(drawn: Schema) -> tuple[Product, ...]:
    by_tag: dict[str, list[Operation]] = {}
    for path, entries in drawn["paths"].items():
        for method in METHODS:
            if method in entries:
                found = _operation(path, method, entries[method])
                by_tag.setdefault(found.product, []).append(found)
    notes = {slugify(tag["name"]): str(tag.get("description", "")) for tag in drawn.get("tags", [])}
    return tuple(
        Product(slug, title(found[0].tag), notes.get(slug, ""), tuple(found))
        for slug, found in by_tag.items()
    )


def every() -> list[Operation]:
    """The operations that are offered here, without those of the sandbox."""
    return [each for product in _products(products_not_sold()) for each in product.operations]


def by_id(operation_id: str) -> Operation:
    """Includes those of the sandbox, and operations that are not offered here: guides use calls of any product as examples."""
    whole = (each for product in (*_products(frozenset()), sandbox()) for each in product.operations)
    return next(each for each in whole if each.id == operation_id)


def title(tag: str) -> str:
    return TITLES.get(tag, tag if tag != tag.lower() else tag.capitalize())


def _operation(path: str, method: str, entry: Schema) -> Operation:
    content = entry.get("requestBody", {}).get("content", {}).get(JSON, {})
    schema = content.get("schema", {})
    tag = entry["tags"][0]
    parameters = [resolve(each) for each in entry.get("parameters", [])]
    return Operation(
        id=entry["operationId"],
        method=method.upper(),
        path=path,
        tag=tag,
        product=slugify(tag),
        summary=entry["summary"],
        description=entry.get("description", ""),
        scope=_scope(entry["security"]),
        since=entry.get(SINCE, ""),
        parameters=tuple(_parameters(parameters)),
        required_query=tuple(
            (each["name"], str(each["example"]))
            for each in parameters
            if each["in"] == "query"
            and (each.get("required") or (entry["operationId"], each["name"]) in SAMPLED)
        ),
        body=fields_of(schema),
        body_note=merged(schema).get("description", ""),
        takes_body="requestBody" in entry,
        body_schema=schema,
        recorded_bodies=examples_of(content),
        answers=tuple(_answers(entry["responses"])),
        refusals=tuple(_refusals(entry["responses"])),
    )


def _scope(security: Iterable[Mapping[str, list[str]]]) -> str:
    """The scope that the operation needs. ANY_SCOPE if any key works, empty if none is needed."""
    return next((scopes[0] if scopes else ANY_SCOPE for scheme in security for scopes in scheme.values()), "")


def _parameters(parameters: Iterable[Schema]) -> Iterator[tuple[str, tuple[Field, ...]]]:
    found: dict[str, list[Field]] = {}
    for each in parameters:
        found.setdefault(each["in"], []).append(_as_field(each["name"], each))
    for place, words in PLACES.items():
        if place in found:
            yield words, tuple(sorted(found[place], key=lambda field: not field.required))


def _as_field(name: str, entry: Schema) -> Field:
    """A parameter or a header, whose schema says its type and which is described beside it."""
    beside = {key: entry[key] for key in ("description", SINCE) if key in entry}
    return _field(name, {**entry["schema"], **beside}, entry.get("required", False))


def _answers(responses: Mapping[str, Schema]) -> Iterator[Answer]:
    for status, entry in responses.items():
        if status.startswith("2"):
            content = entry.get("content", {}).get(JSON, {})
            headers = [_as_field(name, resolve(each)) for name, each in entry["headers"].items()]
            fields = fields_of(content.get("schema", {}))
            yield Answer(status, entry["description"], fields, tuple(headers), examples_of(content))


def _refusals(responses: Mapping[str, Schema]) -> Iterator[Refusal]:
    """Each type that the description of a refused status names."""
    for status, entry in sorted(responses.items()):
        if not status.startswith("2"):
            for name in BACKTICKED.findall(entry["description"]):
                yield Refusal(status, name, BY_TYPE[name].retry)


def examples_of(content: Schema) -> tuple[Example, ...]:
    """The bodies that the document records for this content."""
    examples = content.get("examples", {}).items()
    return tuple(Example(name, each["summary"], each["value"]) for name, each in examples)
