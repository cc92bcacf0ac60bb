"""The downloads beside the documentation."""

import pytest
from django.test import Client

from apps.docs.postman import steps


@pytest.fixture
def postman(client: Client) -> dict:
    return client.get("/docs/collection.postman.json").json()


def requests_of(collection: dict) -> list[dict]:
    return [item for folder in collection["item"] for item in folder["item"]]


@pytest.mark.parametrize(
    ("address", "name", "content_type"),
    [
        ("collection.postman.json", "travel-partner-api.postman_collection.json", "application/json"),
        ("environment.postman.json", "travel-partner-api.postman_environment.json", "application/json"),
    ],
)
def test_each_is_downloaded_under_a_name(client, address, name, content_type):
    response = client.get(f"/docs/{address}")
    assert (response.status_code, response["Content-Type"]) == (200, content_type)
    assert response["Content-Disposition"] == f'attachment; filename="{name}"'


def test_each_is_linked_from_the_documentation(client):
    page = client.get("/docs/").content.decode()
    names = (
        "collection.postman.json",
        "environment.postman.json",
    )
    assert [name for name in names if f'href="/docs/{name}"' not in page] == []


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


def test_days_are_told_when_a_request_is_sent(postman):
    lines = postman["event"][0]["script"]["exec"]
    assert 'pm.collectionVariables.set("day60", ahead(60));' in lines
