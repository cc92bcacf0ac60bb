"""A schema without its detours: references followed, parts that hold together put together, alternatives apart."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Schema = Mapping[str, Any]
ANYTHING: Schema = {}
NOTHING_BUT_NULL = ("null", ["null"])


@dataclass(frozen=True, slots=True)
class Alternatives:
    """What a value may be: one of these forms, or null."""

    forms: tuple[Schema, ...]
    null: bool


class Forms:
    """The schemas of one document."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self._known: dict[int, tuple[Schema, Alternatives]] = {}
        self._refers: dict[int, tuple[Schema, bool]] = {}

    def alternatives(self, schema: Schema) -> Alternatives:
        if id(schema) not in self._known:
            forms = list(self._forms(schema))
            null = any(_takes_null(form) for form in forms)
            kept = tuple(
                form for form in forms if form.get("type") not in NOTHING_BUT_NULL and not _is_null(form)
            )
            self._known[id(schema)] = schema, Alternatives(kept, null)
        return self._known[id(schema)][1]

    def refers(self, schema: Schema) -> bool:
        """Whether it names another, which may have changed while it has not."""
        if id(schema) not in self._refers:
            self._refers[id(schema)] = schema, "'$ref'" in repr(schema)
        return self._refers[id(schema)][1]

    def _forms(self, schema: Schema) -> Iterator[Schema]:
        whole = self.put_together(schema)
        for keyword in ("oneOf", "anyOf"):
            if keyword in whole:
                rest = {key: value for key, value in whole.items() if key != keyword}
                for part in whole[keyword]:
                    yield from self._forms({"allOf": [rest, part]})
                return
        yield whole

    def put_together(self, schema: Schema) -> Schema:
        """References and allOf resolved; a constraint of one part counts beside those of the others."""
        parts = [*map(self.put_together, schema.get("allOf", []))]
        if "$ref" in schema:
            parts.append(self.put_together(resolved(schema["$ref"], self._document)))
        if not parts:
            return schema
        whole = {key: value for key, value in schema.items() if key not in ("allOf", "$ref")}
        for part in parts:
            whole = _both(whole, part)
        return whole


def resolved(reference: str, document: Mapping[str, Any]) -> Any:
    """What `#/components/…` names."""
    found: Any = document
    for part in reference.removeprefix("#/").split("/"):
        found = found[part.replace("~1", "/").replace("~0", "~")]
    return found


def _both(one: Schema, other: Schema) -> dict[str, Any]:
    whole = {**other, **one}
    if "required" in one and "required" in other:
        whole["required"] = [*one["required"], *other["required"]]
    if "properties" in one and "properties" in other:
        shared = one["properties"].keys() & other["properties"].keys()
        whole["properties"] = {
            **other["properties"],
            **one["properties"],
            **{name: {"allOf": [one["properties"][name], other["properties"][name]]} for name in shared},
        }
    if "type" in one and "type" in other:
        whole["type"] = sorted(_named(one) & _named(other))
    for keyword, stricter in (("max", min), ("min", max)):
        for limit in one.keys() & other.keys():
            if limit.startswith(keyword):
                whole[limit] = stricter(one[limit], other[limit])
    for keyword in ("oneOf", "anyOf"):
        if keyword in one and keyword in other:
            whole[keyword] = [{"allOf": [a, b]} for a in one[keyword] for b in other[keyword]]
    return whole


def _named(form: Schema) -> set[str]:
    named = form["type"]
    return {named} if isinstance(named, str) else set(named)


def _takes_null(form: Schema) -> bool:
    if "const" in form:
        return form["const"] is None
    if "enum" in form and None not in form["enum"]:
        return False
    named = form.get("type", ["null"])
    return named == "null" or (not isinstance(named, str) and "null" in named)


def _is_null(form: Schema) -> bool:
    return "const" in form and form["const"] is None
