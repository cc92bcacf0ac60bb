"""Everything in the document that a partner sends or reads has a sentence, and the sentence says more than the name."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from apps.gateway.openapi import document
from tests.contract.ratchet.places import operations

Described = tuple[str, str, str]
"""Where it stands, its name, its sentence."""
SHORTEST = 12
SAYS_NOTHING = {"a", "an", "the", "of", "this", "its", "is"}


def fields(schema: dict[str, Any], where: str) -> Iterator[Described]:
    """Of an object and of all that is written inside it."""
    for name, below in schema.get("properties", {}).items():
        yield where, name, below.get("description", "")
        yield from fields(below, f"{where}.{name}")
    for keyword in ("items", "additionalProperties"):
        if isinstance(schema.get(keyword), dict):
            yield from fields(schema[keyword], f"{where}.{keyword}")


def fields_of_components() -> Iterator[Described]:
    for name, schema in document()["components"]["schemas"].items():
        yield from fields(schema, name)


def parameters() -> Iterator[Described]:
    for kind in ("paths", "webhooks"):
        for item, method, where in operations(document(), kind):
            for parameter in item[method].get("parameters", []):
                parameter = followed(parameter)
                yield where, parameter["name"], parameter.get("description", "")


def headers() -> Iterator[Described]:
    for item, method, where in operations(document()):
        for status, answer in item[method]["responses"].items():
            for name, header in followed(answer).get("headers", {}).items():
                yield f"{where} {status}", name, followed(header).get("description", "")


def components() -> Iterator[Described]:
    for name, schema in document()["components"]["schemas"].items():
        yield "components", name, schema.get("description", "")


def followed(part: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in part:
        _, kind, name = part["$ref"].removeprefix("#/").split("/")
        part = document()["components"][kind][name]
    return part


KINDS = [fields_of_components, parameters, headers, components]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_everything_has_a_sentence(kind: Any):
    found = list(kind())
    assert len(found) > 20
    assert [(where, name, said) for where, name, said in found if len(said) < SHORTEST] == []


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_sentence_says_more_than_the_name(kind: Any):
    found = list(kind())
    assert found
    assert [(where, name, said) for where, name, said in found if is_the_name_again(name, said)] == []


def is_the_name_again(name: str, said: str) -> bool:
    words = set(re.findall(r"[a-z]+", re.sub(r"([A-Z])", r" \1", name).lower()))
    return set(re.findall(r"[a-z]+", said.lower())) - SAYS_NOTHING <= words


def test_a_sentence_stands_beside_its_reference():
    """As OpenAPI 3.1 allows: generators of code take an `allOf` around one reference for a type of its own."""
    booking = document()["components"]["schemas"]["FlightOrder"]["properties"]

    assert set(booking["supplier"]) == {"$ref", "description"}
    assert set(booking["cancellation"]) == {"oneOf", "description"}
    assert "allOf" not in repr(document())


def test_an_amount_in_minor_units_of_its_currency_stands_beside_that_currency():
    lonely, told = [], 0
    for name, schema in document()["components"]["schemas"].items():
        for field, below in schema.get("properties", {}).items():
            if "`currency`" in below.get("description", ""):
                told += 1
                if "currency" not in schema["properties"]:
                    lonely.append(f"{name}.{field}")
    assert told > 20
    assert lonely == []


def test_every_amount_says_which_minor_units_it_is_in():
    amounts = [found for found in fields_of_components() if found[1].endswith("Cents")]
    assert len(amounts) > 20
    assert [(where, name) for where, name, said in amounts if "n minor units of " not in said] == []


KNOWN_ELSEWHERE = {"null", "true", "false", "partner_merchant"}


def test_a_name_in_a_sentence_is_a_name_of_the_document():
    """What a sentence calls `camelCase` is a field, a parameter or a value somewhere in the document."""
    known = {name for _, name, _ in (*fields_of_components(), *parameters(), *headers())} | KNOWN_ELSEWHERE
    named = [
        (where, name, word)
        for kind in KINDS
        for where, name, said in kind()
        for word in re.findall(r"`([a-z]+[A-Z]\w+)`", said)
    ]
    assert named
    assert [each for each in named if each[2] not in known] == []
