"""What the six sandbox triggers do to flights beyond their status, which tests/contract walks: figures, traces, replays."""

from typing import Any

import pytest

from apps.bookings.models import Booking, Operation
from apps.flights.models import FlightChangeSearch, FlightSearch
from apps.onboarding.partners import Onboarded
from tests.flights.desk import BALANCE_CENTS, Desk, funds, lines, refusal, search_body, told, without
from tests.support.api import Reply
from tests.support.scripted_flights import ScriptedFlights

HANDLE, PRICE, FUNDS, PAYMENT, SUPPLIER, SLOW = (
    "sbx_offer_expired",
    "sbx_price_changed",
    "sbx_insufficient_funds",
    "sbx_payment_failed",
    "sbx_supplier_error",
    "sbx_slow",
)
BEFORE_THE_AIRLINE = [
    (HANDLE, (410, "offer_expired")),
    (PRICE, (409, "price_changed")),
    (FUNDS, (402, "insufficient_funds")),
    (PAYMENT, (402, "payment_failed")),
]
FAILED = (502, "upstream_error")


def figures(reply: Reply) -> dict[str, Any]:
    return without(reply.error, "type", "message", "requestId")


def expected(value: str, total: int) -> dict[str, Any]:
    """What a refusal says of a total: a price a tenth higher, or that nothing is there to pay it with."""
    risen = {"previousTotalCents": total, "currentTotalCents": total + total // 10, "currency": "EUR"}
    empty = {"availableCents": 0, "requiredCents": total, "currency": "EUR"}
    return {PRICE: risen, FUNDS: empty}.get(value, {})


@pytest.mark.parametrize(("value", "refused"), BEFORE_THE_AIRLINE)
@pytest.mark.parametrize("limit", [None, 10**9])
def test_an_order_is_refused_as_asked_before_anything_is_begun(
    desk: Desk,
    airline: ScriptedFlights,
    partner: Onboarded,
    value: str,
    refused: tuple[int, str],
    limit: int | None,
) -> None:
    offer = desk.offer()
    more = {} if limit is None else {"maxTotalCents": limit}
    reply = desk.order(offer, X_Partner_Customer_Ref=value, **more)
    assert (refusal(reply), figures(reply)) == (refused, expected(value, offer["totalCents"]))
    assert reply.headers["X-Sandbox-Trigger"] == value
    assert (airline.calls("reprice"), Booking.objects.count(), lines(partner)) == (0, 0, [])


@pytest.mark.parametrize(("value", "refused"), BEFORE_THE_AIRLINE)
@pytest.mark.parametrize("which", [0, -1], ids=["cheaper", "dearer"])
def test_a_change_is_refused_as_asked_and_can_still_be_made(
    desk: Desk,
    airline: ScriptedFlights,
    partner: Onboarded,
    value: str,
    refused: tuple[int, str],
    which: int,
) -> None:
    order = desk.ordered()
    option = desk.options_of(order)[which]
    before = lines(partner)
    reply = desk.confirm(order, option, X_Partner_Customer_Ref=value)
    assert (refusal(reply), figures(reply)) == (refused, expected(value, option["newTotalCents"]))
    assert reply.headers["X-Sandbox-Trigger"] == value
    assert (airline.calls("change"), Operation.objects.count(), lines(partner)) == (0, 1, before)
    assert desk.read(order["id"]) == order
    assert desk.changed(order, option)["totalCents"] == option["newTotalCents"]


def test_an_order_that_the_airline_refuses_is_kept_as_failed_and_its_funds_return(
    desk: Desk, partner: Onboarded
) -> None:
    offer = desk.offer()
    total = offer["totalCents"]
    reply = desk.order(offer, "order-again", X_Partner_Customer_Ref=SUPPLIER)
    assert (refusal(reply), reply.headers["X-Sandbox-Trigger"]) == (FAILED, SUPPLIER)
    assert Booking.objects.get().status == "failed"
    assert lines(partner) == [("hold", -total, total), ("release", total, -total)]
    # The 502 released the key: without the trigger the same call is a new attempt.
    again = desk.order(offer, "order-again")
    assert (again.status, funds(partner)) == (201, (BALANCE_CENTS - total, 0))
    assert sorted(Booking.objects.values_list("status", flat=True)) == ["failed", "ticketed"]
    assert [type for type, _ in told()] == ["booking.confirmed"]


@pytest.mark.parametrize("which", [0, -1], ids=["cheaper", "dearer"])
def test_a_change_that_the_airline_refuses_leaves_order_and_funds(
    desk: Desk, partner: Onboarded, which: int
) -> None:
    order = desk.ordered()
    option = desk.options_of(order)[which]
    before, cost = lines(partner), max(0, option["differenceCents"])
    reply = desk.confirm(order, option, "change-again", X_Partner_Customer_Ref=SUPPLIER)
    assert (refusal(reply), reply.headers["X-Sandbox-Trigger"]) == (FAILED, SUPPLIER)
    held = [("hold", -cost, cost), ("release", cost, -cost)] if cost else []
    assert (desk.read(order["id"]), lines(partner)) == (order, before + held)
    again = desk.confirm(order, option, "change-again")
    assert again.body["order"]["totalCents"] == option["newTotalCents"]


def test_options_searches_and_prices_that_the_airline_refuses_leave_nothing(desk: Desk) -> None:
    order = desk.ordered()
    offer = desk.offer()
    searches = FlightSearch.objects.count()
    trigger = {"X_Partner_Customer_Ref": SUPPLIER}
    replies = [
        desk.api.post("/v1/flights/searches", search_body(), **trigger),
        desk.reprice(offer, **trigger),
        desk.ask_options(order, **trigger),
    ]
    assert [refusal(reply) for reply in replies] == [FAILED] * 3
    assert [reply.headers["X-Sandbox-Trigger"] for reply in replies] == [SUPPLIER] * 3
    assert [reply.headers.get("X-Search-Billable") for reply in replies] == ["false", "false", None]
    assert (FlightSearch.objects.count(), FlightChangeSearch.objects.count()) == (searches, 0)


@pytest.mark.parametrize("value", [HANDLE, PRICE, FUNDS, PAYMENT, SUPPLIER])
def test_validation_and_handles_come_first(desk: Desk, value: str) -> None:
    order = desk.ordered()
    trigger = {"X_Partner_Customer_Ref": value}
    replies = {
        (400, "invalid_request"): desk.order(desk.offer(), passengers=[], **trigger),
        (404, "not_found"): desk.confirm({"id": "ford_x"}, {"changeId": "change_x"}, **trigger),
        (410, "offer_expired"): desk.order({"offerId": "offer_x"}, **trigger),
        (409, "conflict"): desk.ask_options(desk.ordered(desk.offer(refundable=False)), **trigger),
    }
    assert {answer: refusal(reply) for answer, reply in replies.items()} == {a: a for a in replies}
    assert refusal(desk.confirm(order, {"changeId": "change_x"}, **trigger)) == (410, "offer_expired")
    assert [reply for reply in replies.values() if "X-Sandbox-Trigger" in reply.headers] == []
