"""A JSON schema of the OpenAPI document as a reader sees it: fields with their types in words, each with those below it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils.text import slugify

from apps.docs.error_pages import BY_TYPE
from apps.gateway.openapi import document
from apps.gateway.openapi.serving import without
from apps.gateway.operations import ANY_SCOPE
from apps.keys.scopes import products_not_sold

Schema = Mapping[str, Any]

FORMATS = {
    "date": "date, `YYYY-MM-DD`",
    "date-time": "time, RFC 3339",
    "uuid": "UUID",
    "uri": "address (URI)",
    "email": "e-mail address",
}
OPEN = "x-extensible-enum"
SINCE = "x-since"


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


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads schemas of one document. `$ref` is followed wherever it stands."""

    document: Schema

    def resolve(self, node: Any) -> Any:
        """The node that a chain of references ends at. What stands beside a `$ref` comes before what it names."""
        while isinstance(node, Mapping) and "$ref" in node:
            beside = {name: value for name, value in node.items() if name != "$ref"}
            node = {**self._named(node["$ref"]), **beside}
        return node

    def _named(self, reference: str) -> Schema:
        found: Any = self.document
        for part in reference.removeprefix("#/").split("/"):
            found = found[part.replace("~1", "/").replace("~0", "~")]
        return dict(found)

    def fields(self, schema: Schema, above: tuple[str, ...] = ()) -> tuple[Field, ...]:
        """The fields of an object, the required ones first, otherwise in the document's order."""
        whole = self.merged(schema)
        required = set(whole.get("required", ()))
        found = [
            self._field(name, child, name in required, above)
            for name, child in whole.get("properties", {}).items()
        ]
        return tuple(sorted(found, key=lambda field: not field.required))

    def _field(self, name: str, schema: Schema, required: bool, above: tuple[str, ...]) -> Field:
        whole = self.merged(schema)
        inner = self._objects_in(whole)
        reference = reference_of(schema)
        circle = reference in above
        children = () if inner is None or circle else self.fields(inner, (*above, *filter(None, [reference])))
        return Field(
            name=name,
            kind=self.kind(whole),
            description=described(whole),
            limits="; ".join(limits_of(whole)),
            required=required,
            since=str(whole.get(SINCE, "")),
            children=children,
        )

    def merged(self, schema: Schema) -> dict[str, Any]:
        """The schema with its references and its `allOf` written out, and "or null" as one of its types."""
        whole = dict(self.resolve(schema))
        for part in whole.pop("allOf", ()):
            below = self.merged(part)
            properties = {**below.get("properties", {}), **whole.get("properties", {})}
            required = [*below.get("required", ()), *whole.get("required", ())]
            whole = {**below, **whole}
            if properties:
                whole |= {"properties": properties, "required": required}
        for choice in ("oneOf", "anyOf"):
            options = [self.merged(option) for option in whole.get(choice, ())]
            some = [option for option in options if option.get("type") != "null"]
            if len(some) == 1:
                del whole[choice]
                whole = {**some[0], **whole}
                if len(options) > 1:
                    whole["type"] = [*_types(some[0]), "null"]
        return whole

    def _objects_in(self, schema: Schema) -> Schema | None:
        """The object whose fields are shown below: the schema itself, or what a list or a map holds."""
        if schema.get("properties"):
            return schema
        for holder in ("items", "additionalProperties"):
            if isinstance(schema.get(holder), Mapping):
                return self._objects_in(self.merged(schema[holder]))
        return None

    def kind(self, schema: Schema) -> str:
        """The type in words: `list of objects, or null`."""
        whole = self.merged(schema)
        types = _types(whole)
        words = " or ".join(self._word(each, whole) for each in types if each != "null") or "any JSON"
        return f"{words}, or null" if "null" in types else words

    def _word(self, name: str, schema: Schema) -> str:
        if name == "array":
            return f"list of {plural(self.kind(schema.get('items', {})))}"
        if name == "object" and not schema.get("properties") and schema.get("additionalProperties"):
            return f"object of {plural(self.kind(schema['additionalProperties']))}, by name"
        if "const" in schema:
            return f"`{schema['const']}`"
        if name == "string":
            return FORMATS.get(schema.get("format", ""), "string")
        return name

    def choices(self, schema: Schema) -> tuple[list[Any], bool]:
        """The values it may have, and whether later ones may follow."""
        whole = self.merged(schema)
        return list(whole.get("enum") or whole.get(OPEN) or ()), OPEN in whole


