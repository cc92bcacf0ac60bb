"""What searches withheld, by supplier and reason, for staff who may see searches."""

from dataclasses import fields
from datetime import timedelta
from typing import Any

import pytest

from apps.accounts.models import Account
from apps.common import clock
from apps.esim.models import CatalogueGap
from apps.flights.models import FlightSearch
from apps.portal.staff import withheld
from apps.portal.staff.withheld import REASONS
from apps.suppliers.results import Withheld
from apps.transfers.models import TransferSearch
from tests.factories.accounts import AccountFactory
from tests.support.back_office import Desk, faults_of

pytestmark = pytest.mark.django_db
PAGE = "/admin/withheld/"


def store(model: Any, supplier: str, *counts: int, hours: float = 0.5, **more: Any) -> None:
    """A search so many hours ago, with counts in the order of REASONS; one of an older release has none."""
    now = clock.now() - timedelta(hours=hours)
    account = Account.objects.first() or AccountFactory()
    number = model.objects.count()
    model.objects.create(
        id=f"{model.__name__.lower()}_{number}",
        account=account,
        environment="live",
        supplier_name=supplier,
        markup_bp=0,
        offers=[],
        withheld=dict(zip(REASONS, counts, strict=False)),
        created_at=now,
        expires_at=now,
        **more,
    )


def shown(desk: Desk, **query: object) -> list[tuple[Any, ...]]:
    rows = desk.get(PAGE, query).context["rows"]
    return [(row.product, row.supplier, row.searches, row.affected, row.counts) for row in rows]


def test_offers_are_counted_by_supplier_and_reason_within_the_time_asked_for() -> None:
    for counts in [(3, 0, 1, 0), (2, 1, 0, 0), ()]:
        store(FlightSearch, "duffel", *counts, passengers={})
    store(FlightSearch, "duffel", 0, 0, 0, 9, hours=5, passengers={})
    store(FlightSearch, "duffel", 50, 0, 0, 0, hours=25, passengers={})
    store(TransferSearch, "hotelbeds", 0, 0, 4, 0, request={})
    desk = Desk()
    transfers = ("Transfers", "hotelbeds", 1, 1, (0, 0, 4, 0))
    assert shown(desk, hours=1) == [("Flights", "duffel", 3, 2, (5, 1, 1, 0)), transfers]
    day = [("Flights", "duffel", 4, 3, (5, 1, 1, 9)), transfers]
    assert [shown(desk), shown(desk, hours=24), shown(desk, hours="10000")] == [day] * 3


def test_no_more_than_the_newest_searches_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(withheld, "MOST_SEARCHES", 2)
    for hours in (3, 1, 2):
        store(FlightSearch, "duffel", hours, 0, 0, 0, hours=hours - 0.5, passengers={})
    desk = Desk()
    assert shown(desk) == [("Flights", "duffel", 2, 2, (3, 0, 0, 0))]
    assert "newest 2 searches" in desk.get(PAGE).content.decode()


def test_staff_see_the_products_that_they_may_view() -> None:
    store(FlightSearch, "duffel", 1, 0, 0, 0, passengers={})
    store(TransferSearch, "hotelbeds", 1, 0, 0, 0, request={})
    CatalogueGap.objects.create(environment="live", supplier_name="airalo", identity_check=7, unreadable=2)
    assert [row[0] for row in shown(Desk("transfers.view_transfersearch"))] == ["Transfers"]
    plans = Desk("esim.view_cataloguegap")
    assert (shown(plans), "airalo" in plans.get(PAGE).content.decode()) == ([], True)
    nobody = Desk("ledger.view_wallet")
    assert nobody.get(PAGE).status_code == 403
    assert PAGE not in nobody.get("/admin/mails/").content.decode()
    assert PAGE in plans.get("/admin/mails/").content.decode()


def test_the_page_is_well_made_empty_and_full() -> None:
    desk = Desk()
    assert faults_of(desk, PAGE) == []
    store(FlightSearch, "duffel", 1, 0, 0, 0, passengers={})
    assert faults_of(desk, PAGE) == []
    assert desk.post(PAGE).status_code == 405


def test_every_reason_has_a_column() -> None:
    assert [each.name for each in fields(Withheld)] == list(REASONS)
