"""A live key's eSIMs, through the whole service: what is sold, and what becomes of an order."""

import pytest

from apps.bookings.flow.recover import recover_due
from apps.common import clock
from apps.esim.models import Plan
from apps.esim.selectors import plans_on_sale
from apps.esim.services.sync import sync_environment
from apps.esim.suppliers.airalo import mapping
from apps.ledger.consistency import check_ledger
from apps.ledger.selectors import balance_of
from apps.suppliers.errors import Unavailable
from apps.suppliers.models import SupplierAlert
from tests.esim.shop import BALANCE_CENTS, a_partner, an_order, the_order
from tests.esim.suppliers.airalo.stub import ORDER, AiraloStub
from tests.support.api import Api
from tests.support.supplier_stub import Trouble

ORDERS, PLANS = "/v1/esim/orders", "/v1/esim/plans"
USAGE = "GET", "/sims/{iccid}/usage"


def funds(partner) -> tuple[int, int]:
    balance = balance_of(partner.account.id, "live")
    return balance.available_cents, balance.held_cents


def on_sale() -> set[str]:
    return set(plans_on_sale("live").values_list("supplier_plan_id", flat=True))


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

    def test_without_a_rate_nothing_is_sold(self, plan: Plan) -> None:
        secret = a_partner(live=True, currency="GBP").live_secret
        assert secret is not None
        pounds = Api(secret)
        assert pounds.get(PLANS).body["total"] == 0
        assert pounds.get(f"{PLANS}/{plan.id}").status == 404
        assert pounds.post(ORDERS, {"planId": plan.id}).status == 404

    @pytest.mark.parametrize("kind", mapping.KINDS)
    @pytest.mark.parametrize("page", [1, 2])
    def test_a_sync_that_breaks_half_way_withdraws_nothing(self, live, stub, monkeypatch, kind, page):
        before = on_sale()
        answer = AiraloStub.packages

        def broken(stub: AiraloStub, heard):
            if (heard.query["filter[type]"], heard.query["page"]) == (kind, str(page)):
                return 500, {}
            return answer(stub, heard)

        broken.route = answer.route  # type: ignore[attr-defined]
        stub._handlers = [broken.__get__(stub) if h.__name__ == "packages" else h for h in stub._handlers]
        with pytest.raises(Unavailable):
            sync_environment("live")
        assert on_sale() == before


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

    def test_what_they_took_on_and_could_not_make_frees_the_funds(self, api, partner, plan, stub, move_clock):
        taken_on = {"data": {"id": 70_003, "package_id": plan.supplier_plan_id, "net_price": 3.2}}
        stub.trouble(*ORDER, Trouble(status=200, body=taken_on))
        order = an_order(api, plan)
        stub.books.orders[0] |= {"id": 70_003, "status": {"name": "Failed", "slug": "failed"}}
        for _ in range(8):
            move_clock(seconds=1_800)
            recover_due()
        assert the_order(order["id"]).status == "failed"
        assert funds(partner) == (BALANCE_CENTS, 0)

    def test_a_profile_that_asks_for_a_code_shows_it(self, api: Api, plan: Plan, stub: AiraloStub) -> None:
        stub.books.confirmation_code = "5751"
        activation = an_order(api, plan)["activation"]
        assert activation["confirmationCode"] == "5751"
        assert activation["lpa"] == f"LPA:1$smdp.stub.example${activation['matchingId']}$$1"
        assert activation["directAppleInstallationUrl"] == (
            f"https://esimsetup.apple.com/esim_qrcode_provisioning?carddata={activation['lpa']}"
        )


@pytest.mark.django_db(transaction=True)
class TestWrittenDuringTheCall:
    """What an order finds out about the catalogue, the price and our account is written by the call's own thread."""

    def test_a_price_raised_since_the_sync_is_our_loss_and_told_to_staff(self, api, partner, plan, stub):
        stub.percent = 200
        assert an_order(api, plan)["totalCents"] == 256
        assert SupplierAlert.objects.get().kind == "price_above_quote"
        assert funds(partner) == (BALANCE_CENTS - 256, 0)
        assert sync_environment("live").changed == len(on_sale())
        assert api.get(f"{PLANS}/{plan.id}").body["priceCents"] == 512


class TestUsage:
    def test_it_is_asked_every_twenty_minutes_and_answered_at_any_time(self, api, plan, stub, move_clock):
        order = an_order(api, plan)
        path = f"{ORDERS}/{order['id']}/usage"
        first = api.get(path).body
        assert (first["status"], first["dataTotalMb"], first["dataUsedMb"]) == ("not_installed", 1024, 0)
        stub.books.usage[order["iccid"]] = {
            "status": "ACTIVE",
            "remaining": 767,
            "expired_at": "2026-12-01 10:00:00",
        }
        move_clock(minutes=19)
        assert api.get(path).body == first
        move_clock(minutes=2)
        now = api.get(path).body
        assert (now["status"], now["dataUsedMb"], now["dataRemainingMb"]) == ("active", 257, 767)
        assert now["validUntil"] == "2026-12-01T10:00:00.000Z"
        assert len(stub.heard_by(*USAGE)) == 2
