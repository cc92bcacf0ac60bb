"""Every operation and event of the document has its examples, and each is what the schema of its place admits."""

from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from apps.gateway.openapi import document
from apps.gateway.openapi.examples import FILES
from tests.support.documented import FORMATS, closed_document, document_of
from tests.support.operations import Operation, operations, sandbox_operations

MISSING = "not recorded; add the call to tests/examples/journey and run `make examples`"


def entry_of(operation: Operation) -> dict[str, Any]:
    entry: dict[str, Any] = document_of(operation.path)["paths"][operation.path][operation.method.lower()]
    return entry


def media_of(operation: Operation) -> Iterator[tuple[str, dict[str, Any]]]:
    """Where the operation has a body of its own: the request, and each answer that is neither a refusal nor a file."""
    entry = entry_of(operation)
    places = {"request": entry["requestBody"]} if operation.route.body else {}
    for status in (operation.route.status, *operation.route.also):
        places[str(status)] = entry["responses"][str(status)]
    for name, place in places.items():
        if media := place.get("content", {}).get("application/json"):
            yield name, media


EVERY = (*operations(), *sandbox_operations())


def refused(schema: dict[str, Any], value: object) -> list[str]:
    whole = {**schema, "components": closed_document()["components"]}
    return [error.message for error in Draft202012Validator(whole, format_checker=FORMATS).iter_errors(value)]


def parameters_of(entry: dict[str, Any]) -> list[dict[str, Any]]:
    shared = document()["components"].get("parameters", {})
    return [shared[p["$ref"].rpartition("/")[2]] if "$ref" in p else p for p in entry.get("parameters", ())]


@pytest.mark.parametrize("operation", EVERY, ids=str)
def test_each_operation_has_an_example_of_its_body_and_of_each_success(operation: Operation) -> None:
    without = [place for place, media in media_of(operation) if not media.get("examples")]

    assert without == [], MISSING


@pytest.mark.parametrize("operation", EVERY, ids=str)
def test_each_example_of_an_operation_is_as_documented(operation: Operation) -> None:
    faults = {
        (place, name): refused(media["schema"], example["value"])
        for place, media in media_of(operation)
        for name, example in media["examples"].items()
    }

    assert faults or operation.route.answer is None
    assert not any(faults.values()), faults


@pytest.mark.parametrize("operation", EVERY, ids=str)
def test_each_parameter_has_an_example_that_is_as_documented(operation: Operation) -> None:
    parameters = parameters_of(entry_of(operation))

    assert [parameter["name"] for parameter in parameters if "example" not in parameter] == [], MISSING
    assert [p["name"] for p in parameters if refused(p["schema"], p["example"])] == []


def test_each_header_of_an_answer_has_an_example() -> None:
    shared = document()["components"].get("headers", {})
    told = {}
    for operation in operations():
        for name, header in entry_of(operation)["responses"][str(operation.route.status)]["headers"].items():
            found = shared[header["$ref"].rpartition("/")[2]] if "$ref" in header else header
            told[name] = told.get(name) or "example" in found

    assert len(told) > 8
    assert [name for name, has_one in told.items() if not has_one] == [], MISSING


@pytest.mark.parametrize("type_", sorted(document()["webhooks"]))
def test_each_event_has_examples_that_are_as_documented(type_: str) -> None:
    entry = document()["webhooks"][type_]["post"]
    (media,) = entry["requestBody"]["content"].values()

    assert media["examples"], MISSING
    assert [refused(media["schema"], example["value"]) for example in media["examples"].values()] == [
        [] for _ in media["examples"]
    ]
    assert [parameter["name"] for parameter in parameters_of(entry) if "example" not in parameter] == []


def test_no_file_tells_of_what_the_service_no_longer_has() -> None:
    told = sorted(str(path.relative_to(FILES)) for path in FILES.rglob("*.json"))

    has = [
        *(f"{op.route.id}.json" for op in EVERY),
        *(f"events/{t}.json" for t in document()["webhooks"]),
    ]
    assert told == sorted(has), "run `make examples`"
