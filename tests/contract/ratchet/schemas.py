"""Two JSON Schemas (OpenAPI 3.1), seen by who sends and by who reads: what one of them can no longer rely on.

Written here because the maintained comparers are Go or Java programs, or know OpenAPI 3.0 alone.
"""

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

from apps.gateway.operations import OPEN
from tests.contract.ratchet.forms import ANYTHING, Alternatives, Forms

Schema = Mapping[str, Any]


class Direction(Enum):
    ASKED = "what the client sends: the new one must take all that the old one took"
    TOLD = "what the client reads: the new one must say nothing that the old one did not"


UPPER = ("maxLength", "maximum", "exclusiveMaximum", "maxItems", "maxProperties", "maxContains")
LOWER = ("minLength", "minimum", "exclusiveMinimum", "minItems", "minProperties", "minContains")
BELOW = ("properties", "required", "items", "additionalProperties")
BY_DIRECTION = (
    *UPPER,
    *LOWER,
    "type",
    "enum",
    "const",
    OPEN,
    "pattern",
    "multipleOf",
    "uniqueItems",
    "default",
)
NOTES = ("title", "description", "example", "examples", "deprecated", "externalDocs", "xml", "$comment")
"""What explains and constrains nothing."""


class Schemas:
    """Schemas of an old and a new document, compared once a pair."""

    def __init__(self, old: Forms, new: Forms) -> None:
        self.old, self._new = old, new
        self._found: dict[tuple[int, int, Direction], list[str]] = {}

    def broken(
        self, old: Schema | None, new: Schema | None, direction: Direction, where: str
    ) -> Iterator[str]:
        """A line for each thing that breaks, with the place; `where` is the place of these two."""
        if old is None:
            if new is not None and direction is Direction.ASKED:
                yield f"{where}: a schema introduced"
            return
        if new is None:
            yield f"{where}: schema removed"
            return
        for line in self._compared(old, new, direction):
            yield f"{where}{line}"

    def _compared(self, old: Schema, new: Schema, direction: Direction) -> list[str]:
        if old == new and not self.old.refers(old):
            return []
        pair = (id(old), id(new), direction)
        if pair not in self._found:
            self._found[pair] = []  # a schema that holds itself: as good as what it holds
            self._found[pair] = list(
                self._alternatives(self.old.alternatives(old), self._new.alternatives(new), direction)
            )
        return self._found[pair]

    def _alternatives(self, old: Alternatives, new: Alternatives, direction: Direction) -> Iterator[str]:
        asked = direction is Direction.ASKED
        if asked and old.null and not new.null:
            yield ": null is no longer taken"
        if not asked and new.null and not old.null:
            yield ": may be null now"
        if len(old.forms) == len(new.forms) == 1:
            yield from self._form(old.forms[0], new.forms[0], direction)
            return
        for number, form in enumerate(old.forms if asked else new.forms):
            pairs = [
                (form, other) if asked else (other, form) for other in (new.forms if asked else old.forms)
            ]
            if all(any(self._form(before, after, direction)) for before, after in pairs):
                yield (
                    f"<{number}>: no alternative is like it any more"
                    if asked
                    else f"<{number}>: a new alternative"
                )

    def _form(self, old: Schema, new: Schema, direction: Direction) -> Iterator[str]:
        """Of two schemas without alternatives."""
        yield from (_asked if direction is Direction.ASKED else _told)(old, new)
        yield from _whatever_direction(old, new)
        for name, below in old.get("properties", {}).items():
            if name in new.get("properties", {}):
                yield from self.broken(below, new["properties"][name], direction, f".{name}")
        yield from self._rest(old, new, direction, "items", "[]")
        yield from self._rest(old, new, direction, "additionalProperties", ".*")

    def _rest(
        self, old: Schema, new: Schema, direction: Direction, keyword: str, where: str
    ) -> Iterator[str]:
        """Items, and properties without a name: a schema, or whether there may be any. Nothing said: anything."""
        before, after = (schema.get(keyword, True) for schema in (old, new))
        if before is False or after is False:
            narrowed, widened = before is not False, after is not False
            if (narrowed and not widened) if direction is Direction.ASKED else (widened and not narrowed):
                yield f"{where}: {'no longer taken' if direction is Direction.ASKED else 'there may be some now'}"
            return
        before, after = (ANYTHING if schema is True else schema for schema in (before, after))
        yield from self.broken(before, after, direction, where)


