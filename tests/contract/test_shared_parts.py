"""What the document tells once and refers to: refusals, headers, parameters; and what it says of the service as a whole."""

import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from apps.gateway.openapi import document
from apps.gateway.openapi.components import BY_TYPE, NAMES
from apps.gateway.openapi.hooks import described
from apps.gateway.operations import ANY_SCOPE
from tests.support.documented import followed
from tests.support.operations import Operation, operations

REFUSED = re.compile(r"`(\w+)`")


def entry_of(operation: Operation) -> dict[str, Any]:
    found: dict[str, Any] = document()["paths"][operation.path][operation.method.lower()]
    return found


@pytest.mark.parametrize("operation", operations(), ids=str)
def test_an_operation_names_the_types_it_can_answer_and_each_has_an_example(operation: Operation):
    refusals = {status: told for status, told in entry_of(operation)["responses"].items() if "$ref" in told}

    assert {"400", "500"} <= refusals.keys()
    for status, told in refusals.items():
        types = REFUSED.findall(told["description"])
        examples = followed(told)["content"]["application/json"]["examples"]
        assert types
        assert set(types) <= examples.keys()
        assert {BY_TYPE[name].status for name in types} <= {int(status), 403}


@pytest.mark.parametrize("name", NAMES.values())
def test_each_example_of_a_refusal_is_as_documented(name: str):
    response = document()["components"]["responses"][name]
    (content,) = response["content"].values()
    whole = {**content["schema"], "components": document()["components"]}

    assert content["examples"]
    for error_type, example in content["examples"].items():
        assert example["value"]["error"]["type"] == error_type
        assert example["summary"] == example["value"]["error"]["message"]
        assert list(Draft202012Validator(whole).iter_errors(example["value"])) == []


def test_each_tag_is_explained_in_reading_order():
    used = {tag for operation in operations() for tag in entry_of(operation)["tags"]}
    named = [tag["name"] for tag in document()["tags"]]

    assert sorted(named) == sorted(used)
    assert named[0] == "account"
    assert all(tag["description"] for tag in document()["tags"])


@pytest.mark.parametrize("operation", operations(), ids=str)
def test_each_operation_has_a_summary_and_a_description(operation: Operation):
    entry = entry_of(operation)

    assert entry["summary"]
    assert entry["description"]
    with_any = [{"apiKey": []}] if operation.route.scope == ANY_SCOPE else []
    assert entry["security"] == ([{"apiKey": [each]} for each in operation.route.scopes] or with_any)


def test_who_answers_for_the_service_is_said_as_far_as_the_deployment_says_it(settings):
    settings.SUPPORT_EMAIL = settings.TERMS_URL = ""
    bare = described({"title": "T", "version": "1", "description": "D"})
    assert bare["contact"] == {"name": "Support"}
    assert "termsOfService" not in bare

    settings.SUPPORT_EMAIL, settings.TERMS_URL = "api@example.com", "https://example.com/terms"
    told = described({"title": "T", "version": "1", "description": "D"})
    assert told["contact"] == {"name": "Support", "email": "api@example.com"}
    assert told["termsOfService"] == "https://example.com/terms"
    assert told["license"]["name"]
