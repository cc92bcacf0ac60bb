"""An order whose answer was lost, and that its airline has cancelled when it is looked up."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking
from apps.flights.suppliers.base import Cancellation, FlightOrder
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import OutcomeUnknown
from apps.suppliers.models import SupplierAlert
from tests.flights.desk import BALANCE_CENTS, Desk, funds, refusal
from tests.support.scripted_flights import ScriptedFlights


def look_on(move_clock: Callable[..., None]) -> None:
    """Until what is not found is given up."""
    for _ in range(4):
        move_clock(minutes=5)
        recover_due()


def test_a_lost_order_that_its_airline_cancelled_at_an_unsaid_cost_is_credited_in_full_and_staff_are_told(
    desk: Desk,
    partner: Onboarded,
    airline: ScriptedFlights,
    monkeypatch: pytest.MonkeyPatch,
    move_clock: Callable[..., None],
) -> None:
    airline.spoil("book", OutcomeUnknown(), accepted=True)
    assert refusal(desk.order(desk.offer())) == (503, "upstream_unavailable")
    real = airline.simulator.find_order

    def cancelled(*asked: Any) -> FlightOrder:
        found = real(*asked)
        assert found is not None
        return replace(found, cancelled=True, cancellation=None)

    monkeypatch.setattr(airline.simulator, "find_order", cancelled)
    look_on(move_clock)
    booking = Booking.objects.get()
    assert (booking.status, funds(partner)) == ("failed", (BALANCE_CENTS, 0))
    alerted = SupplierAlert.objects.get()
    assert (alerted.kind, alerted.detail.partition(" ")[0]) == ("full_credit", booking.reference)


def test_staff_are_told_nothing_of_a_lost_order_that_stands_or_whose_cancellation_says_its_cost(
    desk: Desk, airline: ScriptedFlights, monkeypatch: pytest.MonkeyPatch, move_clock: Callable[..., None]
) -> None:
    real = airline.simulator.find_order
    ends = []
    for cancellation in (None, Cancellation(0, 100, "EUR", {})):
        airline.spoil("book", OutcomeUnknown(), accepted=True)
        desk.order(desk.offer())
        monkeypatch.setattr(
            airline.simulator,
            "find_order",
            lambda *asked, said=cancellation: replace(
                real(*asked), cancelled=said is not None, cancellation=said
            ),
        )
        look_on(move_clock)
        ends.append(Booking.objects.latest("created_at").status)
    assert ends == ["ticketed", "failed"]
    assert not SupplierAlert.objects.exists()
