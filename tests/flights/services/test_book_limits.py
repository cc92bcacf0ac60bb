"""The most that a partner pays (`maxTotalCents`), where the airline's price moves between the offer and the order."""

import pytest

from apps.bookings.models import Booking
from apps.ledger.models import Hold
from apps.onboarding.services.onboard_partner import Onboarded
from tests.flights.desk import (
    BALANCE_CENTS,
    Desk,
    funds,
    lines,
    refusal,
    told,
    without,
)
from tests.support.scripted_flights import ScriptedFlights

CHANGED = (409, "price_changed")


def test_a_limit_below_the_quote_is_answered_with_equal_figures(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded
) -> None:
    offer = desk.offer()
    reply = desk.order(offer, maxTotalCents=offer["totalCents"] - 1)
    assert refusal(reply) == CHANGED
    assert without(reply.error, "type", "message", "requestId") == {
        "previousTotalCents": offer["totalCents"],
        "currentTotalCents": offer["totalCents"],
        "currency": "EUR",
    }
    assert (airline.calls("reprice"), Booking.objects.count()) == (0, 0)
    assert lines(partner) == []


@pytest.mark.parametrize("above", [0, 1, 10**9])
def test_a_limit_from_the_quote_on_changes_nothing_of_a_price_that_stands(
    desk: Desk, partner: Onboarded, above: int
) -> None:
    offer = desk.offer()
    order = desk.order(offer, maxTotalCents=offer["totalCents"] + above).body
    assert order["totalCents"] == offer["totalCents"]
    assert funds(partner) == (BALANCE_CENTS - offer["totalCents"], 0)


@pytest.mark.parametrize(("allowed", "ordered"), [(None, False), (-1, False), (0, True), (1, True)])
def test_a_price_that_rose_is_paid_up_to_the_limit_and_not_a_cent_beyond(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded, allowed: int | None, ordered: bool
) -> None:
    """`allowed`: the partner's limit, in cents beside the risen price."""
    offer = desk.offer()
    quoted = offer["totalCents"]
    airline.ask(110)
    risen = desk.flexible()["totalCents"]
    limit = {} if allowed is None else {"maxTotalCents": risen + allowed}
    reply = desk.order(offer, **limit)
    if ordered:
        assert (reply.status, reply.body["totalCents"]) == (201, risen)
        assert lines(partner) == [
            ("hold", -quoted, quoted),
            ("hold", quoted - risen, risen - quoted),
            ("capture", 0, -risen),
        ]
    else:
        assert refusal(reply) == CHANGED
        assert (reply.error["previousTotalCents"], reply.error["currentTotalCents"]) == (quoted, risen)
        assert lines(partner) == [("hold", -quoted, quoted), ("release", quoted, -quoted)]
        assert told() == []
    assert funds(partner) == (BALANCE_CENTS - ordered * risen, 0)


@pytest.mark.parametrize("limited", [False, True])
def test_a_price_that_fell_is_all_that_is_paid(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded, limited: bool
) -> None:
    offer = desk.offer()
    quoted = offer["totalCents"]
    airline.ask(75)
    order = desk.order(offer, **({"maxTotalCents": quoted} if limited else {})).body
    fallen = desk.flexible()["totalCents"]
    assert order["totalCents"] == fallen < quoted
    assert order["conditions"]["penaltyCents"] < offer["conditions"]["penaltyCents"]
    hold = Hold.objects.get()
    assert (hold.amount_cents, hold.captured_cents) == (quoted, fallen)
    assert funds(partner) == (BALANCE_CENTS - fallen, 0)
    assert told() == [("booking.confirmed", {"totalCents": fallen})]


def test_a_failed_order_can_be_read_and_keeps_nothing(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded
) -> None:
    offer = desk.offer()
    airline.ask(110)
    desk.order(offer, externalReference="TRIP-1")
    (failed,) = desk.api.get("/v1/flights/orders?externalReference=TRIP-1").body["data"]
    assert (failed["status"], failed["totalCents"], failed["pnr"]) == ("failed", offer["totalCents"], None)
    assert (failed["ticketNumbers"], failed["supplier"]) == ([], {"name": "simulator", "reference": None})
    assert failed["slices"] == offer["slices"]
    assert desk.order(desk.flexible(), externalReference="TRIP-1").status == 201
