"""A top-up from a supplier that charges another currency, and refusals that the log may show."""

from typing import Any

import pytest
from pytest_django import Settings

from apps.common import clock
from apps.common.errors import Conflict, GatewayError, OfferExpired
from apps.esim.services.offer_top_ups import profile_to_top_up
from apps.esim.services.sync import sync_environment
from apps.esim.services.top_up import offer_to_buy, refuse_second
from apps.esim.suppliers.base import EsimOrder, TopUpRequest
from apps.esim.suppliers.registry import VENDORS
from apps.esim.suppliers.simulator import catalogue as simulated
from apps.suppliers.errors import OutcomeUnknown, PriceChanged
from apps.suppliers.models import ExchangeRate
from apps.suppliers.rates import forget_rates
from apps.suppliers.vendors import Vendor
from tests.esim.shop import (
    Faulty,
    Shop,
    a_partner,
    a_plan,
    a_top_up,
    an_order,
    simulator_at,
    the_order,
    top_up_plans,
)
from tests.support.api import Api


def store_rate(rate: str) -> None:
    ExchangeRate.objects.create(base="USD", quote="EUR", rate=rate, as_of=clock.today())
    forget_rates()


def test_a_top_up_keeps_the_rate_that_it_was_sold_at(
    db: None, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    vendor = Shop(simulated.plans()["sim-pt-1gb-7d"])
    monkeypatch.setitem(VENDORS, "vendor", Vendor("vendor", lambda: vendor))
    settings.SUPPLIERS = {**settings.SUPPLIERS, "esim": {"live": "vendor"}}
    store_rate("0.5")
    sync_environment("live")
    api = Api(a_partner(live=True).live_secret or "")
    order = an_order(api, a_plan("sim-pt-1gb-7d", "live"))
    made = a_top_up(api, order)
    kept = {"base": "USD", "quote": "EUR", "rate": "0.5", "asOf": str(clock.today())}
    assert the_order(made["id"]).exchange == kept

    def dearer_meanwhile(request: TopUpRequest) -> EsimOrder:
        store_rate("0.9")
        raise PriceChanged(2 * request.price_cents)

    plan = top_up_plans(api, order)[0]
    monkeypatch.setattr(vendor, "top_up", dearer_meanwhile)
    reply = api.post(f"/v1/esim/orders/{order['id']}/topups", {"planId": plan["id"]})
    assert (reply.status, reply.error_type) == (409, "price_changed")
    assert reply.error["previousTotalCents"] == made["totalCents"]
    assert abs(reply.error["currentTotalCents"] - 2 * made["totalCents"]) <= 1


def said(refusal: GatewayError) -> str:
    """Its message, which the log shows because no word of it is a caller's or a supplier's."""
    assert refusal.own_texts == {refusal.message}
    return refusal.message


def test_refusals_are_in_our_own_words(api: Api, order: dict[str, Any], supplier_is) -> None:
    plan = top_up_plans(api, order)[0]["id"]
    booking = the_order(order["id"])
    supplier_is(Faulty(OutcomeUnknown("no answer"), heard=True))
    assert api.post(f"/v1/esim/orders/{order['id']}/topups", {"planId": plan}).status == 503
    with pytest.raises(Conflict) as under_way:
        refuse_second(booking, lambda: None)
    assert said(under_way.value) == "Another top-up of this eSIM is under way."
    supplier_is(simulator_at(sold_out=True))
    with pytest.raises(OfferExpired) as gone:
        offer_to_buy(booking, profile_to_top_up(booking), plan)
    assert said(gone.value) == (
        "The supplier no longer sells this top-up; read the list again and choose another one."
    )
