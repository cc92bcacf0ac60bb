"""Every kind of change of a schema that breaks whoever sends, or whoever reads, what it describes."""

from collections.abc import Callable, Iterator
from typing import Any

from apps.gateway.operations import OPEN
from tests.contract.ratchet.edits import ANOTHER, Edit, change, drop
from tests.contract.ratchet.places import Node
from tests.contract.ratchet.schemas import LOWER, UPPER, Direction

ASKED, TOLD = Direction.ASKED, Direction.TOLD
BOTH = (ASKED, TOLD)
SIZED = {
    "string": ("minLength", "maxLength"),
    "integer": ("minimum", "maximum"),
    "number": ("exclusiveMinimum", "exclusiveMaximum"),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
}
SchemaKind = tuple[str, tuple[Direction, ...], Callable[[Node], Iterator[Edit]]]
"""Its name, whom it breaks, and the edits of a schema that are of this kind."""


def _type(node: Node) -> str | None:
    named = node.get("type")
    if isinstance(named, list):
        named = next((one for one in named if one != "null"), None)
    return named


# --- fields of an object ----------------------------------------------------------------------------------------------
def _removed(node: Node) -> Iterator[Edit]:
    for name in node.get("properties", {}):
        yield lambda name=name: node["properties"].pop(name)  # type: ignore[misc]


def _renamed(node: Node) -> Iterator[Edit]:
    for name in node.get("properties", {}):
        yield lambda name=name: node["properties"].update({name + "New": node["properties"].pop(name)})  # type: ignore[misc]


def _became_required(node: Node) -> Iterator[Edit]:
    for name in node.get("properties", {}).keys() - set(node.get("required", [])):
        yield change(node, required=[*node.get("required", []), name])


def _new_required(node: Node) -> Iterator[Edit]:
    if "properties" in node:
        yield lambda: (
            node["properties"].update({ANOTHER: {"type": "string"}}),
            node.update(required=[*node.get("required", []), ANOTHER]),
        )


def _may_be_absent(node: Node) -> Iterator[Edit]:
    for name in node.get("required", []):
        yield change(node, required=[one for one in node["required"] if one != name])


def _closed_to_others(node: Node) -> Iterator[Edit]:
    if _type(node) == "object" and node.get("additionalProperties") is not False:
        yield change(node, additionalProperties=False)


def _others_have_a_form(node: Node) -> Iterator[Edit]:
    if _type(node) == "object" and node.get("additionalProperties", True) is True:
        yield change(node, additionalProperties={"type": "string"})


def _opened_to_others(node: Node) -> Iterator[Edit]:
    if node.get("additionalProperties") is False:
        yield drop(node, "additionalProperties")


def _form_of_others_dropped(node: Node) -> Iterator[Edit]:
    if node.get("additionalProperties", True) not in (True, False, {}):
        yield drop(node, "additionalProperties")


# --- types ------------------------------------------------------------------------------------------------------------
def _another_type(node: Node) -> Iterator[Edit]:
    if _type(node):
        yield change(node, type="boolean" if _type(node) != "boolean" else "integer")


def _wider_type(node: Node) -> Iterator[Edit]:
    if _type(node):
        yield change(node, type=[_type(node), "boolean" if _type(node) != "boolean" else "string"])


def _type_dropped(node: Node) -> Iterator[Edit]:
    if _type(node):
        yield drop(node, "type")


def _type_introduced(node: Node) -> Iterator[Edit]:
    if not node.keys() & {"type", "const", "enum", "allOf", "oneOf", "anyOf", OPEN}:
        yield change(node, type="string")


def _whole_numbers_only(node: Node) -> Iterator[Edit]:
    if _type(node) == "number":
        yield change(node, type="integer")


def _fractions_too(node: Node) -> Iterator[Edit]:
    if _type(node) == "integer":
        yield change(node, type="number")


def _null_refused(node: Node) -> Iterator[Edit]:
    if isinstance(node.get("type"), list) and "null" in node["type"]:
        yield change(
            node,
            type=_type(node),
            **({"enum": [one for one in node["enum"] if one is not None]} if "enum" in node else {}),
        )
    for keyword in ("oneOf", "anyOf"):
        if {"type": "null"} in node.get(keyword, []):
            yield change(node, **{keyword: [one for one in node[keyword] if one != {"type": "null"}]})


