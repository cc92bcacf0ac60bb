"""The order of a plan, from the funds to the profile."""

import pytest
from pytest_django import Settings

from apps.bookings.models import Booking, Operation, OperationState
from apps.common import clock
from apps.esim.details import OrderDetails
from apps.esim.models import Plan
from apps.esim.services.handlers import watched_until
from apps.esim.services.sync import sync_environment
from apps.esim.suppliers.base import EsimOrder, OrderRequest
from apps.esim.suppliers.registry import VENDORS
from apps.esim.suppliers.simulator import catalogue as simulated
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.models import ExchangeRate, SimulatedWrite
from apps.suppliers.rates import forget_rates
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
    the_order,
)
from tests.support.api import Api

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


def test_an_order_without_funds_is_refused_before_the_supplier_hears_of_it(db, catalogue) -> None:
    partner = a_partner(balance_cents=410)
    reply = Api(partner.test_secret).post(ORDERS, {"planId": a_plan("sim-pt-1gb-7d").id})
    assert (reply.status, reply.error_type) == (402, "insufficient_funds")
    assert (reply.error["availableCents"], reply.error["requiredCents"]) == (410, 411)
    assert SimulatedWrite.objects.count() == Booking.objects.count() == 0
    assert money(partner) == (410, 0)


def test_a_limit_below_the_price_is_refused_and_one_at_the_price_is_enough(
    api: Api, partner: Onboarded, plan: Plan
) -> None:
    refused = api.post(ORDERS, {"planId": plan.id, "maxTotalCents": 410})
    assert (refused.status, refused.error_type) == (409, "price_changed")
    assert (refused.error["previousTotalCents"], refused.error["currentTotalCents"]) == (411, 411)
    assert money(partner) == (BALANCE_CENTS, 0)
    assert an_order(api, plan, maxTotalCents=411)["totalCents"] == 411


@pytest.mark.parametrize(
    ("value", "status", "error_type"),
    [("sbx_price_changed", 409, "price_changed"), ("sbx_payment_failed", 402, "payment_failed")],
)
def test_an_order_is_refused_as_the_sandbox_is_asked_before_the_supplier_hears_of_it(
    api: Api, partner: Onboarded, plan: Plan, value: str, status: int, error_type: str
) -> None:
    reply = api.post(ORDERS, {"planId": plan.id}, **{"X-Partner-Customer-Ref": value})
    assert (reply.status, reply.error_type) == (status, error_type)
    if error_type == "price_changed":
        assert (reply.error["previousTotalCents"], reply.error["currency"]) == (411, "EUR")
    assert (Booking.objects.count(), money(partner)) == (0, (BALANCE_CENTS, 0))


def test_an_order_keeps_the_rate_that_its_plan_was_sold_at(
    db: None, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
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


def store_rate(rate: str) -> None:
    ExchangeRate.objects.create(base="USD", quote="EUR", rate=rate, as_of=clock.today())
    forget_rates()
