"""The partner's own reference of an order: used again, it is answered."""

from typing import Any

import pytest

from apps.bookings.models import Booking
from apps.common.errors import Conflict
from apps.esim.models import Plan
from apps.esim.selectors import plan_on_sale
from apps.esim.services import order as ordering
from apps.esim.services.order import answer_existing
from apps.gateway.call import Caller
from apps.onboarding.services.onboard_partner import Onboarded
from tests.esim.shop import (
    BALANCE_CENTS,
    a_partner,
    a_plan,
    an_order,
    money,
    simulator_at,
)
from tests.factories.gateway import partner_of
from tests.support.api import Api

pytestmark = pytest.mark.usefixtures("books_that_balance")

ORDERS = "/v1/esim/orders"


class TestReusedReference:
    """One order an account and externalReference: again with the same plan it is the answer, with another it is a conflict."""

    def test_the_same_plan_answers_the_existing_order(self, api: Api, partner: Onboarded, plan: Plan) -> None:
        order = an_order(api, plan, externalReference="trip-1")
        again = api.post(ORDERS, {"planId": plan.id, "externalReference": "trip-1"})
        assert (again.status, again.body) == (200, order)
        assert money(partner) == (BALANCE_CENTS - 411, 0)

    def test_that_answer_is_replayed_too(self, api: Api, plan: Plan) -> None:
        an_order(api, plan, externalReference="trip-1")
        body = {"planId": plan.id, "externalReference": "trip-1"}
        found = api.post(ORDERS, body, key="same-key-4")
        again = api.post(ORDERS, body, key="same-key-4")
        assert (again.status, again.content) == (200, found.content)
        assert again.headers["Idempotent-Replayed"] == "true"

    def test_a_pending_order_is_answered_as_it_stands(
        self, api: Api, partner: Onboarded, late_plan: Plan
    ) -> None:
        order = an_order(api, late_plan, externalReference="trip-1")
        again = api.post(ORDERS, {"planId": late_plan.id, "externalReference": "trip-1"})
        assert (again.status, again.body) == (200, order)
        assert again.body["status"] == "pending"
        assert money(partner) == (BALANCE_CENTS - order["totalCents"], order["totalCents"])

    def test_another_plan_is_a_conflict_that_names_the_order(self, api: Api, plan: Plan) -> None:
        order = an_order(api, plan, externalReference="trip-1")
        other = a_plan("sim-es-1gb-7d")
        reply = api.post(ORDERS, {"planId": other.id, "externalReference": "trip-1"})
        assert (reply.status, reply.error_type, reply.error["bookingId"]) == (409, "conflict", order["id"])
        assert Booking.objects.count() == 1

    def test_a_withdrawn_plans_order_is_still_found(self, api: Api, plan: Plan, supplier_is) -> None:
        order = an_order(api, plan, externalReference="trip-1")
        supplier_is(simulator_at(sold_out=True))
        api.post(ORDERS, {"planId": plan.id})
        again = api.post(ORDERS, {"planId": plan.id, "externalReference": "trip-1"})
        assert (again.status, again.body["id"]) == (200, order["id"])

    def test_an_order_under_another_reference_is_another_order(
        self, api: Api, partner: Onboarded, plan: Plan
    ) -> None:
        orders = [an_order(api, plan, externalReference=name) for name in ("trip-1", "trip-2")]
        assert [order["externalReference"] for order in orders] == ["trip-1", "trip-2"]
        assert money(partner) == (BALANCE_CENTS - 2 * 411, 0)

    def test_other_accounts_and_orders_without_a_reference_are_not_touched(
        self, api: Api, plan: Plan
    ) -> None:
        order = an_order(api, plan, externalReference="trip-1")
        stranger = an_order(Api(a_partner().test_secret), plan, externalReference="trip-1")
        assert len({order["id"], stranger["id"], an_order(api, plan)["id"], an_order(api, plan)["id"]}) == 4

    def test_an_order_that_comes_first_while_another_begins_is_the_answer_of_both(
        self, api: Api, partner: Onboarded, plan: Plan, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        body = {"planId": plan.id, "externalReference": "trip-1"}
        first: list[dict[str, Any]] = []

        def slowly(*names: str) -> Plan:
            if not first:
                first.append({})
                first.append(api.post(ORDERS, body).body)
            return plan_on_sale(*names)

        monkeypatch.setattr(ordering, "plan_on_sale", slowly)
        second = api.post(ORDERS, body)
        assert (second.status, second.body) == (200, first[-1])
        assert money(partner) == (BALANCE_CENTS - 411, 0)

    def test_another_conflict_is_none_of_its(
        self, api: Api, plan: Plan, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(**names: object) -> None:
            raise Conflict("Something else.")

        monkeypatch.setattr(ordering, "reserve_booking", refuse)
        reply = api.post(ORDERS, {"planId": plan.id, "externalReference": "trip-1"})
        assert (reply.status, reply.error["message"]) == (409, "Something else.")

    def test_the_conflict_is_said_in_the_log_too(self, api: Api, plan: Plan) -> None:
        an_order(api, plan, externalReference="trip-1")
        with pytest.raises(Conflict) as raised:
            answer_existing(Caller(partner_of(api), "req_1"), "trip-1", a_plan("sim-es-1gb-7d").id)
        assert raised.value.own_texts == {raised.value.message}
