"""The Postman collection: what is sent again has new ids and days, and an answer of the recorded shape fits."""

import re
from datetime import date, datetime

import pytest
from django.test import Client
from jsonschema import Draft202012Validator

from apps.docs.postman import days, shape_of, steps
from apps.gateway.openapi import document
from apps.gateway.openapi.examples import recorded

EXAMPLE = {
    "id": "a",
    "total": 5,
    "until": None,
    "rates": [{"id": "r", "policy": "free"}, {"id": "s", "policy": {"steps": []}, "note": "x"}],
}


def fits(value: object) -> bool:
    return Draft202012Validator(shape_of(EXAMPLE)).is_valid(value)


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"id": None},
        {"until": "2027-01-01"},
        {"rates": []},
        {"more": 1},
        {"rates": [{"id": "t", "policy": {"steps": [1]}}]},
    ],
)
def test_what_may_differ_fits(change):
    assert fits({**EXAMPLE, **change})


@pytest.mark.parametrize(
    "value",
    [
        {name: EXAMPLE[name] for name in ("id", "total", "rates")},
        {**EXAMPLE, "total": "5"},
        {**EXAMPLE, "rates": [{"id": "t"}]},
        {**EXAMPLE, "rates": [{"id": "t", "policy": {}}]},
        {**EXAMPLE, "rates": {}},
    ],
)
def test_what_lacks_a_member_or_has_another_type_does_not_fit(value):
    assert not fits(value)


def test_the_data_of_an_event_depends_on_its_type():
    page = {"data": [{"id": "evt_1", "type": "booking.confirmed", "data": {"totalCents": 5}}]}
    shape = Draft202012Validator(shape_of(page))
    other = {"id": "evt_2", "type": "booking.cancelled", "data": {"refundCents": 5}}
    assert shape.is_valid({"data": [other]})
    assert not shape.is_valid({"data": [{"id": "evt_2", "type": "booking.cancelled"}]})


GIVEN = {"webhookUrl", "run", *(f"day{ahead}" for ahead in days())}
RECORDED = re.compile(r"[a-z]+_[0-9a-z]{20,}|\b[A-Z]-[0-9A-Z]{8}\b|ACME-\d{4}(?!-\{\{run)")


def sent(step) -> str:
    return f"{step.path} {step.query} {step.body or ''}"


def test_every_operation_is_a_step():
    operations = {entry["operationId"] for path in document()["paths"].values() for entry in path.values()}
    assert {step.example.operation_id for step in steps()} == operations


def test_no_recorded_id_or_reference_is_sent():
    assert any(RECORDED.search(f"{example.request}") for example in recorded())
    assert [found for step in steps() for found in RECORDED.findall(sent(step))] == []


def test_no_recorded_day_is_sent():
    began = datetime.fromisoformat(recorded()[0].at).date()
    told = [day for step in steps() for day in re.findall(r"\d{4}-\d{2}-\d{2}", sent(step))]
    assert told != []
    assert [day for day in told if date.fromisoformat(day) >= began] == []


def test_every_variable_is_kept_from_an_earlier_answer():
    known = set(GIVEN)
    used = 0
    for step in steps():
        for variable in re.findall(r"\{\{(\w+)\}\}", sent(step)):
            assert variable in known, step.name
            used += variable not in GIVEN
        known |= {keep.variable for keep in step.keeps}
    assert used > 20


def test_a_request_that_is_sent_again_has_the_key_of_the_first_time():
    repeated = [step for step in steps() if step.key == "{{repeatedKey}}"]
    assert [(step.begins_key, step.is_replay) for step in repeated] == [(True, False), (False, True)]
    assert repeated[0].body == repeated[1].body


@pytest.fixture
def postman(client: Client) -> dict:
    return client.get("/docs/collection.postman.json").json()


def requests_of(collection: dict) -> list[dict]:
    return [item for folder in collection["item"] for item in folder["item"]]


def test_the_postman_collection_sends_every_step_with_a_key_of_its_own(postman):
    assert postman["info"]["schema"].endswith("/v2.1.0/collection.json")
    items = requests_of(postman)
    assert [item["name"] for item in items] == [step.name for step in steps()]
    posts = [item["request"] for item in items if item["request"]["method"] == "POST"]
    keys = [[one["value"] for one in post["header"] if one["key"] == "Idempotency-Key"] for post in posts]
    assert {key for (key,) in keys} == {"{{$guid}}", "{{repeatedKey}}"}
    assert keys.count(["{{repeatedKey}}"]) == 2  # a booking, and the same again


def test_the_environment_says_where_and_holds_no_key(client, settings):
    values = {one["key"]: one for one in client.get("/docs/environment.postman.json").json()["values"]}
    assert values["baseUrl"]["value"] == settings.PUBLIC_BASE_URL
    assert (values["apiKey"]["value"], values["apiKey"]["type"]) == ("", "secret")
    assert "webhookUrl" in values
