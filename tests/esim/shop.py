"""What the tests of eSIMs buy with, from whom, and how they look at what came of it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import orjson

from apps.bookings.models import Booking
from apps.common import clock
from apps.esim.models import Plan
from apps.esim.suppliers.base import (
    EsimOrder,
    OrderRequest,
    SupplierPlan,
    TopUpRequest,
    Usage,
)
from apps.esim.suppliers.simulator.adapter import EsimSimulator
from apps.keys.scopes import ENFORCED
from apps.ledger.models import Wallet
from apps.onboarding.partners import Onboarded, Terms
from apps.suppliers.errors import SupplierError
from apps.suppliers.models import ExchangeRate
from apps.suppliers.rates import forget_rates
from apps.suppliers.results import NONE_WITHHELD, Found
from apps.suppliers.simulation import DatabaseStore, Market
from apps.webhooks.models import Event
from tests.factories.partners import new_partner
from tests.support.api import Api

BALANCE_CENTS = 1_000_000


def a_partner(**terms: Any) -> Onboarded:
    """A partner with every scope, 10,000.00 on the account and room for many calls."""
    common = {
        "name": "Partner",
        "currency": "EUR",
        "balance_cents": BALANCE_CENTS,
        "scopes": ENFORCED,
        "rates": {"BOOKING": 10_000, "READ": 10_000},
    }
    return new_partner(Terms(**{**common, **terms}))


def a_plan(supplier_plan_id: str, environment: str = "test") -> Plan:
    return Plan.objects.get(environment=environment, supplier_plan_id=supplier_plan_id)


def an_order(api: Api, plan: Plan, **more: Any) -> dict[str, Any]:
    """The body of a new order's answer."""
    reply = api.post("/v1/esim/orders", {"planId": plan.id, **more})
    assert reply.status == 201, reply.body
    return reply.body


def top_up_plans(api: Api, order: dict[str, Any]) -> list[dict[str, Any]]:
    """What an eSIM can be topped up with, the cheapest first."""
    reply = api.get(f"/v1/esim/orders/{order['id']}/topups")
    assert reply.status == 200, reply.body
    plans: list[dict[str, Any]] = reply.body["plans"]
    return plans


def a_top_up(api: Api, order: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The body of a new top-up's answer, with the cheapest plan."""
    plan = top_up_plans(api, order)[0]
    reply = api.post(f"/v1/esim/orders/{order['id']}/topups", {"planId": plan["id"], **more})
    assert reply.status == 201, reply.body
    return reply.body


def money(partner: Onboarded) -> tuple[int, int]:
    """What is available and what is held on the test account."""
    wallet = Wallet.objects.get(account=partner.account, environment="test")
    return wallet.available_cents, wallet.held_cents


def events(booking_id: str) -> list[tuple[str, dict[str, Any]]]:
    """The events told of a booking: their types and data."""
    found = Event.objects.filter(booking_id=booking_id).order_by("created_at", "id")
    return [(event.type, orjson.loads(event.payload)["data"]) for event in found]


def the_order(booking_id: str) -> Booking:
    return Booking.objects.get(pk=booking_id)


class Shop(EsimSimulator):
    """The simulator with a catalogue that a test sets."""

    def __init__(self, *plans: SupplierPlan) -> None:
        super().__init__(DatabaseStore("esim"))
        self.sold = list(plans)
        self.withheld = NONE_WITHHELD

    def plans(self) -> Found[SupplierPlan]:
        return Found(self.sold, self.withheld)

    def raise_prices(self, percent: int) -> None:
        self.sold = [replace(plan, price_cents=plan.price_cents * percent // 100) for plan in self.sold]


class Faulty(EsimSimulator):
    """The simulator, which raises `fault` at an order or a top-up: before it is written, or after (`heard`)."""

    def __init__(self, fault: Exception, *, heard: bool = False) -> None:
        super().__init__(DatabaseStore("esim"))
        self.fault = fault
        self.heard = heard

    def order(self, request: OrderRequest) -> EsimOrder:
        if self.heard:
            super().order(request)
        raise self.fault

    def top_up(self, request: TopUpRequest) -> EsimOrder:
        if self.heard:
            super().top_up(request)
        raise self.fault


def simulator_at(**market: Any) -> EsimSimulator:
    """The simulator after its market moved: `percent`, `sold_out`."""
    return EsimSimulator(DatabaseStore("esim"), market=Market(**market))


def store_rate(rate: str) -> None:
    """How many euros a dollar buys, from now on."""
    ExchangeRate.objects.create(base="USD", quote="EUR", rate=rate, as_of=clock.today())
    forget_rates()


VALID_UNTIL = datetime(2026, 12, 1, 10, tzinfo=UTC)


class Meter(Shop):
    """A supplier whose usage a test sets; an error is raised."""

    reading: Usage | SupplierError = Usage("active", 1024, 300, VALID_UNTIL)

    times = 0
    meanwhile: Callable[[], object] | None = None

    def usage(self, supplier_reference: str, iccid: str) -> Usage:
        self.times += 1
        if self.meanwhile is not None:
            act, self.meanwhile = self.meanwhile, None
            act()
        self.asked = (supplier_reference, iccid)
        if isinstance(self.reading, SupplierError):
            raise self.reading
        return self.reading


def usage(api: Api, order: dict[str, Any], **headers: str) -> dict[str, Any]:
    reply = api.get(f"/v1/esim/orders/{order['id']}/usage", **headers)
    assert reply.status == 200, reply.body
    body: dict[str, Any] = reply.body
    return body
