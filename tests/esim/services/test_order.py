"""The order of a plan, from the funds to the profile."""

from dataclasses import replace
from typing import Any

import pytest
from pytest_django import Settings

from apps.bookings.models import Booking, Operation, OperationState
from apps.bookings.services.recover import recover_due
from apps.common import clock
from apps.common.errors import Conflict
from apps.esim.details import OrderDetails
from apps.esim.models import Plan
from apps.esim.selectors import plan_on_sale
from apps.esim.services import order as ordering
from apps.esim.services.order import OrderEsim, answer_existing
from apps.esim.services.refund import watched_until
from apps.esim.services.sync import sync_environment
from apps.esim.suppliers.base import EsimOrder, OrderRequest
from apps.esim.suppliers.registry import VENDORS
from apps.esim.suppliers.simulator import catalogue as simulated
from apps.esim.suppliers.simulator.adapter import EsimSimulator
from apps.gateway.call import Caller
from apps.ledger.services.check_ledger import check_ledger
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.currency.models import ExchangeRate
from apps.suppliers.currency.rates import forget_rates
from apps.suppliers.errors import OutcomeUnknown, Rejected, Unavailable
from apps.suppliers.models import SimulatedWrite
from apps.suppliers.simulation.database_store import DatabaseStore
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
from tests.factories.gateway import partner_of
from tests.support.api import Api

ORDERS = "/v1/esim/orders"


@pytest.fixture(autouse=True)
def books_that_balance(db):
    yield
    assert check_ledger() == []


class Faulty(EsimSimulator):
    """The simulator, which raises `fault` at an order: before it is written, or after (`heard`)."""

    def __init__(self, fault: Exception, *, heard: bool = False) -> None:
        super().__init__(DatabaseStore("esim"))
        self.fault: Exception | None = fault
        self.heard = heard

    def order(self, request: OrderRequest) -> EsimOrder:
        if self.fault is None or self.heard:
            super().order(request)
        if self.fault is not None:
            raise self.fault
        raise AssertionError


@pytest.fixture
def supplier_is(monkeypatch: pytest.MonkeyPatch):
    """`supplier_is(adapter)` serves test keys from now on."""
    return lambda adapter: monkeypatch.setitem(VENDORS, "simulator", Vendor("simulator", lambda: adapter))


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
        assert events(order["id"]) == []

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


def test_a_lost_order_is_found_while_it_stands(
    api: Api, plan: Plan, supplier_is: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    supplier_is(Faulty(OutcomeUnknown("no answer"), heard=True))
    assert api.post(ORDERS, {"planId": plan.id}).status == 503
    operation = Operation.objects.get()
    found = OrderEsim().find(operation)
    assert found is not None
    for answer in (replace(found, cancelled=True), None):
        shop = Shop()
        monkeypatch.setattr(shop, "find_order", lambda client_ref, answer=answer: answer)
        supplier_is(shop)
        assert OrderEsim().find(operation) is None


class TestLostAndRefused:
    """What a supplier's failures do to the money."""

    @pytest.mark.parametrize(
        ("fault", "status", "error_type"),
        [
            (Rejected("no"), 502, "upstream_error"),
            (Unavailable("throttled"), 503, "upstream_unavailable"),
        ],
    )
    def test_a_certain_refusal_frees_the_funds_before_the_answer(
        self, api: Api, partner: Onboarded, plan: Plan, supplier_is, fault, status, error_type
    ) -> None:
        supplier_is(Faulty(fault))
        reply = api.post(ORDERS, {"planId": plan.id, "externalReference": "trip-1"})
        assert (reply.status, reply.error_type) == (status, error_type)
        assert money(partner) == (BALANCE_CENTS, 0)
        assert [booking.status for booking in Booking.objects.all()] == ["failed"]

    def test_a_refusal_gives_the_external_reference_back(self, api: Api, plan: Plan, supplier_is) -> None:
        supplier_is(Faulty(Rejected("no")))
        api.post(ORDERS, {"planId": plan.id, "externalReference": "trip-1"})
        supplier_is(simulator_at())
        assert an_order(api, plan, externalReference="trip-1")["status"] == "provisioned"

    def test_a_lost_answer_keeps_the_funds_and_a_retry_finds_the_order(
        self, api: Api, partner: Onboarded, plan: Plan, supplier_is
    ) -> None:
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
