"""What breaks a partner between two OpenAPI documents (specification §9, rule 4). What only adds breaks nobody.

Written here because the maintained comparers are Go or Java programs, or know OpenAPI 3.0 alone.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from apps.gateway.schema import OPEN

Schema = Mapping[str, Any]
METHODS = ("get", "post", "patch", "delete")
LOWERED = ("maxLength", "maximum", "maxItems")
RAISED = ("minLength", "minimum", "minItems")


def breaking_changes(old: Schema, new: Schema) -> list[str]:
    """One line for each change that a client written against `old` may not survive."""
    return [*_operations(old, new), *_webhooks(old, new)]


def _operations(old: Schema, new: Schema) -> Iterator[str]:
    for path, methods in old["paths"].items():
        for method in METHODS:
            if method not in methods:
                continue
            where = f"{method.upper()} {path}"
            found = new["paths"].get(path, {}).get(method)
            if found is None:
                yield f"{where}: operation removed"
            else:
                yield from _operation(methods[method], found, Compared(old, new), where)


def _operation(old: Schema, new: Schema, compared: "Compared", where: str) -> Iterator[str]:
    if old["operationId"] != new["operationId"]:
        yield f"{where}: operationId renamed"
    if old.get("security") != new.get("security"):
        yield f"{where}: another scope is asked for"
    yield from _parameters(old, new, compared, where)
    yield from compared.request(_body(old.get("requestBody")), _body(new.get("requestBody")), f"{where} body")
    if new.get("requestBody", {}).get("required") and not old.get("requestBody", {}).get("required"):
        yield f"{where} body: became required"
    for status, answer in old["responses"].items():
        place = f"{where} {status}"
        if status not in new["responses"]:
            yield f"{place}: status removed"
            continue
        found = new["responses"][status]
        for header in set(answer.get("headers", {})) - set(found.get("headers", {})):
            yield f"{place}: header {header} removed"
        yield from compared.response(_body(answer), _body(found), place)


def _parameters(old: Schema, new: Schema, compared: "Compared", where: str) -> Iterator[str]:
    before = {(p["in"], p["name"]): p for p in old.get("parameters", [])}
    after = {(p["in"], p["name"]): p for p in new.get("parameters", [])}
    for key, parameter in after.items():
        place = f"{where} parameter {key[1]}"
        if parameter.get("required") and not before.get(key, {}).get("required"):
            yield f"{place}: became required"
        if key in before:
            yield from compared.request(before[key]["schema"], parameter["schema"], place)
    for key in before.keys() - after.keys():
        yield f"{where} parameter {key[1]}: removed"


def _webhooks(old: Schema, new: Schema) -> Iterator[str]:
    for name, item in old.get("webhooks", {}).items():
        if name not in new.get("webhooks", {}):
            yield f"webhook {name}: removed"
            continue
        before, after = (_body(entry["post"]["requestBody"]) for entry in (item, new["webhooks"][name]))
        yield from Compared(old, new).response(before, after, f"webhook {name}")


def _body(holder: Schema | None) -> Schema | None:
    schema: Schema | None = (holder or {}).get("content", {}).get("application/json", {}).get("schema")
    return schema


class Compared:
    """Two documents whose schemas are walked side by side."""

    def __init__(self, old: Schema, new: Schema) -> None:
        self._old, self._new = old, new

    def request(self, old: Schema | None, new: Schema | None, where: str) -> Iterator[str]:
        """What is asked of the client may not become more."""
        yield from self._walk(old, new, where, self._tightened, set())

    def response(self, old: Schema | None, new: Schema | None, where: str) -> Iterator[str]:
        """What the client is given may not become less."""
        yield from self._walk(old, new, where, self._lessened, set())

    def _walk(
        self,
        old: Schema | None,
        new: Schema | None,
        where: str,
        rules: Callable[[Schema, Schema, str], Iterator[str]],
        seen: set[str],
    ) -> Iterator[str]:
        if old is None:
            return
        if new is None:
            yield f"{where}: schema removed"
            return
        reference = str(old.get("$ref", ""))
        if reference and reference in seen:
            return
        old, new = _resolve(old, self._old), _resolve(new, self._new)
        seen = seen | {reference}
        yield from rules(old, new, where)
        for name, below in old.get("properties", {}).items():
            if name in new.get("properties", {}):
                yield from self._walk(below, new["properties"][name], f"{where}.{name}", rules, seen)
        if "items" in old:
            yield from self._walk(old["items"], new.get("items"), f"{where}[]", rules, seen)

    def _tightened(self, old: Schema, new: Schema, where: str) -> Iterator[str]:
        yield from _always(old, new, where)
        for name in set(new.get("required", [])) - set(old.get("required", [])):
            yield f"{where}.{name}: became required"
        for limit in LOWERED:
            if limit in new and new[limit] < old.get(limit, float("inf")):
                yield f"{where}: {limit} tightened"
        for limit in RAISED:
            if limit in new and new[limit] > old.get(limit, float("-inf")):
                yield f"{where}: {limit} tightened"
        if "pattern" in new and new["pattern"] != old.get("pattern"):
            yield f"{where}: pattern tightened"
        if not _types(old) <= _types(new):
            yield f"{where}: type tightened"

    def _lessened(self, old: Schema, new: Schema, where: str) -> Iterator[str]:
        yield from _always(old, new, where)
        for name in set(old.get("required", [])) - set(new.get("required", [])):
            yield f"{where}.{name}: may be absent now"
        if not _types(new) <= _types(old):
            yield f"{where}: type changed"


def _always(old: Schema, new: Schema, where: str) -> Iterator[str]:
    for name in old.get("properties", {}).keys() - new.get("properties", {}).keys():
        yield f"{where}.{name}: removed or renamed"
    for enumeration in ("enum", OPEN):
        for value in set(map(str, old.get(enumeration, []))) - set(map(str, new.get(enumeration, []))):
            if enumeration in new or value:
                yield f"{where}: enum value {value} removed"
    if old.get("format") != new.get("format"):
        yield f"{where}: format changed"


def _types(schema: Schema) -> set[str]:
    """The JSON types a schema allows; all of them where it names none."""
    if "oneOf" in schema or "anyOf" in schema:
        parts = [*schema.get("oneOf", []), *schema.get("anyOf", [])]
        return {name for part in parts for name in (_types(part) if "$ref" not in part else {"object"})}
    named = schema.get("type", ["object", "array", "string", "number", "integer", "boolean", "null"])
    return {named} if isinstance(named, str) else set(named)


def _resolve(schema: Schema, document: Schema) -> Schema:
    while "$ref" in schema:
        found: Any = document
        for part in str(schema["$ref"]).removeprefix("#/").split("/"):
            found = found[part]
        schema = found
    if len(schema.get("allOf", [])) == 1:
        return {**_resolve(schema["allOf"][0], document), **{k: v for k, v in schema.items() if k != "allOf"}}
    return schema
