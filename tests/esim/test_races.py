"""Many calls for one order, with real transactions and threads."""

from collections.abc import Callable
from functools import partial

import pytest

from apps.bookings.models import Booking, Operation
from apps.esim.services.sync import sync_environment
from apps.esim.services.usage import refresh_usage
from apps.esim.suppliers.base import LowData
from apps.esim.suppliers.registry import VENDORS
from apps.esim.suppliers.simulator.catalogue import plans
from apps.ledger.consistency import check_ledger
from apps.onboarding.partners import Onboarded
from apps.suppliers.models import SimulatedWrite
from apps.suppliers.vendors import Vendor
from tests.esim.shop import BALANCE_CENTS, Shop, a_partner, a_plan, an_order, events, money, top_up_plans
from tests.support.api import Api, Reply
from tests.support.threads import all_at_once

CALLS = 32
PLANS = ("sim-pt-1gb-7d", "sim-es-1gb-7d", "sim-oceania-1gb-7d")

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def catalogue(db, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setitem(
            VENDORS, "simulator", Vendor("simulator", lambda: Shop(*(plans()[name] for name in PLANS)))
        )
        sync_environment("test")


def order(secret: str, supplier_plan_id: str, *, key: str | None = None) -> Reply:
    """One call from a thread of its own, with a client of its own."""
    body = {"planId": a_plan(supplier_plan_id).id, "externalReference": "trip-1"}
    return Api(secret).post("/v1/esim/orders", body, key=key)


@pytest.mark.parametrize("name", ["sim-pt-1gb-7d", "sim-oceania-1gb-7d"], ids=["at once", "later"])
def test_of_parallel_orders_with_one_reference_one_is_made_and_all_answer_it(name: str) -> None:
    partner = a_partner()
    replies = all_at_once([lambda: order(partner.test_secret, name)] * CALLS)
    assert sorted(reply.status for reply in replies) == [200] * (CALLS - 1) + [201]
    assert len({reply.body["id"] for reply in replies}) == 1
    assert Booking.objects.count() == Operation.objects.count() == SimulatedWrite.objects.count() == 1
    assert sum(money(partner)) == BALANCE_CENTS - (411 if name == "sim-pt-1gb-7d" else 0)
    assert check_ledger() == []


def test_of_parallel_orders_of_two_plans_with_one_reference_one_plan_wins() -> None:
    partner = a_partner()
    calls = [lambda n=n: order(partner.test_secret, PLANS[n % 2]) for n in range(CALLS)]
    replies = all_at_once(calls)
    assert SimulatedWrite.objects.count() == 1
    (booking,) = Booking.objects.all()
    statuses = sorted(reply.status for reply in replies)
    assert statuses == [200] * (CALLS // 2 - 1) + [201] + [409] * (CALLS // 2)
    named = {reply.error["bookingId"] for reply in replies if reply.status == 409}
    assert named | {reply.body["id"] for reply in replies if reply.status < 300} == {booking.id}
    assert check_ledger() == []


class TestTopUps:
    """Many calls for one top-up of one eSIM."""

    def top_up(
        self, secret: str, order_id: str, plan_id: str, *, key: str | None = None, **more: str
    ) -> Reply:
        path = f"/v1/esim/orders/{order_id}/topups"
        return Api(secret).post(path, {"planId": plan_id, **more}, key=key)

    def made(self) -> tuple[Onboarded, str, list[str]]:
        partner = a_partner()
        api = Api(partner.test_secret)
        order_id = str(an_order(api, a_plan("sim-pt-1gb-7d"))["id"])
        return partner, order_id, [plan["id"] for plan in top_up_plans(api, {"id": order_id})]

    def test_of_parallel_ones_with_one_reference_one_is_made_and_all_answer_it(self) -> None:
        partner, order_id, (cheapest, *_) = self.made()
        call = partial(self.top_up, partner.test_secret, order_id, cheapest, externalReference="more-1")
        replies = all_at_once([call] * CALLS)
        assert sorted(reply.status for reply in replies) == [200] * (CALLS - 1) + [201]
        assert len({reply.body["id"] for reply in replies}) == 1
        assert Booking.objects.count() == Operation.objects.count() == SimulatedWrite.objects.count() == 2
        assert money(partner) == (BALANCE_CENTS - 411 - 390, 0)
        assert check_ledger() == []

    def test_of_parallel_ones_without_a_reference_each_is_made_once_or_told_to_wait(self) -> None:
        partner, order_id, plans = self.made()
        calls = [partial(self.top_up, partner.test_secret, order_id, plans[n % 2]) for n in range(CALLS)]
        replies = all_at_once(calls)
        made = [reply for reply in replies if reply.status == 201]
        assert made
        assert {(r.status, r.error_type) for r in replies if r.status != 201} <= {(409, "conflict")}
        assert SimulatedWrite.objects.count() == Booking.objects.count() == 1 + len(made)
        spent = sum(reply.body["totalCents"] for reply in made)
        assert money(partner) == (BALANCE_CENTS - 411 - spent, 0)
        shown = Api(partner.test_secret).get(f"/v1/esim/orders/{order_id}").body["topups"]
        assert {one["id"] for one in shown} == {reply.body["id"] for reply in made}
        assert check_ledger() == []


def test_of_parallel_reports_of_a_level_and_reads_of_the_usage_each_is_one_event(move_clock) -> None:
    partner = a_partner()
    api = Api(partner.test_secret)
    made = an_order(api, a_plan("sim-pt-1gb-7d"))
    move_clock(hours=2)
    calls: list[Callable[[], object]] = [
        partial(refresh_usage, supplier_name="simulator", iccid=made["iccid"], low=LowData(percent_used=75)),
        partial(Api(partner.test_secret).get, f"/v1/esim/orders/{made['id']}/usage"),
    ]
    all_at_once(calls * 8)
    told = sorted(kind for kind, _ in events(made["id"]))
    assert told == ["esim.data_low", "esim.provisioned", "esim.status_changed"]
