"""A plan sold in another currency: at the rate of the order, within the limit of the order."""

from typing import Any

import pytest

from apps.bookings.models import Booking
from apps.esim.services.sync import sync_environment
from apps.esim.suppliers import registry as esim_registry
from apps.esim.suppliers.simulator.adapter import EsimSimulator
from apps.esim.suppliers.simulator.catalogue import plans
from apps.onboarding.partners import Onboarded
from apps.suppliers.simulation import Market
from apps.suppliers.vendors import Vendor
from tests.esim.shop import Shop
from tests.flights.desk import BALANCE_CENTS
from tests.journeys.other_currency.journey import SEARCHED_AT, available, kept_rate, store_rate
from tests.support.api import Api

pytestmark = pytest.mark.django_db


@pytest.fixture
def esim(monkeypatch: pytest.MonkeyPatch) -> EsimSimulator:
    """An eSIM supplier of a few plans for live keys; the catalogue is synced."""
    sold = [plan for name, plan in plans().items() if name.startswith("sim-pt-")]
    shop = Shop(*sold)
    monkeypatch.setitem(esim_registry.VENDORS, "dollars", Vendor("dollars", lambda: shop))
    sync_environment("live")
    return shop


def plans_listed(api: Api) -> list[dict[str, Any]]:
    reply = api.get("/v1/esim/plans")
    assert reply.body["total"] == len(reply.body["data"])
    found: list[dict[str, Any]] = reply.body["data"]
    return found


def test_a_plan_is_listed_and_ordered_at_the_rate_of_the_day(
    api: Api, esim: EsimSimulator, partner: Onboarded
) -> None:
    assert plans_listed(api) == []
    store_rate(SEARCHED_AT)
    plan = plans_listed(api)[0]
    assert plan["currency"] == "EUR"
    reply = api.post("/v1/esim/orders", {"planId": plan["id"], "maxTotalCents": plan["priceCents"]})
    assert (reply.status, reply.body["totalCents"]) == (201, plan["priceCents"]), reply.body
    booking = Booking.objects.get()
    held = esim.read_order(booking.supplier_reference)
    assert kept_rate(booking).cents(held.price_cents) == plan["priceCents"]
    assert available(partner) == BALANCE_CENTS - plan["priceCents"]


def test_a_plan_whose_rate_rose_since_it_was_listed_is_refused_by_the_limit(
    api: Api, esim: EsimSimulator
) -> None:
    store_rate(SEARCHED_AT)
    plan = plans_listed(api)[0]
    store_rate("0.99")
    body = {"planId": plan["id"], "maxTotalCents": plan["priceCents"]}
    reply = api.post("/v1/esim/orders", body)
    assert (reply.status, reply.error_type) == (409, "price_changed")
    now = plans_listed(api)[0]["priceCents"]
    assert (reply.error["currentTotalCents"], now > plan["priceCents"]) == (now, True)


def test_a_dearer_plan_is_told_at_the_rate_of_the_order(
    api: Api, esim: EsimSimulator, partner: Onboarded
) -> None:
    store_rate(SEARCHED_AT)
    plan = plans_listed(api)[0]
    esim.market = Market(percent=200)
    reply = api.post("/v1/esim/orders", {"planId": plan["id"]})
    assert (reply.status, reply.error_type) == (409, "price_changed")
    assert reply.error["currentTotalCents"] == plans_listed(api)[0]["priceCents"]
    assert available(partner) == BALANCE_CENTS
