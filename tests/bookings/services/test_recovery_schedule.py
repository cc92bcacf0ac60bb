"""A lost answer of a real supplier: looked for at the supplier's own times, then given up and told to staff."""

from collections.abc import Callable

import pytest

from apps.bookings.models import Operation
from apps.bookings.services.recover import recover_due
from apps.common import clock
from apps.flights.suppliers import registry
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.alerts.models import SupplierAlert
from apps.suppliers.errors import OutcomeUnknown, Unavailable
from apps.suppliers.lookups import Lookups
from apps.suppliers.vendors import Vendor
from tests.bookings.books import funds, hold_of, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.scripted_flights import ScriptedFlights

MoveClock = Callable[..., None]


@pytest.fixture
def real(supplier: ScriptedFlights, monkeypatch: pytest.MonkeyPatch) -> ScriptedFlights:
    """The airline under another name than the simulator's, with look-up times of its own."""
    monkeypatch.setattr("apps.flights.services.search.supplier_name", lambda *product: "acme")
    lookups = Lookups(at=(30, 120, 600), give_up_after=3600)
    monkeypatch.setitem(registry.VENDORS, "acme", Vendor("acme", lambda: supplier, lookups=lookups))
    return supplier


@pytest.fixture
def lost(shop: FlightShop, real: ScriptedFlights) -> Operation:
    """An order that never reached the supplier, though nobody here knows."""
    return order(shop, real)


def order(shop: FlightShop, real: ScriptedFlights, *, accepted: bool = False) -> Operation:
    real.spoil("book", OutcomeUnknown(), accepted=accepted)
    assert shop.order(shop.offer()).status == 503
    return latest()


def seconds_since_call(operation: Operation) -> int:
    assert operation.next_attempt_at is not None
    assert operation.call_started_at is not None
    return round((operation.next_attempt_at - operation.call_started_at).total_seconds())


def look_until_resolved(real: ScriptedFlights, move_clock: MoveClock) -> list[int]:
    """When it was looked for, in seconds after the call."""
    looks: list[int] = []
    while (operation := latest()).next_attempt_at is not None:
        looks.append(seconds_since_call(operation))
        move_clock(seconds=(operation.next_attempt_at - clock.now()).total_seconds() + 0.1)
        assert recover_due() == 1
    return looks


def test_it_is_looked_for_at_the_suppliers_own_times_and_given_up_with_an_alert(
    lost: Operation, real: ScriptedFlights, onboarded: Onboarded, move_clock: MoveClock
) -> None:
    assert look_until_resolved(real, move_clock) == [30, 120, 600, 3600]
    operation = latest()
    assert (operation.state, operation.failure) == ("failed", "NotFoundAtSupplier")
    assert (operation.booking.status, hold_of(operation).status) == ("failed", "released")
    assert funds(onboarded) == (BALANCE_CENTS, 0)
    (alert,) = SupplierAlert.objects.all()
    assert (alert.supplier, alert.kind, alert.detail) == ("acme", "unresolved", operation.client_ref)


def test_found_late_it_is_confirmed_without_alert(
    shop: FlightShop, real: ScriptedFlights, move_clock: MoveClock
) -> None:
    order(shop, real, accepted=True)
    real.hide(3)
    assert look_until_resolved(real, move_clock) == [30, 120, 600, 3600]
    assert latest().state == "confirmed"
    assert SupplierAlert.objects.count() == 0
    assert violations(real.report()) == []


def test_one_look_is_not_enough_to_give_up_however_late_it_comes(
    lost: Operation, real: ScriptedFlights, move_clock: MoveClock
) -> None:
    move_clock(hours=5)
    recover_due()
    assert latest().state == "uncertain"
    move_clock(seconds=59)
    assert recover_due() == 0
    move_clock(seconds=2)
    recover_due()
    assert latest().state == "failed"


def test_an_early_retry_of_the_partner_gives_nothing_up_and_skips_nothing(
    lost: Operation, real: ScriptedFlights, move_clock: MoveClock
) -> None:
    for wait, following in [(5, 30), (5, 30), (30, 120), (200, 600)]:
        move_clock(seconds=wait)
        Operation.objects.update(next_attempt_at=clock.now())
        assert recover_due() == 1
        assert seconds_since_call(latest()) == following


def test_a_supplier_that_stays_silent_is_asked_every_hour_then_handed_to_staff(
    lost: Operation, real: ScriptedFlights, move_clock: MoveClock
) -> None:
    real.spoil("find_order", Unavailable(), times=99)
    looks = look_until_resolved(real, move_clock)
    assert looks[:6] == [30, 120, 600, 3600, 7200, 10800]
    assert latest().state == "review"
    assert [alert.kind for alert in SupplierAlert.objects.all()] == ["unresolved"]


def test_an_answer_given_up_after_the_first_time_to_look_is_looked_for_at_once(
    shop: FlightShop, real: ScriptedFlights, move_clock: MoveClock
) -> None:
    real.meanwhile("book", lambda: move_clock(seconds=44))
    real.spoil("book", OutcomeUnknown())
    assert shop.order(shop.offer()).status == 503
    assert 44 <= seconds_since_call(latest()) <= 46


def test_a_supplier_that_is_no_longer_connected_is_handed_to_staff_like_a_silent_one(
    lost: Operation, real: ScriptedFlights, move_clock: MoveClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(registry.VENDORS, "acme")
    move_clock(seconds=31)
    assert recover_due() == 1
    assert latest().state == "uncertain"
    move_clock(hours=25)
    assert recover_due() == 1
    assert latest().state == "review"


def test_a_lost_cancellation_is_not_waited_for_as_a_lost_booking_is(
    shop: FlightShop, real: ScriptedFlights, move_clock: MoveClock
) -> None:
    """The booking stands, as two looks say: whoever wanted to cancel may do so again, before it is dearer."""
    booked = shop.ordered()
    real.spoil("cancel", OutcomeUnknown())
    assert shop.cancel(booked["id"]).status == 503
    assert look_until_resolved(real, move_clock)[-1] < 300
    assert latest().state == "failed"
    assert SupplierAlert.objects.count() == 0
    assert shop.cancel(booked["id"]).status == 200