def _null_told(node: Node) -> Iterator[Edit]:
    if isinstance(node.get("type"), str) and node["type"] != "null" and not node.keys() & {"const", "enum"}:
        yield change(node, type=[node["type"], "null"])
    for keyword in ("oneOf", "anyOf"):
        if keyword in node and {"type": "null"} not in node[keyword]:
            yield change(node, **{keyword: [*node[keyword], {"type": "null"}]})


def _alternative_gone(node: Node) -> Iterator[Edit]:
    for keyword in ("oneOf", "anyOf"):
        for gone in node.get(keyword, []):
            if len(node[keyword]) > 1 and gone != {"type": "null"}:
                yield change(node, **{keyword: [one for one in node[keyword] if one is not gone]})


def _alternative_added(node: Node) -> Iterator[Edit]:
    for keyword in ("oneOf", "anyOf"):
        if keyword in node:
            yield change(node, **{keyword: [*node[keyword], {"type": "object", "required": [ANOTHER]}]})


def _items_of_a_form(node: Node) -> Iterator[Edit]:
    if _type(node) == "array" and not node.get("items"):
        yield change(node, items={"type": "string", "const": ANOTHER})


def _items_of_any_form(node: Node) -> Iterator[Edit]:
    if node.get("items"):
        yield drop(node, "items")


# --- values -----------------------------------------------------------------------------------------------------------
def _value_removed(node: Node) -> Iterator[Edit]:
    for keyword in ("enum", OPEN):
        for value in node.get(keyword, []):
            if value is not None:
                yield change(node, **{keyword: [one for one in node[keyword] if one != value]})


def _list_introduced(node: Node) -> Iterator[Edit]:
    if _type(node) == "string" and not node.keys() & {"enum", "const"}:
        yield change(node, enum=[ANOTHER])


def _list_dropped(node: Node) -> Iterator[Edit]:
    for keyword in ("enum", OPEN):
        if keyword in node:
            yield drop(node, keyword)


def _value_added(node: Node) -> Iterator[Edit]:
    if "enum" in node:
        yield change(node, enum=[*node["enum"], ANOTHER])


def _another_constant(node: Node) -> Iterator[Edit]:
    if "const" in node:
        yield change(node, const=ANOTHER)


def _constant_introduced(node: Node) -> Iterator[Edit]:
    if _type(node) == "string" and not node.keys() & {"enum", "const"}:
        yield change(node, const=ANOTHER)


def _constant_dropped(node: Node) -> Iterator[Edit]:
    if "const" in node:
        yield drop(node, "const")


def _another_default(node: Node) -> Iterator[Edit]:
    if "default" in node:
        yield change(node, default=ANOTHER)


def _default_introduced(node: Node) -> Iterator[Edit]:
    if _type(node) not in (None, "null") and "default" not in node:
        yield change(node, default=ANOTHER)


def _default_dropped(node: Node) -> Iterator[Edit]:
    if "default" in node:
        yield drop(node, "default")


# --- limits -----------------------------------------------------------------------------------------------------------
def _limit(upper: bool, how: str) -> Callable[[Node], Iterator[Edit]]:
    def edits(node: Node) -> Iterator[Edit]:
        if how == "introduced":
            limit = SIZED.get(_type(node) or "", ("", ""))[upper]
            if limit and limit not in node:
                yield change(node, **{limit: 5})
            return
        for limit in UPPER if upper else LOWER:
            if limit in node:
                step = {"raised": 1, "lowered": -1, "dropped": 0}[how]
                yield change(node, **{limit: node[limit] + step}) if step else drop(node, limit)

    return edits


def _with(keyword: str, types: tuple[str, ...], value: object) -> Callable[[Node], Iterator[Edit]]:
    """`keyword` introduced."""

    def edits(node: Node) -> Iterator[Edit]:
        if _type(node) in types and keyword not in node:
            yield change(node, **{keyword: value})

    return edits


def _changed(keyword: str, value: Any) -> Callable[[Node], Iterator[Edit]]:
    def edits(node: Node) -> Iterator[Edit]:
        if keyword in node:
            yield change(node, **{keyword: value(node[keyword])})

    return edits


