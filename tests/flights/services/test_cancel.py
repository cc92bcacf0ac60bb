"""Cancelling an order: the fare's penalty of what it costs now, and the rest back to the cent."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.models import Booking
from apps.common import clock
from apps.flights.details import OrderDetails
from apps.flights.services.cancel import CancelFlight, borne
from apps.flights.suppliers.base import Cancellation
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import Expired
from apps.suppliers.models import SupplierAlert
from tests.flights.desk import BALANCE_CENTS, Desk, funds, lines, refusal, told, without
from tests.support.scripted_flights import ScriptedFlights


def test_the_order_keeps_all_it_said_and_adds_what_its_end_cost(desk: Desk, partner: Onboarded) -> None:
    order = desk.ordered()
    total, penalty = order["totalCents"], order["conditions"]["penaltyCents"]
    reply = desk.cancel(order["id"], reason="  plans changed ", maxPenaltyCents=penalty)
    updated_at = Booking.objects.get().updated_at
    cancelled_at = reply.body["cancellation"]["cancelledAt"]
    assert (reply.status, reply.body) == (
        200,
        {
            **order,
            "status": "cancelled",
            "cancellationSteps": [],
            "updatedAt": clock.rfc3339(updated_at),
            "cancellation": {
                "cancelledAt": cancelled_at,
                "penaltyCents": penalty,
                "refundCents": total - penalty,
                "currency": "EUR",
                "reason": "plans changed",
            },
        },
    )
    assert order["createdAt"] <= cancelled_at <= reply.body["updatedAt"]
    assert 0 < penalty < total
    assert funds(partner) == (BALANCE_CENTS - penalty, 0)
    assert lines(partner)[2:] == [("refund", total - penalty, 0)]
    back = {"refundCents": total - penalty}
    assert told()[1:] == [("booking.cancelled", {"refunded": True, **back}), ("payment.refunded", back)]


@pytest.mark.parametrize("changeable", [False, True], ids=["light", "classic"])
def test_what_is_not_refundable_is_cancelled_at_its_whole_price(
    desk: Desk, partner: Onboarded, changeable: bool
) -> None:
    fares = (offer for offer in desk.search() if not offer["conditions"]["refundable"])
    order = desk.ordered(next(fare for fare in fares if fare["conditions"]["changeable"] is changeable))
    total = order["totalCents"]
    assert order["conditions"]["penaltyCents"] == total
    ended = desk.cancel(order["id"]).body
    assert (ended["status"], ended["totalCents"]) == ("cancelled", total)
    assert without(ended["cancellation"], "cancelledAt") == {
        "penaltyCents": total,
        "refundCents": 0,
        "currency": "EUR",
        "reason": None,
    }
    assert funds(partner) == (BALANCE_CENTS - total, 0)
    assert told()[1:] == [("booking.cancelled", {"refunded": False, "refundCents": 0})]


@pytest.mark.parametrize("which", [0, -1], ids=["cheaper", "dearer"])
@pytest.mark.parametrize("paid_first", [True, False])
def test_after_a_change_the_new_total_is_what_is_divided(
    desk: Desk, partner: Onboarded, which: int, paid_first: bool
) -> None:
    order = desk.ordered()
    option = desk.options_of(order)[which]
    changed = desk.changed(order, option)
    penalty = changed["conditions"]["penaltyCents"]
    if paid_first:
        settle_owed()
    ended = desk.cancel(order["id"]).body
    settle_owed()
    assert ended["totalCents"] == option["newTotalCents"]
    assert ended["cancellation"]["penaltyCents"] == penalty != order["conditions"]["penaltyCents"]
    assert ended["cancellation"]["refundCents"] == option["newTotalCents"] - penalty
    assert funds(partner) == (BALANCE_CENTS - penalty, 0)
    order = desk.read(order["id"])
    assert (order["status"], [change["settled"] for change in order["changes"]]) == ("cancelled", [True])
    credited = max(0, -option["differenceCents"])
    refunds = [amount for kind, amount, _ in lines(partner) if kind == "refund"]
    assert sorted(refunds) == sorted(filter(None, (credited, option["newTotalCents"] - penalty)))
    assert sorted(data["refundCents"] for kind, data in told() if kind == "payment.refunded") == sorted(
        refunds
    )


def test_a_penalty_that_moved_meanwhile_cancels_nothing_and_the_retry_asks_for_it_anew(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded
) -> None:
    order = desk.ordered()
    before = funds(partner)
    airline.spoil("cancel", Expired("the cancellation quote is stale"))
    assert refusal(desk.cancel(order["id"], "cancel-once")) == (502, "upstream_error")
    assert (desk.read(order["id"]), funds(partner)) == (order, before)
    assert desk.cancel(order["id"], "cancel-once").body["status"] == "cancelled"
    assert airline.calls("quote_cancellation") == 2


# --- Cancelled by others than the partner --------------------------------------------------------------------------
def ended_by_the_news(desk: Desk, order: dict[str, Any], move_clock: Callable[..., None]) -> dict[str, Any]:
    """What the order's cancellation says, once it is known here."""
    move_clock(hours=1, seconds=1)
    assert poll_suppliers() == 1
    return dict(desk.read(order["id"])["cancellation"])


