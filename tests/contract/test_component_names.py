"""What the components of the document are called: the rule of `apps.gateway.openapi.names`, held for every one of them."""

import json
import re
from typing import Any

import pytest

from apps.gateway.openapi import document
from apps.gateway.openapi.schema import event_name
from apps.webhooks.event_data import EVENT_DATA
from tests.support.operations import operations

REFERENCE = "#/components/schemas/"
OLD_WORDS = re.compile(r"(Dto|Body|Answer|Page|Serializer)\b|(Dto|Body|Serializer)[A-Z]")


def schemas() -> dict[str, Any]:
    found: dict[str, Any] = document()["components"]["schemas"]
    return found


def referred(part: object) -> set[str]:
    """The components that are named anywhere in it."""
    return set(re.findall(rf'"{REFERENCE}(\w+)"', json.dumps(part)))


def bodies() -> set[str]:
    """The whole bodies of requests."""
    entries = [entry for path in document()["paths"].values() for entry in path.values()]
    return {name for entry in entries if "requestBody" in entry for name in referred(entry["requestBody"])}


def inside(names: set[str]) -> set[str]:
    """The components that those hold, at any depth."""
    found: set[str] = set()
    while more := {name for known in names | found for name in referred(schemas()[known])} - found:
        found |= more
    return found


def answered_by() -> dict[str, set[tuple[str, str]]]:
    """The operations that answer with a component as a whole, by its name: the method and the operationId."""
    found: dict[str, set[tuple[str, str]]] = {}
    for operation in operations():
        entry = document()["paths"][operation.path][operation.method.lower()]
        for status, answer in entry["responses"].items():
            if status < "300":
                for name in referred(answer.get("content", {})):
                    found.setdefault(name, set()).add((operation.method, operation.route.id))
    return found


@pytest.mark.parametrize("name", sorted(schemas()))
def test_a_name_is_made_of_words_of_the_trade(name: str):
    assert re.fullmatch(r"([A-Z][a-z]+)+", name)
    assert not OLD_WORDS.search(name)


def test_no_two_names_differ_in_their_case_alone():
    assert len(schemas()) > 100
    assert len({name.lower() for name in schemas()}) == len(schemas())


def test_the_body_of_a_request_is_a_request_and_nothing_else_is():
    assert len(bodies()) > 14
    assert {name for name in schemas() if name.endswith("Request")} == bodies()


def test_an_object_inside_a_request_is_an_input_and_nothing_else_is():
    objects = {name for name in inside(bodies()) if schemas()[name]["type"] == "object"}

    assert len(objects) > 8
    assert {name for name in schemas() if name.endswith("Input")} == objects


def test_what_only_one_post_answers_is_a_response_and_nothing_else_is():
    by = answered_by()
    parts = inside(set(schemas()))
    own = {name for name, ways in by.items() if len(ways) == 1 and {"POST"} == {way for way, _ in ways}}

    assert own - parts == {
        "FlightChangeOptionsResponse",
        "FlightChangeResponse",
        "FlightSearchResponse",
        "TransferSearchResponse",
    }
    assert {name for name in schemas() if name.endswith("Response")} == own - parts


def test_a_page_is_a_list_and_nothing_else_is():
    pages = {
        name
        for name in answered_by()
        if {"data", "hasMore"} <= schemas()[name]["properties"].keys()
        or {"data", "page"} <= schemas()[name]["properties"].keys()
    }

    assert len(pages) == 9
    assert {name for name in schemas() if name.endswith("List")} == pages


def test_what_belongs_to_the_webhooks_of_partners_says_so():
    paths = {path: item for path, item in document()["paths"].items() if path.startswith("/v1/webhooks")}
    entries = [entry for item in paths.values() for entry in item.values()]
    successes = [
        answer for entry in entries for status, answer in entry["responses"].items() if status < "300"
    ]
    of_webhooks = referred([*successes, *(entry.get("requestBody") for entry in entries)])
    of_webhooks |= inside(of_webhooks)

    assert {name for name in of_webhooks if "Webhook" not in name} == set()
    assert {name for name in schemas() if "Webhook" in name} - of_webhooks == {
        f"{event_name(event)}{part}" for event in EVENT_DATA for part in ("", "Data")
    } | {"WebhookChangedFact"}


def test_no_object_with_fields_is_left_without_a_name():
    def anonymous(schema: object, *, top: bool) -> int:
        if isinstance(schema, list):
            return sum(anonymous(below, top=False) for below in schema)
        if not isinstance(schema, dict):
            return 0
        own = int(not top and "properties" in schema and "type" in schema)
        return own + sum(anonymous(below, top=False) for below in schema.values())

    assert {
        name: anonymous(schema, top=True) for name, schema in schemas().items() if anonymous(schema, top=True)
    } == {}
    assert anonymous({"paths": document()["paths"], "webhooks": document()["webhooks"]}, top=True) == 0
