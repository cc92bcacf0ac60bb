"""Changes that break nobody, drawn by chance: the ratchet must let them pass, or it would be switched off one day."""

import copy
import json
from collections.abc import Callable
from random import Random
from typing import Any

from apps.gateway.operations import OPEN
from tests.contract.ratchet.places import Node, Place, Places, answers, operations, parameters
from tests.contract.ratchet.references import component_in_place, component_renamed, told_once
from tests.contract.ratchet.schemas import LOWER, NOTES, UPPER, Direction

ASKED, TOLD = {Direction.ASKED}, {Direction.TOLD}
NEW = {"type": "string", "minLength": 1, "description": "something new"}


def grown(document: Node, random: Random, *, most: int = 6) -> tuple[Node, list[str]]:
    """The document with one to `most` additions, and their names."""
    new = json.loads(json.dumps(document))
    made = []
    for _ in range(random.randint(1, most)):
        name = random.choice(sorted(ADDITIONS))
        if ADDITIONS[name](new, random):
            made.append(name)
    return new, made


def _places(document: Node, fits: Callable[[Place], bool]) -> list[Place]:
    return [place for place in Places(document).schemas if fits(place)]


def _one(random: Random, found: list[Any]) -> Any:
    return random.choice(found) if found else None


def _operation(document: Node, random: Random) -> Node:
    item, method, _ = random.choice(list(operations(document)))
    return item[method]  # type: ignore[no-any-return]


# --- the document -----------------------------------------------------------------------------------------------------
def _new_path(document: Node, random: Random) -> bool:
    document["paths"][f"/v1/new/{random.random()}"] = copy.deepcopy(
        random.choice(list(document["paths"].values()))
    )
    return True


def _new_method(document: Node, random: Random) -> bool:
    item, method, _ = random.choice(list(operations(document)))
    if "put" in item:
        return False
    item["put"] = copy.deepcopy(item[method]) | {"operationId": f"new{random.random()}"}
    return True


def _new_event(document: Node, random: Random) -> bool:
    events = document["webhooks"]
    events[f"new.{random.random()}"] = copy.deepcopy(random.choice(list(events.values())))
    return True


# --- operations -------------------------------------------------------------------------------------------------------
def _new_parameter(document: Node, random: Random) -> bool:
    operation = _operation(document, random)
    new = {"in": random.choice(["query", "header"]), "name": f"X-{random.random()}", "schema": NEW}
    operation["parameters"] = [*operation.get("parameters", []), new]
    random.shuffle(operation["parameters"])
    return True


def _parameter_no_longer_asked_for(document: Node, random: Random) -> bool:
    found = [
        parameter
        for item, method, _ in operations(document)
        for parameter in parameters(item, method, document)
        if parameter.get("required") and parameter["in"] != "path"
    ]
    if parameter := _one(random, found):
        parameter["required"] = False
    return bool(found)


def _new_status(document: Node, random: Random) -> bool:
    answers = _operation(document, random)["responses"]
    status = random.choice([one for one in range(202, 600) if str(one) not in answers])
    answers[str(status)] = {"description": "something new"}
    return True


def _new_header(document: Node, random: Random) -> bool:
    _, answer = random.choice(answers(_operation(document, random), document))
    answer["headers"] = {
        **answer.get("headers", {}),
        f"X-{random.random()}": {"required": True, "schema": NEW},
    }
    return True


def _new_media_type(document: Node, random: Random) -> bool:
    _, answer = random.choice(answers(_operation(document, random), document))
    answer["content"] = {**answer.get("content", {}), "text/csv": {"schema": NEW}}
    return True


def _one_more_sign_in(document: Node, random: Random) -> bool:
    operation = _operation(document, random)
    operation["security"] = [*operation.get("security", [{}]), {"apiKey": ["new:scope"]}]
    return True


def _delivery_header(document: Node, random: Random) -> bool:
    item, method, _ = random.choice(list(operations(document, "webhooks")))
    new = {"in": "header", "name": f"X-{random.random()}", "schema": NEW}
    item[method]["parameters"] = [*item[method].get("parameters", []), new]
    return True