def test_an_order_that_was_cancelled_at_the_airline_at_a_penalty_returns_the_rest(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded, move_clock: Callable[..., None]
) -> None:
    order = desk.ordered()
    reference, penalty = order["supplier"]["reference"], order["conditions"]["penaltyCents"]
    airline.simulator.cancel("by-staff", reference, airline.simulator.quote_cancellation(reference))
    ended = ended_by_the_news(desk, order, move_clock)
    assert 0 < penalty < order["totalCents"]
    assert (ended["penaltyCents"], ended["refundCents"]) == (penalty, order["totalCents"] - penalty)
    assert funds(partner) == (BALANCE_CENTS - penalty, 0)


@pytest.mark.parametrize("by_whom", ["partner", "staff"])
@pytest.mark.parametrize(
    ("more", "kept", "borne"),
    [(1_500, 4_000, 4_000), (1_500, 0, 0), (-2_500, 4_000, 6_500), (-2_500, 0, 2_500)],
    ids=["the airline took more", "… and keeps nothing", "it counts less", "… and keeps nothing"],
)
def test_the_partner_bears_the_penalty_and_gets_no_more_than_comes_back(
    desk: Desk,
    airline: ScriptedFlights,
    partner: Onboarded,
    move_clock: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    by_whom: str,
    more: int,
    kept: int,
    borne: int,
) -> None:
    """An airline's total may be `more` than what was paid, or less by the fee of an earlier change."""
    order = desk.ordered()
    paid = order["totalCents"]
    cost = Cancellation(kept, paid + more - kept, "EUR", {})
    simulator, real = airline.simulator, airline.simulator.read_order
    if by_whom == "partner":
        monkeypatch.setattr(simulator, "quote_cancellation", lambda reference: cost)
        monkeypatch.setattr(simulator, "cancel", lambda client_ref, reference, quote: cost)
        if borne:
            refused = desk.cancel(order["id"], maxPenaltyCents=borne - 1)
            assert (refused.status, refused.error["penaltyCents"]) == (409, borne)
        ended = desk.cancel(order["id"], maxPenaltyCents=borne).body["cancellation"]
    else:
        gone = {"cancelled": True, "cancellation": cost}
        monkeypatch.setattr(simulator, "read_order", lambda reference: replace(real(reference), **gone))
        ended = ended_by_the_news(desk, order, move_clock)
    assert (ended["penaltyCents"], ended["refundCents"]) == (borne, paid - borne)
    assert funds(partner) == (BALANCE_CENTS - borne, 0)


def test_of_a_cancellation_without_a_cost_all_goes_back_also_what_a_change_has_cost_meanwhile(
    desk: Desk, airline: ScriptedFlights, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.ordered()
    real = airline.simulator.read_order
    monkeypatch.setattr(
        airline.simulator, "read_order", lambda reference: replace(real(reference), cancelled=True)
    )
    booking = Booking.objects.get()
    cost = CancelFlight().cancelled_by_supplier(booking)
    assert cost is not None
    alerted = SupplierAlert.objects.get()
    assert (alerted.supplier, alerted.kind) == ("simulator", "full_credit")
    assert alerted.detail == f"{booking.reference} {booking.supplier_reference}"
    booking.total_cents += 12_500
    assert borne(booking, cost) == replace(cost, penalty_cents=0, refund_cents=booking.total_cents)


def test_of_a_cancellation_whose_cost_is_in_another_currency_all_goes_back(
    desk: Desk, airline: ScriptedFlights, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.ordered()
    real, cost = airline.simulator.read_order, Cancellation(10_000, 0, "JPY", {})
    monkeypatch.setattr(
        airline.simulator,
        "read_order",
        lambda reference: replace(real(reference), cancelled=True, cancellation=cost),
    )
    booking = Booking.objects.get()
    told = CancelFlight().cancelled_by_supplier(booking)
    assert told is not None
    assert borne(booking, told).penalty_cents == 0
    assert SupplierAlert.objects.get().kind == "full_credit"
    cost = replace(cost, currency=booking.currency)
    assert CancelFlight().cancelled_by_supplier(booking) == cost


def test_an_order_begins_with_its_next_departure_and_after_the_last_one_it_is_at_its_end(desk: Desk) -> None:
    desk.round_trip()
    booking = Booking.objects.get()
    there, back = (flown.leg.departure_at for flown in OrderDetails.of(booking).slices)
    moment = timedelta(seconds=1)
    begins = [CancelFlight().begins_at(booking, now) for now in (there - moment, there, back - moment, back)]
    assert begins == [there, back, back, OrderDetails.of(booking).ends_at]
