"""Top-ups that the supplier refuses, and top-ups whose answer is lost."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking, Operation
from apps.esim.models import TopUpOffers
from apps.esim.services import top_up as module
from apps.esim.services.handlers import top_up_request as request_of
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import Expired, OutcomeUnknown
from apps.suppliers.models import SimulatedWrite
from tests.esim.shop import BALANCE_CENTS, Faulty, a_top_up, an_order, money, simulator_at, top_up_plans
from tests.support.api import Api, Reply

pytestmark = pytest.mark.usefixtures("books_that_balance")

PRICE, TOP_UP_PRICE = 411, 390
SPENT = BALANCE_CENTS - PRICE


@pytest.fixture
def chosen(api: Api, order: dict[str, Any]) -> str:
    return str(top_up_plans(api, order)[0]["id"])


def top_up(api: Api, order: dict[str, Any], chosen: str, key: str | None = None, **more: Any) -> Reply:
    return api.post(f"/v1/esim/orders/{order['id']}/topups", {"planId": chosen, **more}, key=key)


def test_a_lost_answer_keeps_the_funds_and_a_retry_finds_the_top_up(api, partner, order, chosen, supplier_is):
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
def test_the_recovery_worker_finds_out(api, partner, order, chosen, supplier_is, move_clock, heard):
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


def test_a_plan_that_the_supplier_no_longer_sells_is_gone_and_the_list_is_read_anew(
    api: Api, plan, partner: Onboarded, order, chosen, supplier_is
) -> None:
    other = an_order(api, plan)
    top_up_plans(api, other)
    supplier_is(Faulty(Expired()))
    reply = top_up(api, order, chosen)
    assert (reply.status, reply.error_type) == (410, "offer_expired")
    assert money(partner) == (SPENT - PRICE, 0)
    assert list(TopUpOffers.objects.values_list("booking", flat=True)) == [other["id"]]


@pytest.fixture
def another_comes_first(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Callable[[], object]], None]:
    """`another_comes_first(step, act)`: `act` happens just before the next top-up takes that step."""

    def at(step: str, act: Callable[[], object]) -> None:
        real, waiting = getattr(module, step), [act]

        def after_the_other(*args: Any, **named: Any) -> Any:
            if waiting:
                waiting.pop()()
            return real(*args, **named)

        monkeypatch.setattr(module, step, after_the_other)

    return at


@pytest.mark.parametrize("step", ["profile_to_top_up", "reserve_booking"])
@pytest.mark.parametrize("reference", ["more-1", None])
def test_of_two_at_once_the_second_is_answered_the_first_or_told_of_it(
    api: Api,
    partner: Onboarded,
    order,
    chosen,
    supplier_is,
    another_comes_first,
    step: str,
    reference: str | None,
) -> None:
    """The first one is still open, whether it came before the second looked for it or just before it was to be written."""
    supplier_is(Faulty(OutcomeUnknown("no answer"), heard=True))
    another_comes_first(step, lambda: top_up(api, order, chosen, externalReference="more-1"))
    second = top_up(api, order, chosen, **({"externalReference": reference} if reference else {}))
    first = Booking.objects.get(status="pending")
    if reference:
        assert (second.status, second.body["id"], second.body["status"]) == (200, first.id, "pending")
    else:
        assert (second.status, second.error_type, second.error["bookingId"]) == (409, "conflict", first.id)
    assert money(partner) == (SPENT - TOP_UP_PRICE, TOP_UP_PRICE)


def test_the_supplier_is_told_which_of_its_orders_are_others(api: Api, plan, order, supplier_is) -> None:
    """So that one that does not keep our reference can be told from them."""
    made = [a_top_up(api, order) for _ in range(2)]
    a_top_up(api, an_order(api, plan))
    supplier_is(Faulty(OutcomeUnknown("no answer"), heard=True))
    assert top_up(api, order, top_up_plans(api, order)[0]["id"]).status == 503
    pending = Booking.objects.get(status="pending")
    references = [each["supplier"]["reference"] for each in (order, *made)]
    request = request_of(Operation.objects.get(booking=pending))
    assert (request.known[0], sorted(request.known)) == (references[0], sorted(references))
    first = Operation.objects.get(booking=made[0]["id"])
    assert sorted(request_of(first).known) == sorted([references[0], references[2]])
    assert request_of(first).asked_at == first.call_started_at
    first.call_started_at = None
    assert request_of(first).asked_at == first.created_at


@pytest.mark.parametrize("end", ["failed", "cancelled"])
def test_a_top_up_that_is_answered_as_ended_is_not_paid(
    api: Api, partner: Onboarded, order, chosen, supplier_is, move_clock, monkeypatch, end: str
) -> None:
    told = simulator_at()
    for method in ("top_up", "find_top_up"):
        answer = getattr(told, method)
        monkeypatch.setattr(told, method, lambda asked, answer=answer: replace(answer(asked), **{end: True}))
    supplier_is(told)
    assert top_up(api, order, chosen).status == 503
    for _ in range(6):
        move_clock(seconds=60)
        recover_due()
    (shown,) = api.get(f"/v1/esim/orders/{order['id']}").body["topups"]
    assert (shown["status"], money(partner)) == ("failed", (SPENT, 0))
