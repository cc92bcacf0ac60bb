"""Orders whose profile is made later than they are taken on."""

import pytest

from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking, Operation, OperationState
from apps.esim.models import Plan
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import OutcomeUnknown
from apps.suppliers.models import SimulatedWrite
from tests.esim.shop import (
    BALANCE_CENTS,
    Faulty,
    an_order,
    events,
    money,
    the_order,
)
from tests.support.api import Api

pytestmark = pytest.mark.usefixtures("books_that_balance")

ORDERS = "/v1/esim/orders"


class TestDeliveredLater:
    """Plans whose operator takes the order on and makes the profile afterwards."""

    def test_the_answer_is_pending_and_the_funds_are_held(
        self, api: Api, partner: Onboarded, late_plan: Plan
    ) -> None:
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

    def test_a_replay_shows_the_first_answer_to_the_byte(self, api: Api, late_plan: Plan, move_clock) -> None:
        first = api.post(ORDERS, {"planId": late_plan.id}, key="same-key-1")
        move_clock(seconds=11)
        recover_due()
        again = api.post(ORDERS, {"planId": late_plan.id}, key="same-key-1")
        assert (again.status, again.content) == (201, first.content)
        assert again.headers["Idempotent-Replayed"] == "true"
        assert SimulatedWrite.objects.count() == 1

    def test_a_death_after_the_acceptance_loses_no_answer(
        self, api: Api, late_plan: Plan, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def die(*arguments: object, **more: object) -> None:
            raise RuntimeError("the process died before it answered")

        with monkeypatch.context() as patched:
            patched.setattr("apps.gateway.views.finish", die)
            assert api.post(ORDERS, {"planId": late_plan.id}, key="same-key-5").status == 500
        replayed = api.post(ORDERS, {"planId": late_plan.id}, key="same-key-5")
        assert (replayed.status, replayed.body["status"]) == (201, "pending")
        assert replayed.headers["Idempotent-Replayed"] == "true"
        assert SimulatedWrite.objects.count() == 1

    def test_a_retry_after_a_lost_answer_finds_the_order_on_its_way(
        self, api: Api, partner: Onboarded, late_plan: Plan, supplier_is, move_clock
    ) -> None:
        supplier_is(Faulty(OutcomeUnknown("no answer"), heard=True))
        lost = api.post(ORDERS, {"planId": late_plan.id}, key="same-key-2")
        assert (lost.status, lost.error_type) == (503, "upstream_unavailable")
        retried = api.post(ORDERS, {"planId": late_plan.id}, key="same-key-2")
        assert (retried.status, retried.body["status"]) == (201, "pending")
        assert SimulatedWrite.objects.count() == Booking.objects.count() == 1
        assert money(partner) == (BALANCE_CENTS - 382, 382)
