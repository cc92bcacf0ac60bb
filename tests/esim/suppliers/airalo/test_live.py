"""A live key's eSIMs, through the whole service: what is sold, and what becomes of an order."""

import pytest

from apps.bookings.flow.recover import recover_due
from apps.common import clock
from apps.esim.models import Plan
from apps.esim.selectors import plans_on_sale
from apps.esim.services.sync import sync_environment
from apps.ledger.consistency import check_ledger
from apps.ledger.selectors import balance_of
from apps.suppliers.models import SupplierAlert
from tests.esim.shop import BALANCE_CENTS, an_order, the_order
from tests.esim.suppliers.airalo.stub import ORDER, AiraloStub
from tests.support.api import Api
from tests.support.supplier_stub import Trouble

ORDERS, PLANS = "/v1/esim/orders", "/v1/esim/plans"


def funds(partner) -> tuple[int, int]:
    balance = balance_of(partner.account.id, "live")
    return balance.available_cents, balance.held_cents


class TestCatalogue:
    def test_a_plan_costs_what_they_ask_at_the_stored_rate(self, api: Api, plan: Plan) -> None:
        shown = api.get(f"{PLANS}/{plan.id}").body
        assert (plan.price_cents, plan.currency) == (320, "USD")
        assert (shown["priceCents"], shown["currency"], shown["priceBasis"]) == (256, "EUR", "net")
        assert shown["coverage"] == [{"country": "PT", "networks": ["Stubnet PT"]}]
        listed = api.get(f"{PLANS}?country=PT&planType=data").body
        assert [p["name"] for p in listed["data"]] == [
            "Portugal - 1 GB - 7 Days",
            "Portugal - 5 GB - 30 Days",
            "Europe - 3 GB - 30 Days",
        ]


class TestOrder:
    def test_it_is_sold_at_the_price_shown_and_bought_under_our_reference(self, api, partner, plan, stub):
        order = an_order(api, plan, externalReference="trip-7")
        assert (order["status"], order["totalCents"], order["currency"]) == ("provisioned", 256, "EUR")
        iccid = stub.iccid_of(order["reference"])
        assert (order["iccid"], order["activation"]["smdpAddress"]) == (iccid, "smdp.stub.example")
        assert order["activation"]["lpa"] == f"LPA:1$smdp.stub.example${order['activation']['matchingId']}"
        assert stub.store() == {order["reference"]: 1}
        booking = the_order(order["id"])
        assert (booking.supplier_name, booking.supplier_reference) == (
            "airalo",
            str(stub.books.orders[0]["id"]),
        )
        assert booking.exchange == {"base": "USD", "quote": "EUR", "rate": "0.8", "asOf": str(clock.today())}
        assert funds(partner) == (BALANCE_CENTS - 256, 0)
        assert api.post(ORDERS, {"planId": plan.id, "externalReference": "trip-7"}).body == order
        assert stub.store() == {order["reference"]: 1}
        assert check_ledger() == []

    def test_what_comes_later_is_read_by_its_number_before_it_is_searched_for(
        self, api: Api, plan: Plan, stub: AiraloStub, move_clock
    ) -> None:
        taken_on = {"data": {"id": 70_003, "package_id": plan.supplier_plan_id, "net_price": 3.2}}
        stub.trouble(*ORDER, Trouble(status=200, body=taken_on))
        order = an_order(api, plan)
        stub.books.orders[0]["id"] = 70_003
        move_clock(seconds=6)
        assert recover_due() == 1
        assert the_order(order["id"]).status == "provisioned"
        assert [heard.path for heard in stub.heard_by("GET", "/orders/{number}")] == ["/orders/70003"]
        assert stub.heard_by("GET", "/orders") == []


@pytest.mark.django_db(transaction=True)
class TestWrittenDuringTheCall:
    """What an order finds out about the catalogue, the price and our account is written by the call's own thread."""

    def test_a_price_raised_since_the_sync_is_our_loss_and_told_to_staff(self, api, partner, plan, stub):
        stub.percent = 200
        assert an_order(api, plan)["totalCents"] == 256
        assert SupplierAlert.objects.get().kind == "price_above_quote"
        assert funds(partner) == (BALANCE_CENTS - 256, 0)
        assert sync_environment("live").changed == plans_on_sale("live").count()
        assert api.get(f"{PLANS}/{plan.id}").body["priceCents"] == 512
