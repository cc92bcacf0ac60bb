"""The back office of suppliers: rates are added, nothing is edited."""

import logging
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from apps.common import clock
from apps.suppliers.alerts import alert
from apps.suppliers.models import ExchangeRate, SupplierAlert
from apps.suppliers.rates import rate
from tests.factories.accounts import UserFactory
from tests.support.back_office import faults_of

pytestmark = pytest.mark.django_db

RATES = "/admin/suppliers/exchangerate/"
FORM = {"base": "USD", "quote": "EUR", "rate": "0.9", "as_of": "2026-01-01"}


@pytest.fixture
def staff(client: Client, settings: Any) -> Client:
    settings.PORTAL_REQUIRE_TWO_FACTOR = False
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    return client


def test_staff_add_a_rate_which_counts_at_once(staff: Client) -> None:
    assert rate("USD", "EUR") is None
    assert staff.post(f"{RATES}add/", {**FORM, "as_of": str(clock.today())}).status_code == 302
    row = ExchangeRate.objects.get()
    assert (row.rate, row.source != "") == (Decimal("0.9"), True)
    found = rate("USD", "EUR")
    assert found is not None
    assert found.rate == Decimal("0.9")


@pytest.mark.parametrize(
    "wrong", [{"base": "usd"}, {"base": "EUR"}, {"rate": "0"}, {"rate": "-1"}, {"as_of": "soon"}], ids=str
)
def test_what_is_no_rate_is_not_added(staff: Client, wrong: dict[str, str]) -> None:
    assert staff.post(f"{RATES}add/", {**FORM, **wrong}).status_code == 200  # the form again
    assert not ExchangeRate.objects.exists()


def test_a_rate_is_read_and_not_edited(staff: Client) -> None:
    staff.post(f"{RATES}add/", FORM)
    pk = ExchangeRate.objects.get().pk
    assert staff.get(RATES).status_code == 200
    assert staff.get(f"{RATES}{pk}/change/").status_code == 200
    assert staff.post(f"{RATES}{pk}/change/", {**FORM, "rate": "2"}).status_code == 403
    assert staff.post(f"{RATES}{pk}/delete/", {"post": "yes"}).status_code == 403
    assert ExchangeRate.objects.get().rate == Decimal("0.9")


def test_alerts_are_read_and_cleared_and_every_page_is_lean(staff: Client) -> None:
    for number in range(9):
        alert("duffel", "unresolved", f"F-{number}")
    one = SupplierAlert.objects.earliest("pk")
    listing = "/admin/suppliers/supplieralert/"
    pages = [listing, f"{listing}?cleared_at__isempty=1", f"{listing}{one.pk}/change/", RATES, f"{RATES}add/"]
    assert [fault for page in pages for fault in faults_of(staff, page)] == []
    staff.post(listing, {"action": "clear", "_selected_action": [one.pk]})
    assert SupplierAlert.objects.filter(cleared_at__isnull=True).count() == 8
    assert staff.post(f"{listing}{one.pk}/change/", {"detail": "x"}).status_code == 403


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


def test_health_shows_open_alerts_without_their_details() -> None:
    assert health() == {"status": "ok", "alerts": []}
    for detail in ("E-1", "E-2", "E-2"):
        alert("airalo", "unresolved", detail)
    found = health()
    (shown,) = found["alerts"]
    assert (found["status"], shown.pop("lastAt")[-1]) == ("degraded", "Z")
    assert shown == {"supplier": "airalo", "kind": "unresolved", "count": 3}
