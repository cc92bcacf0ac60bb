"""Top-ups that the supplier refuses, and top-ups whose answer is lost."""

from typing import Any

import pytest

from apps.bookings.models import Booking
from apps.bookings.services.recover import recover_due
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import OutcomeUnknown, Rejected, SupplierError, Unavailable
from apps.suppliers.models import SimulatedWrite
from tests.esim.shop import BALANCE_CENTS, Faulty, a_top_up, money, simulator_at, top_up_plans
from tests.support.api import Api, Reply

pytestmark = pytest.mark.usefixtures("books_that_balance")

PRICE, TOP_UP_PRICE = 411, 390
SPENT = BALANCE_CENTS - PRICE


@pytest.fixture
def chosen(api: Api, order: dict[str, Any]) -> str:
    return str(top_up_plans(api, order)[0]["id"])


def top_up(api: Api, order: dict[str, Any], chosen: str, key: str | None = None, **more: Any) -> Reply:
    return api.post(f"/v1/esim/orders/{order['id']}/topups", {"planId": chosen, **more}, key=key)


@pytest.mark.parametrize(
    ("fault", "status", "error_type"),
    [(Rejected("no"), 502, "upstream_error"), (Unavailable("throttled"), 503, "upstream_unavailable")],
)
def test_a_certain_refusal_frees_the_funds_and_the_reference(
    api: Api, partner: Onboarded, order, chosen, supplier_is, fault: SupplierError, status, error_type
) -> None:
    supplier_is(Faulty(fault))
    reply = top_up(api, order, chosen, externalReference="more-1")
    assert (reply.status, reply.error_type) == (status, error_type)
    assert money(partner) == (SPENT, 0)
    shown = api.get(f"/v1/esim/orders/{order['id']}").body["topups"]
    assert [(one["status"], one["plan"]["id"]) for one in shown] == [("failed", chosen)]
    supplier_is(simulator_at())
    assert top_up(api, order, chosen, externalReference="more-1").status == 201


def test_a_lost_answer_keeps_the_funds_and_a_retry_finds_the_top_up(
    api: Api, partner: Onboarded, order, chosen, supplier_is
) -> None:
    supplier_is(Faulty(OutcomeUnknown("no answer"), heard=True))
    lost = top_up(api, order, chosen, key="same-key-3")
    assert (lost.status, lost.error_type) == (503, "upstream_unavailable")
    assert money(partner) == (SPENT - TOP_UP_PRICE, TOP_UP_PRICE)
    (pending,) = api.get(f"/v1/esim/orders/{order['id']}").body["topups"]
    assert pending["status"] == "pending"
    found = top_up(api, order, chosen, key="same-key-3")
    assert (found.status, found.body["status"], found.body["id"]) == (201, "provisioned", pending["id"])
    assert SimulatedWrite.objects.count() == 2
    assert money(partner) == (SPENT - TOP_UP_PRICE, 0)


def test_while_one_is_open_another_one_waits(api: Api, partner, order, chosen, supplier_is) -> None:
    supplier_is(Faulty(OutcomeUnknown("no answer"), heard=True))
    assert top_up(api, order, chosen, externalReference="more-1").status == 503
    open_one = Booking.objects.get(status="pending")
    supplier_is(simulator_at())
    other = top_up(api, order, chosen)
    assert (other.status, other.error_type, other.error["bookingId"]) == (409, "conflict", open_one.id)
    same = top_up(api, order, chosen, externalReference="more-1")
    assert (same.status, same.body["id"], same.body["status"]) == (200, open_one.id, "pending")
    assert money(partner) == (SPENT - TOP_UP_PRICE, TOP_UP_PRICE)


@pytest.mark.parametrize("heard", [True, False], ids=["taken on", "never arrived"])
def test_the_recovery_worker_finds_out(
    api: Api, partner: Onboarded, order, chosen, supplier_is, move_clock, heard: bool
) -> None:
    supplier_is(Faulty(OutcomeUnknown("no answer"), heard=heard))
    assert top_up(api, order, chosen).status == 503
    supplier_is(simulator_at())
    for _ in range(6):
        move_clock(seconds=60)
        recover_due()
    (shown,) = api.get(f"/v1/esim/orders/{order['id']}").body["topups"]
    assert shown["status"] == ("provisioned" if heard else "failed")
    assert money(partner) == ((SPENT - TOP_UP_PRICE, 0) if heard else (SPENT, 0))
    usage = api.get(f"/v1/esim/orders/{order['id']}/usage").body
    assert usage["dataTotalMb"] == (2048 if heard else 1024)
    assert a_top_up(api, order)["status"] == "provisioned"