def _described_anew(document: Node, random: Random) -> bool:
    operation = _operation(document, random)
    operation.update(description="Other words", summary="Other", tags=["Other"], deprecated=True)
    operation["x-since"] = "1.9"
    return True


# --- schemas ----------------------------------------------------------------------------------------------------------
def _new_field(document: Node, random: Random) -> bool:
    place = _one(random, _places(document, lambda one: "properties" in one.node))
    if place:
        name = f"new{random.random()}"
        place.node["properties"][name] = NEW
        if place.directions == TOLD:
            place.node["required"] = [*place.node.get("required", []), name]
    return bool(place)


def _no_longer_asked_for(document: Node, random: Random) -> bool:
    place = _one(
        random, _places(document, lambda one: one.directions == ASKED and bool(one.node.get("required")))
    )
    if place:
        place.node["required"] = place.node["required"][1:]
    return bool(place)


def _always_there(document: Node, random: Random) -> bool:
    place = _one(random, _places(document, _may_lack_a_field))
    if place:
        place.node["required"] = list(place.node["properties"])
    return bool(place)


def _may_lack_a_field(place: Place) -> bool:
    fields = place.node.get("properties", {}).keys()
    return place.directions == TOLD and bool(fields - set(place.node.get("required", [])))


def _new_value(document: Node, random: Random) -> bool:
    place = _one(
        random,
        _places(document, lambda one: OPEN in one.node or ("enum" in one.node and one.directions == ASKED)),
    )
    if place:
        keyword = OPEN if OPEN in place.node else "enum"
        place.node[keyword] = random.sample([*place.node[keyword], "new"], len(place.node[keyword]) + 1)
    return bool(place)


def _limit_gone(document: Node, random: Random) -> bool:
    limits = (*UPPER, *LOWER, "pattern")
    place = _one(
        random, _places(document, lambda one: one.directions == ASKED and bool(one.node.keys() & set(limits)))
    )
    if place:
        place.node.pop(random.choice(sorted(place.node.keys() & set(limits))))
    return bool(place)


def _limit_wider(document: Node, random: Random) -> bool:
    place = _one(
        random, _places(document, lambda one: one.directions == ASKED and bool(one.node.keys() & set(UPPER)))
    )
    if place:
        for limit in place.node.keys() & set(UPPER):
            place.node[limit] += 10
    return bool(place)


def _limit_told(document: Node, random: Random) -> bool:
    place = _one(
        random, _places(document, lambda one: one.directions == TOLD and one.node.get("type") == "string")
    )
    if place:
        place.node.setdefault("maxLength", 10_000)
    return bool(place)


def _null_taken(document: Node, random: Random) -> bool:
    fits = _places(document, lambda one: one.directions == ASKED and isinstance(one.node.get("type"), str))
    place = _one(random, [one for one in fits if not one.node.keys() & {"enum", "const"}])
    if place:
        place.node["type"] = [place.node["type"], "null"]
    return bool(place)


def _never_null(document: Node, random: Random) -> bool:
    place = _one(
        random,
        _places(document, lambda one: one.directions == TOLD and isinstance(one.node.get("type"), list)),
    )
    if place:
        place.node["type"] = next(name for name in place.node["type"] if name != "null")
    return bool(place)


def _noted(document: Node, random: Random) -> bool:
    place = random.choice(_places(document, lambda one: True))
    place.node[random.choice([*NOTES, "x-since"])] = "something new"
    return True


ADDITIONS: dict[str, Callable[[Node, Random], bool]] = {
    function.__name__.lstrip("_").replace("_", " "): function
    for function in (
        _new_path,
        _new_method,
        _new_event,
        component_renamed,
        component_in_place,
        told_once,
        _new_parameter,
        _parameter_no_longer_asked_for,
        _new_status,
        _new_header,
        _new_media_type,
        _one_more_sign_in,
        _delivery_header,
        _described_anew,
        _new_field,
        _no_longer_asked_for,
        _always_there,
        _new_value,
        _limit_gone,
        _limit_wider,
        _limit_told,
        _null_taken,
        _never_null,
        _noted,
    )
}