def described(schema: Schema) -> str:
    """The description without the list of values that is drawn of an enumeration, which says each twice."""
    lines = str(schema.get("description", "")).splitlines()
    return "\n".join(line for line in lines if not re.fullmatch(r"\* `(.*)` - \1", line)).strip()


def _types(schema: Schema) -> list[str]:
    named = schema.get("type")
    if named is None and "properties" in schema:
        return ["object"]
    if named is None:
        return []
    return [named] if isinstance(named, str) else list(named)


def reference_of(schema: Schema) -> str:
    """The name that the schema, or what it lists, goes by; empty where it stands in its place."""
    for node in (schema, schema.get("items", {}), *schema.get("allOf", ()), *schema.get("oneOf", ())):
        if isinstance(node, Mapping) and "$ref" in node:
            return str(node["$ref"])
    return ""


def plural(kind: str) -> str:
    word, comma, rest = kind.partition(",")
    irregular = {
        "any JSON": "any JSON",
        "address (URI)": "addresses (URI)",
        "e-mail address": "e-mail addresses",
    }
    if "list of" in word or word.startswith("`"):
        return kind
    return irregular.get(word, f"{word}s") + comma + rest


def limits_of(schema: Schema) -> Iterator[str]:
    """What a value must fulfil beside its type, in short words."""
    if choices := schema.get("enum"):
        yield "one of " + ", ".join(f"`{each}`" for each in choices if each is not None)
    elif choices := schema.get(OPEN):
        yield "known today: " + ", ".join(f"`{each}`" for each in choices)
    yield from _bounds(schema, "minimum", "maximum", "")
    if not choices:
        # That a text is not empty goes without saying, and 255 is what any text may have.
        yield from _bounds(
            {"least": _above_one(schema), "most": schema.get("maxLength")}, "least", "most", " characters"
        )
    yield from _bounds(schema, "minItems", "maxItems", " items")
    items = schema.get("items")
    if isinstance(items, Mapping) and (items.get("enum") or items.get(OPEN)):
        yield from limits_of({name: items[name] for name in ("enum", OPEN) if name in items})
    if schema.get("default") not in (None, "", [], {}):
        yield f"`{str(schema['default']).lower() if isinstance(schema['default'], bool) else schema['default']}` unless told"


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


JSON = "application/json"
METHODS = ("get", "post", "put", "patch", "delete")
BACKTICKED = re.compile(r"`([a-z_]+)`")
PLACES = {"path": "Path parameters", "query": "Query parameters", "header": "Headers"}
TITLES = {"esim": "eSIM"}


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
    required_query: tuple[tuple[str, str], ...]
    """(name, example) of what has to stand in the query."""
    body: tuple[Field, ...]
    body_note: str
    takes_body: bool
    body_schema: Schema
    recorded_bodies: tuple[Example, ...]
    answers: tuple[Answer, ...]
    refusals: tuple[Refusal, ...]

    @property
    def slug(self) -> str:
        """`create-hotel-booking`, of createHotelBooking."""
        return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", self.id).lower()


@dataclass(frozen=True, slots=True)
class Product:
    """The operations of one tag."""

    slug: str
    title: str
    description: str
    operations: tuple[Operation, ...]


def products() -> tuple[Product, ...]:
    """The operations that are offered here by tag, in the document's order."""
    return _products(products_not_sold())


@cache
def _products(absent: frozenset[str]) -> tuple[Product, ...]:
    """Read once a process, as the document is drawn once."""
    return read(without(document(), absent))


def read(drawn: Schema) -> tuple[Product, ...]:
    reader = Reader(drawn)
    by_tag: dict[str, list[Operation]] = {}
    for path, entries in drawn["paths"].items():
        shared = entries.get("parameters", [])
        for method in METHODS:
            if method in entries:
                found = _operation(reader, path, method, entries[method], shared)
                by_tag.setdefault(found.product, []).append(found)
    told = {slugify(tag["name"]): str(tag.get("description", "")) for tag in drawn.get("tags", [])}
    return tuple(
        Product(slug, title(found[0].tag), told.get(slug, ""), tuple(found)) for slug, found in by_tag.items()
    )


def every() -> list[Operation]:
    return [each for product in products() for each in product.operations]


def by_id(operation_id: str) -> Operation:
    """Also one that is not offered here: guides show calls of any product as examples."""
    whole = (each for product in _products(frozenset()) for each in product.operations)
    return next(each for each in whole if each.id == operation_id)


def title(tag: str) -> str:
    return TITLES.get(tag, tag if tag != tag.lower() else tag.capitalize())


