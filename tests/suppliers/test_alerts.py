import logging

import pytest
from django.db import DatabaseError
from django.test import Client

from apps.suppliers import alerts
from apps.suppliers.alerts import alert
from apps.suppliers.models import SupplierAlert

pytestmark = pytest.mark.django_db


def health() -> dict[str, object]:
    found: dict[str, object] = Client().get("/health/full").json()["parts"]["suppliers"]
    found.pop("milliseconds")
    return found


def test_an_alert_is_logged_and_remembered(caplog: pytest.LogCaptureFixture) -> None:
    alert("airalo", "wallet_empty", "code 11")
    assert [(record.levelno, record.message) for record in caplog.records] == [
        (logging.CRITICAL, "airalo: wallet_empty: code 11")
    ]
    (stored,) = SupplierAlert.objects.all()
    assert (stored.supplier, stored.kind, stored.detail, stored.count) == (
        "airalo",
        "wallet_empty",
        "code 11",
        1,
    )
    assert (stored.last_at, stored.cleared_at) == (stored.first_at, None)


@pytest.mark.usefixtures("still_clock")
def test_the_same_trouble_is_counted_and_another_is_its_own(move_clock) -> None:
    alert("airalo", "wallet_empty", "code 11")
    move_clock(minutes=5)
    alert("airalo", "wallet_empty", "code 11")
    alert("airalo", "unresolved", "E-1")
    alert("airalo", "unresolved", "E-2")
    first = SupplierAlert.objects.get(kind="wallet_empty")
    assert first.count == 2
    assert (first.last_at - first.first_at).total_seconds() == pytest.approx(300, abs=0.001)
    assert SupplierAlert.objects.count() == 3


def test_an_alert_that_cannot_be_stored_harms_nobody(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(alerts, "REMEMBER", "nonsense")
    alert("airalo", "wallet_empty", "code 11")
    assert caplog.messages == ["airalo: wallet_empty: code 11", "The alert could not be stored"]
    assert SupplierAlert.objects.count() == 0
    assert issubclass(caplog.records[1].exc_info[0], DatabaseError)


def test_health_shows_open_alerts_without_their_details() -> None:
    assert health() == {"status": "ok", "alerts": []}
    for detail in ("E-1", "E-2", "E-2"):
        alert("airalo", "unresolved", detail)
    found = health()
    (shown,) = found["alerts"]
    assert (found["status"], shown.pop("lastAt")[-1]) == ("degraded", "Z")
    assert shown == {"supplier": "airalo", "kind": "unresolved", "count": 3}
