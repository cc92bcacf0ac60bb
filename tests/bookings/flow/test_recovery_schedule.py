"""A lost answer of a real supplier: looked for at the supplier's own times, then given up and told to staff."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from apps.bookings import handlers
from apps.bookings.flow.recover import recover_due
from apps.bookings.flow.recovery_schedule import first_look, following_look, look_again
from apps.bookings.models import Booking, Operation
from apps.common import clock
from apps.flights.suppliers import registry
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import OutcomeUnknown
from apps.suppliers.models import SupplierAlert
from apps.suppliers.vendors import Lookups, Vendor
from tests.bookings.books import funds, hold_of, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.support.flight_shop import FlightShop
from tests.support.scripted_flights import ScriptedFlights

pytestmark = pytest.mark.usefixtures("still_clock")
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


CALLED = datetime(2026, 11, 20, 12, tzinfo=UTC)


def seconds(count: float) -> timedelta:
    return timedelta(seconds=count)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Callable[..., Operation]:
    """`asked("acme", first=…)`: an operation at a supplier that declares its times, or at the simulator, which goes by these
    settings.
    """
    settings.LOOKUP_BACKOFF_SECONDS = (10, 30, 120)
    settings.LOOKUP_FIRST_NOT_FOUND_SECONDS = 90
    settings.LOOKUP_NOT_FOUND_APART_SECONDS = 60
    vendors = {
        "acme": Vendor("acme", object, lookups=Lookups(at=(30, 120), give_up_after=3600)),
        "simulator": Vendor("simulator", object),
    }
    handler = SimpleNamespace(vendors=vendors)
    monkeypatch.setattr(handlers, "_handlers", {("flight", kind): handler for kind in ("book", "cancel")})

    def make(supplier: str = "simulator", kind: str = "book", **columns: Any) -> Operation:
        booking = Booking(product="flight", supplier_name=supplier)
        began = {"call_started_at": CALLED, "created_at": CALLED - timedelta(hours=1)}
        return Operation(booking=booking, kind=kind, **{**began, **columns})

    return make


@pytest.mark.parametrize(
    ("supplier", "kind", "after", "look"),
    [
        ("simulator", "book", 7, 17),
        ("acme", "book", 7, 30),
        ("acme", "book", 44, 44),
        ("acme", "cancel", 7, 17),
    ],
)
def test_the_first_look(
    asked: Callable[..., Operation], supplier: str, kind: str, after: float, look: float
) -> None:
    assert first_look(asked(supplier, kind), CALLED + seconds(after)) == CALLED + seconds(look)


@pytest.mark.parametrize(
    ("supplier", "lookups", "after", "look"),
    [
        ("simulator", 0, 7, 17),
        ("simulator", 1, 7, 37),
        ("simulator", 2, 7, 127),
        ("simulator", 3, 7, 127),
        ("simulator", 99, 7, 127),
        ("acme", 0, 29, 30),
        ("acme", 0, 30, 120),
        ("acme", 9, 120, 3600),
        ("acme", 0, 3600, 7200),
        ("acme", 0, 4000, 7600),
    ],
)
def test_the_look_after_one_without_an_answer(
    asked: Callable[..., Operation], supplier: str, lookups: int, after: float, look: float
) -> None:
    operation = asked(supplier, lookups=lookups)
    assert following_look(operation, CALLED + seconds(after)) == CALLED + seconds(look)


@pytest.mark.parametrize(
    ("supplier", "kind", "first", "after", "look"),
    [
        # It does not count before 90 s, and what does is believed 60 s after the first that did.
        ("simulator", "book", None, 90 - 1e-6, 90),
        ("simulator", "book", None, 90, 150),
        ("simulator", "book", 90, 150 - 1e-6, 150),
        ("simulator", "book", 90, 150, None),
        # The supplier's own times, until it had time enough.
        ("acme", "book", None, 29, 30),
        ("acme", "book", 10, 3600 - 1e-6, 3600),
        ("acme", "book", None, 3600, 3660),
        ("acme", "book", 10, 3600, None),
        ("acme", "book", 3590, 3600, 3650),
        # A cancellation goes by the settings, whoever the supplier is.
        ("acme", "cancel", None, 90, 150),
        ("acme", "cancel", 90, 150, None),
    ],
)
def test_the_look_after_one_that_found_nothing(
    asked: Callable[..., Operation],
    supplier: str,
    kind: str,
    first: float | None,
    after: float,
    look: float | None,
) -> None:
    operation = asked(supplier, kind, first_not_found_at=None if first is None else CALLED + seconds(first))
    again = look_again(operation, CALLED + seconds(after))
    assert again == (None if look is None else CALLED + seconds(look))
