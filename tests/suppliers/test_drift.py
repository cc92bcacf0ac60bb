"""How answers differ from what is known of them: which are compared, what is counted, and what staff see of it."""

import random
from contextlib import suppress
from typing import Any

import pytest
from pytest_django import Settings

from apps.suppliers import drift, health
from apps.suppliers.drift import (
    Difference,
    Heard,
    Shape,
    count,
    heard,
    watched,
)
from apps.suppliers.errors import OutcomeUnknown, Rejected, Unavailable
from apps.suppliers.http import SupplierHTTP
from apps.suppliers.models import SupplierDrift
from tests.embedded.support import eventually
from tests.support.back_office import Desk, faults_of, told
from tests.support.supplier_stub import Answer, SupplierStub, route, serving
from tests.support.supplier_stub import Heard as Request

pytestmark = pytest.mark.django_db


KNOWN = {
    "": "object",
    ".id": "text read",
    ".price": "number text read",
    ".note": "null text sometimes",
    ".guests": "list read",
    ".guests[]": "object",
    ".guests[].name": "text",
    ".prices": "object",
    ".prices.*": "number",
}
ANSWER: dict[str, Any] = {
    "id": "BK1",
    "price": 7,
    "note": None,
    "guests": [{"name": "Ada"}, {"name": "Charles"}],
    "prices": {"EUR": 1, "USD": 2},
}


def differences(**changes: Any) -> set[tuple[str, str, bool]]:
    answer = {name: value for name, value in {**ANSWER, **changes}.items() if value is not ...}
    return {(one.path, one.kind, one.is_read) for one in Shape(KNOWN).differences(answer)}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, set()),
        ({"note": ...}, set()),
        ({"price": "7.00", "guests": [], "prices": {}}, set()),
        ({"id": ...}, {(".id", "missing", True)}),
        ({"id": None}, {(".id", "type", True)}),
        ({"id": 7}, {(".id", "type", True)}),
        ({"price": True}, {(".price", "type", True)}),
        ({"new": {"deep": 1}}, {(".new", "unknown", False)}),
        ({"guests": {}}, {(".guests", "type", True)}),
        ({"guests": [{}]}, {(".guests[].name", "missing", False)}),
        ({"guests": [{"name": "Ada", "age": 7}]}, {(".guests[].age", "unknown", False)}),
        ({"prices": {"GBP": "3"}}, {(".prices.*", "type", False)}),
    ],
)
def test_a_field_is_unknown_missing_or_of_another_type(
    changes: dict[str, Any], expected: set[tuple[str, str, bool]]
) -> None:
    assert differences(**changes) == expected


def test_what_could_be_a_value_is_not_repeated() -> None:
    """A name of a field that is a mail address is none."""
    assert differences(**{"ada@example.com": 1, "x" * 41: 2}) == {(".?", "unknown", False)}


PRICE = Difference(".price", "missing", is_read=True)


ORDER = ("duffel", "GET", "/air/orders/ord_1")


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> list[Heard]:
    """What would be looked at; nothing is chosen by chance."""
    found: list[Heard] = []
    settings.SUPPLIER_DRIFT_EVERY = 20
    monkeypatch.setattr(drift, "offer", found.append)
    monkeypatch.setattr(random, "random", lambda: 0.99)
    return found


def fail(error: Exception, *answers: tuple[int, bytes]) -> None:
    """A call that heard these and then raised that."""
    with suppress(type(error)), watched():
        for status, body in answers:
            heard(*ORDER, status, body)
        raise error


def test_an_answer_that_comes_to_nothing_is_looked_at(offered: list[Heard]) -> None:
    fail(OutcomeUnknown(), (200, b"{}"))
    fail(Unavailable(), (200, b"{}"), (201, b"[]"))
    assert [one.body for one in offered] == [b"{}", b"[]"]


def test_a_refusal_is_none_of_drifts_business(offered: list[Heard]) -> None:
    fail(Unavailable(), (200, b"{}"), (503, b"{}"))
    fail(Rejected(), (200, b"{}"))
    fail(Unavailable())
    with watched():
        heard(*ORDER, 200, b"{}")
    assert offered == []


class Orders(SupplierStub):
    @route("GET", "/base/air/orders/{order}")
    def order(self, heard: Request, order: str) -> Answer:
        return 200, {"data": 7}


@pytest.mark.django_db(transaction=True)
def test_a_thread_counts_beside_the_call(settings: Settings) -> None:
    """The whole way: answered over HTTP, chosen, compared and counted, whatever stands before the path."""
    settings.SUPPLIER_DRIFT_EVERY = 1
    drift._next_at = 0.0
    with serving(Orders()) as stub:
        SupplierHTTP("duffel", base_url=f"{stub.url}/base").read("GET", "/air/orders/ord_1")
    assert eventually(lambda: SupplierDrift.objects.exists())
    found = SupplierDrift.objects.get()
    assert (found.supplier, found.call, found.path, found.kind) == (
        "duffel",
        "GET /air/orders/*",
        ".data",
        "type",
    )
    assert found.is_read


def test_a_field_that_is_read_degrades_and_is_named() -> None:
    count("acme", "GET /orders", [PRICE])
    told: Any = health.drift()
    (field,) = told["fields"]
    field.pop("lastAt")
    assert told["status"] == "degraded"
    assert field == {
        "supplier": "acme",
        "call": "GET /orders",
        "field": ".price",
        "kind": "missing",
        "count": 1,
    }


PAGE = "/admin/suppliers/supplierdrift/"


@pytest.fixture
def counted(settings: Any) -> SupplierDrift:
    settings.PORTAL_REQUIRE_TWO_FACTOR = False
    count("acme", "GET /orders", [Difference(".price", "missing", is_read=True)])
    return SupplierDrift.objects.get()


def test_staff_see_call_field_and_kind(counted: SupplierDrift) -> None:
    desk = Desk()
    assert faults_of(desk, PAGE) == []
    page = desk.get(PAGE).content.decode()
    assert [word in page for word in ("acme", "GET /orders", ".price", "Missing")] == [True] * 4
    assert desk.get(f"{PAGE}add/").status_code == 403


def test_what_was_looked_into_is_forgotten_and_counted_anew(counted: SupplierDrift) -> None:
    assert told(Desk().act(PAGE, "forget", counted)) == ["Forgot 1 fields."]
    assert not SupplierDrift.objects.exists()
    count("acme", "GET /orders", [Difference(".price", "missing", is_read=True)])
    assert SupplierDrift.objects.get().count == 1
