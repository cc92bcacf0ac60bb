"""What an eSIM can be topped up with, what a top-up costs, and what is refused before money is held."""

from typing import Any

import pytest

from apps.bookings.flow.settle import fail
from apps.bookings.models import Booking, Operation
from apps.common import clock
from apps.esim.models import Plan
from apps.esim.services.handlers import watched_until
from apps.onboarding.partners import Onboarded
from tests.esim.shop import (
    BALANCE_CENTS,
    a_plan,
    a_top_up,
    an_order,
    events,
    money,
    simulator_at,
    top_up_plans,
)
from tests.support.api import Api, Reply

pytestmark = pytest.mark.usefixtures("books_that_balance")

ORDERS = "/v1/esim/orders"
PRICE, TOP_UP_PRICE = 411, 390


def topping_up(api: Api, order: dict[str, Any], plan_id: str, key: str | None = None, **more: Any) -> Reply:
    return api.post(f"{ORDERS}/{order['id']}/topups", {"planId": plan_id, **more}, key=key)


class TestPlans:
    def test_they_have_the_shape_of_plans_and_work_where_the_esim_does(self, api, order):
        plans = top_up_plans(api, order)
        assert [plan["dataMb"] for plan in plans] == [1024, 3072, 5120, 10240]
        assert [plan["priceCents"] for plan in plans] == sorted(plan["priceCents"] for plan in plans)
        assert plans[0].keys() == order["plan"].keys()
        assert {(tuple(plan["countries"]), plan["region"], plan["planType"]) for plan in plans} == {
            (("PT",), None, "data")
        }
        assert plans[0]["priceCents"] == TOP_UP_PRICE
        assert {plan["id"] for plan in plans}.isdisjoint(Plan.objects.values_list("id", flat=True))

    def test_one_that_takes_none_is_a_conflict(self, api: Api, plan: Plan) -> None:
        order = an_order(api, a_plan("sim-pt-unlimited-3d"))
        reply = api.get(f"{ORDERS}/{order['id']}/topups")
        assert (reply.status, reply.error_type) == (409, "conflict")


class TestTopUp:
    def test_it_answers_the_top_up_and_the_order_shows_it(self, api, partner, order):
        top_up = a_top_up(api, order, externalReference="more-1")
        assert top_up["id"].startswith("etop_")
        assert (top_up["orderId"], top_up["iccid"]) == (order["id"], order["iccid"])
        assert (top_up["status"], top_up["totalCents"]) == ("provisioned", TOP_UP_PRICE)
        assert top_up["externalReference"] == "more-1"
        assert top_up["reference"] not in (order["reference"], "")
        booking = Booking.objects.get(pk=top_up["id"])
        assert booking.watched_until == watched_until(booking) > clock.now()
        assert top_up["supplier"]["reference"].startswith(order["supplier"]["reference"])
        read = api.get(f"{ORDERS}/{order['id']}").body
        assert read == {**order, "topups": [top_up]}
        assert money(partner) == (BALANCE_CENTS - PRICE - TOP_UP_PRICE, 0)

    def test_the_ledger_and_the_events_name_the_top_up(self, api: Api, order: dict[str, Any]) -> None:
        top_up = a_top_up(api, order)
        lines = api.get(f"/v1/account/ledger?bookingReference={top_up['reference']}").body["data"]
        assert [(line["type"], line["heldDeltaCents"]) for line in lines] == [
            ("capture", -TOP_UP_PRICE),
            ("hold", TOP_UP_PRICE),
        ]
        assert {line["bookingType"] for line in lines} == {"esim"}
        common = {
            "bookingType": "esim",
            "bookingId": top_up["id"],
            "bookingReference": top_up["reference"],
            "externalReference": None,
        }
        told = {
            "orderId": order["id"],
            "iccid": order["iccid"],
            "planName": top_up["plan"]["name"],
            "totalCents": TOP_UP_PRICE,
            "currency": "EUR",
        }
        assert events(top_up["id"]) == [("esim.topped_up", {**common, **told})]
        assert [type for type, _ in events(order["id"])] == ["esim.provisioned"]

    def test_lists_of_orders_show_orders_alone(self, api: Api, order: dict[str, Any]) -> None:
        top_up = a_top_up(api, order, externalReference="more-1")
        assert [row["id"] for row in api.get(ORDERS).body["data"]] == [order["id"]]
        assert api.get(f"{ORDERS}?externalReference=more-1").body["data"] == []
        assert api.get(f"{ORDERS}?status=provisioned&limit=1").body["hasMore"] is False
        for path in ("", "/usage", "/topups", "/instructions"):
            assert api.get(f"{ORDERS}/{top_up['id']}{path}").status == 404
        assert topping_up(api, top_up, top_up["plan"]["id"]).status == 404

    def test_a_used_external_reference_answers_that_top_up(self, api: Api, partner, order) -> None:
        top_up = a_top_up(api, order, externalReference="more-1")
        again = topping_up(api, order, top_up["plan"]["id"], externalReference="more-1")
        assert (again.status, again.body) == (200, top_up)
        assert money(partner) == (BALANCE_CENTS - PRICE - TOP_UP_PRICE, 0)

    def test_a_reference_of_something_else_is_a_conflict(self, api: Api, plan: Plan, order) -> None:
        top_up = a_top_up(api, order, externalReference="more-1")
        dearer = top_up_plans(api, order)[1]
        other = an_order(api, plan, externalReference="trip-2")
        refused = [
            topping_up(api, order, dearer["id"], externalReference="more-1"),
            topping_up(api, other, top_up["plan"]["id"], externalReference="more-1"),
            topping_up(api, order, top_up["plan"]["id"], externalReference="trip-2"),
            api.post(ORDERS, {"planId": plan.id, "externalReference": "more-1"}),
        ]
        assert {(reply.status, reply.error_type) for reply in refused} == {(409, "conflict")}
        assert [reply.error["bookingId"] for reply in refused] == [
            top_up["id"],
            top_up["id"],
            other["id"],
            top_up["id"],
        ]


