"""A JSON schema of the OpenAPI document as a reader sees it: fields with their types in words, each with those below it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

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
