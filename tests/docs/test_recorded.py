"""What guides show of recorded calls."""

import json
import re

import pytest
from django.test import Client

from apps.docs import facts
from apps.docs.guides import GUIDES
from apps.gateway.openapi import document
from apps.webhooks.events import CATALOGUE, EMITTED, TEST

VALUE = {"id": "1", "list": [{"a": 1, "b": 2}, {"a": 3, "b": 4}], "money": {"cents": 5, "currency": "EUR"}}


def test_parts_of_an_answer_keep_its_order_and_its_lists():
    assert facts.picked(VALUE, ("money.cents", "list.1.b")) == {"list": [{"b": 4}], "money": {"cents": 5}}
    assert facts.picked(VALUE, ("money",)) == {"money": VALUE["money"]}
    assert facts.picked(VALUE, ("list.0", "list.1.a")) == {"list": [{"a": 1, "b": 2}, {"a": 3}]}


def test_a_part_that_the_answer_no_longer_has_is_a_fault():
    with pytest.raises(KeyError, match="price"):
        facts.picked(VALUE, ("money.price",))


@pytest.mark.parametrize("product", ["hotels", "flights", "transfers", "esim"])
def test_a_products_guide_shows_calls_in_four_languages_and_real_answers(product: str):
    text = Client().get(f"/docs/guides/{product}").content.decode()
    groups = text.count('data-tabs="language"')
    assert groups >= 3
    assert re.findall(r'data-tab="(\w+)"', text) == ["curl", "Python", "TypeScript", "PHP"] * groups
    assert "01m8r" in text  # a part of every recorded id
    assert "```" not in text
    assert 'markdown="1"' not in text


def test_the_event_reference_has_a_payload_of_every_event_and_all_that_are_silent():
    told = facts.of_events()
    assert {event.name for event in told["events"]} == {*EMITTED, TEST}
    assert all('"createdAt"' in event.example and "- `" in event.rows for event in told["events"])
    named = {event.name for part in told.values() for event in part}
    assert named == {event.name for event in CATALOGUE} | {TEST}


def test_every_list_that_has_pages_is_told_of():
    told = {row.path: row.filters for row in facts.of_lists()["lists"]}
    assert told["GET /v1/hotels/bookings"] == "`externalReference`, `status`, `updatedSince`"
    assert told["GET /v1/webhooks/deliveries"] == "`status`, `eventType`, `endpointId`"
    paged = {
        f"GET {path}"
        for path, entries in document()["paths"].items()
        if "cursor" in json.dumps(entries.get("get", {}).get("parameters", [])).lower()
    }
    assert set(told) == paged
    assert len(told) >= 7


def test_guides_stand_together_by_their_group():
    groups = [guide.group for guide in GUIDES]
    assert len(set(groups)) == sum(1 for a, b in zip(groups, ["", *groups], strict=False) if a != b)
