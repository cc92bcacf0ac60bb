"""The order of a plan, from the funds to the profile; a partner's own reference used again is answered."""

import pytest

from apps.bookings.models import Booking, Operation, OperationState
from apps.common import clock
from apps.esim.details import OrderDetails
from apps.esim.models import Plan
from apps.esim.services.handlers import BookEsim, watched_until
from apps.esim.services.sync import sync_environment
from apps.esim.suppliers.base import EsimOrder, OrderRequest
from apps.esim.suppliers.registry import VENDORS
from apps.esim.suppliers.simulator import catalogue as simulated
from apps.onboarding.partners import Onboarded
from apps.suppliers.models import SimulatedWrite
from apps.suppliers.vendors import Vendor
from tests.esim.shop import (
    BALANCE_CENTS,
    Shop,
    a_partner,
    a_plan,
    an_order,
    events,
    money,
    simulator_at,
    store_rate,
    the_order,
)
from tests.support.api import Api
from tests.support.product_handlers import assert_stays_with_its_supplier

pytestmark = pytest.mark.usefixtures("books_that_balance")

ORDERS = "/v1/esim/orders"


def test_an_order_is_paid_and_its_profile_delivered(api: Api, partner: Onboarded, plan: Plan) -> None:
    order = an_order(api, plan)
    booking = the_order(order["id"])
    assert (booking.status, booking.total_cents, booking.currency) == ("provisioned", 411, "EUR")
    assert money(partner) == (BALANCE_CENTS - 411, 0)
    operation = Operation.objects.get(booking=booking)
    assert (operation.state, operation.client_ref) == (OperationState.CONFIRMED, booking.reference)
    write = SimulatedWrite.objects.get(client_ref=booking.reference)
    assert write.reference == booking.supplier_reference
    assert booking.watched_until == watched_until(booking)
    assert OrderDetails.of(booking).plan.id == plan.id


def test_the_one_event_of_an_order_is_esim_provisioned(api: Api, plan: Plan) -> None:
    order = an_order(api, plan, externalReference="trip-7")
    assert events(order["id"]) == [
        (
            "esim.provisioned",
            {
                "bookingType": "esim",
                "bookingId": order["id"],
                "bookingReference": order["reference"],
                "externalReference": "trip-7",
                "purchaseId": order["id"],
                "iccid": order["iccid"],
                "planName": "Portugal 1 GB, 7 days",
                "status": "provisioned",
            },
        )
    ]


def test_an_account_pays_in_its_own_currency(db, catalogue) -> None:
    partner = a_partner(currency="JPY")
    api, plan = Api(partner.test_secret), a_plan("sim-pt-1gb-7d")
    offered = api.get(f"/v1/esim/plans/{plan.id}").body
    order = an_order(api, plan)
    # $4.69 at 1.14 dollars and 164 yen for a euro.
    assert (offered["priceCents"], offered["currency"]) == (675, "JPY")
    assert (order["totalCents"], order["currency"]) == (675, "JPY")
    assert money(partner) == (BALANCE_CENTS - 675, 0)


def test_a_limit_below_the_price_is_refused_and_one_at_the_price_is_enough(api, partner, plan):
    refused = api.post(ORDERS, {"planId": plan.id, "maxTotalCents": 410})
    assert (refused.status, refused.error_type) == (409, "price_changed")
    assert (refused.error["previousTotalCents"], refused.error["currentTotalCents"]) == (411, 411)
    assert money(partner) == (BALANCE_CENTS, 0)
    assert an_order(api, plan, maxTotalCents=411)["totalCents"] == 411


def test_an_order_keeps_the_rate_that_its_plan_was_sold_at(db, monkeypatch, settings):
    """A real supplier charges its own currency, and what it asks for in the end is told at the same rate."""
    vendor = Shop(simulated.plans()["sim-pt-1gb-7d"])
    monkeypatch.setitem(VENDORS, "vendor", Vendor("vendor", lambda: vendor))
    settings.SUPPLIERS = {**settings.SUPPLIERS, "esim": {"live": "vendor"}}
    store_rate("0.5")
    sync_environment("live")
    api = Api(a_partner(live=True).live_secret or "")
    plan = a_plan("sim-pt-1gb-7d", "live")
    order = an_order(api, plan)
    kept = {"base": "USD", "quote": "EUR", "rate": "0.5", "asOf": str(clock.today())}
    assert (plan.price_cents, order["totalCents"], the_order(order["id"]).exchange) == (469, 235, kept)

    def dearer_meanwhile(request: OrderRequest) -> EsimOrder:
        store_rate("0.9")
        return simulator_at(percent=200).order(request)

    monkeypatch.setattr(vendor, "order", dearer_meanwhile)
    reply = api.post(ORDERS, {"planId": plan.id})
    assert (reply.status, reply.error_type) == (409, "price_changed")
    assert (reply.error["previousTotalCents"], reply.error["currentTotalCents"]) == (235, 469)


class TestReusedReference:
    """One order an account and externalReference: again with the same plan it is the answer, with another it is a conflict."""

    def test_the_same_plan_answers_the_existing_order(self, api: Api, partner: Onboarded, plan: Plan) -> None:
        order = an_order(api, plan, externalReference="trip-1")
        again = api.post(ORDERS, {"planId": plan.id, "externalReference": "trip-1"})
        assert (again.status, again.body) == (200, order)
        assert money(partner) == (BALANCE_CENTS - 411, 0)

    def test_a_pending_order_is_answered_as_it_stands(self, api, partner, late_plan):
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

    def test_other_accounts_and_orders_without_a_reference_are_not_touched(self, api, plan):
        order = an_order(api, plan, externalReference="trip-1")
        stranger = an_order(Api(a_partner().test_secret), plan, externalReference="trip-1")
        assert len({order["id"], stranger["id"], an_order(api, plan)["id"], an_order(api, plan)["id"]}) == 4


def test_an_order_stays_with_the_supplier_that_it_was_made_with(monkeypatch: pytest.MonkeyPatch) -> None:
    assert_stays_with_its_supplier(BookEsim(), VENDORS, Shop(), monkeypatch)
