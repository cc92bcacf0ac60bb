"""Every kind of change that breaks a client of v1, each planted at every place where it can be."""

from collections.abc import Callable, Iterator
from typing import Any

from apps.gateway.schema import OPEN
from tests.contract.ratchet.places import Node, Place, Places, operations, parameters
from tests.contract.ratchet.schemas import LOWER, UPPER, Direction

Edit = Callable[[], object]
"""Changes the document where it stands. Whoever calls it restores the node."""
Planting = tuple[str, str, Node, Edit]
"""The kind of break, the place, the part of the document that the edit changes, the edit."""

ASKED, TOLD = Direction.ASKED, Direction.TOLD
BOTH = (ASKED, TOLD)
SIZED = {
    "string": ("minLength", "maxLength"),
    "integer": ("minimum", "maximum"),
    "number": ("exclusiveMinimum", "exclusiveMaximum"),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
}
ANOTHER = "sbx-another"
SchemaKind = tuple[str, tuple[Direction, ...], Callable[[Node], Iterator[Edit]]]


def plantings(document: Node) -> Iterator[Planting]:
    places = Places(document)
    for place in places.schemas:
        yield from _in_schema(place)
    for item, method, where in operations(document):
        yield from _in_operation(document, item, method, where, places)
    for item, method, where in operations(document, "webhooks"):
        yield from _in_webhook(document, item, method, where)
    yield from _in_document(document)


def _in_schema(place: Place) -> Iterator[Planting]:
    for name, directions, edits in SCHEMA_KINDS:
        if place.part and name in NOT_IN_A_PART:
            continue
        if place.directions & set(directions):
            for edit in edits(place.node):
                yield name, place.where, place.node, edit


def _type(node: Node) -> str | None:
    named = node.get("type")
    if isinstance(named, list):
        named = next((one for one in named if one != "null"), None)
    return named


def _set(node: Node, **values: object) -> Edit:
    return lambda: node.update({key.rstrip("_"): value for key, value in values.items()})


def _drop(node: Node, keyword: str) -> Edit:
    return lambda: node.pop(keyword)


# --- fields of an object ----------------------------------------------------------------------------------------------
def _removed(node: Node) -> Iterator[Edit]:
    for name in node.get("properties", {}):
        yield lambda name=name: node["properties"].pop(name)  # type: ignore[misc]


def _renamed(node: Node) -> Iterator[Edit]:
    for name in node.get("properties", {}):
        yield lambda name=name: node["properties"].update({name + "New": node["properties"].pop(name)})  # type: ignore[misc]


def _became_required(node: Node) -> Iterator[Edit]:
    for name in node.get("properties", {}).keys() - set(node.get("required", [])):
        yield _set(node, required=[*node.get("required", []), name])


def _new_required(node: Node) -> Iterator[Edit]:
    if "properties" in node:
        yield lambda: (
            node["properties"].update({ANOTHER: {"type": "string"}}),
            node.update(required=[*node.get("required", []), ANOTHER]),
        )


def _may_be_absent(node: Node) -> Iterator[Edit]:
    for name in node.get("required", []):
        yield _set(node, required=[one for one in node["required"] if one != name])


def _closed_to_others(node: Node) -> Iterator[Edit]:
    if _type(node) == "object" and node.get("additionalProperties") is not False:
        yield _set(node, additionalProperties=False)


def _others_have_a_form(node: Node) -> Iterator[Edit]:
    if _type(node) == "object" and node.get("additionalProperties", True) is True:
        yield _set(node, additionalProperties={"type": "string"})


def _opened_to_others(node: Node) -> Iterator[Edit]:
    if node.get("additionalProperties") is False:
        yield _drop(node, "additionalProperties")


def _form_of_others_dropped(node: Node) -> Iterator[Edit]:
    if node.get("additionalProperties", True) not in (True, False, {}):
        yield _drop(node, "additionalProperties")


# --- types ------------------------------------------------------------------------------------------------------------
def _another_type(node: Node) -> Iterator[Edit]:
    if _type(node):
        yield _set(node, type="boolean" if _type(node) != "boolean" else "integer")


def _wider_type(node: Node) -> Iterator[Edit]:
    if _type(node):
        yield _set(node, type=[_type(node), "boolean" if _type(node) != "boolean" else "string"])


