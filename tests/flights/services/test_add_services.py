"""Bags for an order that stands: held before the airline is asked, bought once, found again after a lost answer."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking, Operation
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import OutcomeUnknown, Rejected, ServiceGone
from tests.flights.desk import (
    ADA,
    BALANCE_CENTS,
    CHARLES,
    Desk,
    faults,
    funds,
    in_days,
    lines,
    refusal,
    told,
    without,
)
from tests.support.api import Reply
from tests.support.scripted_flights import ScriptedFlights

CONFLICT = (409, "conflict")
UNAVAILABLE = (503, "upstream_unavailable")


def path(order: dict[str, Any]) -> str:
    return f"/v1/flights/orders/{order['id']}/services"


def listed(desk: Desk, order: dict[str, Any]) -> list[dict[str, Any]]:
    reply = desk.api.get(path(order))
    assert reply.status == 200, reply.body
    return list(reply.body["services"])


def add(
    desk: Desk, order: dict[str, Any], *bags: dict[str, Any], key: str | None = None, **more: Any
) -> Reply:
    headers = {name: more.pop(name) for name in list(more) if name.startswith("X_")}
    body = {"services": [{"serviceId": bag["serviceId"]} for bag in bags], **more}
    return desk.api.post(path(order), body, key, **headers)


@pytest.fixture
def order(desk: Desk) -> dict[str, Any]:
    return desk.ordered()


@pytest.fixture
def bag(desk: Desk, order: dict[str, Any]) -> dict[str, Any]:
    return listed(desk, order)[0]


def test_a_bag_is_held_for_and_becomes_a_part_of_the_order(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded
) -> None:
    order = desk.order(desk.flexible(passengers={"adults": 2}), passengers=[ADA, CHARLES]).body
    bags = listed(desk, order)
    assert {one["passenger"] for one in bags} == {0, 1}
    bag = next(one for one in bags if (one["passenger"], one["weightKg"]) == (1, 23))
    paid, cost = order["totalCents"], bag["totalCents"]
    during: list[tuple[int, int]] = []
    airline.meanwhile("add_services", lambda: during.append(funds(partner)))
    reply = add(desk, order, bag)
    assert during == [(BALANCE_CENTS - paid - cost, cost)]
    assert (reply.status, reply.body["totalCents"]) == (200, paid + cost)
    assert reply.body["services"] == [{**without(bag, "maxQuantity"), "quantity": 1}]
    assert lines(partner)[2:] == [("hold", -cost, cost), ("capture", 0, -cost)]
    assert told()[1:] == [
        ("booking.changed", {"changes": ["services"], "totalCents": paid + cost, "differenceCents": cost})
    ]
    assert Operation.objects.latest("id").client_ref.startswith(f"{order['reference']}-S")
    assert desk.read(order["id"]) == reply.body
    more = listed(desk, order)
    assert {one["passenger"] for one in more if one["kind"] == "checked_bag"} == {0}
    again = add(desk, order, next(one for one in more if one["passenger"] == 0))
    assert [one["passenger"] for one in again.body["services"]] == [1, 0]
    cancellation = desk.cancel(order["id"]).body["cancellation"]
    assert cancellation["refundCents"] + cancellation["penaltyCents"] == again.body["totalCents"]


def test_one_that_is_taken_by_nobody_else_is_bought_once(
    desk: Desk, order: dict[str, Any], bag: dict[str, Any]
) -> None:
    first, replay = (add(desk, order, bag, key="bag-key-1") for _ in range(2))
    assert (first.status, replay.body) == (200, first.body)
    assert refusal(add(desk, order, bag)) == (409, "service_unavailable")


def test_another_orders_bag_is_none_of_this_one(
    desk: Desk, order: dict[str, Any], partner: Onboarded
) -> None:
    other = listed(desk, desk.ordered())[0]
    before = lines(partner)
    assert faults(add(desk, order, other)) == ["services.0.serviceId"]
    assert faults(desk.api.post(path(order), {"services": []})) == ["services"]
    assert lines(partner) == before


@pytest.mark.parametrize("state", ["cancelled", "pending", "on_hold", "failed", "departed"])
def test_an_order_that_takes_nothing_more(
    desk: Desk,
    order: dict[str, Any],
    bag: dict[str, Any],
    state: str,
    partner: Onboarded,
    at: Callable[..., None],
) -> None:
    if state == "departed":
        leaves = datetime.fromisoformat(order["slices"][0]["departureAt"])
        at(leaves + timedelta(minutes=1))
    else:
        Booking.objects.update(status=state)
    before = funds(partner)
    assert refusal(desk.api.get(path(order))) == CONFLICT
    assert refusal(add(desk, order, bag)) == CONFLICT
    assert funds(partner) == before


def test_a_slice_that_has_left_takes_no_bag(desk: Desk, at: Callable[..., None]) -> None:
    order = desk.ordered(desk.flexible(returnDate=in_days(70)))
    old = listed(desk, order)[0]
    at(datetime.fromisoformat(order["slices"][0]["departureAt"]) + timedelta(minutes=1))
    assert {tuple(one["sliceIds"]) for one in listed(desk, order)} == {(order["slices"][1]["sliceId"],)}
    assert refusal(add(desk, order, old)) == (410, "offer_expired")


def test_a_list_is_good_for_twenty_minutes(
    desk: Desk, order: dict[str, Any], bag: dict[str, Any], move_clock: Callable[..., None]
) -> None:
    move_clock(minutes=21)
    assert refusal(add(desk, order, bag)) == (410, "offer_expired")


def test_a_bag_of_a_slice_that_was_changed_since_is_stale(
    desk: Desk, partner: Onboarded, airline: ScriptedFlights
) -> None:
    """The slice in its place is another one, and so is its bag."""
    order = desk.ordered()
    bag = listed(desk, order)[0]
    changed = desk.changed(order, desk.options_of(order)[-1])
    before = funds(partner)
    assert refusal(add(desk, order, bag)) == (410, "offer_expired")
    assert (airline.calls("add_services"), funds(partner)) == (0, before)
    assert add(desk, order, listed(desk, order)[0]).body["services"][0]["sliceIds"] == [
        changed["slices"][0]["sliceId"]
    ]


def test_an_order_that_is_cancelled_meanwhile_takes_no_bag(
    desk: Desk, partner: Onboarded, airline: ScriptedFlights
) -> None:
    order = desk.ordered()
    bag = listed(desk, order)[0]
    airline.meanwhile("prepare_services", lambda: airline.simulator.call_off(order["supplier"]["reference"]))
    before = funds(partner)
    assert refusal(add(desk, order, bag)) == CONFLICT
    assert funds(partner) == before


def test_a_risen_price_needs_leave(
    desk: Desk, airline: ScriptedFlights, order: dict[str, Any], partner: Onboarded
) -> None:
    bag, before = listed(desk, order)[0], funds(partner)
    airline.ask(110)
    reply = add(desk, order, bag)
    now = reply.error["currentTotalCents"]
    assert (refusal(reply), reply.error["previousTotalCents"]) == ((409, "price_changed"), bag["totalCents"])
    assert refusal(add(desk, order, bag, maxTotalCents=bag["totalCents"] - 1)) == (409, "price_changed")
    assert (airline.calls("add_services"), funds(partner)) == (0, before)
    assert add(desk, order, bag, maxTotalCents=now).body["totalCents"] == order["totalCents"] + now
    assert funds(partner) == (before[0] - now, 0)


@pytest.mark.parametrize(
    ("error", "answer"),
    [(ServiceGone("it"), (409, "service_unavailable")), (Rejected(), (502, "upstream_error"))],
)
def test_a_refusal_gives_the_money_back(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded, error: Exception, answer: tuple[int, str]
) -> None:
    order = desk.ordered()
    bag, before, events = listed(desk, order)[0], funds(partner), told()
    airline.spoil("add_services", error)
    assert refusal(add(desk, order, bag)) == answer
    assert (funds(partner), told(), desk.read(order["id"])["services"]) == (before, events, [])


@pytest.mark.parametrize("same_key", [True, False])
def test_a_lost_answer_is_looked_up_and_never_repeated(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded, move_clock: Callable[..., None], same_key: bool
) -> None:
    order = desk.ordered()
    bag, before = listed(desk, order)[0], funds(partner)
    airline.spoil("add_services", OutcomeUnknown(), accepted=True)
    assert refusal(add(desk, order, bag, key="lost-answer")) == UNAVAILABLE
    assert funds(partner) == (before[0] - bag["totalCents"], bag["totalCents"])
    assert refusal(desk.cancel(order["id"])) == CONFLICT  # one operation at a time
    if same_key:
        assert add(desk, order, bag, key="lost-answer").status == 200
    else:
        move_clock(minutes=1)
        assert recover_due() == 1
    read = desk.read(order["id"])
    assert (len(read["services"]), read["totalCents"]) == (1, order["totalCents"] + bag["totalCents"])
    assert (airline.calls("add_services"), funds(partner)) == (1, (before[0] - bag["totalCents"], 0))
    assert [type for type, _ in told()] == ["booking.confirmed", "booking.changed"]


def test_one_that_never_arrived_is_given_up(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded, move_clock: Callable[..., None]
) -> None:
    order = desk.ordered()
    bag, before = listed(desk, order)[0], funds(partner)
    airline.spoil("add_services", OutcomeUnknown())
    assert refusal(add(desk, order, bag)) == UNAVAILABLE
    for _ in range(6):
        move_clock(minutes=5)
        recover_due()
    assert (funds(partner), desk.read(order["id"])["services"]) == (before, [])
    assert [type for type, _ in told()] == ["booking.confirmed"]
    assert add(desk, order, listed(desk, order)[0]).status == 200


def test_sandbox_triggers_take_nothing(
    desk: Desk, order: dict[str, Any], bag: dict[str, Any], partner: Onboarded
) -> None:
    before = funds(partner)
    for trigger, status in (
        ("sbx_price_changed", 409),
        ("sbx_insufficient_funds", 402),
        ("sbx_supplier_error", 502),
    ):
        assert add(desk, order, bag, X_Partner_Customer_Ref=trigger).status == status
    assert funds(partner) == before
