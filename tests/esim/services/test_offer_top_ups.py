"""What an eSIM can be topped up with: of its own order, from its own supplier, kept for minutes."""

from types import SimpleNamespace
from typing import Any

import pytest

from apps.bookings.models import Booking
from apps.common.errors import Conflict
from apps.esim.models import Plan, TopUpOffers
from apps.esim.services.offer_top_ups import last_offers, profile_to_top_up, read_offers
from apps.esim.suppliers.registry import VENDORS
from apps.suppliers.errors import Missing
from apps.suppliers.vendors import Vendor
from tests.esim.shop import Shop, a_plan, an_order, top_up_plans
from tests.support.api import Api


def test_each_esim_has_a_list_of_its_own(api: Api, plan: Plan, order: dict[str, Any]) -> None:
    unlimited = an_order(api, a_plan("sim-pt-unlimited-10d"))
    lists = [top_up_plans(api, each) for each in (order, unlimited)]
    assert [len(each) for each in lists] == [4, 1]
    assert [top_up_plans(api, each) for each in (order, unlimited)] == lists
    told = [[offer.plan_id for offer in last_offers(the(each))] for each in (order, unlimited)]
    assert told == [[plan["id"] for plan in each] for each in lists]
    TopUpOffers.objects.filter(booking=order["id"]).delete()
    assert last_offers(the(order)) == []


def the(order: dict[str, Any]) -> Booking:
    return Booking.objects.get(pk=order["id"])


def test_a_trigger_acts_though_the_list_is_kept(api: Api, order: dict[str, Any]) -> None:
    top_up_plans(api, order)
    reply = api.get(f"/v1/esim/orders/{order['id']}/topups", X_Partner_Customer_Ref="sbx_supplier_error")
    assert (reply.status, reply.headers["X-Sandbox-Trigger"]) == (502, "sbx_supplier_error")


def test_the_supplier_that_sold_the_esim_is_asked_whoever_sells_now(
    order: dict[str, Any], settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unwanted(*asked: object) -> list[object]:
        raise AssertionError("another supplier was asked")

    settings.SUPPLIERS = {"esim": {"live": "vendor"}}
    monkeypatch.setitem(
        VENDORS, "vendor", Vendor("vendor", lambda: SimpleNamespace(name="vendor", top_up_plans=unwanted))
    )
    booking = the(order)
    booking.environment = "live"
    assert len(read_offers(booking, profile_to_top_up(booking))) == 4


def test_an_esim_that_its_supplier_no_longer_has_is_a_conflict(
    api: Api, order: dict[str, Any], supplier_is, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*asked: object) -> list[object]:
        raise Missing

    shop = Shop()
    monkeypatch.setattr(shop, "top_up_plans", gone)
    supplier_is(shop)
    reply = api.get(f"/v1/esim/orders/{order['id']}/topups")
    assert (reply.status, reply.error_type) == (409, "conflict")
    assert reply.error["message"] == "The supplier no longer has this eSIM."


def test_the_refusal_of_an_order_without_an_esim_is_in_our_own_words(order: dict[str, Any]) -> None:
    booking = the(order)
    booking.status = "cancelled"
    with pytest.raises(Conflict) as refusal:
        profile_to_top_up(booking)
    assert refusal.value.own_texts == {
        refusal.value.message,
        "The order is cancelled: it has no eSIM that could be topped up.",
    }
