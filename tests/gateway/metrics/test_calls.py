"""Calls are counted by every process, and told as one sum."""

import json
from pathlib import Path

import pytest
import urllib3

from tests.gateway.metrics.test_views import TOKEN, figures
from tests.support.flight_shop import FlightShop
from tests.support.own_service import own_database
from tests.support.stack import HttpApi, manage, serving

pytestmark = pytest.mark.slow


def told(url: str) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    answer = urllib3.request(
        "GET", f"{url}/metrics", headers={"Authorization": f"Bearer {TOKEN}"}, retries=False
    )
    assert answer.status == 200
    return figures(answer.data.decode())


def test_what_all_processes_count_is_told_by_each(tmp_path: Path) -> None:
    with own_database("counted") as database:
        counted = {
            "METRICS_TOKEN": TOKEN,
            "METRICS_DIRECTORY": tmp_path / "metrics",
            "DATABASE_URL": database,
        }
        terms = ["--name", "Acme", "--currency", "EUR", "--balance-cents", "100000000", "--json"]
        secret = json.loads(manage(counted, "create_partner", *terms))["testKey"]
        with serving(counted, workers=2, threads=2) as url:
            shop = FlightShop(HttpApi(url, secret))
            for _ in range(8):  # each over a connection of its own: both processes answer some
                assert shop.api.get("/v1/account").status == 200
            offer = shop.offer()
            assert shop.order(offer).status == 201
            assert HttpApi(url, "svc_test_nobody").get("/v1/account").status == 401
            assert shop.api.get("/v1/nothing").status == 404
            first, second = told(url), told(url)
    label = lambda **labels: frozenset(labels.items())  # noqa: E731
    calls = "travel_partner_calls_total"
    assert first[calls, label(operation="getAccount", status="200")] == 8
    assert first[calls, label(operation="createFlightOrder", status="201")] == 1
    assert first["travel_partner_call_seconds_count", label(operation="getAccount")] == 9
    refused = "travel_partner_refusals_total"
    assert first[refused, label(gate="bearer_key", error="invalid_api_key")] == 1
    assert first[refused, label(gate="before any view", error="not_found")] == 1
    assert first["travel_partner_holds_open", label(age="under a minute")] == 0
    same = {key for key in first if key[0] == calls}
    assert {key: first[key] for key in same} == {key: second[key] for key in same}
    assert len(list((tmp_path / "metrics").glob("counter_*.db"))) >= 1
