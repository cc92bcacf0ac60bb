"""Airalo takes a top-up on and its answer is lost: none is lost for good, none is bought twice.

Whether they keep our reference with it, or answer words of their own, as in their example. Ten of each kind in the suite, ten
times `--chaos-runs` where that is given.
"""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import Any

import pytest

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking, Operation
from apps.esim.models import Plan
from apps.esim.suppliers.airalo import client
from apps.ledger.consistency import check_ledger
from apps.ledger.selectors import balance_of
from apps.suppliers.http import Limits
from apps.suppliers.models import SupplierAlert
from tests.esim.shop import BALANCE_CENTS, a_top_up, an_order, top_up_plans
from tests.esim.suppliers.airalo.stub import TOP_UP, AiraloStub
from tests.support.api import Api, Reply
from tests.support.supplier_stub import Trouble

pytestmark = pytest.mark.django_db(transaction=True)

PRICE, TOP_UP_PRICE = 256, 240


@pytest.fixture
def runs(request: pytest.FixtureRequest) -> int:
    return 10 * max(1, int(request.config.getoption("--chaos-runs")))


@contextmanager
def impatient() -> Iterator[None]:
    """Orders are soon given up. Only while none is answered: look-ups have the same limits, and this machine is busy."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(client, "ORDER_LIMITS", Limits(connect=20, read=0.25))
        yield


def recover_all() -> int:
    """How many operations were looked at."""
    return sum(iter(recover_due, 0))


def funds(partner: Any) -> tuple[int, int]:
    balance = balance_of(partner.account.id, "live")
    return balance.available_cents, balance.held_cents


def top_up(api: Api, order: dict[str, Any], key: str | None = None) -> Reply:
    plan = top_up_plans(api, order)[0]
    return api.post(f"/v1/esim/orders/{order['id']}/topups", {"planId": plan["id"]}, key=key)


def bought(stub: AiraloStub) -> list[str]:
    """The profiles that were topped up, once for each top-up."""
    return sorted(order["_iccid"] for order in stub.books.orders if order["type"] == "topup")


@pytest.mark.slow
@pytest.mark.parametrize("keeps", [True, False], ids=["our reference", "their words"])
@pytest.mark.parametrize(
    "trouble",
    [
        Trouble(end="hang"),
        Trouble(end="reset"),
        Trouble(status=500, body={"code": 53}),
        Trouble(status=200, body=b'{"data": {"id'),
        Trouble(status=502, body=b"<html>"),
    ],
    ids=["hang", "reset", "unexpected", "half a body", "html"],
)
def test_of_top_ups_taken_on_without_an_answer_none_is_lost_and_none_doubled(
    api: Api, partner, plan: Plan, stub: AiraloStub, move_clock, runs: int, trouble: Trouble, keeps: bool
) -> None:
    stub.books.keeps_descriptions = keeps
    orders = [an_order(api, plan) for _ in range(runs)]
    stub.trouble(*TOP_UP, replace(trouble, times=runs))
    with impatient() if trouble.end == "hang" else nullcontext():
        answers = [top_up(api, order, f"lost-{number:06}") for number, order in enumerate(orders)]
    stub.await_heard(*TOP_UP, times=runs)
    assert {(reply.status, reply.error_type) for reply in answers} == {(503, "upstream_unavailable")}
    spent = runs * (PRICE + TOP_UP_PRICE)
    assert funds(partner) == (BALANCE_CENTS - spent, runs * TOP_UP_PRICE)
    move_clock(seconds=6)
    assert recover_all() == runs
    assert bought(stub) == sorted(order["iccid"] for order in orders)
    assert set(Booking.objects.values_list("status", flat=True)) == {"provisioned"}
    assert funds(partner) == (BALANCE_CENTS - spent, 0)
    again = [top_up(api, order, f"lost-{number:06}") for number, order in enumerate(orders)]
    assert {reply.status for reply in again} == {201}
    ours = {str(o["id"]): o["_iccid"] for o in stub.books.orders if o["type"] == "topup"}
    assert {reply.body["supplier"]["reference"]: reply.body["iccid"] for reply in again} == ours
    assert len(bought(stub)) == runs
    assert (check_ledger(), SupplierAlert.objects.count()) == ([], 0)


@pytest.mark.parametrize("keeps", [True, False], ids=["our reference", "their words"])
def test_one_that_never_arrived_is_given_up_and_is_not_the_one_before_it(
    api: Api, partner, plan: Plan, stub: AiraloStub, move_clock, keeps: bool
) -> None:
    stub.books.keeps_descriptions = keeps
    order = an_order(api, plan)
    a_top_up(api, order)
    stub.trouble(*TOP_UP, Trouble(accept=False, end="reset"))
    assert top_up(api, order, "never-arrived").status == 503
    for seconds in (6, 25, 90, 480, 1_200):
        move_clock(seconds=seconds)
        assert recover_all() == 1
        assert Booking.objects.latest("created_at").status == "pending"
    move_clock(seconds=2_000)
    recover_all()
    assert Booking.objects.latest("created_at").status == "failed"
    assert funds(partner) == (BALANCE_CENTS - PRICE - TOP_UP_PRICE, 0)
    alert = SupplierAlert.objects.get()
    assert (alert.kind, alert.detail) == ("unresolved", Operation.objects.latest("created_at").client_ref)
    assert (len(bought(stub)), check_ledger()) == (1, [])


def test_what_others_bought_for_the_profile_is_not_ours(api, partner, plan, stub, move_clock):
    """A top-up of another package, an older one, a failed one, and one that carries another reference of ours."""
    stub.books.keeps_descriptions = False
    order = an_order(api, plan)
    chosen, dearer = stub.top_ups()
    sent = {"iccid": order["iccid"], "description": "Topup by hand"}
    older = stub.books.top_up(chosen, sent)
    move_clock(minutes=10)
    stub.books.top_up(dearer, sent)
    stub.books.top_up(chosen, sent)["status"] = {"name": "Failed", "slug": "failed"}
    stub.books.top_up(chosen, sent)["description"] = "E-7KQ2M9XD"
    stub.trouble(*TOP_UP, Trouble(accept=False, end="reset"))
    assert top_up(api, order, "never-arrived").status == 503
    move_clock(seconds=6)
    assert recover_all() == 1
    assert Booking.objects.latest("created_at").status == "pending"
    assert older["created_at"] < str(Booking.objects.latest("created_at").created_at)


def test_a_refunded_top_up_is_refunded_here_and_the_esim_stands(api, partner, plan, stub, move_clock):
    order = an_order(api, plan)
    made = a_top_up(api, order)
    row = stub.books.order(made["supplier"]["reference"])
    assert row is not None
    row["status"] = {"name": "Refunded", "slug": "refunded"}
    move_clock(days=1, seconds=1)
    assert poll_suppliers() == 1
    shown = api.get(f"/v1/esim/orders/{order['id']}").body
    assert (shown["status"], [one["status"] for one in shown["topups"]]) == ("provisioned", ["cancelled"])
    assert shown["topups"][0]["cancellation"]["refundCents"] == TOP_UP_PRICE
    assert funds(partner) == (BALANCE_CENTS - PRICE, 0)
    assert check_ledger() == []
