"""Commands that work off what is due: interrupted after the first step, a second run does the rest, and nothing twice."""

from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import call_command

from apps.bookings import erasure
from apps.bookings.flow import polling, reconcile
from apps.bookings.models import Booking, Operation, Settlement
from apps.common import clock
from apps.ledger.consistency import check_ledger
from apps.suppliers.errors import OutcomeUnknown
from tests.support.flight_shop import FlightShop
from tests.support.interrupting import interrupt
from tests.support.scripted_flights import ScriptedFlights

MoveClock = Callable[..., None]


def again(command: str) -> str:
    out = StringIO()
    call_command(command, stdout=out)
    return out.getvalue()


def test_travellers(shop: FlightShop, move_clock: MoveClock, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        shop.ordered()
    move_clock(days=700)
    monkeypatch.setitem(erasure.forget_travellers.__kwdefaults__, "batch", 2)
    interrupt("forget_travellers")
    assert Booking.objects.exclude(erased_at=None).count() == 2
    assert again("forget_travellers") == "1 bookings redacted\n"


def test_polls(shop: FlightShop, move_clock: MoveClock, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        shop.ordered()
    monkeypatch.setattr(polling.poll_suppliers, "__defaults__", (1,))
    move_clock(hours=1, seconds=1)
    polled: list[str] = []
    monkeypatch.setattr(polling, "has_ended", lambda booking, tally: polled.append(booking.pk) or False)
    interrupt("poll_suppliers")
    assert len(polled) == 1
    assert again("poll_suppliers") == "0 bookings cancelled by their supplier\n"
    assert sorted(polled) == sorted(Booking.objects.values_list("pk", flat=True))


def test_operations(shop: FlightShop, supplier: ScriptedFlights, move_clock: MoveClock) -> None:
    for _ in range(3):
        supplier.spoil("book", OutcomeUnknown(), accepted=True)
        assert shop.order(shop.offer()).status == 503
    move_clock(minutes=5)
    interrupt("recover_operations")
    assert Operation.objects.filter(state="confirmed").count() == 1
    move_clock(minutes=1)  # the leases of what it had claimed
    assert again("recover_operations") == "2 operations looked up\n"
    assert Operation.objects.filter(state="confirmed").count() == 3
    assert check_ledger() == []


def test_settlements(shop: FlightShop, supplier: ScriptedFlights, move_clock: MoveClock) -> None:
    for _ in range(2):
        order = shop.ordered()
        option = shop.options(order)[0]
        assert shop.change(order["id"], option).status == 200
    interrupt("settle_owed")
    assert Settlement.objects.filter(settled_at=None).count() == 1
    Settlement.objects.update(next_attempt_at=clock.now() - reconcile.LEASE)
    assert again("settle_owed") == "1 settled\n"
    assert check_ledger() == []
