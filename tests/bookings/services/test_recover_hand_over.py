"""When the recovery worker gives up and hands over to staff, and who is told."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from apps.bookings.flow.lease import take_lease
from apps.bookings.flow.recover import recover_due
from apps.bookings.health import bookings
from apps.bookings.models import Booking, Operation
from apps.common import clock
from apps.flights.suppliers import registry
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import Unavailable
from apps.suppliers.models import SupplierAlert
from apps.suppliers.vendors import Lookups, Vendor
from tests.bookings.books import funds, hold_of, latest, seconds_to_next
from tests.support.invariants import violations
from tests.support.scripted_flights import ScriptedFlights

pytestmark = pytest.mark.usefixtures("still_clock")

MoveClock = Callable[..., None]


def test_after_a_day_staff_take_over_and_the_funds_stay_held(
    unheard: Operation,
    supplier: ScriptedFlights,
    onboarded: Onboarded,
    move_clock: MoveClock,
    caplog: pytest.LogCaptureFixture,
) -> None:
    supplier.spoil("find_order", Unavailable(), times=2)
    move_clock(hours=23, minutes=59)
    recover_due()
    assert latest().state == "uncertain"
    move_clock(hours=1)
    recover_due()
    operation = latest()
    assert (operation.state, operation.next_attempt_at) == ("review", None)
    assert "handed over to staff" in caplog.text
    assert funds(onboarded)[1] == operation.amount_cents
    move_clock(days=30)
    assert recover_due() == 0
    assert violations(supplier.report()) == []


def test_what_staff_were_looking_up_as_their_process_died_is_not_given_up_for_them(
    lost: Operation, supplier: ScriptedFlights, onboarded: Onboarded, move_clock: MoveClock
) -> None:
    supplier.spoil("find_order", Unavailable())
    move_clock(hours=25)
    recover_due()
    operation = latest()
    assert (operation.state, take_lease(operation)) == ("review", True)
    Operation.objects.update(first_not_found_at=clock.now() - timedelta(hours=1))
    for _ in range(3):
        move_clock(hours=1)
        recover_due()
    operation = latest()
    assert (operation.state, operation.next_attempt_at, hold_of(operation).status) == ("review", None, "open")
    assert funds(onboarded)[1] == operation.amount_cents


@pytest.mark.parametrize(("name", "alerts"), [("acme", 1), ("simulator", 0)])
@pytest.mark.parametrize("answer", ["nothing there", "none"])
def test_staff_are_told_of_what_a_real_supplier_may_still_have(
    lost: Operation,
    supplier: ScriptedFlights,
    move_clock: MoveClock,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    alerts: int,
    answer: str,
) -> None:
    """Given up after two "not found", or silent for a day."""
    lookups = Lookups(at=(30,), give_up_after=60)
    monkeypatch.setitem(registry.VENDORS, "acme", Vendor("acme", lambda: supplier, lookups=lookups))
    Booking.objects.update(supplier_name=name)
    if answer == "none":
        supplier.spoil("find_order", Unavailable(), times=2)
    for _ in range(2):
        move_clock(hours=25)
        recover_due()
    assert latest().state == ("review" if answer == "none" else "failed")
    told = SupplierAlert.objects.values_list("supplier", "kind", "detail")
    assert list(told) == [("acme", "unresolved", latest().client_ref)] * alerts


@pytest.mark.parametrize("broken", ["find_order", "record"])
def test_what_breaks_recovery_itself_is_handed_over_too(
    unheard: Operation,
    supplier: ScriptedFlights,
    move_clock: MoveClock,
    monkeypatch: pytest.MonkeyPatch,
    broken: str,
) -> None:
    def crash(*args: object, **kwargs: object) -> None:
        raise ValueError("an answer that nobody foresaw")

    if broken == "record":
        monkeypatch.setattr("apps.bookings.flow.settle.end_together", crash)
    else:
        supplier.spoil("find_order", ValueError("an answer that nobody foresaw"), times=2)
    move_clock(seconds=11)
    recover_due()
    assert (latest().state, seconds_to_next(latest()), hold_of(latest()).status) == ("uncertain", 10, "open")
    move_clock(hours=24)
    recover_due()
    assert (latest().state, latest().next_attempt_at, hold_of(latest()).status) == ("review", None, "open")


def test_unresolved_operations_are_counted_by_age(unheard: Operation, move_clock: MoveClock) -> None:
    none = {
        "newsLateSeconds": 0,
        "underAMinute": 0,
        "underAnHour": 0,
        "older": 0,
        "withStaff": 0,
        "settlementsLateSeconds": 0,
        "settlementsFailing": 0,
    }
    assert bookings() == {"status": "ok", **none, "underAMinute": 1}
    move_clock(minutes=2)
    assert bookings() == {"status": "ok", **none, "underAnHour": 1}
    move_clock(hours=1)
    assert bookings() == {"status": "degraded", **none, "older": 1}
    Operation.objects.update(state="review")
    assert bookings() == {"status": "degraded", **none, "withStaff": 1}
    assert latest().created_at < clock.now() - timedelta(hours=1)
