"""Beat's entries to the sweeps: each does the work, and tells who answered."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.bookings import tasks
from apps.bookings.models import Operation, Settlement
from apps.gateway.periodic import Tally
from apps.suppliers.errors import OutcomeUnknown, Unavailable
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
    return tally.succeeded, dict(tally.failures)


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
