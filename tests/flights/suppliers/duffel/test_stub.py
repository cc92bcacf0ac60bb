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
        ({"Authorization": None}, (401, "missing_authorization_header")),
        ({"Authorization": TOKEN}, (401, "invalid_authorization_header")),
        ({"Authorization": "Bearer another"}, (401, "access_token_not_found")),
        ({"Duffel-Version": None}, (400, "missing_version_header")),
        ({"Duffel-Version": "v1"}, (400, "unsupported_version")),
        ({"Duffel-Version": "2"}, (400, "invalid_version_header")),
        ({"Accept": "*/*"}, (406, "unsupported_format")),
        ({"Content-Type": "text/plain"}, (400, "invalid_content_type_header")),
    ],
    ids=str,
)
def test_headers(
    stub: DuffelStub, body: dict[str, Any], change: dict[str, Any], refusal: tuple[int, str]
) -> None:
    assert refused(stub, body, {**HEADERS, **change}) == refusal


def at_first(**changes: Any) -> Callable[[Any], Any]:
    """The first passenger, changed so; a member of None is left out."""

    def spoil(body: Any) -> None:
        passenger = body["data"]["passengers"][0]
        passenger.update(changes)
        for name in [name for name, value in changes.items() if value is None]:
            del passenger[name]

    return spoil


def paying(**changes: Any) -> Callable[[Any], Any]:
    return lambda body: body["data"]["payments"][0].update(changes)


CARELESS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "not wrapped": (lambda body: body["data"], "missing_data_param"),
    "a list in data": (lambda body: {"data": [body["data"]]}, "invalid_data_param"),
    "a member too many": (lambda body: body["data"].update(hold=True), "bad_request"),
    "a member too few": (lambda body: body["data"].pop("payments") and None, "validation_required"),
    "two offers": (lambda body: body["data"].update(selected_offers=["a", "b"]), "validation_length"),
    "another offer": (lambda body: body["data"].update(selected_offers=["off_x"]), "not_found"),
    "another type": (lambda body: body["data"].update(type="Instant"), "validation_inclusion"),
    "another passenger": (at_first(id="pas_x"), "order_passengers_incompatible_with_offer"),
    "a child as adult": (at_first(born_on="2020-01-01"), "order_passengers_incompatible_with_offer"),
    "no birth date": (at_first(born_on=None), "validation_required"),
    "no day": (at_first(born_on="1990-13-01"), "validation_format"),
    "not born yet": (at_first(born_on="2999-01-01"), "validation_inclusion"),
    "no title": (at_first(title=None), "validation_required"),
    "a title in capitals": (at_first(title="Ms"), "validation_inclusion"),
    "no gender": (at_first(gender=None), "validation_required"),
    "a phone without +": (at_first(phone_number="351210000000"), "validation_format"),
    "a phone with blanks": (at_first(phone_number="+351 210000000"), "validation_format"),
    "no address": (at_first(email="ada"), "validation_format"),
    "a long name": (at_first(given_name="A" * 21), "validation_length"),
    "a ligature": (at_first(given_name="Æmilia"), "validation_format"),
    "an unknown infant": (at_first(infant_passenger_id="pas_x"), "validation_required"),
    "another amount": (paying(amount="1.00"), "payment_amount_does_not_match_order_amount"),
    "a number": (paying(amount=1), "payment_amount_does_not_match_order_amount"),
    "another currency": (paying(currency="USD"), "payment_currency_does_not_match_order_currency"),
    "a card": (paying(type="card"), "validation_inclusion"),
    "a long note": (lambda body: body["data"].update(metadata={"reference": "A" * 501}), "validation_format"),
}


@pytest.mark.parametrize("carelessness", CARELESS)
def test_bodies(stub: DuffelStub, body: dict[str, Any], carelessness: str) -> None:
    spoil, code = CARELESS[carelessness]
    spoiled = deepcopy(body)
    changed = spoil(spoiled)
    sent = changed if changed is not None else spoiled
    assert refused(stub, sent, HEADERS)[1] == code
    assert stub.orders == {}


def asked(stub: DuffelStub, method: str, path: str, **sent: Any) -> str:
    """The code of the refusal; "" where there is none."""
    headers = HEADERS if method == "GET" else {**HEADERS, "Content-Type": "application/json"}
    reply = requests.request(method, f"{stub.url}{path}", headers=headers, timeout=10, **sent)
    return str(reply.json()["errors"][0]["code"]) if reply.status_code >= 400 else ""


def test_paths_and_queries_are_spelled_as_documented(stub: DuffelStub) -> None:
    assert {path: asked(stub, "GET", path) for path in ("/air/orders", "/air/orders?limit=200")} == {
        "/air/orders": "",
        "/air/orders?limit=200": "",
    }
    wrong = {
        "/air/orders/": "not_found",
        "/Air/orders": "not_found",
        "/air/order": "not_found",
        "/air/orders?Limit=1": "bad_request",
        "/air/orders?reference=F-1": "bad_request",
        "/air/orders?limit=201": "validation_inclusion",
        "/air/orders/ord_x": "not_found",
    }
    assert {path: asked(stub, "GET", path) for path in wrong} == wrong


SEARCH: dict[str, Any] = {
    "slices": [{"origin": "LIS", "destination": "BER", "departure_date": "2027-02-03"}],
    "passengers": [{"type": "adult"}],
    "cabin_class": "economy",
}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({}, ""),
        ({"max_connections": 2}, ""),
        ({"max_connections": 3}, "validation_inclusion"),
        ({"limit": 20}, "bad_request"),
        ({"cabin_class": "Economy"}, "validation_inclusion"),
        ({"passengers": []}, "validation_length"),
        ({"passengers": [{"type": "child"}]}, "validation_inclusion"),
        ({"passengers": [{"type": "adult", "age": 30}]}, "validation_format"),
        ({"passengers": [{"age": "8"}]}, "validation_inclusion"),
        ({"passengers": [{"type": "adult"}, {"age": 1}, {"age": 0}]}, "validation_inclusion"),
        ({"slices": []}, "validation_length"),
        (
            {"slices": [{"origin": "lis", "destination": "BER", "departure_date": "2027-02-03"}]},
            "validation_format",
        ),
        (
            {"slices": [{"origin": "LIS", "destination": "BER", "departure_date": "soon"}]},
            "validation_format",
        ),
        ({"slices": [{"origin": "LIS", "destination": "BER"}]}, "validation_required"),
    ],
    ids=str,
)
def test_searches(stub: DuffelStub, change: dict[str, Any], code: str) -> None:
    body = {"data": {**SEARCH, **change}}
    assert asked(stub, "POST", "/air/offer_requests?return_offers=true", json=body) == code
    assert asked(stub, "POST", "/air/offer_requests?supplier_timeout=99", json=body) == "validation_inclusion"


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
