"""Airalo takes an order on and its answer is lost: none is lost for good, none is bought twice, every one is resolved.

Ten of each kind in the suite, ten times `--chaos-runs` where that is given.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking, Operation
from apps.esim.models import Plan
from apps.esim.suppliers.airalo import client
from apps.ledger.consistency import check_ledger
from apps.ledger.selectors import balance_of
from apps.suppliers.http import Limits
from apps.suppliers.models import SupplierAlert
from tests.esim.shop import BALANCE_CENTS
from tests.esim.suppliers.airalo.stub import ORDER, AiraloStub
from tests.support.api import Api, Reply
from tests.support.supplier_stub import Trouble

pytestmark = pytest.mark.django_db(transaction=True)

ORDERS = "/v1/esim/orders"
PRICE = 256


@pytest.fixture
def runs(request: pytest.FixtureRequest) -> int:
    return 10 * max(1, int(request.config.getoption("--chaos-runs")))


@contextmanager
def impatient() -> Iterator[None]:
    """Orders are soon given up. Only while none is answered: look-ups have the same limits, and this machine is busy."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(client, "ORDER_LIMITS", Limits(connect=20, read=0.25))
        yield


def funds(partner: Any) -> tuple[int, int]:
    balance = balance_of(partner.account.id, "live")
    return balance.available_cents, balance.held_cents


def order(api: Api, plan: Plan, key: str) -> Reply:
    return api.post(ORDERS, {"planId": plan.id}, key=key)


def recover_all() -> int:
    """How many operations were looked at."""
    return sum(iter(recover_due, 0))


@pytest.mark.slow
@pytest.mark.parametrize(
    "trouble",
    [Trouble(end="hang"), Trouble(end="reset"), Trouble(status=500, body={"code": 53})],
    ids=["hang", "reset", "unexpected"],
)
def test_of_orders_taken_on_without_an_answer_none_is_lost_and_none_doubled(
    api: Api, partner, plan: Plan, stub: AiraloStub, move_clock, runs: int, trouble: Trouble
) -> None:
    stub.trouble(*ORDER, replace(trouble, times=runs))
    keys = [f"lost-answer-{number}" for number in range(runs)]
    with impatient():
        answers = [order(api, plan, key) for key in keys]
    stub.await_heard(*ORDER, times=runs)
    assert {(reply.status, reply.error_type) for reply in answers} == {(503, "upstream_unavailable")}
    assert funds(partner) == (BALANCE_CENTS - runs * PRICE, runs * PRICE)
    move_clock(seconds=6)
    assert recover_all() == runs
    assert sorted(stub.store().values()) == [1] * runs
    assert sorted(stub.store()) == sorted(Booking.objects.values_list("reference", flat=True))
    assert set(Booking.objects.values_list("status", flat=True)) == {"provisioned"}
    assert funds(partner) == (BALANCE_CENTS - runs * PRICE, 0)
    repeated = [order(api, plan, key) for key in keys]
    assert {reply.status for reply in repeated} == {201}
    assert {reply.body["reference"]: reply.body["iccid"] for reply in repeated} == {
        reference: stub.iccid_of(reference) for reference in stub.store()
    }
    assert sum(stub.store().values()) == runs
    assert check_ledger() == []


def test_an_order_that_never_arrived_is_given_up_after_an_hour(api, partner, plan, stub, move_clock):
    stub.trouble(*ORDER, Trouble(accept=False, end="reset"))
    assert order(api, plan, "never-arrived").status == 503
    looks = []
    for seconds in (6, 25, 90, 480, 1_200):
        move_clock(seconds=seconds)
        looks.append(recover_all())
        assert Booking.objects.get().status == "pending"
    assert looks == [1, 1, 1, 1, 1]
    move_clock(seconds=2_000)
    recover_all()
    assert Booking.objects.get().status == "failed"
    assert funds(partner) == (BALANCE_CENTS, 0)
    alert = SupplierAlert.objects.get()
    assert (alert.kind, alert.detail) == ("unresolved", Operation.objects.get().client_ref)
    assert (stub.store(), check_ledger()) == ({}, [])