def _asked(old: Schema, new: Schema) -> Iterator[str]:
    """What is asked of the client may not become more."""
    if not _types(old) <= _types(new) | ({"integer"} if "number" in _types(new) else set()):
        yield ": type tightened"
    for name in sorted(set(new.get("required", [])) - set(old.get("required", []))):
        yield f".{name}: became required"
    if old.get("default", _types) != new.get("default", _types):
        yield ": another default"
    yield from _narrowed(old, new)
    yield from _values_no_longer_taken(old, new)


def _narrowed(old: Schema, new: Schema) -> Iterator[str]:
    for limit in UPPER:
        if limit in new and (limit not in old or new[limit] < old[limit]):
            yield f": {limit} tightened"
    for limit in LOWER:
        if limit in new and (limit not in old or new[limit] > old[limit]):
            yield f": {limit} tightened"
    if "pattern" in new and _spelled(new) != _spelled(old):
        yield ": pattern tightened"
    if "multipleOf" in new and ("multipleOf" not in old or old["multipleOf"] % new["multipleOf"]):
        yield ": multipleOf tightened"
    if new.get("uniqueItems") and not old.get("uniqueItems"):
        yield ": uniqueItems introduced"


def _spelled(schema: Schema) -> str | None:
    """The pattern without backslashes that say nothing: `\\"` is `"`, and an error to ECMAScript's unicode mode."""
    pattern = schema.get("pattern")
    return (
        None if pattern is None else re.sub(r"\\(.)", lambda pair: pair[1 if pair[1] == '"' else 0], pattern)
    )


def _values_no_longer_taken(old: Schema, new: Schema) -> Iterator[str]:
    before, after = _closed(old), _closed(new)
    if after is not None and before is None:
        yield ": its values are listed now"
    for value in sorted((before or set()) - after) if after is not None else ():
        yield f": the value {value} is no longer taken"
    for value in sorted(_open(old) - _open(new)) if after is None else ():
        yield f": the value {value} is no longer named"


def _told(old: Schema, new: Schema) -> Iterator[str]:
    """What the client is given may not become less, or other."""
    if not _types(new) <= _types(old) | ({"integer"} if "number" in _types(old) else set()):
        yield ": type changed"
    for name in sorted(set(old.get("required", [])) - set(new.get("required", []))):
        yield f".{name}: may be absent now"
    yield from _widened(old, new)
    yield from _other_values(old, new)


def _widened(old: Schema, new: Schema) -> Iterator[str]:
    for limit in UPPER:
        if limit in old and (limit not in new or new[limit] > old[limit]):
            yield f": {limit} is wider"
    for limit in LOWER:
        if limit in old and (limit not in new or new[limit] < old[limit]):
            yield f": {limit} is wider"
    if "pattern" in old and _spelled(new) != _spelled(old):
        yield ": another pattern"
    if "multipleOf" in old and ("multipleOf" not in new or new["multipleOf"] % old["multipleOf"]):
        yield ": multipleOf is wider"
    if old.get("uniqueItems") and not new.get("uniqueItems"):
        yield ": items may repeat now"


def _other_values(old: Schema, new: Schema) -> Iterator[str]:
    before, after = _closed(old), _closed(new)
    if before is not None:
        for value in sorted((after or set()) - before):
            yield f": a new value {value}, and the list was closed"
        if after is None:
            yield ": its values are no longer listed"
    named = _open(new) if after is None else after
    for value in sorted((_open(old) | (before or set())) - named):
        yield f": the value {value} is gone"


def _whatever_direction(old: Schema, new: Schema) -> Iterator[str]:
    for name in sorted(old.get("properties", {}).keys() - new.get("properties", {}).keys()):
        yield f".{name}: removed or renamed"
    for keyword in sorted((old.keys() | new.keys()) - {*BELOW, *BY_DIRECTION, *NOTES}):
        if not keyword.startswith("x-") and old.get(keyword) != new.get(keyword):
            yield f": another {keyword}"


def _types(schema: Schema) -> set[str]:
    """The JSON types that a schema allows, null apart; all of them where it names none."""
    named = schema.get("type", ["object", "array", "string", "number", "integer", "boolean"])
    return {named} if isinstance(named, str) else set(named) - {"null"}


def _closed(schema: Schema) -> set[str] | None:
    """The only values there are, as text; None where others may come."""
    if "const" in schema:
        return {repr(schema["const"])}
    return {repr(value) for value in schema["enum"] if value is not None} if "enum" in schema else None


def _open(schema: Schema) -> set[str]:
    """The values that are named, while others may be added."""
    return {repr(value) for value in schema.get(OPEN, []) if value is not None}
