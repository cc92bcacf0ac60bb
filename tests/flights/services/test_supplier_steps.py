"""What a real airline's system adds to an order and to a change: objections, tickets that come later, a step before the last."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking, Operation
from apps.flights.services.book import OrderFlight
from apps.flights.suppliers.base import ChangeOption, FlightOrder
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import InvalidField, OutcomeUnknown, PriceChanged
from apps.suppliers.results import Found
from tests.flights.desk import BALANCE_CENTS, Desk, faults, funds, refusal, told
from tests.support.scripted_flights import ScriptedFlights


@pytest.fixture
def does(
    airline: ScriptedFlights, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str, Callable[..., Any]], None]:
    """`does(method, act)`: the airline acts so from now on; `act` gets what it would have answered."""

    def instead(method: str, act: Callable[..., Any]) -> None:
        real = getattr(airline.simulator, method)
        monkeypatch.setattr(airline.simulator, method, lambda *args: act(real(*args)))

    return instead


Does = Callable[[str, Callable[..., Any]], None]


def test_a_field_that_only_the_airline_refuses_is_named_and_the_hold_is_free(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded
) -> None:
    airline.spoil("book", InvalidField("passengers.0.lastName", "must be in Latin letters"))
    reply = desk.order(desk.offer())
    assert faults(reply) == ["passengers.0.lastName"]
    assert funds(partner) == (BALANCE_CENTS, 0)


def test_an_order_whose_tickets_come_later_is_pending_until_they_are_there(
    desk: Desk, does: Does, partner: Onboarded, move_clock: Callable[..., None]
) -> None:
    offer = desk.offer()
    does("book", lambda order: replace(order, issued=False, pnr="", ticket_numbers=()))
    reply = desk.order(offer)
    assert (reply.status, reply.body["status"], reply.body["pnr"]) == (201, "pending", None)
    assert funds(partner) == (BALANCE_CENTS - offer["totalCents"], offer["totalCents"])
    move_clock(minutes=5)
    assert recover_due() == 1
    order = desk.read(reply.body["id"])
    assert (order["status"], len(order["ticketNumbers"])) == ("ticketed", 1)
    assert funds(partner) == (BALANCE_CENTS - offer["totalCents"], 0)


def test_a_lost_answer_whose_tickets_are_not_there_yet_is_looked_up_on(
    desk: Desk, airline: ScriptedFlights, does: Does, move_clock: Callable[..., None]
) -> None:
    airline.spoil("book", OutcomeUnknown(), accepted=True)
    assert refusal(desk.order(desk.offer())) == (503, "upstream_unavailable")
    waiting: list[FlightOrder] = []

    def at_first(found: FlightOrder) -> FlightOrder:
        waiting.append(found)
        return replace(found, issued=len(waiting) > 1)

    does("find_order", at_first)
    move_clock(minutes=5)
    recover_due()
    assert Booking.objects.get().status == "pending"
    move_clock(hours=2)
    recover_due()
    assert Booking.objects.get().status == "ticketed"


def test_an_airline_that_says_it_took_more_takes_no_more_from_the_partner(
    desk: Desk, does: Does, partner: Onboarded
) -> None:
    offer = desk.offer()
    does("book", lambda order: replace(order, total_cents=order.total_cents + 1))
    order = desk.ordered(offer)
    assert order["totalCents"] == offer["totalCents"]
    assert funds(partner) == (BALANCE_CENTS - offer["totalCents"], 0)


def test_the_new_total_that_is_told_is_what_the_order_then_has_cost(
    desk: Desk, does: Does, partner: Onboarded
) -> None:
    """Duffel's `new_total_amount` is what the flights would cost if newly bought: without the fee of the change."""
    order = desk.ordered()
    fee = 2_500
    does(
        "change_options",
        lambda found: Found(
            replace(o, new_total_cents=o.new_total_cents - fee, penalty_cents=fee) for o in found
        ),
    )
    dearer = desk.options_of(order)[-1]
    assert dearer["newTotalCents"] == order["totalCents"] + dearer["differenceCents"]
    does("prepare_change", repriced(1))
    refused = desk.confirm(order, dearer)
    assert (refused.error["previousTotalCents"], refused.error["currentTotalCents"]) == (
        dearer["newTotalCents"],
        dearer["newTotalCents"] + 1,
    )
    does("prepare_change", repriced(-1))
    assert desk.changed(order, dearer)["totalCents"] == dearer["newTotalCents"]
    assert funds(partner) == (BALANCE_CENTS - dearer["newTotalCents"], 0)


def repriced(by: int) -> Callable[[ChangeOption], ChangeOption]:
    return lambda option: replace(
        option,
        difference_cents=option.difference_cents + by,
        new_total_cents=option.new_total_cents + by,
        supplier_data={**option.supplier_data, "step": "one"},
    )


def test_a_change_whose_price_rose_at_the_last_moment_names_the_total_that_was_quoted(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded
) -> None:
    order = desk.ordered()
    for option in (desk.options_of(order)[0], desk.options_of(order)[-1]):
        quoted = option["newTotalCents"]
        airline.spoil("change", PriceChanged(quoted + 7))
        reply = desk.confirm(order, option)
        assert refusal(reply) == (409, "price_changed")
        assert (reply.error["previousTotalCents"], reply.error["currentTotalCents"]) == (quoted, quoted + 7)
    assert funds(partner) == (BALANCE_CENTS - order["totalCents"], 0)


# --- A lost order that was cancelled before it was found -----------------------------------------------------------
def lost(desk: Desk, airline: ScriptedFlights) -> str:
    """An order whose answer was lost; its reference at the airline."""
    airline.spoil("book", OutcomeUnknown(), accepted=True)
    assert refusal(desk.order(desk.offer())) == (503, "upstream_unavailable")
    operation = Operation.objects.get()
    found = airline.simulator.find_order(operation.client_ref, OrderFlight().quoted_offer(operation))
    assert found is not None
    return found.supplier_reference


def test_one_that_the_airline_cancelled_for_free_is_none(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded, move_clock: Callable[..., None]
) -> None:
    airline.simulator.call_off(lost(desk, airline))
    for _ in range(2):
        move_clock(minutes=5)
        recover_due()
    booking = Booking.objects.get()
    assert (booking.status, funds(partner)) == ("failed", (BALANCE_CENTS, 0))
    released = {"reason": "The supplier knows nothing of it.", "releasedCents": booking.total_cents}
    assert told() == [("booking.rejected", released)]


def test_one_that_was_cancelled_at_a_cost_is_booked_and_the_news_end_it_at_that_cost(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded, move_clock: Callable[..., None]
) -> None:
    reference = lost(desk, airline)
    cost = airline.simulator.quote_cancellation(reference)
    airline.simulator.cancel("by-staff", reference, cost)
    move_clock(minutes=5)
    recover_due()
    assert Booking.objects.get().status == "ticketed"
    move_clock(hours=2)
    assert poll_suppliers() == 1
    assert Booking.objects.get().status == "cancelled"
    assert funds(partner) == (BALANCE_CENTS - cost.penalty_cents, 0)
