"""Orders whose profile is made later, orders that the supplier refuses, and orders whose answer is lost."""

import pytest

from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking, Operation, OperationState
from apps.esim.models import Plan
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import OutcomeUnknown
from apps.suppliers.models import SimulatedWrite
from tests.esim.shop import (
    BALANCE_CENTS,
    Faulty,
    a_plan,
    an_order,
    events,
    money,
    simulator_at,
    the_order,
)
from tests.support.api import Api

pytestmark = pytest.mark.usefixtures("books_that_balance")

ORDERS = "/v1/esim/orders"


class TestDeliveredLater:
    """Plans whose operator takes the order on and makes the profile afterwards."""

    def test_the_answer_is_pending_and_the_funds_are_held(self, api, partner, late_plan):
        order = an_order(api, late_plan)
        assert (order["status"], order["iccid"], order["activation"]) == ("pending", None, None)
        assert order["supplier"]["reference"].startswith("sim_")
        assert money(partner) == (BALANCE_CENTS - order["totalCents"], order["totalCents"])
        assert events(order["id"]) == []
        assert api.get(f"{ORDERS}/{order['id']}").body == order

    def test_the_recovery_worker_fetches_the_profile_and_tells_of_it(
        self, api: Api, partner: Onboarded, late_plan: Plan, move_clock
    ) -> None:
        order = an_order(api, late_plan)
        move_clock(seconds=11)
        assert recover_due() == 1
        delivered = api.get(f"{ORDERS}/{order['id']}").body
        assert delivered["status"] == "provisioned"
        assert delivered["activation"]["lpa"].startswith("LPA:1$")
        assert money(partner) == (BALANCE_CENTS - order["totalCents"], 0)
        ((told, data),) = events(order["id"])
        assert (told, data["purchaseId"], data["iccid"]) == (
            "esim.provisioned",
            order["id"],
            delivered["iccid"],
        )
        assert recover_due() == 0

    def test_an_operator_that_is_still_at_it_is_asked_again(
        self, api: Api, partner: Onboarded, late_plan: Plan, move_clock, monkeypatch
    ) -> None:
        order = an_order(api, late_plan)
        record = SimulatedWrite.objects.get(client_ref=order["reference"])
        record.record["ready_at"] = "2100-01-01T00:00:00+00:00"
        record.save()
        for _ in range(4):
            move_clock(minutes=70)
            assert recover_due() == 1
        operation = Operation.objects.get(booking_id=order["id"])
        assert (operation.state, operation.first_not_found_at) == (OperationState.UNCERTAIN, None)
        assert the_order(order["id"]).status == "pending"
        assert money(partner) == (BALANCE_CENTS - order["totalCents"], order["totalCents"])
        move_clock(hours=25)
        recover_due()
        operation.refresh_from_db()
        assert operation.state == OperationState.REVIEW
        assert money(partner) == (BALANCE_CENTS - order["totalCents"], order["totalCents"])

    def test_an_order_that_the_operator_gave_up_fails_and_frees_the_funds(
        self, api: Api, partner: Onboarded, late_plan: Plan, move_clock
    ) -> None:
        order = an_order(api, late_plan)
        SimulatedWrite.objects.all().delete()
        for _ in range(4):
            move_clock(minutes=3)
            recover_due()
        assert api.get(f"{ORDERS}/{order['id']}").body["status"] == "failed"
        assert money(partner) == (BALANCE_CENTS, 0)
        assert [type for type, _ in events(order["id"])] == ["booking.rejected"]


class TestLostAndRefused:
    """What a supplier's failures do to the money."""

    def test_a_lost_answer_keeps_the_funds_and_a_retry_finds_the_order(self, api, partner, plan, supplier_is):
        supplier_is(Faulty(OutcomeUnknown("no answer"), heard=True))
        lost = api.post(ORDERS, {"planId": plan.id}, key="same-key-3")
        assert (lost.status, lost.error_type) == (503, "upstream_unavailable")
        assert money(partner) == (BALANCE_CENTS - 411, 411)
        found = api.post(ORDERS, {"planId": plan.id}, key="same-key-3")
        assert (found.status, found.body["status"]) == (201, "provisioned")
        assert SimulatedWrite.objects.count() == Booking.objects.count() == 1
        assert money(partner) == (BALANCE_CENTS - 411, 0)

    def test_a_dearer_supplier_is_refused_and_the_catalogue_learns_its_price(
        self, api: Api, partner: Onboarded, plan: Plan, supplier_is
    ) -> None:
        other = a_plan("sim-es-1gb-7d")
        assert other.price_cents != 2 * plan.price_cents
        supplier_is(simulator_at(percent=200))
        reply = api.post(ORDERS, {"planId": plan.id})
        assert (reply.status, reply.error_type) == (409, "price_changed")
        assert (reply.error["previousTotalCents"], reply.error["currentTotalCents"]) == (411, 823)
        assert money(partner) == (BALANCE_CENTS, 0)
        assert api.get(f"/v1/esim/plans/{plan.id}").body["priceCents"] == 823
        assert a_plan("sim-es-1gb-7d").price_cents == other.price_cents
        assert an_order(api, plan)["totalCents"] == 823

    def test_a_plan_the_supplier_has_stopped_selling_is_expired_and_withdrawn(
        self, api: Api, partner: Onboarded, plan: Plan, supplier_is
    ) -> None:
        supplier_is(simulator_at(sold_out=True))
        reply = api.post(ORDERS, {"planId": plan.id})
        assert (reply.status, reply.error_type) == (410, "offer_expired")
        assert reply.error["message"] == (
            "The supplier no longer sells this plan; choose another one from the catalogue."
        )
        assert money(partner) == (BALANCE_CENTS, 0)
        assert api.get(f"/v1/esim/plans/{plan.id}").status == 404
        assert api.post(ORDERS, {"planId": plan.id}).status == 404
