"""Beat's entries to the sweeps: each does the work, and tells who answered."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.bookings import tasks
from apps.bookings.flow import polling, reconcile
from apps.bookings.models import Booking, Operation, Settlement
from apps.gateway.periodic import Tally
from apps.suppliers.errors import OutcomeUnknown, Unavailable
from apps.suppliers.models import SupplierEvent
from apps.suppliers.vendors import Hint
from apps.suppliers.webhooks import store
from tests.support.flight_shop import FlightShop
from tests.support.scripted_flights import ScriptedFlights

ANSWERED = (frozenset({"", "simulator"}), {})
SILENT = (frozenset({""}), {"simulator": "Unavailable"})


@pytest.fixture
def order(shop: FlightShop) -> dict[str, Any]:
    return shop.ordered()


@pytest.fixture
def owed(shop: FlightShop, order: dict[str, Any]) -> Settlement:
    """The difference of a change to a cheaper flight."""
    assert shop.change(order["id"], shop.options(order)[0]).status == 200
    return Settlement.objects.get(settled_at=None)


def of(tally: Tally) -> tuple[frozenset[str], dict[str, str]]:
    return tally.outcome.answered, dict(tally.outcome.failures)


def test_operations_are_looked_up(
    shop: FlightShop, supplier: ScriptedFlights, move_clock: Callable[..., None]
) -> None:
    supplier.spoil("book", OutcomeUnknown(), accepted=True)
    shop.order(shop.offer())
    supplier.spoil("find_order", Unavailable())
    move_clock(minutes=5)
    assert of(tasks.recover_operations()) == SILENT
    move_clock(hours=1)
    assert of(tasks.recover_operations()) == ANSWERED
    assert Operation.objects.get().state == "confirmed"


@pytest.mark.parametrize("task", [tasks.settle_what_is_owed, tasks.settle_more])
def test_what_is_owed_is_settled(owed: Settlement, task: Callable[[], object]) -> None:
    task()
    owed.refresh_from_db()
    assert owed.settled_at is not None


def test_a_settlement_that_fails_is_told(owed: Settlement, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*args: object) -> None:
        raise RuntimeError("in the middle")

    monkeypatch.setattr(reconcile, "emit_events", crash)
    assert of(tasks.settle_what_is_owed()) == (frozenset(), {"": "RuntimeError: in the middle"})


@pytest.mark.parametrize("task", [tasks.poll_standing_bookings, tasks.poll_more_bookings])
def test_standing_bookings_are_polled(
    order: dict[str, Any],
    supplier: ScriptedFlights,
    task: Callable[[], object],
    move_clock: Callable[..., None],
) -> None:
    booking = Booking.objects.get()
    supplier.call_off(booking.supplier_reference)
    move_clock(hours=1, seconds=1)
    task()
    booking.refresh_from_db()
    assert booking.status == "cancelled"


def test_who_answers_the_polls_is_told(
    order: dict[str, Any], monkeypatch: pytest.MonkeyPatch, move_clock: Callable[..., None]
) -> None:
    def silent(booking: Booking) -> bool:
        raise Unavailable

    move_clock(hours=1, seconds=1)
    with monkeypatch.context() as patched:
        patched.setattr(polling, "poll", silent)
        assert of(tasks.poll_standing_bookings()) == SILENT
    move_clock(hours=1, seconds=1)
    assert of(tasks.poll_standing_bookings()) == ANSWERED


def test_hints_are_followed_and_who_answered_is_told(order: dict[str, Any]) -> None:
    store("simulator", Hint(event_id="evt_1", kind="order.updated"))
    assert of(tasks.follow_supplier_hints()) == ANSWERED
    assert SupplierEvent.objects.filter(handled_at=None).count() == 0


def test_each_sweep_that_forgets_tells_how_many_it_forgot(
    shop: FlightShop, move_clock: Callable[..., None]
) -> None:
    shop.ordered()
    store("simulator", Hint(event_id="evt_1", kind="order.updated"))
    move_clock(days=700)
    assert (tasks.forget_old_travellers(), tasks.forget_old_travellers()) == (1, 0)
    assert (tasks.forget_supplier_hints(), tasks.forget_supplier_hints()) == (1, 0)
    assert (tasks.forget_idempotency_records(), tasks.forget_idempotency_records()) == (2, 0)
