"""Duffel's stand-in is as strict as Duffel: what a careless connector would send is refused."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import requests

from apps.flights.suppliers.duffel.adapter import DuffelFlights
from apps.flights.suppliers.duffel.travellers import order_body
from tests.flights.suppliers.duffel.office import TOKEN
from tests.flights.suppliers.duffel.paths import ORDERS
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.flights.suppliers.duffel.travel import connector, flexible
from tests.flights.suppliers.requests import an_order

HEADERS = {
    "Authorization": f"Bearer {TOKEN}",
    "Duffel-Version": "v2",
    "Accept": "application/json",
    "Accept-Encoding": "gzip",
}


def refused(stub: DuffelStub, body: Any, headers: dict[str, Any]) -> tuple[int, str]:
    """The status and the code that an order ends in."""
    sent = {name: value for name, value in headers.items() if value is not None}
    session = requests.Session()
    session.headers = {}  # type: ignore[assignment]
    reply = session.post(f"{stub.url}{ORDERS}", json=body, headers=sent, timeout=10)
    return reply.status_code, reply.json()["errors"][0]["code"]


@pytest.fixture
def body(stub: DuffelStub, duffel: DuffelFlights) -> dict[str, Any]:
    """An order that would be taken."""
    return {"data": order_body(an_order(flexible(duffel)))}


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"Authorization": None}, (401, "access_token_not_found")),
        ({"Authorization": "Bearer another"}, (401, "access_token_not_found")),
        ({"Duffel-Version": "v1"}, (422, "invalid_header")),
        ({"Duffel-Version": None}, (422, "invalid_header")),
        ({"Accept": "*/*"}, (422, "invalid_header")),
        ({"Accept-Encoding": None}, (422, "invalid_header")),
    ],
    ids=str,
)
def test_headers(
    stub: DuffelStub, body: dict[str, Any], change: dict[str, Any], refusal: tuple[int, str]
) -> None:
    assert refused(stub, body, {**HEADERS, **change}) == refusal


CARELESS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "not wrapped": (lambda body: body["data"], "invalid_data_param"),
    "a member too many": (lambda body: body["data"].update(hold=True), "invalid_param"),
    "a member too few": (lambda body: body["data"].pop("metadata"), "validation_required"),
    "another offer": (lambda body: body["data"].update(selected_offers=["off_x"]), "not_found"),
    "another passenger": (
        lambda body: body["data"]["passengers"][0].update(id="pas_x"),
        "validation_invalid",
    ),
    "no title": (lambda body: body["data"]["passengers"][0].pop("title"), "validation_required"),
    "no gender": (lambda body: body["data"]["passengers"][0].update(gender=None), "validation_inclusion"),
    "a phone without +": (
        lambda body: body["data"]["passengers"][0].update(phone_number="351210000000"),
        "validation_format",
    ),
    "a long name": (
        lambda body: body["data"]["passengers"][0].update(given_name="A" * 21),
        "validation_format",
    ),
    "another amount": (
        lambda body: body["data"]["payments"][0].update(amount="1.00"),
        "payment_amount_does_not_match_order_amount",
    ),
    "another currency": (
        lambda body: body["data"]["payments"][0].update(currency="USD"),
        "payment_amount_does_not_match_order_amount",
    ),
    "a card": (lambda body: body["data"]["payments"][0].update(type="card"), "validation_inclusion"),
}


@pytest.mark.parametrize("carelessness", CARELESS)
def test_bodies(stub: DuffelStub, body: dict[str, Any], carelessness: str) -> None:
    spoil, code = CARELESS[carelessness]
    spoiled = deepcopy(body)
    changed = spoil(spoiled)
    sent = changed if carelessness == "not wrapped" else spoiled
    assert refused(stub, sent, HEADERS)[1] == code
    assert stub.orders == {}


@pytest.fixture
def elsewhere() -> Iterator[str]:
    """The address of a stub in a process of its own."""
    command = [sys.executable, "-m", "tests.flights.suppliers.duffel.stub", "--port", "0"]
    root = Path(__file__).resolve().parents[4]
    process = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()


def test_a_stub_elsewhere_does_as_told(elsewhere: str) -> None:
    stub: Any = type("Elsewhere", (), {"url": elsewhere})
    told = {"currency": "GBP", "percent": 200}
    assert requests.post(f"{elsewhere}/_duffel", json=told, timeout=10).status_code == 200
    duffel = connector(stub)
    order = duffel.book(an_order(flexible(duffel)))
    assert order.currency == "GBP"
    stored = requests.get(f"{elsewhere}/_store", timeout=10).json()
    assert [one["id"] for one in stored["orders"]] == [order.supplier_reference]