def _operation(reader: Reader, path: str, method: str, entry: Schema, shared: list[Any]) -> Operation:
    content = reader.resolve(entry.get("requestBody", {})).get("content", {}).get(JSON, {})
    schema = content.get("schema", {})
    tag = str((entry.get("tags") or ["other"])[0])
    return Operation(
        id=entry["operationId"],
        method=method.upper(),
        path=path,
        tag=tag,
        product=slugify(tag),
        summary=str(entry.get("summary", entry["operationId"])),
        description=str(entry.get("description", "")),
        scope=_scope(entry.get("security", ())),
        since=str(entry.get(SINCE, "")),
        parameters=tuple(_parameters(reader, [*shared, *entry.get("parameters", [])])),
        required_query=tuple(
            (each["name"], str(each["example"]))
            for each in map(reader.resolve, entry.get("parameters", []))
            if each["in"] == "query" and each.get("required")
        ),
        body=reader.fields(schema),
        body_note=str(reader.merged(schema).get("description", "")),
        takes_body="requestBody" in entry,
        body_schema=schema,
        recorded_bodies=examples_of(reader, content),
        answers=tuple(_answers(reader, entry["responses"])),
        refusals=tuple(_refusals(reader, entry["responses"])),
    )


def _scope(security: Iterable[Mapping[str, list[str]]]) -> str:
    """The scope that the operation needs, ANY_SCOPE where every key will do, nothing where it needs no key."""
    for scheme in security:
        for scopes in scheme.values():
            return scopes[0] if scopes else ANY_SCOPE
    return ""


def _parameters(reader: Reader, entries: list[Any]) -> Iterator[tuple[str, tuple[Field, ...]]]:
    found: dict[str, list[Field]] = {}
    for entry in map(reader.resolve, entries):
        found.setdefault(entry["in"], []).append(_as_field(reader, entry["name"], entry))
    for place, words in PLACES.items():
        if place in found:
            yield words, tuple(sorted(found[place], key=lambda field: not field.required))


def _as_field(reader: Reader, name: str, entry: Schema) -> Field:
    """A parameter or a header, whose schema says its type and which is described beside it."""
    schema = reader.merged(entry.get("schema", {}))
    told = {"description": str(entry.get("description") or schema.get("description", "")), **entry}
    properties = {name: {**schema, **{key: told[key] for key in ("description", SINCE) if key in told}}}
    required = [name] if entry.get("required") else []
    return reader.fields({"properties": properties, "required": required})[0]


def _answers(reader: Reader, responses: Mapping[str, Any]) -> Iterator[Answer]:
    for status, named in responses.items():
        entry = reader.resolve(named)
        content = entry.get("content", {}).get(JSON, {})
        if not status.startswith("2"):
            continue
        headers = [
            _as_field(reader, name, reader.resolve(each)) for name, each in entry.get("headers", {}).items()
        ]
        yield Answer(
            status,
            str(entry.get("description", "")),
            reader.fields(content.get("schema", {})),
            tuple(headers),
            examples_of(reader, content),
        )


def _refusals(reader: Reader, responses: Mapping[str, Any]) -> Iterator[Refusal]:
    """Each type that the document names for each refused status."""
    for status, named in sorted(responses.items()):
        if status.startswith("2"):
            continue
        for name in _types_of(reader, named):
            yield Refusal(status, name, BY_TYPE[name].retry)


def _types_of(reader: Reader, named: Schema) -> list[str]:
    """Error types in the response's description and in its examples, once each.

    Beside a reference to what all operations share, the description says which of its types this operation answers.
    """
    if "$ref" in named and "description" in named:
        named = {"description": named["description"]}
    entry = reader.resolve(named)
    found = BACKTICKED.findall(str(entry.get("description", "")))
    for example in examples_of(reader, entry.get("content", {}).get(JSON, {})):
        error = example.value.get("error") if isinstance(example.value, Mapping) else None
        if isinstance(error, Mapping):
            found.append(str(error.get("type")))
    return [name for name in dict.fromkeys(found) if name in BY_TYPE]


def examples_of(reader: Reader, content: Schema) -> tuple[Example, ...]:
    """The bodies that the document records for this content."""
    found = [(name, reader.resolve(each)) for name, each in content.get("examples", {}).items()]
    if "example" in content:
        found.insert(0, ("example", {"value": content["example"]}))
    return tuple(Example(name, str(each.get("summary", "")), each.get("value")) for name, each in found)
