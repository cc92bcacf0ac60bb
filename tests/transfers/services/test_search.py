from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from apps.common import clock
from apps.common.clock import rfc3339
from apps.gateway.models import SearchUnit
from apps.onboarding.partners import Onboarded
from apps.suppliers.results import Found, Withheld
from apps.suppliers.simulation import Market
from apps.suppliers.values import from_json
from apps.transfers.models import TransferSearch
from apps.transfers.suppliers.base import Passengers, Place
from apps.transfers.suppliers.base import TransferSearch as Request
from tests.support.api import Api
from tests.transfers.agency import SEARCH, Company, search
from tests.transfers.suppliers.requests import a_search


def test_a_search_is_kept_with_what_was_asked(api: Api, partner: Onboarded) -> None:
    to = {"type": "GEO", "latitude": 39.57, "longitude": 2.65, "address": "Passeig 1", "country": "ES"}
    found = search(api, to=to, children=1, infants=1, vehicleClass="minivan", limit=5)
    row = TransferSearch.objects.get(pk=found["id"])
    asked = from_json(Request, row.request)
    assert (asked.start, asked.passengers) == (Place("IATA", "PMI"), Passengers(2, 1, 1))
    assert (asked.vehicle_class, asked.limit, asked.currency) == ("minivan", 5, "EUR")
    assert asked.outbound == datetime(2027, 2, 3, 14, 30)
    assert [str(asked.end.latitude), str(asked.end.longitude)] == ["39.57", "2.65"]
    assert (asked.end.address, asked.end.country) == ("Passeig 1", "ES")
    assert (row.account_id, row.environment, row.supplier_name) == (partner.account.id, "test", "simulator")
    assert len(row.offers) == len(found["offers"]) == 1


def test_offers_are_net_with_the_accounts_markup_and_live_twenty_minutes(api: Api) -> None:
    found = search(api)
    row = TransferSearch.objects.get(pk=found["id"])
    assert found["createdAt"] == rfc3339(row.created_at)
    assert row.expires_at - row.created_at == timedelta(minutes=20)
    for offer in found["offers"]:
        assert (offer["priceBasis"], offer["currency"]) == ("net", "EUR")
        assert offer["suggestedRetailCents"] == (offer["totalCents"] * 110 + 50) // 100
        assert offer["expiresAt"] == rfc3339(row.expires_at)


NEW_YORK = {"type": "IATA", "code": "JFK"}
QUOTA_LEFT, BILLABLE = "X-Search-Quota-Remaining", "X-Search-Billable"


@pytest.mark.parametrize(
    "ends",
    [
        {"from": {"type": "IATA", "code": "LHR"}, "to": NEW_YORK},
        {"to": NEW_YORK},
        {"to": {"type": "GEO", "latitude": 40.7, "longitude": -74.0}},
        {"to": {"type": "HOTEL", "code": "1", "town": "New York", "country": "US"}},
    ],
)
def test_a_search_that_no_vehicle_can_drive_asks_nobody_and_is_not_billed(api, company, monkeypatch, ends):
    before = int(api.get("/v1/account").headers[QUOTA_LEFT])
    monkeypatch.setattr(company, "search", None)  # a call of it fails

    replies = [api.post("/v1/transfers/searches", {**SEARCH, **ends}, key="the-same-key") for _ in range(2)]

    for reply in replies:
        assert (reply.status, reply.body["offers"], reply.headers[BILLABLE]) == (201, [], "false")
        assert int(reply.headers[QUOTA_LEFT]) == before
    assert (replies[1].body, replies[1].headers["Idempotent-Replayed"]) == (replies[0].body, "true")
    assert api.get("/v1/account/usage").body["data"] == []
    assert not SearchUnit.objects.exists()


@pytest.mark.parametrize(
    "ends",
    [
        {"from": {"type": "IATA", "code": "LIS"}, "to": {"type": "IATA", "code": "BER"}},
        {"to": {"type": "HOTEL", "code": "265"}},
    ],
)
def test_a_long_drive_and_an_end_that_is_not_known_are_billed(api: Api, ends: dict[str, Any]) -> None:
    reply = api.post("/v1/transfers/searches", {**SEARCH, **ends})
    assert (reply.headers[BILLABLE], len(reply.body["offers"]) > 0) == ("true", True)


def test_a_search_that_a_supplier_answers_without_offers_is_billed(api: Api, company: Company) -> None:
    company.market = Market(sold_out=True)
    reply = api.post("/v1/transfers/searches", SEARCH)
    assert (reply.status, reply.body["offers"], reply.headers[BILLABLE]) == (201, [], "true")


def test_what_is_withheld_is_counted_kept_and_replayed(api, company, monkeypatch):
    """Of the offers the company no longer sells one."""
    offers = company.search(a_search())
    gone = replace(offers[0], expires_at=clock.now())
    monkeypatch.setattr(
        company, "search", lambda request: Found([gone, *offers[1:]], Withheld(unsupported=2, unreadable=3))
    )
    first, again = (api.post("/v1/transfers/searches", SEARCH, "search-once") for _ in range(2))
    assert len(first.body["offers"]) == len(offers) - 1
    counts = {"documentsRequired": 0, "noLongerSold": 1, "unsupported": 2, "unreadable": 3}
    assert first.body["withheld"] == counts
    assert again.content == first.content
