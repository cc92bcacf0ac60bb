"""An order that its supplier has refunded."""

from dataclasses import replace
from datetime import timedelta

import pytest

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.recover import recover_due
from apps.esim.models import Plan
from apps.esim.suppliers.base import EsimOrder
from apps.esim.suppliers.registry import VENDORS
from apps.ledger.consistency import check_ledger
from apps.suppliers.vendors import Vendor
from tests.esim.shop import BALANCE_CENTS, Shop, an_order, events, money, the_order
from tests.support.api import Api


class Refunding(Shop):
    """A supplier that has refunded every order by the time one looks."""

    def find_order(self, client_ref: str) -> EsimOrder | None:
        order = super().find_order(client_ref)
        return replace(order, cancelled=True) if order else None

    def read_order(self, supplier_reference: str) -> EsimOrder:
        return replace(super().read_order(supplier_reference), cancelled=True)


@pytest.fixture
def refunds(monkeypatch: pytest.MonkeyPatch):
    """`refunds()`: from now on the supplier has."""
    return lambda: monkeypatch.setitem(VENDORS, "simulator", Vendor("simulator", Refunding))


def test_a_refunded_order_is_cancelled_paid_back_and_told(api, partner, plan, move_clock, refunds):
    order = an_order(api, plan)
    refunds()
    move_clock(hours=1, seconds=1)
    assert poll_suppliers() == 1
    now = api.get(f"/v1/esim/orders/{order['id']}").body
    assert now["status"] == "cancelled"
    end = now["cancellation"]
    assert (end["penaltyCents"], end["refundCents"], end["reason"]) == (0, 411, "Cancelled by the supplier.")
    assert money(partner) == (BALANCE_CENTS, 0)
    told = sorted(event for event, _ in events(order["id"]))
    assert told == ["booking.cancelled", "esim.provisioned", "payment.refunded"]
    assert check_ledger() == []
    move_clock(hours=2)
    assert poll_suppliers() == 0


def test_nobody_asks_once_the_plan_is_long_over(api: Api, plan: Plan, move_clock, supplier_calls) -> None:
    order = an_order(api, plan)
    booking = the_order(order["id"])
    assert (booking.watched_until - booking.created_at).days == 7 + 30
    move_clock(days=38)
    poll_suppliers()
    supplier_calls.clear()
    move_clock(days=1)
    poll_suppliers()
    assert supplier_calls == []


def test_an_order_refunded_before_it_was_heard_of_is_none(api, partner, late_plan, move_clock, refunds):
    order = an_order(api, late_plan)
    refunds()
    for _ in range(4):
        move_clock(minutes=3)
        recover_due()
    assert api.get(f"/v1/esim/orders/{order['id']}").body["status"] == "failed"
    assert money(partner) == (BALANCE_CENTS, 0)
    assert check_ledger() == []


def test_a_plan_that_is_good_for_ever_can_be_ordered_and_is_watched_for_ten_years(api, plan):
    Plan.objects.filter(pk=plan.pk).update(validity_days=2**31 - 1)
    booking = the_order(an_order(api, plan)["id"])
    assert booking.watched_until == booking.created_at + timedelta(days=3_650 + 30)