def _type_dropped(node: Node) -> Iterator[Edit]:
    if _type(node):
        yield _drop(node, "type")


def _type_introduced(node: Node) -> Iterator[Edit]:
    if not node.keys() & {"type", "const", "enum", "allOf", "oneOf", "anyOf", OPEN}:
        yield _set(node, type="string")


def _whole_numbers_only(node: Node) -> Iterator[Edit]:
    if _type(node) == "number":
        yield _set(node, type="integer")


def _fractions_too(node: Node) -> Iterator[Edit]:
    if _type(node) == "integer":
        yield _set(node, type="number")


def _null_refused(node: Node) -> Iterator[Edit]:
    if isinstance(node.get("type"), list) and "null" in node["type"]:
        yield _set(
            node,
            type=_type(node),
            **({"enum": [one for one in node["enum"] if one is not None]} if "enum" in node else {}),
        )
    for keyword in ("oneOf", "anyOf"):
        if {"type": "null"} in node.get(keyword, []):
            yield _set(node, **{keyword: [one for one in node[keyword] if one != {"type": "null"}]})


def _null_told(node: Node) -> Iterator[Edit]:
    if isinstance(node.get("type"), str) and node["type"] != "null" and not node.keys() & {"const", "enum"}:
        yield _set(node, type=[node["type"], "null"])
    for keyword in ("oneOf", "anyOf"):
        if keyword in node and {"type": "null"} not in node[keyword]:
            yield _set(node, **{keyword: [*node[keyword], {"type": "null"}]})


def _alternative_gone(node: Node) -> Iterator[Edit]:
    for keyword in ("oneOf", "anyOf"):
        for gone in node.get(keyword, []):
            if len(node[keyword]) > 1 and gone != {"type": "null"}:
                yield _set(node, **{keyword: [one for one in node[keyword] if one is not gone]})


def _alternative_added(node: Node) -> Iterator[Edit]:
    for keyword in ("oneOf", "anyOf"):
        if keyword in node:
            yield _set(node, **{keyword: [*node[keyword], {"type": "object", "required": [ANOTHER]}]})


def _items_of_a_form(node: Node) -> Iterator[Edit]:
    if _type(node) == "array" and not node.get("items"):
        yield _set(node, items={"type": "string", "const": ANOTHER})


def _items_of_any_form(node: Node) -> Iterator[Edit]:
    if node.get("items"):
        yield _drop(node, "items")


# --- values -----------------------------------------------------------------------------------------------------------
def _value_removed(node: Node) -> Iterator[Edit]:
    for keyword in ("enum", OPEN):
        for value in node.get(keyword, []):
            if value is not None:
                yield _set(node, **{keyword: [one for one in node[keyword] if one != value]})


def _list_introduced(node: Node) -> Iterator[Edit]:
    if _type(node) == "string" and not node.keys() & {"enum", "const"}:
        yield _set(node, enum=[ANOTHER])


def _list_dropped(node: Node) -> Iterator[Edit]:
    for keyword in ("enum", OPEN):
        if keyword in node:
            yield _drop(node, keyword)


def _value_added(node: Node) -> Iterator[Edit]:
    if "enum" in node:
        yield _set(node, enum=[*node["enum"], ANOTHER])


def _another_constant(node: Node) -> Iterator[Edit]:
    if "const" in node:
        yield _set(node, const=ANOTHER)


def _constant_introduced(node: Node) -> Iterator[Edit]:
    if _type(node) == "string" and not node.keys() & {"enum", "const"}:
        yield _set(node, const=ANOTHER)


def _constant_dropped(node: Node) -> Iterator[Edit]:
    if "const" in node:
        yield _drop(node, "const")


def _another_default(node: Node) -> Iterator[Edit]:
    if "default" in node:
        yield _set(node, default=ANOTHER)


def _default_introduced(node: Node) -> Iterator[Edit]:
    if _type(node) not in (None, "null") and "default" not in node:
        yield _set(node, default=ANOTHER)


def _default_dropped(node: Node) -> Iterator[Edit]:
    if "default" in node:
        yield _drop(node, "default")


