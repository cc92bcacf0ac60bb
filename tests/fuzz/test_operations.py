"""Requests made up from the OpenAPI document, right and wrong ones, against the running service (promise X1).

Schemathesis makes them and applies all its checks; the seed is fixed. `make fuzz` runs thousands and every boundary value.
"""

import copy
import uuid
from collections.abc import Iterator
from ipaddress import IPv6Address
from typing import Any

import pytest
import schemathesis
from schemathesis import Case, Config
from schemathesis.checks import not_a_server_error

from apps.gateway.openapi import document
from tests.fuzz import plan
from tests.fuzz.expected import allowed_statuses, unexplained
from tests.fuzz.goods import Goods
from tests.fuzz.real import TRIGGER, make_real
from tests.support.documented import closed_document
from tests.support.own_service import Service
from tests.support.receiver import receiving

pytest_plugins = ["schemathesis.pytest.plugin"]
pytestmark = pytest.mark.slow

SERVER_FAILURES = {"sbx_supplier_error"}
"""The triggers that are answered with a 5xx, and one alone: 502."""


def configured() -> Config:
    generation = {
        "deterministic": False,
        "max-examples": plan.examples(),
        "allow-x00": False,  # NUL is refused everywhere, which no keyword of a schema says (tests/contract/test_any_input.py)
        "with-security-parameters": False,  # the key is a real one
    }
    operations = [
        {
            "include-operation-id": entry["operationId"],
            "checks": {
                "positive_data_acceptance": {"expected-statuses": allowed_statuses(entry["operationId"])}
            },
        }
        for methods in document()["paths"].values()
        for entry in methods.values()
    ]
    return Config.from_dict(
        {
            "seed": plan.SEED,
            "generation": generation,
            "phases": {"coverage": {"enabled": plan.thorough()}, "examples": {"enabled": False}},
            "operations": operations,
        }
    )


schema = schemathesis.openapi.from_dict(copy.deepcopy(closed_document()), config=configured())


@pytest.fixture(scope="module")
def goods(service: Service) -> Iterator[Goods]:
    with receiving() as receiver:
        yield Goods(service, receiver.url)


@schema.parametrize()
def test_no_request_is_answered_in_a_way_that_is_not_documented(
    case: Case, service: Service, goods: Goods
) -> None:
    make_real(case, goods)
    case.headers["X-Forwarded-For"] = str(IPv6Address(uuid.uuid4().int))
    headers = {"Authorization": f"Bearer {service.secret}"}
    response = case.call(base_url=service.url, headers=headers)
    plan.count(case, response.status_code)
    fails = case.headers.get(TRIGGER) in SERVER_FAILURES and response.status_code == 502
    case.validate_response(response, headers=headers, excluded_checks=[not_a_server_error] if fails else [])
    assert_enveloped(case, response)
    if response.status_code < 300:
        is_json = response.headers.get("content-type", [""])[0].startswith("application/json")
        goods.learn(case.formatted_path, response.json() if response.content and is_json else None)
        if case.operation.definition.raw["operationId"] == "changeFlightOrder":
            goods.order_flight()  # for the next change


def assert_enveloped(case: Case, response: Any) -> None:
    """X-Request-Id is a UUID, the envelope repeats it, and a refusal of well-formed data says something a schema cannot."""
    request_id = response.headers["x-request-id"][0]
    assert request_id == str(uuid.UUID(request_id))
    if response.status_code < 400 or response.request.method == "HEAD":
        return
    error = response.json()["error"]
    assert error["requestId"] == request_id
    if response.status_code == 400 and case.meta.generation.mode.is_positive:
        assert unexplained(error) == [], case.body
