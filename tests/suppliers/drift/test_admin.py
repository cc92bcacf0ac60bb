"""Drift in the back office."""

from typing import Any

import pytest

from apps.suppliers.drift import Difference, count
from apps.suppliers.models import SupplierDrift
from tests.support.back_office import Desk, faults_of, told

pytestmark = pytest.mark.django_db

PAGE = "/admin/suppliers/supplierdrift/"


@pytest.fixture(autouse=True)
def counted(settings: Any) -> SupplierDrift:
    settings.PORTAL_REQUIRE_TWO_FACTOR = False
    count("acme", "GET /orders", [Difference(".price", "missing", is_read=True)])
    return SupplierDrift.objects.get()


def test_staff_see_call_field_and_kind() -> None:
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


def test_whoever_may_only_look_cannot_forget(counted: SupplierDrift) -> None:
    desk = Desk("suppliers.view_supplierdrift")
    assert desk.get(PAGE).status_code == 200
    desk.act(PAGE, "forget", counted)
    assert SupplierDrift.objects.count() == 1