# --- limits -----------------------------------------------------------------------------------------------------------
def _limit(upper: bool, change: str) -> Callable[[Node], Iterator[Edit]]:
    def edits(node: Node) -> Iterator[Edit]:
        if change == "introduced":
            limit = SIZED.get(_type(node) or "", ("", ""))[upper]
            if limit and limit not in node:
                yield _set(node, **{limit: 5})
            return
        for limit in UPPER if upper else LOWER:
            if limit in node:
                step = {"raised": 1, "lowered": -1, "dropped": 0}[change]
                yield _set(node, **{limit: node[limit] + step}) if step else _drop(node, limit)

    return edits


def _with(keyword: str, types: tuple[str, ...], value: object) -> Callable[[Node], Iterator[Edit]]:
    """`keyword` introduced."""

    def edits(node: Node) -> Iterator[Edit]:
        if _type(node) in types and keyword not in node:
            yield _set(node, **{keyword: value})

    return edits


def _changed(keyword: str, value: Any) -> Callable[[Node], Iterator[Edit]]:
    def edits(node: Node) -> Iterator[Edit]:
        if keyword in node:
            yield _set(node, **{keyword: value(node[keyword])})

    return edits


def _without(keyword: str) -> Callable[[Node], Iterator[Edit]]:
    def edits(node: Node) -> Iterator[Edit]:
        if node.get(keyword):
            yield _drop(node, keyword)

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
    ("an upper limit introduced", (ASKED,), _limit(upper=True, change="introduced")),
    ("an upper limit lowered", (ASKED,), _limit(upper=True, change="lowered")),
    ("an upper limit raised", (TOLD,), _limit(upper=True, change="raised")),
    ("an upper limit dropped", (TOLD,), _limit(upper=True, change="dropped")),
    ("a lower limit introduced", (ASKED,), _limit(upper=False, change="introduced")),
    ("a lower limit raised", (ASKED,), _limit(upper=False, change="raised")),
    ("a lower limit lowered", (TOLD,), _limit(upper=False, change="lowered")),
    ("a lower limit dropped", (TOLD,), _limit(upper=False, change="dropped")),
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


# --- operations -------------------------------------------------------------------------------------------------------
def _in_operation(document: Node, item: Node, method: str, where: str, places: Places) -> Iterator[Planting]:
    operation = item[method]
    yield "an operation removed", where, item, _drop(item, method)
    yield "an operationId renamed", where, operation, _set(operation, operationId=ANOTHER)
    yield "an operationId dropped", where, operation, _drop(operation, "operationId")
    yield "a scope more", where, operation, _set(operation, security=[{"apiKey": [ANOTHER]}])
    if "security" in operation and operation["security"] in ([], [{}]):
        yield "sign-in where none was", where, operation, _set(operation, security=[{"apiKey": []}])
    yield (
        "a new parameter asked for",
        where,
        operation,
        _set(
            operation,
            parameters=[
                *operation.get("parameters", []),
                {"in": "query", "name": ANOTHER, "required": True, "schema": {"type": "string"}},
            ],
        ),
    )
    yield from _in_parameters(item, method, where)
    if "requestBody" in operation:
        yield "the body of a request removed", where, operation, _drop(operation, "requestBody")
        yield from _in_body(places.followed(operation["requestBody"]), where)
    else:
        body = {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}
        yield "a body asked for", where, operation, _set(operation, requestBody=body)
    for status, answer in operation.get("responses", {}).items():
        yield (
            "a status removed",
            f"{where} {status}",
            operation["responses"],
            _drop(operation["responses"], status),
        )
        yield from _in_answer(places.followed(answer), f"{where} {status}", places)
    if "callbacks" in operation:
        yield "callbacks dropped", where, operation, _drop(operation, "callbacks")
    if "servers" in operation:
        yield "a server of an operation gone", where, operation, _set(operation, servers=[])


def _in_parameters(item: Node, method: str, where: str) -> Iterator[Planting]:
    for holder in (item, item[method]):
        for gone in holder.get("parameters", []):
            kept = [one for one in holder["parameters"] if one is not gone]
            yield "a parameter removed", f"{where} {gone.get('name')}", holder, _set(holder, parameters=kept)
    for parameter in parameters(item, method):
        place = f"{where} {parameter.get('name')}"
        if "$ref" in parameter:
            continue
        yield "a parameter renamed", place, parameter, _set(parameter, name=ANOTHER)
        yield "a parameter moved", place, parameter, _set(parameter, in_="cookie")
        if not parameter.get("required"):
            yield "a parameter asked for that was optional", place, parameter, _set(parameter, required=True)
        style = "spaceDelimited" if parameter["in"] == "query" else "label"
        yield "another style", place, parameter, _set(parameter, style=style)
        yield (
            "a list written in another way",
            place,
            parameter,
            _set(parameter, explode=not parameter.get("explode", parameter["in"] in ("query", "cookie"))),
        )