class TestRefusedBeforeMoneyIsHeld:
    @pytest.fixture(autouse=True)
    def nothing_is_held(self, partner: Onboarded) -> Any:
        yield
        assert money(partner)[1] == 0
        assert not Booking.objects.filter(id__startswith="etop_").exists()

    def test_an_order_whose_profile_comes_later(self, api: Api, late_plan: Plan) -> None:
        late = an_order(api, late_plan)
        assert late["status"] == "pending"
        reply = topping_up(api, late, "plan_any")
        assert (reply.status, reply.error_type) == (409, "conflict")
        assert reply.error["message"] == "The order is pending: it has no eSIM that could be topped up."
        assert api.get(f"{ORDERS}/{late['id']}/topups").status == 409
        give_up(late["id"])

    @pytest.mark.parametrize("status", ["cancelled", "failed"])
    def test_an_order_that_does_not_stand(self, api: Api, order: dict[str, Any], status: str) -> None:
        plan = top_up_plans(api, order)[0]
        Booking.objects.filter(pk=order["id"]).update(status=status)
        for reply in (topping_up(api, order, plan["id"]), api.get(f"{ORDERS}/{order['id']}/topups")):
            assert (reply.status, reply.error_type) == (409, "conflict")
        Booking.objects.filter(pk=order["id"]).update(status="provisioned")

    def test_a_plan_of_the_catalogue_or_of_nobody(self, api: Api, plan: Plan, order) -> None:
        other = an_order(api, a_plan("sim-es-1gb-7d"))
        for wrong in (plan.id, "plan_nobody_has_it", top_up_plans(api, other)[0]["id"], "§"):
            reply = topping_up(api, order, wrong)
            assert (reply.status, reply.error_type) == (400, "invalid_request")
            assert [detail["field"] for detail in reply.error["details"]] == ["planId"]

    def test_a_plan_that_was_told_and_is_gone(self, api: Api, order, supplier_is) -> None:
        plan = top_up_plans(api, order)[0]
        supplier_is(simulator_at(sold_out=True))
        reply = topping_up(api, order, plan["id"])
        assert (reply.status, reply.error_type) == (410, "offer_expired")

    def test_a_plan_that_is_dearer_than_it_was_told(self, api: Api, order, supplier_is) -> None:
        plan = top_up_plans(api, order)[0]
        supplier_is(simulator_at(percent=200))
        reply = topping_up(api, order, plan["id"])
        assert (reply.status, reply.error_type) == (409, "price_changed")
        assert reply.error["previousTotalCents"] == TOP_UP_PRICE
        assert reply.error["currentTotalCents"] > TOP_UP_PRICE
        assert top_up_plans(api, order)[0]["priceCents"] == reply.error["currentTotalCents"]


def test_a_dearer_price_within_what_is_allowed_is_paid(api: Api, partner, order, supplier_is) -> None:
    plan = top_up_plans(api, order)[0]
    supplier_is(simulator_at(percent=110))
    reply = topping_up(api, order, plan["id"], maxTotalCents=1_000)
    assert reply.status == 201
    assert TOP_UP_PRICE < reply.body["totalCents"] < 1_000
    assert money(partner) == (BALANCE_CENTS - PRICE - reply.body["totalCents"], 0)


def give_up(booking_id: str) -> None:
    """The order's own hold is no affair of the test."""
    operation = Operation.objects.select_related("booking").get(booking=booking_id)
    fail(operation, failure="test")