def _without(keyword: str) -> Callable[[Node], Iterator[Edit]]:
    def edits(node: Node) -> Iterator[Edit]:
        if node.get(keyword):
            yield drop(node, keyword)

    return edits


TEXT, NUMBER = ("string",), ("integer", "number")
SCHEMA_KINDS: list[SchemaKind] = [
    ("a field removed", BOTH, _removed),
    ("a field renamed", BOTH, _renamed),
    ("a field asked for that was optional", (ASKED,), _became_required),
    ("a new field asked for", (ASKED,), _new_required),
    ("a field may be absent", (TOLD,), _may_be_absent),
    ("other fields refused", (ASKED,), _closed_to_others),
    ("a form for other fields", (ASKED,), _others_have_a_form),
    ("other fields where none were", (TOLD,), _opened_to_others),
    ("no form for other fields", (TOLD,), _form_of_others_dropped),
    ("another type", BOTH, _another_type),
    ("one more type", (TOLD,), _wider_type),
    ("any type", (TOLD,), _type_dropped),
    ("a type where any was taken", (ASKED,), _type_introduced),
    ("whole numbers only", (ASKED,), _whole_numbers_only),
    ("fractions where whole numbers were", (TOLD,), _fractions_too),
    ("null refused", (ASKED,), _null_refused),
    ("null where none was", (TOLD,), _null_told),
    ("an alternative gone", (ASKED,), _alternative_gone),
    ("a new alternative", (TOLD,), _alternative_added),
    ("a form for items", (ASKED,), _items_of_a_form),
    ("items of any form", (TOLD,), _items_of_any_form),
    ("a value removed", BOTH, _value_removed),
    ("values listed where any was taken", (ASKED,), _list_introduced),
    ("a list of values dropped", (TOLD,), _list_dropped),
    ("a value added to a closed list", (TOLD,), _value_added),
    ("another constant", BOTH, _another_constant),
    ("a constant where any value was taken", (ASKED,), _constant_introduced),
    ("a constant dropped", (TOLD,), _constant_dropped),
    ("another default", (ASKED,), _another_default),
    ("a default introduced", (ASKED,), _default_introduced),
    ("a default dropped", (ASKED,), _default_dropped),
    ("an upper limit introduced", (ASKED,), _limit(upper=True, how="introduced")),
    ("an upper limit lowered", (ASKED,), _limit(upper=True, how="lowered")),
    ("an upper limit raised", (TOLD,), _limit(upper=True, how="raised")),
    ("an upper limit dropped", (TOLD,), _limit(upper=True, how="dropped")),
    ("a lower limit introduced", (ASKED,), _limit(upper=False, how="introduced")),
    ("a lower limit raised", (ASKED,), _limit(upper=False, how="raised")),
    ("a lower limit lowered", (TOLD,), _limit(upper=False, how="lowered")),
    ("a lower limit dropped", (TOLD,), _limit(upper=False, how="dropped")),
    ("a pattern introduced", (ASKED,), _with("pattern", TEXT, "^[a-f]$")),
    ("another pattern", BOTH, _changed("pattern", lambda pattern: f"{pattern}|^never$")),
    ("a pattern dropped", (TOLD,), _without("pattern")),
    ("a multiple introduced", (ASKED,), _with("multipleOf", NUMBER, 7)),
    ("another multiple", BOTH, _changed("multipleOf", lambda multiple: multiple * 2 + 1)),
    ("a multiple dropped", (TOLD,), _without("multipleOf")),
    ("repetitions refused", (ASKED,), _with("uniqueItems", ("array",), value=True)),
    ("repetitions where none were", (TOLD,), _without("uniqueItems")),
    ("a format introduced", BOTH, _with("format", (*TEXT, *NUMBER), "byte")),
    ("another format", BOTH, _changed("format", lambda _: "byte")),
    ("a format dropped", BOTH, _without("format")),
    ("read only", BOTH, _with("readOnly", ("string", "integer", "object", "array"), value=True)),
    ("another discriminator", BOTH, _changed("discriminator", lambda _: {"propertyName": ANOTHER})),
    (
        "a rule of another keyword",
        BOTH,
        _with("not", (*TEXT, *NUMBER, "object", "array"), {"const": ANOTHER}),
    ),
]
NOT_IN_A_PART = ("one more type", "any type", "null where none was")
