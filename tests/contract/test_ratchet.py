"""The comparison of documents: what breaks a client is found wherever it stands, and what only adds passes (contract §6)."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from apps.gateway.operations import OPEN
from tests.contract.ratchet.documents import breaking_changes
from tests.contract.ratchet.releases import released

Change = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def published() -> dict[str, Any]:
    return released()["1.1.0"]


@pytest.fixture
def baseline(published: dict[str, Any]) -> dict[str, Any]:
    return copy.deepcopy(published)


def order(document: dict[str, Any]) -> dict[str, Any]:
    return document["paths"]["/v1/flights/orders"]["post"]


def schema(document: dict[str, Any], name: str) -> dict[str, Any]:
    return document["components"]["schemas"][name]


def test_the_filters_that_1_1_tightened_would_not_pass() -> None:
    """They answered 200 in 1.0.0 and 400 in 1.1.0."""
    both = released()
    lines = breaking_changes(both["1.0.0"], both["1.1.0"])
    assert len(lines) == 8
    assert all("parameter externalReference" in line for line in lines)


BREAKING: dict[str, Change] = {
    "operation removed": lambda d: d["paths"]["/v1/flights/orders"].pop("post"),
    "path removed": lambda d: d["paths"].pop("/v1/flights/offers/{id}"),
    "operationId renamed": lambda d: order(d).update(operationId="makeFlightOrder"),
    "scope changed": lambda d: order(d).update(security=[{"apiKey": ["flights:order"]}]),
    "answer field removed": lambda d: schema(d, "FlightOrderAnswer")["properties"].pop("pnr"),
    "answer field renamed": lambda d: schema(d, "FlightOrderAnswer")["properties"].update(
        recordLocator=schema(d, "FlightOrderAnswer")["properties"].pop("pnr")
    ),
    "answer field may be absent": lambda d: schema(d, "FlightOrderAnswer")["required"].remove("totalCents"),
    "answer type changed": lambda d: schema(d, "FlightOrderAnswer")["properties"]["totalCents"].update(
        type="string"
    ),
    "answer field may be null": lambda d: schema(d, "FlightOrderAnswer")["properties"]["totalCents"].update(
        type=["integer", "null"]
    ),
    "answer enum value removed": lambda d: schema(d, "FlightOrderAnswer")["properties"]["status"][
        OPEN
    ].remove("ticketed"),
    "request field removed": lambda d: schema(d, "FlightSearchRequestDto")["properties"].pop("cabin"),
    "request field became required": lambda d: schema(d, "FlightSearchRequestDto")["required"].append(
        "cabin"
    ),
    "request enum value removed": lambda d: schema(d, "FlightSearchRequestDto")["properties"]["cabin"][
        "enum"
    ].remove("first"),
    "request type tightened": lambda d: schema(d, "FlightSearchRequestDto")["properties"]["limit"].update(
        type="string"
    ),
    "request maximum lowered": lambda d: schema(d, "FlightSearchRequestDto")["properties"]["limit"].update(
        maximum=50
    ),
    "request minimum raised": lambda d: schema(d, "FlightSearchRequestDto")["properties"]["limit"].update(
        minimum=5
    ),
    "request length lowered": lambda d: schema(d, "FlightOrderBody")["properties"][
        "externalReference"
    ].update(maxLength=10),
    "request pattern tightened": lambda d: schema(d, "FlightSearchRequestDto")["properties"]["origin"].update(
        pattern="^[A-K][A-Z]{2}$"
    ),
    "optional parameter made required": lambda d: d["paths"]["/v1/flights/orders"]["get"]["parameters"][
        0
    ].update(required=True),
    "required parameter added": lambda d: order(d)["parameters"].append(
        {"in": "query", "name": "market", "required": True, "schema": {"type": "string"}}
    ),
    "parameter removed": lambda d: d["paths"]["/v1/flights/orders"]["get"]["parameters"].pop(0),
    "status removed": lambda d: order(d)["responses"].pop("201"),
    "header removed": lambda d: order(d)["responses"]["201"]["headers"].pop("X-RateLimit-Limit"),
    "webhook removed": lambda d: d["webhooks"].pop("booking.confirmed"),
    "webhook field removed": lambda d: d["webhooks"]["booking.cancelled"]["post"]["requestBody"]["content"][
        "application/json"
    ]["schema"]["properties"]["data"]["properties"].pop("refunded"),
}

ADDITIVE: dict[str, Change] = {
    "new operation": lambda d: d["paths"].update({"/v1/trains": copy.deepcopy(d["paths"]["/v1/ping"])}),
    "new answer field": lambda d: schema(d, "FlightOrderAnswer")["properties"].update(
        seat={"type": "string"}
    ),
    "new required answer field": lambda d: schema(d, "FlightOrderAnswer")["required"].append("seat"),
    "new answer enum value": lambda d: schema(d, "FlightOrderAnswer")["properties"]["status"][OPEN].append(
        "waitlisted"
    ),
    "new optional request field": lambda d: schema(d, "FlightSearchRequestDto")["properties"].update(
        currency={"type": "string"}
    ),
    "new request enum value": lambda d: schema(d, "FlightSearchRequestDto")["properties"]["cabin"][
        "enum"
    ].append("suite"),
    "request limit loosened": lambda d: schema(d, "FlightSearchRequestDto")["properties"]["limit"].update(
        maximum=500
    ),
    "request field no longer required": lambda d: schema(d, "FlightSearchRequestDto")["required"].remove(
        "origin"
    ),
    "new optional parameter": lambda d: order(d)["parameters"].append(
        {"in": "query", "name": "market", "schema": {"type": "string"}}
    ),
    "new status": lambda d: order(d)["responses"].update({"202": {"description": "later"}}),
    "new header": lambda d: order(d)["responses"]["201"]["headers"].update({"X-New": {}}),
    "new webhook": lambda d: d["webhooks"].update(
        {"trip.started": copy.deepcopy(d["webhooks"]["booking.confirmed"])}
    ),
    "rewritten description": lambda d: order(d).update(description="Another wording"),
}


@pytest.mark.parametrize("name", BREAKING)
def test_a_breaking_change_is_found(name: str, baseline: dict[str, Any]) -> None:
    changed = copy.deepcopy(baseline)
    BREAKING[name](changed)
    assert breaking_changes(baseline, changed) != []


@pytest.mark.parametrize("name", ADDITIVE)
def test_an_addition_is_let_pass(name: str, baseline: dict[str, Any]) -> None:
    changed = copy.deepcopy(baseline)
    ADDITIVE[name](changed)
    assert changed != baseline
    assert breaking_changes(baseline, changed) == []


@pytest.mark.parametrize(
    ("before", "after", "is_break"),
    [
        (r"^[\"a]$", r'^["a]$', False),
        (r"^\\\"$", r'^\\"$', False),
        (r"^\\\"$", r"^\"$", True),
        (r"^\d$", r"^d$", True),
        (r"^[\]\"]$", r'^["]]$', True),
    ],
)
def test_a_pattern_is_the_same_without_a_backslash_before_a_quotation_mark(
    before: str, after: str, is_break: bool, baseline: dict[str, Any]
) -> None:
    assert bool(breaking_changes(asking(baseline, before), asking(baseline, after))) is is_break


def asking(document: dict[str, Any], pattern: str) -> dict[str, Any]:
    """The document with another pattern of the Idempotency-Key of flight orders."""
    changed = copy.deepcopy(document)
    (key,) = [one for one in order(changed)["parameters"] if one["name"] == "Idempotency-Key"]
    key["schema"]["pattern"] = pattern
    return changed
