import pytest
from django.db import Error, connection

from apps.suppliers import drift
from apps.suppliers.drift import Difference, count
from apps.suppliers.models import SupplierDrift

pytestmark = pytest.mark.django_db
PRICE = Difference(".price", "missing", is_read=True)
NEW = Difference(".new", "unknown", is_read=False)


def rows() -> list[tuple[str, str, str, int]]:
    return list(SupplierDrift.objects.order_by("path").values_list("supplier", "path", "kind", "count"))


def test_each_field_is_counted_once_an_answer() -> None:
    count("acme", "GET /orders", [PRICE, NEW])
    count("acme", "GET /orders", [PRICE])
    assert rows() == [("acme", ".new", "unknown", 1), ("acme", ".price", "missing", 2)]


def test_there_is_room_for_so_many_fields_of_a_supplier(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are known already are counted on."""
    monkeypatch.setattr(drift, "MOST_PATHS", 1)
    count("acme", "GET /orders", [PRICE])
    count("acme", "GET /orders", [PRICE, NEW])
    count("other", "GET /orders", [NEW])
    assert rows() == [("other", ".new", "unknown", 1), ("acme", ".price", "missing", 2)]


def test_it_never_fails(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def broken() -> None:
        raise Error("away")

    monkeypatch.setattr(connection, "cursor", broken)
    count("acme", "GET /orders", [PRICE])
    assert "acme could not be counted" in caplog.text