def _in_body(body: Node, where: str) -> Iterator[Planting]:
    if not body.get("required"):
        yield "a body asked for that was optional", where, body, _set(body, required=True)
    for media in body["content"]:
        yield (
            "a media type no longer taken",
            f"{where} {media}",
            body["content"],
            _drop(body["content"], media),
        )
        yield (
            "a request's fields written in another way",
            f"{where} {media}",
            body["content"][media],
            _set(body["content"][media], encoding={ANOTHER: {"contentType": "text/plain"}}),
        )


def _in_answer(answer: Node, where: str, places: Places) -> Iterator[Planting]:
    for media in answer.get("content", {}):
        yield (
            "a media type no longer sent",
            f"{where} {media}",
            answer["content"],
            _drop(answer["content"], media),
        )
        if "schema" in answer["content"][media]:
            yield (
                "an answer without a form",
                f"{where} {media}",
                answer["content"][media],
                _drop(answer["content"][media], "schema"),
            )
    for name, header in answer.get("headers", {}).items():
        headers = answer["headers"]
        yield "a header removed", f"{where} {name}", headers, _drop(headers, name)
        yield "a header renamed", f"{where} {name}", headers, _move(headers, name)
        if places.followed(header).get("required"):
            yield (
                "a header may be absent",
                f"{where} {name}",
                header,
                _set(places.followed(header), required=False),
            )
    for name in answer.get("links", {}):
        yield "a link removed", f"{where} {name}", answer["links"], _drop(answer["links"], name)


def _move(holder: Node, name: str) -> Edit:
    return lambda: holder.update({f"X-New-{name}": holder.pop(name)})


# --- webhooks and the document ----------------------------------------------------------------------------------------
def _in_webhook(document: Node, item: Node, method: str, where: str) -> Iterator[Planting]:
    operation, webhooks = item[method], document["webhooks"]
    yield "an event removed", where, webhooks, _drop(webhooks, where)
    yield "an event renamed", where, webhooks, _move(webhooks, where)
    yield "an event sent by another method", where, item, lambda: item.update(put=item.pop(method))
    for header in operation.get("parameters", []):
        kept = [one for one in operation["parameters"] if one is not header]
        place = f"{where} {header['name']}"
        yield "a delivery's header removed", place, operation, _set(operation, parameters=kept)
        yield "a delivery's header renamed", place, header, _set(header, name=ANOTHER)
        if header.get("required"):
            yield "a delivery's header may be absent", place, header, _set(header, required=False)
    body = operation["requestBody"]
    yield "a delivery may be without body", where, body, _set(body, required=False)
    for media in body["content"]:
        yield "a delivery's media type removed", where, body["content"], _drop(body["content"], media)
    for status in operation.get("responses", {}):
        yield (
            "an answer to a delivery no longer counts",
            where,
            operation["responses"],
            _drop(operation["responses"], status),
        )


def _in_document(document: Node) -> Iterator[Planting]:
    for path in document["paths"]:
        yield "a path removed", path, document["paths"], _drop(document["paths"], path)
        yield (
            "a path renamed",
            path,
            document["paths"],
            lambda path=path: document["paths"].update(  # type: ignore[misc]
                {f"{path}/new": document["paths"].pop(path)}
            ),
        )
    for name, scheme in document["components"].get("securitySchemes", {}).items():
        other = {"type": "apiKey", "in": "header", "name": "X-Key"}
        yield (
            "another sign-in",
            name,
            scheme,
            lambda scheme=scheme, other=other: (  # type: ignore[misc]
                scheme.clear(),
                scheme.update(other),
            ),
        )
        yield (
            "a sign-in removed",
            name,
            document["components"],
            _drop(document["components"], "securitySchemes"),
        )
    for server in document.get("servers", []):
        kept = [one for one in document["servers"] if one is not server]
        yield "a server gone", server["url"], document, _set(document, servers=kept)
