import pytest
from django.test import Client

from apps.suppliers.drift import Difference, count
from apps.suppliers.health import drift

pytestmark = pytest.mark.django_db


def test_nothing_differs() -> None:
    assert drift() == {"status": "ok", "suppliers": [], "fields": []}


def test_fields_that_nobody_reads_are_counted_and_degrade_nothing() -> None:
    count(
        "acme",
        "GET /orders",
        [Difference(".new", "unknown", is_read=False), Difference(".old", "missing", is_read=False)],
    )
    told = drift()
    (supplier,) = told["suppliers"]  # type: ignore[misc]
    assert (told["status"], told["fields"]) == ("ok", [])
    assert (supplier["supplier"], supplier["unknown"], supplier["missing"], supplier["type"]) == (
        "acme",
        1,
        1,
        0,
    )


def test_a_field_that_is_read_degrades_and_is_named() -> None:
    count("acme", "GET /orders", [Difference(".price", "type", is_read=True)])
    told = drift()
    (field,) = told["fields"]  # type: ignore[misc]
    assert told["status"] == "degraded"
    assert (field["supplier"], field["call"], field["field"], field["kind"], field["count"]) == (
        "acme",
        "GET /orders",
        ".price",
        "type",
        1,
    )


def test_it_is_a_part_of_the_whole() -> None:
    assert Client().get("/health/full").json()["parts"]["supplierDrift"]["status"] == "ok"
